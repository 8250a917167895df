"""The features `board` of draughts: the 32 squares on which a piece can stand."""

from plywise.evaluators.board import board_on
from plywise.evaluators.features import Features
from plywise.game import Game

DARK = [cell for cell in range(64) if (cell // 8 + cell % 8) % 2 == 1]


def board(game: Game, fixed: bool = False) -> Features:
    """Return the features; in fixed colours they are 129."""
    return board_on(game, DARK, fixed)
