"""Training examples: their values, where they come from, and which of two is trusted."""

import numpy as np
import pytest

from conftest import seeded
from plywise.evaluators.noise import noise_model
from plywise.game.record import Record
from plywise.games import load_game
from plywise.learners.nhb.examples import (
    PLAYED,
    Examples,
    bootstrapped,
    consistent_examples,
    join,
    played_examples,
    proven_examples,
    without_duplicates,
)
from plywise.search.backward import CONSISTENT, PROVEN
from plywise.search.limits import Limit
from plywise.search.options import Options
from plywise.search.searchers import AlphaBeta
from plywise.search.trace import make_trace, traced_nodes

GAME = load_game("connect4")


def example(word: int, value: float, kind: int) -> Examples:
    row = np.array([[word, word]], np.uint64)
    return Examples(row, np.array([value]), np.array([kind], np.uint8))


def test_a_proven_value_wins_over_all_others() -> None:
    parts = [example(1, 0.2, PLAYED), example(1, -1, PROVEN), example(1, 0.5, CONSISTENT)]
    kept = without_duplicates(join([*parts, example(2, 0.5, CONSISTENT), example(2, 0, PLAYED)]))
    assert kept.values.tolist() == [-1, 0.5]
    assert kept.kinds.tolist() == [PROVEN, CONSISTENT]


def test_values_of_the_same_kind_are_averaged() -> None:
    kept = without_duplicates(join([example(1, 0.2, PLAYED), example(1, 0.6, PLAYED)]))
    assert kept.values == pytest.approx([0.4])


def test_values_of_a_played_game_grow_quadratically() -> None:
    moves = [3, 0, 3, 0, 3, 0, 3]  # x wins with the seventh stone
    record = Record(GAME, moves=moves)
    ending = record.ending()
    assert ending is not None
    values = played_examples(record, ending.score).values
    signs = [1, -1] * 4
    assert values == pytest.approx([s * (t / 7) ** 2 for t, s in zip(range(8), signs, strict=True)])


def test_without_fading_every_position_has_the_result() -> None:
    record = Record(GAME, moves=[3, 0, 3, 0, 3, 0, 3])
    assert played_examples(record, 1, fading=0).values.tolist() == [1, -1] * 4


def test_a_share_of_a_search_draws_a_played_value_towards_it() -> None:
    played = played_examples(Record(GAME, moves=[3, 0]), 1, fading=0)
    drawn = bootstrapped(played, {1: 0.5, 2: 7.0}, 0.25)
    assert drawn.values == pytest.approx([1, -0.75 + 0.125, 1])
    assert played.values.tolist() == [1, -1, 1]


def test_a_search_proves_what_solving_confirms() -> None:
    trace = make_trace(GAME.words, 1 << 12)
    search = AlphaBeta(noise_model(GAME, 1), Options(), 14, trace)
    record = Record(GAME, moves=[3, 3, 2, 2])  # x threatens an open three
    search.search(record, Limit(depth=5))
    proven = without_duplicates(proven_examples(traced_nodes(trace)))
    assert len(proven) > 20
    solver = AlphaBeta(noise_model(GAME, 2), Options(), 16)
    generator = seeded(1)
    for index in generator.permutation(len(proven)):
        row = proven.positions[index]
        result = GAME.result(row)
        if result != 2:
            assert proven.values[index] == result
            continue
        found = solver.search(Record(GAME, row), Limit(depth=6))
        assert found.value == proven.values[index]


def test_consistent_positions_agree_with_a_search_of_one_ply() -> None:
    trace = make_trace(GAME.words, 1 << 12)
    model = noise_model(GAME, 1)
    search = AlphaBeta(model, Options(), 14, trace)
    search.search(Record(GAME), Limit(depth=4))
    found = consistent_examples(traced_nodes(trace), model, margin=0.3)
    assert len(found) > 0
    assert np.abs(model.values(found.positions) - found.values).max() <= 0.3
