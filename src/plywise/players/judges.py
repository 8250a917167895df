"""Judges: models, evaluators and players that say what positions are worth, without a game."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.game import Game, Rows
from plywise.game.record import Record
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
    if isinstance(judge, Model):
        return judge.values(rows) * (1 - 2 * game.sides_to_move(rows))
    values = np.zeros(len(rows))
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
