"""Perft: the number of move sequences of an exact length, the classic proof of rules.

A pass is a ply; a game that ended earlier is not counted. Where a game says so (`perft_past_draws`
of its About), moves are counted on after a draw by rule: published counts of chess know nothing of
dead positions and fifty moves.
"""

import numpy as np

from plywise.game.game import Game, Row, Rows, count_moves
from plywise.game.results import DRAW, ONGOING
from plywise.kernel import Bundle, borrow, compiled
from plywise.kernel.bits import Position, Whole


@compiled
def _perft(game: Bundle, position: Position, depth: Whole, drawn: Whole, buffer: Rows) -> Whole:
    result = game.result(position)
    if result != ONGOING and result != drawn:
        return 0
    out = borrow(buffer, depth)
    if depth == 1:
        return count_moves(game, position, out)
    total = 0
    for index in range(game.moves(position, out)):
        total += _perft(game, game.apply(position, out[index]), depth - 1, drawn, buffer)
    return total


@compiled
def _perft_of_row(game: Bundle, row: Row, depth: Whole, drawn: Whole, buffer: Rows) -> Whole:
    return _perft(game, game.load(row), depth, drawn, buffer)


def perft(game: Game, position: Row, depth: int) -> int:
    """Return the number of move sequences of exactly `depth` plies."""
    if depth == 0:
        return 1
    buffer = np.zeros((depth + 1, game.max_moves), np.uint64)
    drawn = DRAW if game.about.perft_past_draws else ONGOING  # which result is passed over
    return int(_perft_of_row(game.rules, position, depth, drawn, buffer))


def split(game: Game, position: Row, depth: int) -> dict[str, int]:
    """Return the perft of every first move, by its text: where two programs differ, it shows."""
    return {
        game.format_move(position, move): perft(game, game.apply(position, move), depth - 1)
        for move in game.legal_moves(position)
    }
