"""Guesses of the search: off they change nothing, on they find what matters sooner."""

import numpy as np
import pytest

from conftest import INTERPRETED, handmade_model, seeded
from naive.minimax import random_record
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import make_player
from plywise.search import table as tables
from plywise.search.limits import Limit
from plywise.search.options import PLAIN, SELECTIVE, Options
from plywise.search.scores import WIN_SCORE
from plywise.search.searchers import AlphaBeta
from plywise.search.table import EXACT, LOWER, make_table

pytestmark = pytest.mark.kernels

KEEP_VALUES = (
    "counter",
    "continuation",
    "exchange_order",
    "aspiration",
    "mate_distance",
    "staged",
    "memo",
)
MATES = [  # position, the move, plies to mate
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", 1),
    ("r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", "d5f6", 3),
    ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", "d2h6", 3),
]


def score_of(game: Game, record: Record, depth: int, options: Options) -> int:
    search = AlphaBeta(handmade_model(game), options, table_bits=12)
    search.search(record, Limit(depth=depth))
    return int(search.memory.best_score)


@pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")
def test_what_only_orders_or_bounds_keeps_the_value(game: Game) -> None:
    base = Options(repetition=False, null_move=False, extensions=False)
    for seed in range(4):
        record = random_record(game, seeded(seed), 4 * seed)
        for depth in (3, 6 if game.name != "chess" else 4):
            expected = score_of(game, record, depth, base)
            together = base._replace(**dict.fromkeys(KEEP_VALUES, True))
            assert score_of(game, record, depth, together) == expected
            for name in KEEP_VALUES:
                assert score_of(game, record, depth, base._replace(**{name: True})) == expected


@pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")
@pytest.mark.parametrize(("text", "move", "plies"), MATES)
def test_mates_are_found_by_the_selective_search(text: str, move: str, plies: int) -> None:
    game = load_game("chess")
    record = Record(game, game.parse_position(text))
    found = AlphaBeta(handmade_model(game), SELECTIVE).search(record, Limit(depth=12))
    assert found.move == game.parse_move(record.position, move)
    assert found.end == plies


@pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")
def test_guesses_reach_deeper_with_the_same_nodes() -> None:
    game = load_game("chess")
    position = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 b - - 3 9"
    record = Record(game, game.parse_position(position))
    limit = Limit(nodes=30_000)
    guessing = AlphaBeta(handmade_model(game), SELECTIVE).search(record, limit)
    careful = AlphaBeta(handmade_model(game), Options()).search(record, limit)
    assert guessing.depth >= careful.depth + 3


@pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")
def test_every_game_can_be_searched_selectively(game: Game) -> None:
    record = random_record(game, seeded(5), 6)
    search = AlphaBeta(handmade_model(game), SELECTIVE, table_bits=14)
    found = search.search(record, Limit(depth=6))
    assert found.move in record.legal_moves()
    again = AlphaBeta(handmade_model(game), SELECTIVE, table_bits=14)
    assert again.search(record, Limit(depth=6)).line == found.line


def test_chess_is_searched_selectively_unless_told_otherwise() -> None:
    game = load_game("chess")
    chosen = {
        text: make_player(text, game)._make_search().task.options  # type: ignore[attr-defined]
        for text in ("alphabeta", "alphabeta,selective=off", "alphabeta,delta=off", "minimax")
    }
    assert chosen["alphabeta"] == SELECTIVE
    assert chosen["alphabeta,selective=off"] == Options()
    assert chosen["alphabeta,delta=off"] == SELECTIVE._replace(delta=False)
    assert chosen["minimax"] == PLAIN._replace(repetition=True, deepening=True)


def test_the_table_gives_back_what_was_kept() -> None:
    table = make_table(4)
    key = np.uint64(0x0123456789ABCDEF)
    for score in (0, -1, 123_456, -987_654, 3 - WIN_SCORE):
        for depth in (-1, 0, 17):
            stamp = tables.stamp_of(261, 3)  # of the age only the last byte counts
            tables.keep(table, key, (np.uint64(77), score, depth, LOWER, stamp), 0)
            assert [int(x) for x in tables.find(table, key)] == [77, score, depth, LOWER, 3]
    assert tables.find(table, key ^ np.uint64(1 << 40))[3] == 0


@pytest.mark.parametrize("field", ["move", "facts"])
def test_an_entry_that_two_threads_wrote_is_not_recognised(field: str) -> None:
    table = make_table(4)
    key = np.uint64(0x0123456789ABCDEF)
    tables.keep(table, key, (np.uint64(77), 5, 3, EXACT, 0), 0)
    place = int(key & np.uint64(len(table) - 2))
    table[place][field] ^= np.uint64(1 << 17)
    assert tables.find(table, key)[3] == 0
