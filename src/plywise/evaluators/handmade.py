"""Evaluators written by hand: the baselines that a learner has to beat."""

from collections.abc import Callable
from typing import Any

import numpy as np

from plywise.errors import PlywiseError
from plywise.evaluators.model import Evaluator
from plywise.evaluators.stateless import stateless_members
from plywise.game import Game
from plywise.games.connect4.rules import FULL as CONNECT4_BOARD
from plywise.games.draughts.rules import BOARD as DRAUGHTS_BOARD
from plywise.kernel import Bundle
from plywise.kernel.bits import Position, Word, popcount

Value = Callable[[Position], float]


def plain_evaluator(name: str, game: Game, judge: Value) -> Evaluator:
    """Return an evaluator without parameters that looks at the position only."""

    def value(params: Any, acc: Any, ply: int, position: Position) -> float:
        return judge(position)

    return Evaluator(name, game, Bundle(name, stateless_members(value)))


def _only_for(evaluator: str, wanted: str, game: Game) -> None:
    if game.name != wanted:
        raise PlywiseError(f"The evaluator {evaluator!r} is for {wanted}, not for {game.name}.")


# ---------------------------------------------------------------- any game


def _nothing(position: Position) -> float:
    return 0.0


def none(game: Game) -> Evaluator:
    """Judge every position as even: search alone."""
    return plain_evaluator("none", game, _nothing)


def material(game: Game) -> Evaluator:
    """Count pieces; in draughts a king counts one and a half men."""
    if game.name == "draughts":
        return plain_evaluator("material", game, _draughts_material)
    return _pieces_of_any_game("material", game)


def pieces(game: Game) -> Evaluator:
    """Count pieces, every one the same: paper 003's piece-advantage."""
    if game.name == "reversi":
        return plain_evaluator("pieces", game, _reversi_pieces)
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


# ---------------------------------------------------------------- draughts


def _draughts_material(position: Position) -> float:
    mine, theirs, state = position
    kings = state & DRAUGHTS_BOARD
    men = popcount(mine) - popcount(theirs)
    return (men + 0.5 * (popcount(mine & kings) - popcount(theirs & kings))) / 18.0


# ---------------------------------------------------------------- reversi

# Fig. 2 of paper 003, the table of old Windows programs; a quarter of the board by rows.
_CORNER = ((99, -8, 8, 6), (-8, -24, -4, -3), (8, -4, 7, 4), (6, -3, 4, 0))


def _square_value(square: int) -> int:
    row, column = divmod(square, 8)
    return _CORNER[min(row, 7 - row)][min(column, 7 - column)]


# Squares of equal value are counted together: nine sets instead of 64 squares.
_SETS = tuple(
    (np.uint64(sum(1 << s for s in range(64) if _square_value(s) == worth)), worth)
    for worth in sorted({_square_value(square) for square in range(64)} - {0})
)
_MOST = float(sum(abs(_square_value(square)) for square in range(64)))


def _reversi_positional(position: Position) -> float:
    mine, theirs, _ = position
    total = 0
    for squares, worth in _SETS:
        total += worth * (popcount(mine & squares) - popcount(theirs & squares))
    return total / _MOST


def _reversi_pieces(position: Position) -> float:
    return (popcount(position[0]) - popcount(position[1])) / 64.0


def positional(game: Game) -> Evaluator:
    """Sum the values of squares in paper 003's table."""
    _only_for("positional", "reversi", game)
    return plain_evaluator("positional", game, _reversi_positional)


# ---------------------------------------------------------------- connect four

_C4_SHIFTS = tuple(np.uint64(shift) for shift in (6, 7, 8))
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_THREE = np.uint64(3)
_CENTRE = np.uint64(0b111111 << 21)
_NEAR_CENTRE = np.uint64(0b111111 << 14 | 0b111111 << 28)


def winning_squares(stones: Word, empty: Word) -> Word:
    """Return the empty squares that would complete four of the given stones."""
    found = (stones << _ONE) & (stones << _TWO) & (stones << _THREE)
    for shift in _C4_SHIFTS:
        double = shift + shift
        pair_up = (stones << shift) & (stones << double)
        found |= pair_up & (stones << (double + shift))
        found |= pair_up & (stones >> shift)
        pair_down = (stones >> shift) & (stones >> double)
        found |= pair_down & (stones >> (double + shift))
        found |= pair_down & (stones << shift)
    return found & empty


def _connect4_threats(position: Position) -> float:
    mine, filled = position
    theirs = mine ^ filled
    empty = CONNECT4_BOARD & ~filled
    threats = popcount(winning_squares(mine, empty)) - popcount(winning_squares(theirs, empty))
    centre = 2 * (popcount(mine & _CENTRE) - popcount(theirs & _CENTRE))
    centre += popcount(mine & _NEAR_CENTRE) - popcount(theirs & _NEAR_CENTRE)
    return max(-1.0, min(1.0, 0.1 * threats + 0.01 * centre))


def threats(game: Game) -> Evaluator:
    """Count the squares that would complete four, and stones near the centre."""
    _only_for("threats", "connect4", game)
    return plain_evaluator("threats", game, _connect4_threats)
