"""A survey: what random games show of a board that nobody has described.

Which codes stand on which cells, how many of each there are at once, and positions to try
symmetries on: some of games that go on, and the last ones before an end.
"""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators.patterns.board import Board
from plywise.game import ONGOING, Row

GAMES = 300
PLIES = 30_000  # of all games together; long games are fewer
LONGEST = 600  # plies of one game
SAMPLES, ENDINGS = 200, 60  # positions that are kept
PLAYED_OUT = 4  # positions that a capture adds to a look, about


@dataclass
class Survey:
    """What was seen."""

    board: Board
    seen: list[set[int]]  # the codes of every cell
    most: Counter[int] = field(default_factory=Counter)  # of a code on the board at once
    positions: list[Row] = field(default_factory=list)  # of games that go on
    endings: list[Row] = field(default_factory=list)  # the last ones of games, and those before
    filled: tuple[int, int] = (1 << 30, 0)  # the fewest and the most cells that were not empty
    games: int = 0
    plies: int = 0

    @property
    def mean_plies(self) -> float:
        """Return how long a random game is."""
        return self.plies / max(1, self.games)

    @property
    def mean_moves(self) -> float:
        """Return how many moves a position has, about."""
        legal = [len(self.board.game.legal_moves(row)) for row in self.positions]
        return sum(legal) / max(1, len(legal))

    @property
    def mean_looks(self) -> float:
        """Return about how many positions a look of one ply judges, captures played out."""
        game = self.board.game
        noisy = 0
        if game.rules.has_noisy:
            for row in self.positions:
                noisy += sum(game.noisy(row, move) for move in game.legal_moves(row))
        return self.mean_moves * (1 + PLAYED_OUT * noisy / max(1, len(self.positions)))

    @property
    def active(self) -> list[int]:
        """Return the cells on which more than one code was seen."""
        return [cell for cell, codes in enumerate(self.seen) if len(codes) > 1]

    @property
    def codes(self) -> list[int]:
        """Return all codes of active cells, in order."""
        return sorted(set().union(*(self.seen[cell] for cell in self.active), {0}))

    def is_neutral(self, code: int) -> bool:
        """Return whether a code belongs to nobody: its negative was never seen."""
        return code != 0 and -code not in self.codes


def survey_of(board: Board, seed: int = 0) -> Survey:
    """Return what random games show; the same seed shows the same."""
    game, generator = board.game, np.random.default_rng(seed)
    found = Survey(board, [set() for _ in range(board.size)])
    while found.games < GAMES and found.plies < PLIES:
        line = [game.initial()]
        while len(line) < LONGEST and game.result(line[-1]) == ONGOING:
            legal = game.legal_moves(line[-1])
            line.append(game.apply(line[-1], legal[generator.integers(len(legal))]))
        _note(found, line, generator)
    return found


def _note(found: Survey, line: list[Row], generator: np.random.Generator) -> None:
    """Add what a game showed."""
    found.games += 1
    found.plies += len(line) - 1
    boards: NDArray[np.int64] = np.array([found.board.codes(row) for row in line])
    filled = (boards != 0).sum(axis=1)
    found.filled = min(found.filled[0], int(filled.min())), max(found.filled[1], int(filled.max()))
    for cell, codes in enumerate(boards.T):
        found.seen[cell].update(np.unique(codes).tolist())
    for code in np.unique(boards):
        found.most[int(code)] = max(found.most[int(code)], int((boards == code).sum(axis=1).max()))
    if len(found.positions) < SAMPLES and len(line) > 1:
        found.positions.append(line[int(generator.integers(len(line) - 1))])
    if len(found.endings) < ENDINGS:
        found.endings += line[-2:]
