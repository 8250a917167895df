"""Judges: models, evaluators and players that say what positions are worth, without a game."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.game import Game, Rows
from plywise.game.record import Record
from plywise.kernel import Bundle, compiled
from plywise.players.models import find_model, is_model
from plywise.players.naming import make_player, names_program
from plywise.players.player import Player

SURE = 0.9999  # a value beyond it is taken for it: the odds of a proven win have no end


def make_judge(text: str, game: Game) -> Model | Player:
    """Return a model, an evaluator as a model, or a player with options, as an engine is one."""
    if names_program(text) or "," in text:
        return make_player(text, game)
    if is_model(text):
        return find_model(text, game)
    evaluator = make_evaluator(text, game)
    if evaluator.weights:
        raise PlywiseError(f"The evaluator {text!r} has learned nothing: name a model.")
    return Model(evaluator)


def values_by(judge: Model | Player, game: Game, rows: Rows) -> NDArray[np.float64]:
    """Return what positions are worth to side 0, in [-1, 1]; 0 where the game is over."""
    values = np.zeros(len(rows))
    if isinstance(judge, Model):
        accumulator = np.zeros((2, max(1, judge.evaluator.bundle.width)), np.float32)
        _judge_all(game.rules, judge.evaluator.bundle, judge.params, accumulator, rows, values)
        return values
    judge.new_game(0)
    for index, row in enumerate(rows):
        record = Record(game, row)
        if record.ending() is None:
            values[index] = judge.choose(record).value * (1 if record.side == 0 else -1)
    return values


def mean_odds(judges: Sequence[Model | Player], game: Game, rows: Rows) -> NDArray[np.float32]:
    """Return the mean of judges' odds of positions, logarithms for side 0."""
    total = np.zeros(len(rows))
    for judge in judges:
        total += 2 * np.arctanh(np.clip(values_by(judge, game, rows), -SURE, SURE))
    return (total / len(judges)).astype(np.float32)


@compiled
def _judge_all(
    game: Bundle, evaluator: Bundle, params: Any, accumulator: Any, rows: Any, out: Any
) -> None:
    """Write the values of positions for side 0."""
    for index in range(len(rows)):
        position = game.load_at(rows, index)
        evaluator.refresh(params, accumulator, 0, position)
        value = evaluator.value(params, accumulator, 0, position)
        out[index] = value if game.side(position) == 0 else -value
