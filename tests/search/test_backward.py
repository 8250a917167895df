"""Backward iterative deepening: what it knows is true, and nothing is searched twice."""

from typing import Any

import numpy as np
import pytest

import naive.minimax
from conftest import INTERPRETED, seeded
from plywise.evaluators.noise import noise_model
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.kernel import compiled, signatures
from plywise.search.backward import CONSISTENT, PROVEN, Backward, explore
from plywise.search.limits import Limit

pytestmark = pytest.mark.kernels


def finished_record(game: Game, seed: int) -> Record:
    record = Record(game)
    generator = seeded(seed)
    while record.ending() is None:
        record.play(generator.choice(record.legal_moves()))
    return record


def minimax(game: Game, row: Any) -> int:
    """Return the result for the side to move under best play."""
    result = game.result(row)
    if result != 2:
        return result
    values = []
    for move in game.legal_moves(row):
        after = game.apply(row, move)
        values.append(naive.minimax.sign_of(game, row, after) * minimax(game, after))
    return max(values)


def as_dict(found: Any) -> dict[bytes, tuple[float, int]]:
    return {
        row.tobytes(): (float(value), int(kind))
        for row, value, kind in zip(found.positions, found.values, found.kinds, strict=True)
    }


@pytest.mark.parametrize("seed", range(2 if INTERPRETED else 8))
def test_proven_values_are_those_of_minimax(seed: int) -> None:
    game = load_game("tictactoe")
    record = finished_record(game, seed)
    found = Backward(noise_model(game, 1)).search(record, Limit(nodes=400))
    assert len(found.values) > 0
    for row, value in zip(found.positions, found.values, strict=True):
        assert value == minimax(game, row)


def test_every_iteration_contains_the_one_before() -> None:
    game = load_game("tictactoe")
    record = finished_record(game, 3)
    search = Backward(noise_model(game, 1))
    whole = as_dict(search.search(record, Limit(nodes=1 << 40)))
    for limit in (5, 20, 60, 200):
        part = as_dict(search.search(record, Limit(nodes=limit)))
        assert part.items() <= whole.items()


def test_nothing_is_searched_twice() -> None:
    """The nodes of all iterations are those of one search from the last iteration's root."""
    game = load_game("connect4")
    record = finished_record(game, 1)
    model = noise_model(game, 1)
    tail = Record(game, record.positions[-5], record.moves[-4:])
    search = Backward(model)
    found = search.search(tail, Limit(nodes=1 << 40))
    assert found.iterations == 4
    at_once = Backward(model)
    at_once.memory.node_limit = 1 << 40
    search_once(at_once.task, tail.start, np.int64(4))
    roots = found.iterations + 1  # each iteration counts its own root
    assert found.nodes <= at_once.memory.nodes + roots
    assert len(found.values) == len(set(as_dict(found)))


@compiled
def search_once(task: Any, row: Any, left: Any) -> Any:
    nothing = (0.0, np.int64(0))
    position = task.game.load(row)
    return explore(task, position, np.int64(0), left, np.uint64(0xFFFFFFFFFFFFFFFF), nothing)


def test_only_consistent_values_are_propagated_besides_proven_ones() -> None:
    game = load_game("connect4")
    record = finished_record(game, 5)
    model = noise_model(game, 1)
    strict = Backward(model).search(record, Limit(nodes=3000))
    assert set(strict.kinds) == {PROVEN}
    trusting = Backward(model, margin=2.0).search(record, Limit(nodes=3000))
    assert CONSISTENT in trusting.kinds  # with so wide a margin every value is consistent


def test_a_limit_of_nodes_is_kept() -> None:
    game = load_game("reversi")
    record = naive.minimax.random_record(game, seeded(1), 200)
    found = Backward(noise_model(game, 1)).search(record, Limit(nodes=500))
    assert found.nodes <= 501
    assert found.iterations < len(record.moves)


@pytest.mark.skipif(INTERPRETED, reason="about compiled signatures")
def test_the_recursion_is_compiled_once() -> None:
    game = load_game("connect4")
    Backward(noise_model(game, 1)).search(finished_record(game, 2), Limit(nodes=100))
    tasks = [str(signature[0]) for signature in signatures(explore)]
    assert len(tasks) == len(set(tasks))
    assert all("Literal" not in str(signature) for signature in signatures(explore))
