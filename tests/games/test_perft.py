"""Perft of every line in tests/perft: position ; count at depth 1 ; at depth 2 ; ..."""

import os
from collections.abc import Iterator

import pytest

from conftest import TESTS
from plywise.game.perft import perft, split
from plywise.games import load_game

pytestmark = pytest.mark.kernels

LARGEST = 5_000 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 100_000_000


def cases() -> Iterator[tuple[str, str, list[int]]]:
    for path in sorted((TESTS / "perft").glob("*.txt")):
        for line in path.read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                position, *counts = (part.strip() for part in line.split(";"))
                yield path.stem, position, [int(count) for count in counts]


@pytest.mark.parametrize(("name", "text", "counts"), list(cases()))
def test_perft_matches(name: str, text: str, counts: list[int]) -> None:
    game = load_game(name)
    position = game.parse_position(text)
    for depth, expected in enumerate(counts, start=1):
        if expected > LARGEST:
            break
        found = perft(game, position, depth)
        assert found == expected, f"{name} {text} at depth {depth}: {split(game, position, depth)}"


def test_a_split_sums_up_to_the_whole() -> None:
    game = load_game("draughts")
    assert sum(split(game, game.initial(), 4).values()) == 1469
    assert split(game, game.initial(), 1)["11-15"] == 1


def test_perft_of_depth_zero_is_one() -> None:
    game = load_game("connect4")
    assert perft(game, game.initial(), 0) == 1
