"""What a game is: compiled rules, text forms, a picture, and the record of one that is played."""

from plywise.game.about import About, Bench
from plywise.game.game import Game, Row, Rows, count_moves, is_quiet, result_of
from plywise.game.record import Ending, Record
from plywise.game.results import DRAW, LOSS, ONGOING, WIN

__all__ = [
    "DRAW",
    "LOSS",
    "ONGOING",
    "WIN",
    "About",
    "Bench",
    "Ending",
    "Game",
    "Record",
    "Row",
    "Rows",
    "count_moves",
    "is_quiet",
    "result_of",
]
