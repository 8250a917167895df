"""Test suites: positions in which a player has to find a move, and what that took."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plywise.formats.epd import EpdPosition
from plywise.game import Game
from plywise.game.record import Record
from plywise.players import JudgesNothing, Player
from plywise.search.limits import Analysis, Found, Limit
from plywise.system.stopping import StopToken


@dataclass(frozen=True)
class Attempt:
    """What a player made of a position.

    `found_at` is the step from which on it kept to a right move; None if its move is wrong.
    """

    task: EpdPosition
    played: Found
    found_at: Found | None

    @property
    def is_right(self) -> bool:
        return self.found_at is not None


def run_suite(
    player: Player,
    game: Game,
    tasks: Sequence[EpdPosition],
    limit: Limit | None = None,
    stop: StopToken | None = None,
) -> Iterator[Attempt]:
    """Yield what a player makes of every position; one that is broken off by `stop` is not told.

    Every position is a new game. With a limit the player's opinion is asked for within it, else
    its move.
    """
    token = stop or StopToken()
    for task in tasks:
        player.new_game(0)
        steps: list[Found] = []
        played = _answer(player, Record(game, task.position), limit, token, steps)
        if token.is_set():
            return
        yield Attempt(task, played, first_right([*steps, played], task))


def _answer(
    player: Player, record: Record, limit: Limit | None, stop: StopToken, steps: list[Found]
) -> Found:
    if limit is not None:
        try:
            return player.analyse(record, limit, 1, stop, lambda step: _keep(step, steps)).lines[0]
        except JudgesNothing:
            pass  # it has a move all the same
    return player.choose(record, None, stop, steps.append)


def _keep(step: Analysis, steps: list[Found]) -> None:
    steps.append(step.lines[0])


def first_right(steps: Sequence[Found], task: EpdPosition) -> Found | None:
    """Return the step from which on all moves solve a task, None if the last one does not."""
    right = None
    for step in reversed(steps):
        if not task.is_solved_by(step.move):
            return right
        right = step
    return right
