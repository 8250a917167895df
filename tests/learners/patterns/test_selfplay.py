"""Self-play in compiled code: what a game teaches, by the definition."""

from typing import Any

import numpy as np
import pytest

from conftest import EXAMPLES, INTERPRETED, seeded
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.evaluators.network import random_model
from plywise.game import ONGOING, Game, Row
from plywise.games import load_game
from plywise.kernel.random import random_word
from plywise.learners.patterns.selfplay import (
    CHANCES,
    LOOKS,
    PLIES,
    Lessons,
    Manner,
    Players,
    best_move_at,
    is_settled,
    memory_type,
    play_game,
    teach,
)
from toys.again import again
from toys.brawl import brawl

pytestmark = pytest.mark.kernels

MAX_PLIES = 120


def players_of(game: Game, seed: int) -> Players:
    model = random_model(make_evaluator("patterns", game), seeded(seed), reach=0.05)
    return with_memory(model, model, seed)


def with_memory(first: Model, second: Model, seed: int) -> Players:
    game, bundle = first.game, first.evaluator.bundle
    kind = memory_type(game.max_moves, bundle.width, MAX_PLIES, game.words)
    memory: Any = np.zeros(1, kind)[0]
    memory.random = random_word(seeded(seed))
    return Players(game.rules, bundle, first.params, second.params, memory)


@pytest.mark.parametrize("name", ["tictactoe", "draughts", "kalah", "again"])
def test_targets_are_lambda_returns_cut_at_random_moves(name: str) -> None:
    game = again if name == "again" else load_game(name)
    manner = Manner(0.7, 0.9, CHANCES // 5, 3)
    for seed in range(2 if INTERPRETED else 10):
        players = players_of(game, seed)
        memory = players.memory
        result, plies = play_game(players, manner, game.initial())
        lessons = Lessons(np.zeros((MAX_PLIES, game.words), np.uint64), np.zeros(MAX_PLIES))
        used = int(teach(players, manner, lessons, np.int64(0), plies))
        rows = [np.array(row) for row in memory.rows[: plies + 1]]
        sides = [game.side(row) for row in rows]
        last = result if sides[-1] == 0 else -result
        expected, target = [], float(last)
        for ply in range(int(plies) - 1, -1, -1):
            if not memory.is_taught[ply]:
                break
            value = float(memory.values[ply])
            sign = 1 if sides[ply] == sides[ply + 1] else -1
            target = 0.3 * value + 0.7 * 0.9 * sign * target
            if memory.is_cut[ply]:
                target = value
            if game.is_quiet(rows[ply]):
                expected.append((rows[ply].tobytes(), target))
        found = [(lessons.rows[i].tobytes(), lessons.targets[i]) for i in range(used)]
        assert [row for row, _ in found] == [row for row, _ in expected]
        assert [t for _, t in found] == pytest.approx([t for _, t in expected])


def test_the_best_move_is_the_best_by_a_look_of_one_ply() -> None:
    game = load_game("kalah")
    players = players_of(game, 5)
    model = random_model(make_evaluator("patterns", game), seeded(5), reach=0.05)
    play_game(players, Manner(0.0, 1.0, 0, 2), game.initial())
    memory = players.memory
    checked = 0
    for ply in range(40):
        row = np.array(memory.rows[ply])
        if not memory.is_taught[ply] or game.result(row) != ONGOING:
            continue
        values = []
        for move in game.legal_moves(row):
            after = game.apply(row, move)
            sign = 1 if game.side(after) == game.side(row) else -1
            result = game.result(after)
            values.append(sign * (model.value(after) if result == ONGOING else result))
        assert float(memory.values[ply]) == pytest.approx(max(values), abs=1e-5)
        checked += 1
    assert checked > 5


def looked_at(model: Model, row: Row, plies: int) -> float:
    """Return the value of a position after so many plies, by the definition."""
    game = model.game
    result = game.result(row)
    if result != ONGOING:
        return float(result)
    if plies == 0:
        return played_out(model, row) if game.rules.has_noisy else model.value(row)
    values = []
    for move in game.legal_moves(row):
        after = game.apply(row, move)
        sign = 1 if game.side(after) == game.side(row) else -1
        values.append(sign * looked_at(model, after, plies - 1))
    return max(values)


@pytest.mark.parametrize(("name", "depth"), [("kalah", 2), ("kalah", 3), ("draughts", 2)])
def test_a_look_of_several_plies_is_minimax(name: str, depth: int) -> None:
    game = load_game(name)
    players = players_of(game, 7)
    model = random_model(make_evaluator("patterns", game), seeded(7), reach=0.05)
    plies = play_game(players, Manner(0.0, 1.0, 0, 2, depth), game.initial())[1]
    checked = 0
    for ply in range(0, int(plies), 8 if INTERPRETED else 5):
        if players.memory.is_taught[ply]:
            row = np.array(players.memory.rows[ply])
            found = float(players.memory.values[ply])
            assert found == pytest.approx(looked_at(model, row, depth), abs=1e-5)
            checked += 1
    assert checked > 1


def played_out(model: Model, row: Row) -> float:
    """Return the value of a position, captures played out by the definition, nothing spared."""
    game = model.game
    legal = game.legal_moves(row)
    noisy = [move for move in legal if game.noisy(row, move)]
    values = [model.value(row)] if len(noisy) < len(legal) else []
    for move in noisy:
        after = game.apply(row, move)
        sign = 1 if game.side(after) == game.side(row) else -1
        result = game.result(after)
        values.append(sign * (played_out(model, after) if result == ONGOING else result))
    return max(values)


@pytest.mark.parametrize("name", ["draughts", str(EXAMPLES / "breakthrough.py")])
def test_moves_are_judged_with_captures_played_out(name: str) -> None:
    game = load_game(name)
    players = players_of(game, 6)
    model = random_model(make_evaluator("patterns", game), seeded(6), reach=0.05)
    play_game(players, Manner(0.0, 1.0, 0, 10), game.initial())
    last = 16 if game.name == "breakthrough" or INTERPRETED else 40  # who may decline looks at all
    rows = [np.array(row) for row in players.memory.rows[10:last]]
    for row in rows:
        if game.result(row) != ONGOING:
            break
        best_move_at(players, row)
        values = []
        for move in game.legal_moves(row):
            after = game.apply(row, move)
            sign = 1 if game.side(after) == game.side(row) else -1
            result = game.result(after)
            values.append(sign * (played_out(model, after) if result == ONGOING else result))
        assert float(players.memory.best_value) == pytest.approx(max(values), abs=1e-5)


def test_captures_are_not_played_out_for_ever() -> None:
    """In this game every move has to be played out, and that has no end."""
    players = players_of(brawl, 3)
    best_move_at(players, brawl.initial())
    assert LOOKS < players.memory.looks <= LOOKS + PLIES * brawl.max_moves


@pytest.mark.parametrize(
    ("text", "is_calm"),
    [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", False),  # a pawn can be had
        ("4k3/8/4p3/3p4/8/8/3Q4/4K3 w - - 0 1", True),  # it is guarded, and a queen would be lost
        ("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", False),  # check
    ],
)
def test_only_what_wins_has_to_be_played_out_where_exchanges_are_counted(
    text: str, is_calm: bool
) -> None:
    game = load_game("chess")
    row = game.parse_position(text)
    out = np.zeros(game.max_moves, np.uint64)
    assert bool(is_settled(game.rules, tuple(row), out)) is is_calm
