"""The solver of Connect Four as an object: a table that lasts, and answers in plain Python."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from plywise.errors import BadMove, BadPosition, PlywiseError
from plywise.game import ONGOING, Row
from plywise.game.record import Record
from plywise.game.solving import Keep, Scores, Start, Unsolved, best_moves
from plywise.game.text import parse_start
from plywise.games.connect4.proof_search import CELLS, MEMORY, Task, score_of_row
from plywise.games.connect4.rules import connect4, has_four
from plywise.system.stopping import StopToken, run_watching

TABLE_BITS = 22
FEWEST_BITS, MOST_BITS = 8, 30


@dataclass(frozen=True)
class Solution:
    """The exact worth of a position for the side to move."""

    score: int  # stones that the winner has left when he wins, and one; see `proof_search`
    value: int  # 1, 0 or -1
    plies: int  # to the end of the game, if both sides play as well as can be
    nodes: int


class Solver:
    """Solves any position of Connect Four; bounds that were found once are kept."""

    game = connect4
    most_plies = CELLS - 1

    def __init__(self, table_bits: int = TABLE_BITS) -> None:
        """Make a table of 2**table_bits entries of eight bytes."""
        if not FEWEST_BITS <= table_bits <= MOST_BITS:
            raise PlywiseError(
                f"A table has {FEWEST_BITS} to {MOST_BITS} bits of entries, not {table_bits}."
            )
        holder = np.zeros(1, MEMORY)
        memory: Any = holder[0]
        memory.shifts[:] = [64 - bits_for(left, table_bits) for left in range(CELLS + 1)]
        self._stop_byte = holder["stop"]
        self._task = Task(memory, np.zeros(1 << table_bits, np.uint64))

    def forget(self) -> None:
        """Empty the table."""
        self._task.table[:] = 0

    def read(self, text: str) -> Record:
        """Return the game of a text: the columns played, 4453, or a position."""
        if "/" in text or text.strip() == "start":
            return Record(connect4, parse_start(connect4, text))
        return parse_moves(text)

    def check(self, record: Record) -> None:
        """Raise an error where there is nothing to solve."""
        position_of(record)

    def solve(self, start: Start, stop: StopToken | None = None) -> Solution:
        """Return the exact score of a position of a game that is not over."""
        position = position_of(start)
        self._task.memory.nodes = 0
        score = run_watching(self._stop_byte, lambda: self._score(position), None, stop)
        left = CELLS - int(position[1]).bit_count()
        nodes = int(self._task.memory.nodes)
        return Solution(score, int(np.sign(score)), plies_of(score, left), nodes)

    def analyse(self, start: Start, stop: StopToken | None = None) -> Scores:
        """Return (move, score) of all legal moves, the score for the side that makes the move."""
        position = position_of(start)
        self._task.memory.nodes = 0
        moves = [int(move) for move in connect4.legal_moves(position)]

        def work() -> Scores:
            return [(move, self._score_of_move(position, move)) for move in moves]

        return run_watching(self._stop_byte, work, None, stop)

    def perfect_moves(self, start: Start, keep: Keep = "outcome") -> list[int]:
        """Return the moves that keep the outcome: a win if there is one, else a draw.

        With `keep="distance"` they win as soon, or lose as late, as can be forced.
        """
        return best_moves(self.analyse(start), keep)

    def _score_of_move(self, position: Row, move: int) -> int:
        after = connect4.apply(position, move)
        result = connect4.result(after)
        if result == ONGOING:
            return -self._score(after)
        left = CELLS - int(position[1]).bit_count()
        return -result * ((left + 1) // 2)

    def _score(self, position: Row) -> int:
        score = int(score_of_row(self._task, position))
        if self._task.memory.stop:
            raise Unsolved("The solver was stopped before it knew the answer.")
        return score


def bits_for(left: int, table_bits: int) -> int:
    """Return the bits of an index for a position with so many empty cells.

    Positions near the end are many and cheap. They share the first part of the table, which
    then stays in the processor's cache: that saves more time than the lost entries cost.
    """
    return min(table_bits, 8 + left // 2)


def plies_of(score: int, left: int) -> int:
    """Return the plies to the end that a score means with so many empty cells."""
    if score > 0:
        return 2 * ((left + 1) // 2 - score) + 1
    if score < 0:
        return 2 * (left // 2 + score) + 2
    return left


# ---------------------------------------------------------------- what can be solved


def parse_moves(text: str) -> Record:
    """Return the game that a text of columns, such as 4453, describes."""
    record = Record(connect4)
    for column in "".join(text.split()):
        try:
            record.play(connect4.parse_move(record.position, column))
        except BadMove as error:
            played = "".join(record.texts())
            raise BadMove(f"After {played}: {error}" if played else str(error)) from None
    return record


def position_of(start: Start) -> Row:
    """Return the position to solve; one where the game is over has nothing to solve."""
    if isinstance(start, str):
        start = parse_moves(start)
    if isinstance(start, Record):
        if start.game is not connect4:
            raise PlywiseError(f"Only connect4 can be solved, not {start.game.name}.")
        start = start.position
    if has_four(start[0]):
        mover = connect4.sides[connect4.side(start)]
        raise BadPosition(f"It cannot be {mover}'s turn: {mover} has four in a row already.")
    if connect4.result(start) != ONGOING:
        raise PlywiseError("There is nothing to solve: the game is over in this position.")
    return start
