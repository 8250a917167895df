"""Solvers: what a program that knows the exact worth of positions has to offer.

A game names its solver in `About`; whoever measures perfect play asks for it by `make_solver`.
"""

from typing import Any, Literal, Protocol, TypeAlias, get_args

import numpy as np

from plywise.errors import PlywiseError, UnknownName
from plywise.game.about import resolve
from plywise.game.game import Game, Row
from plywise.game.record import Record

Start: TypeAlias = Row | Record | str  # a position, a game so far, or its text
Keep: TypeAlias = Literal["outcome", "distance"]
Scores: TypeAlias = list[tuple[int, int]]  # (move, score for the side that makes it)


class Unsolved(PlywiseError):
    """A solver was stopped before it knew the answer."""


class Solution(Protocol):
    """The exact worth of a position for the side to move."""

    @property
    def score(self) -> int:
        """The larger, the sooner it wins; negative for a loss."""

    @property
    def value(self) -> int:
        """1, 0 or -1."""

    @property
    def plies(self) -> int:
        """To the end of the game, if both sides play as well as can be."""

    @property
    def nodes(self) -> int:
        """What it took to find out."""


class Solver(Protocol):
    """A program that knows the exact worth of positions of one game."""

    game: Game
    most_plies: int  # how long a game that is not over can be

    def read(self, text: str) -> Record:
        """Return the game that a text describes: the moves played so far, or a position."""

    def check(self, record: Record) -> None:
        """Raise an error where there is nothing to solve."""

    def solve(self, start: Start) -> Solution:
        """Return the worth of a position of a game that is not over."""

    def analyse(self, start: Start) -> Scores:
        """Return (move, score) of all legal moves, the score for the side that makes the move."""

    def forget(self) -> None:
        """Drop what was found so far."""


def make_solver(game: Game, **settings: Any) -> Solver:
    """Return the solver that a game brings."""
    if not game.about.solver:
        raise PlywiseError(f"There is no solver for {game.name}.")
    solver: Solver = resolve(game.about.solver)(**settings)
    return solver


def best_moves(scores: Scores, keep: Keep) -> list[int]:
    """Return the moves that, by their scores, keep the outcome or also the distance."""
    if keep not in get_args(Keep):
        raise UnknownName("perfection", keep, get_args(Keep))
    best = max(score for _, score in scores)
    if keep == "distance":
        return [move for move, score in scores if score == best]
    return [move for move, score in scores if np.sign(score) == np.sign(best)]
