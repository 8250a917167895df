"""A side that moves twice in a row: its values are not negated."""

import numpy as np
import pytest

from conftest import INTERPRETED, seeded
from naive.minimax import minimax, random_record
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.evaluators.noise import noise_model
from plywise.game import LOSS, WIN, Game, Record
from plywise.games import load_game
from plywise.search.backward import PROVEN, Backward
from plywise.search.limits import Limit
from plywise.search.mcts import MctsOptions
from plywise.search.options import PLAIN, Options
from plywise.search.searchers import AlphaBeta, Mcts
from toys.again import again, exact

pytestmark = pytest.mark.kernels


def heap(stones: int) -> Record:
    return Record(again, again.parse_position(f"{stones} 0"))


def blind(game: Game) -> Model:
    return Model(make_evaluator("none", game))


@pytest.mark.parametrize("stones", [1, 2, 3, 4, 5, 6, 7, 8, 9])
def test_alpha_beta_proves_the_exact_value(stones: int) -> None:
    for options in (Options(), Options(table=False, pvs=False), PLAIN):
        found = AlphaBeta(blind(again), options, table_bits=12).search(
            heap(stones), Limit(depth=stones)
        )
        assert found.value == exact(stones)


@pytest.mark.parametrize("name", ["again", "kalah"])
def test_minimax_agrees_at_every_depth(name: str) -> None:
    game = again if name == "again" else load_game(name)
    for seed in range(2 if INTERPRETED else 6):
        model = noise_model(game, seed)
        record = random_record(game, seeded(seed), 2 + 3 * seed)
        for depth in range(1, 4 if INTERPRETED else 7):
            expected = minimax(model, record, depth)
            for options in (PLAIN, Options(), Options(value_ordering=1), Options(table=False)):
                search = AlphaBeta(model, options._replace(deepening=True), table_bits=12)
                search.search(record, Limit(depth=depth))
                assert int(search.memory.best_score) == expected


def test_the_line_of_a_search_is_worth_its_value() -> None:
    game = load_game("kalah")
    model = noise_model(game, 3)
    record = random_record(game, seeded(8), 9)
    mover = record.side
    found = AlphaBeta(model).search(record, Limit(depth=3 if INTERPRETED else 8))
    for move in found.line:
        record.play(move)
    value = model.value(record.position)
    assert found.end is None
    assert found.value == pytest.approx(value if record.side == mover else -value, abs=2e-6)


@pytest.mark.parametrize(
    "options", [MctsOptions(), MctsOptions(cap=2, mixing=0.4), MctsOptions(cap=0, policy=0.1)]
)
def test_a_tree_proves_the_exact_value(options: MctsOptions) -> None:
    for stones in range(1, 8):
        search = Mcts(blind(again), options)
        found = search.search(heap(stones), Limit(nodes=300 if INTERPRETED else 5000))
        assert found.extras["is_proven"]
        assert found.value == exact(stones)
        if exact(stones) == WIN:
            after = again.apply(heap(stones).position, found.move)
            sign = 1 if found.move == 2 else -1
            assert sign * exact(int(after[0])) == WIN


@pytest.mark.skipif(INTERPRETED, reason="needs many simulations")
def test_averages_are_those_of_who_moves_into_a_node() -> None:
    """With 30 stones nothing is proven soon; the mean of the root is that of its children."""
    search = Mcts(blind(again), MctsOptions(solver=False))
    search.search(heap(30), Limit(nodes=4000))
    root = search.tree[0]
    rows = search.tree[int(root.first) : int(root.first) + int(root.count)]
    mean = float((rows["visits"] * rows["average"]).sum() / rows["visits"].sum())
    assert int(root.sign) * float(root.average) == pytest.approx(mean, abs=0.01)


def test_a_backward_search_knows_the_exact_values() -> None:
    record = heap(9)
    generator = seeded(2)
    while record.ending() is None:
        record.play(generator.choice(record.legal_moves()))
    found = Backward(noise_model(again, 1)).search(record, Limit(nodes=2000))
    assert len(found.values) > 5
    for row, value, kind in zip(found.positions, found.values, found.kinds, strict=True):
        assert kind == PROVEN
        assert value == exact(int(row[0]))


def test_an_ending_on_the_own_turn_is_scored_for_the_right_side() -> None:
    """Who takes the last two is still to move, and so has lost."""
    record = heap(2)
    record.play(np.uint64(2))
    ending = record.ending()
    assert ending is not None
    assert ending.score == LOSS
