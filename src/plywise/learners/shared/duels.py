"""Duels between networks given as vectors: tasks of plain values, which any worker can do."""

import functools
import json
from dataclasses import dataclass

from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.game import Row
from plywise.games import load_game
from plywise.learners.shared.layout import Layout, Vector
from plywise.search.duel import Played, play_duel
from plywise.search.options import Options


@functools.cache
def layout_of(game: str, evaluator: str, settings: str = "{}") -> Layout:
    """Return the layout of an evaluator for a game; its settings are JSON."""
    return Layout(make_evaluator(evaluator, load_game(game), **json.loads(settings)))


@dataclass(frozen=True)
class DuelSetup:
    """Which evaluator plays which game, and how: what all duels of a tournament have in common."""

    game: str  # a name or a file
    evaluator: str
    options: Options
    depth: int
    max_plies: int  # after the opening; then it is a draw
    settings: str = "{}"  # of the evaluator, as JSON
    simulations: int = 0  # > 0: decide by MCTS with so many, and early playout termination
    cap: int = 6  # plies of such a playout

    def layout(self) -> Layout:
        """Return where the numbers of a network stand."""
        return layout_of(self.game, self.evaluator, self.settings)

    def play(self, models: tuple[Model, Model], opening: Row, start: Row | None = None) -> Played:
        """Return a game by alpha-beta between two models."""
        return play_duel(models, self.options, self.depth, self.max_plies, opening, start)


@dataclass(frozen=True)
class Pair:
    """Two games from one opening with colours reversed."""

    setup: DuelSetup
    players: tuple[Vector, Vector]
    opening: Row
    start: Row | None = None  # where it begins, if not at the game's first position


def play_pair(pair: Pair) -> float:
    """Return the first player's points of two."""
    setup, layout = pair.setup, pair.setup.layout()
    first, second = (layout.model(vector) for vector in pair.players)
    points = 1.0
    for models, sign in (((first, second), 0.5), ((second, first), -0.5)):
        points += sign * setup.play(models, pair.opening, pair.start).result
    return points
