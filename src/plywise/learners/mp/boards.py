"""Boards of endgames, collected in games of a network against itself."""

from dataclasses import dataclass

import numpy as np

from plywise.evaluators.model import Array
from plywise.game import Game
from plywise.game.record import Record
from plywise.game.results import ONGOING
from plywise.learners.shared.duels import DuelSetup
from plywise.learners.shared.layout import Vector
from plywise.learners.shared.openings import random_opening

OPENING_PLIES = 6  # random ones
GAMES = 50  # of a task


@dataclass(frozen=True)
class BoardTask:
    """Games of a network against itself; plain values, so that they can be sent anywhere."""

    setup: DuelSetup
    player: Vector
    pieces: int
    seed: tuple[int, ...]


def collect_boards(task: BoardTask) -> list[Array]:
    """Return the first position with so many pieces of every game that comes to one."""
    setup, model = task.setup, task.setup.layout().model(task.player)
    game = model.game
    generator = np.random.default_rng(task.seed)
    found = []
    for _ in range(GAMES):
        opening = np.array(random_opening(game, OPENING_PLIES, generator).moves, np.uint64)
        played = setup.play((model, model), opening)
        for position in Record(game, moves=played.moves).positions:
            pieces = count_pieces(game, position)
            if pieces <= task.pieces:
                if pieces == task.pieces and game.result(position) == ONGOING:
                    found.append(position)
                break
    return found


def count_pieces(game: Game, position: Array) -> int:
    """Return the pieces of both sides on the cells of the board."""
    return int(np.count_nonzero(game.cells(position)))
