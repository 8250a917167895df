"""Values of the positions of a game, brought along move by move and found afresh."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators.model import Model
from plywise.game.record import Record
from plywise.kernel import Bundle, compiled


@compiled
def write_along(
    game: Bundle, evaluator: Bundle, params: Any, acc: Any, rows: Any, moves: Any, out: Any
) -> None:
    evaluator.refresh(params, acc, 0, game.load_at(rows, 0))
    for ply in range(len(rows)):
        position = game.load_at(rows, ply)
        out[0, ply] = evaluator.value(params, acc, ply, position)
        if ply + 1 < len(rows):
            after = game.load_at(rows, ply + 1)
            evaluator.update(params, acc, ply, position, moves[ply], after)
    for ply in range(len(rows)):
        position = game.load_at(rows, ply)
        evaluator.refresh(params, acc, 0, position)
        out[1, ply] = evaluator.value(params, acc, 0, position)


def values_along(model: Model, record: Record) -> NDArray[np.float64]:
    """Return the values of a record's positions, as they are brought along and afresh."""
    rows = np.array(record.positions)
    moves = np.array(record.moves, np.uint64)
    out = np.zeros((2, len(rows)))
    bundle = model.evaluator.bundle
    acc = np.zeros((len(rows) + 1, bundle.width), np.float32)
    write_along(model.game.rules, bundle, model.params, acc, rows, moves, out)
    return out
