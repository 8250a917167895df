"""Why a position is worth what it is: which pieces and which patterns move the value most.

The worth of a piece is how much the static value changes when it is taken off the board. That
works for every evaluator of a game that can make a position from cells; a pattern table also
tells what each of its patterns adds.
"""

import math
from typing import Any

from plywise.errors import PlywiseError
from plywise.evaluators.model import Model
from plywise.evaluators.patterns.contributions import contributions
from plywise.game import Game, Row
from plywise.players import model_of

MOST_PATTERNS = 12


def explain(game: Game, position: Row, player: str) -> dict[str, Any]:
    """Return the static value, the worth of every piece and the patterns that matter most."""
    model = model_of(player, game)
    if game.picture is None:
        raise PlywiseError(f"{game.name} has no picture to explain a position on.")
    return {
        "value": model.value(position),
        "side": game.side(position),
        "evaluator": model.evaluator.name,
        "pieces": _pieces(model, position),
        "patterns": _patterns(model, position),
    }


def _pieces(model: Model, position: Row) -> list[dict[str, Any]]:
    """Return by how much each piece raises the value for the side to move."""
    game, codes = model.game, [int(code) for code in model.game.cells(position)]
    value, side = model.value(position), model.game.side(position)
    found = []
    for cell, code in enumerate(codes):
        if code == 0:
            continue
        without = [*codes[:cell], 0, *codes[cell + 1 :]]
        try:
            other = model.value(game.from_cells(without, side))
        except (ValueError, IndexError, KeyError):
            continue  # no position without it: a king, or a stone below others
        if math.isfinite(other):
            found.append({"cell": cell, "amount": value - other})
    return found


def _patterns(model: Model, position: Row) -> list[dict[str, Any]]:
    """Return the patterns of more than one cell that add most, none where there are none."""
    if model.evaluator.name != "patterns":
        return []
    told = [one for one in contributions(model, position) if len(one.cells) > 1]
    told.sort(key=lambda one: -abs(one.amount))
    return [{"cells": list(one.cells), "amount": one.amount} for one in told[:MOST_PATTERNS]]
