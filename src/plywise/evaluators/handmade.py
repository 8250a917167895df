"""Evaluators without parameters, for any game: the baselines that a learner has to beat."""

from collections.abc import Callable
from typing import Any

import numpy as np

from plywise.errors import PlywiseError
from plywise.evaluators.model import Evaluator
from plywise.evaluators.stateless import stateless_members
from plywise.game import Game
from plywise.kernel import Bundle
from plywise.kernel.bits import Position

Judge = Callable[[Position], float]


def plain_evaluator(name: str, game: Game, judge: Judge) -> Evaluator:
    """Return an evaluator without parameters that looks at the position only."""

    def value(params: Any, acc: Any, ply: int, position: Position) -> float:
        return float(judge(position))

    return Evaluator(name, game, Bundle(name, stateless_members(value)))


def _nothing(position: Position) -> float:
    return 0.0


def none(game: Game) -> Evaluator:
    """Judge every position as even: search alone."""
    return plain_evaluator("none", game, _nothing)


def material(game: Game) -> Evaluator:
    """Count pieces."""
    return _pieces_of_any_game("material", game)


def pieces(game: Game) -> Evaluator:
    """Count pieces, every one the same: paper 003's piece-advantage."""
    return _pieces_of_any_game("pieces", game)


def _pieces_of_any_game(name: str, game: Game) -> Evaluator:
    cells, side = game.rules.cells, game.rules.side
    count = game.rules.cell_count
    if count == 0:
        raise PlywiseError(
            f"The evaluator {name!r} counts what `cells` shows; {game.name} has no cells."
        )

    def value(params: Any, acc: Any, ply: int, position: Position) -> float:
        codes = np.zeros(count, np.int8)
        cells(position, codes)
        lead = 0
        for code in codes:
            lead += int(code > 0) - int(code < 0)
        return float((lead if side(position) == 0 else -lead) / count)

    return Evaluator(name, game, Bundle(f"{name}_of_{game.name}", stateless_members(value)))
