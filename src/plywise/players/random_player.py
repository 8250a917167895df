"""A player that knows the rules and nothing else."""

import numpy as np

from plywise.errors import PlywiseError
from plywise.game.record import Record
from plywise.players.player import JudgesNothing
from plywise.search.limits import Analysis, Clock, Found, Limit, Tell, TellAnalysis
from plywise.system.stopping import StopToken


def random_move(record: Record, generator: np.random.Generator) -> Found:
    """Return a random legal move."""
    moves = record.game.legal_moves(record.position)
    if len(moves) == 0:
        raise PlywiseError("There is no move to choose: the game is over.")
    move = int(moves[generator.integers(len(moves))])
    return Found(move, 0.0, (move,), 0, 1, 0.0)


class RandomPlayer:
    """Plays any legal move."""

    def __init__(self, name: str = "random", seed: int = 0) -> None:
        self.name = name
        self.new_game(seed)

    def new_game(self, seed: int) -> None:
        """Begin a new sequence of random numbers."""
        self._generator = np.random.default_rng(seed)

    def choose(
        self,
        record: Record,
        clock: Clock | None = None,
        stop: StopToken | None = None,
        tell: Tell | None = None,
    ) -> Found:
        """Return a random legal move."""
        return random_move(record, self._generator)

    def analyse(
        self,
        record: Record,
        limit: Limit | None = None,
        lines: int = 1,
        stop: StopToken | None = None,
        tell: TellAnalysis | None = None,
    ) -> Analysis:
        """Refuse: whoever plays at random has no opinion."""
        raise JudgesNothing(f"{self.name!r} judges nothing: analyse with alphabeta or mcts.")

    def twin(self) -> "RandomPlayer":
        """Return another one."""
        return RandomPlayer(self.name)

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""
