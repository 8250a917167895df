"""What a chess-like game offers: check, null moves, ranked captures, no legal move."""

import numpy as np
import pytest

from conftest import INTERPRETED, seeded
from naive.minimax import end_score, random_record, static_score
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.evaluators.noise import noise_model
from plywise.game import DRAW, LOSS, ONGOING, Record, Row
from plywise.game.perft import perft
from plywise.search.limits import Limit
from plywise.search.options import Options
from plywise.search.searchers import AlphaBeta, Mcts
from toys.minichess import minichess, plain

pytestmark = pytest.mark.kernels

MATE_IN_ONE = "k.../..../.K.R/.... x"
SOUND = Options(quiescence=False, repetition=False, extensions=False, null_move=False)


def material() -> Model:
    return Model(make_evaluator("material", minichess))


def at(text: str) -> Record:
    letters = str.maketrans("KRkr", "XxOo")
    board, _, mover = text.rpartition(" ")
    return Record(minichess, minichess.parse_position(f"{board.translate(letters)} {mover}"))


def minimax(model: Model, row: Row, depth: int, ply: int = 0) -> int:
    """Return the score by the definition; at the horizon a stalemate is judged, not seen."""
    is_leaf = depth == 0 and not is_checked(row)
    result = result_without_moves(row) if is_leaf else minichess.result(row)
    if result != ONGOING:
        return end_score(result, ply)
    if depth == 0:
        return static_score(model, row)
    afters = [minichess.apply(row, move) for move in minichess.legal_moves(row)]
    return max(-minimax(model, after, depth - 1, ply + 1) for after in afters)


def is_checked(row: Row) -> bool:
    return bool(minichess.rules.in_check(tuple(np.uint64(word) for word in row)))


def result_without_moves(row: Row) -> int:
    """Return what shows without a list of moves: a draw if there are no rooks."""
    return DRAW if row[1] | row[3] == 0 else ONGOING


def test_perft_is_the_same_with_and_without_a_list_in_the_result() -> None:
    for depth in range(1, 4 if INTERPRETED else 6):
        assert perft(minichess, minichess.initial(), depth) == perft(plain, plain.initial(), depth)


def test_a_side_without_moves_has_lost_in_check_and_drawn_otherwise() -> None:
    for seed in range(3 if INTERPRETED else 30):
        record = random_record(minichess, seeded(seed), 12)
        for row in record.positions:
            assert minichess.result(row) == plain.result(row)


def test_alpha_beta_agrees_with_minimax() -> None:
    model = noise_model(minichess, 4)
    for seed in range(2 if INTERPRETED else 8):
        record = random_record(minichess, seeded(seed), seed)
        for depth in range(1, 3 if INTERPRETED else 5):
            expected = minimax(model, record.position, depth)
            for change in ({}, {"table": False, "pvs": False}, {"value_ordering": 1}):
                options = SOUND._replace(**change)
                search = AlphaBeta(model, options, table_bits=12)
                search.search(record, Limit(depth=depth))
                assert int(search.memory.best_score) == expected


def test_a_mate_is_found_and_proven() -> None:
    record = at(MATE_IN_ONE)
    found = AlphaBeta(material()).search(record, Limit(depth=3))
    assert (found.value, found.end) == (1.0, 1)
    assert minichess.result(minichess.apply(record.position, found.move)) == LOSS


def test_a_tree_search_proves_a_mate() -> None:
    record = at(MATE_IN_ONE)
    found = Mcts(material()).search(record, Limit(nodes=300 if INTERPRETED else 2000))
    assert found.extras["is_proven"]
    assert found.value == 1.0


def test_an_answer_to_a_check_costs_no_depth() -> None:
    """A mate that is one ply beyond the depth is seen if the ply before it answers a check."""
    deeper = 0
    for seed in range(4 if INTERPRETED else 40):
        record = random_record(minichess, seeded(seed), 6)
        ends = []
        for extensions in (False, True):
            options = Options(extensions=extensions, null_move=False, quiescence=False)
            found = AlphaBeta(material(), options, table_bits=12).search(record, Limit(depth=2))
            ends.append(found.end)
        assert ends[0] is None or ends[1] is not None
        deeper += ends[1] is not None and ends[1] > 2
    assert deeper > 0 or INTERPRETED


@pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")
def test_a_null_move_saves_nodes_and_keeps_proven_wins() -> None:
    nodes = {True: 0, False: 0}
    for seed in range(12):
        record = random_record(minichess, seeded(seed), 4)
        values = {}
        for null_move in (True, False):
            options = Options(null_move=null_move, extensions=False)
            found = AlphaBeta(material(), options, table_bits=14).search(record, Limit(depth=6))
            nodes[null_move] += found.nodes
            values[null_move] = found.value
            assert found.move in record.legal_moves()
        assert values[True] < 1.0 or values[False] == 1.0
    assert nodes[True] < nodes[False]


def test_quiescence_keeps_its_budget_in_check() -> None:
    record = at("k..R/..../...K/.r.. o")
    for budget in (1, 2, 3, 5, 8, 20):
        assert AlphaBeta(material()).search(record, Limit(nodes=budget)).nodes <= budget
