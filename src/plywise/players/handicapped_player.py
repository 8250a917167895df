"""A player that is held back: some of its moves are random, whatever it knows."""

import numpy as np

from plywise.game.record import Record
from plywise.players.player import Player
from plywise.players.random_player import random_move
from plywise.search.limits import Analysis, Clock, Found, Limit, Tell, TellAnalysis
from plywise.system.stopping import StopToken


class HandicappedPlayer:
    """Plays worse than the player behind it, and judges as well."""

    def __init__(
        self, player: Player, mistakes: float, judging: Limit | None = None, seed: int = 0
    ) -> None:
        """Share of moves that are random; an analysis spends `judging` unless told otherwise."""
        self.name = player.name
        self._player = player
        self._mistakes = mistakes
        self._judging = judging
        self._generator = np.random.default_rng(seed)

    def new_game(self, seed: int) -> None:
        """Start afresh; the same seed makes the same mistakes."""
        self._player.new_game(seed)
        self._generator = np.random.default_rng(seed)

    def choose(
        self,
        record: Record,
        clock: Clock | None = None,
        stop: StopToken | None = None,
        tell: Tell | None = None,
    ) -> Found:
        """Return a random move, or the one of the player behind it."""
        if self._generator.random() < self._mistakes:
            return random_move(record, self._generator)
        return self._player.choose(record, clock, stop, tell)

    def analyse(
        self,
        record: Record,
        limit: Limit | None = None,
        lines: int = 1,
        stop: StopToken | None = None,
        tell: TellAnalysis | None = None,
    ) -> Analysis:
        """Return the best lines, without mistakes."""
        return self._player.analyse(record, limit or self._judging, lines, stop, tell)

    def twin(self) -> "HandicappedPlayer":
        """Return the same before a twin of the player behind it."""
        return HandicappedPlayer(self._player.twin(), self._mistakes, self._judging)

    def close(self) -> None:
        """Let the player behind it give back what it holds."""
        self._player.close()
