"""The hand-made judgement of chess: the same for both sides, and right about plain facts."""

import pytest

from conftest import INTERPRETED, handmade_model, seeded
from naive.minimax import random_record
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import make_player

pytestmark = pytest.mark.kernels

game = load_game("chess")
model = handmade_model(game)


def judged(fen: str) -> float:
    return model.value(game.parse_position(fen))


def mirrored(fen: str) -> str:
    """Return the same position with the colours exchanged."""
    board, mover, rights, _, clock, number = fen.split()
    rows = "/".join(reversed(board.split("/"))).swapcase()
    rights = "".join(sorted(rights.swapcase()))
    return f"{rows} {'wb'[mover == 'w']} {rights} - {clock} {number}"


def test_both_sides_are_judged_alike() -> None:
    for seed in range(2 if INTERPRETED else 20):
        record = random_record(game, seeded(seed), 4 * seed)
        fen = game.format_position(record.position)
        assert judged(mirrored(fen)) == pytest.approx(model.value(record.position))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4k3/8/8/8/8/8/4P3/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1"),
        ("4k3/8/8/4N3/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/N3K3 w - - 0 1"),
        ("4k3/8/4P3/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/2P1P3/8/4K3 w - - 0 1", "4k3/8/8/8/8/4P3/4P3/4K3 w - - 0 1"),
        ("4k3/p7/8/7P/8/8/8/4K3 w - - 0 1", "4k3/7p/8/7P/8/8/8/4K3 w - - 0 1"),
    ],
    ids=["queen", "centre", "advanced", "doubled", "passed"],
)
def test_what_is_better_is_judged_better(better: str, worse: str) -> None:
    assert judged(better) > judged(worse)


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Rd8#"),
        ("6k1/5ppp/8/3q4/8/8/5PPP/3R2K1 w - - 0 1", "Rxd5"),
        ("k7/8/1K6/8/8/8/8/7R w - - 98 120", "Rh8#"),
    ],
)
def test_a_search_with_it_finds_what_is_plain(fen: str, move: str) -> None:
    record = Record(game, game.parse_position(fen))
    found = make_player("alphabeta,depth=2", game).choose(record)
    assert game.format_move(record.position, found.move) == move
