"""Wins and losses by force within a few plies: quick to compile, where nothing else is known."""

from typing import Any

import numpy as np

from plywise.game import Game, Row
from plywise.game.results import LOSS, ONGOING, WIN
from plywise.kernel import Bundle, compiled
from plywise.kernel.bits import Position, Whole


def is_decided(game: Game, position: Row, depth: int) -> bool:
    """Return whether one of the sides wins by force within so many plies."""
    return any(
        _is_forced_at(game.rules, position, np.int64(depth), np.int64(end)) for end in (WIN, LOSS)
    )


@compiled
def _is_forced_at(game: Bundle, row: Row, depth: Whole, end: Whole) -> Any:
    return _is_forced(game, game.load(row), depth, end)


@compiled
def _is_forced(game: Bundle, position: Position, depth: Whole, end: Whole) -> bool:
    """Return whether the side to move is sure of an end: one move that wins, or all lose."""
    result = game.result(position)
    if result != ONGOING:
        return bool(result == end)
    if depth <= 0:
        return False
    moves = np.empty(game.max_moves, np.uint64)
    for index in range(game.moves(position, moves)):
        after = game.apply(position, moves[index])
        is_same = game.side(after) == game.side(position)
        is_found = _is_forced(game, after, depth - 1, end if is_same else -end)
        if is_found == (end == WIN):
            return is_found
    return bool(end == LOSS)
