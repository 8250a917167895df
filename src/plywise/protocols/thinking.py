"""A player that thinks for a program: in the background, to be stopped, or on the other's time."""

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from plywise.errors import PlywiseError
from plywise.game.record import Record
from plywise.game.results import ONGOING
from plywise.search.limits import Analysis, Clock, Found, Limit, TellAnalysis
from plywise.system.background import Background
from plywise.system.stopping import StopToken

if TYPE_CHECKING:
    from plywise.players import Player

FOREVER = 1e6  # seconds
DEEPEST = 100
USUAL = Limit(seconds=1.0)  # for a player that cannot do with the limit that was asked for
LULL = 0.02  # seconds between two steps that are told
FIRST_NODES = 500  # for each move, of a player that knows no depths


@dataclass(frozen=True)
class Task:
    """What a player is asked to do."""

    limit: Limit | None = None  # None: what the clock allows, else its own budget
    clock: Clock | None = None
    lines: int = 1
    moves: tuple[int, ...] = ()  # the only ones to think of; none: all
    waits: bool = False  # answers only when told to: an analysis, or the opponent's time
    is_plain: bool = False  # plays as it always does: one that is held back to a strength


class Asker(Protocol):
    """Who wants to hear of it when a player thinks; called from the player's thread."""

    def tell(self, step: Analysis) -> None:
        """Hear what is known on the way."""
        ...

    def answer(self, found: Analysis) -> None:
        """Hear the end; the first line has the move."""
        ...

    def complain(self, error: Exception) -> None:
        """Hear that something went wrong; an answer comes nevertheless."""
        ...


class Thinking:
    """A task under way in a thread of its own, which ends in an answer whatever happens."""

    def __init__(
        self, player: Callable[[], "Player"], record: Record, task: Task, asker: Asker
    ) -> None:
        self._player, self._record, self._task, self._asker = player, record, task, asker
        self._stop = StopToken()
        self._may_answer = threading.Event()
        if not task.waits:
            self._may_answer.set()
        self._told = 0.0
        self._working = Background(self._work)

    def _work(self) -> None:
        try:
            found = ask(self._player(), self._record, self._task, self._stop, self._hear)
        except Exception as error:  # whoever asked waits for a move, whatever is wrong here
            self._asker.complain(error)
            move = int(self._record.legal_moves()[0])
            found = Analysis((Found(move, 0.0, (move,), 0, 1, 0.0),))
        self._may_answer.wait()
        self._asker.answer(found)

    def _hear(self, step: Analysis) -> None:
        """Pass a step on, unless another has just been told."""
        now = time.monotonic()
        if now - self._told >= LULL:
            self._told = now
            self._asker.tell(step)

    @property
    def is_over(self) -> bool:
        return self._working.wait(0)

    def stop(self) -> None:
        """Ask for the answer now."""
        self._stop.set()
        self._may_answer.set()

    def finish(self) -> None:
        """Stop, and wait until the answer has been given."""
        self.stop()
        self._working.wait()

    def hit(self) -> None:
        """Go on in one's own time: the opponent has played what was expected."""
        seconds = _seconds_of(self._task) or (USUAL.seconds if self._task.limit is None else None)
        if seconds is not None:
            timer = threading.Timer(seconds, self._stop.set)
            timer.daemon = True
            timer.start()
        self._may_answer.set()


def planned_seconds(clock: Clock) -> float | None:
    """Return what a clock allows for a move, not counting the time for trouble."""
    allowed = clock.limit()
    return allowed.seconds if allowed.planned is None else allowed.planned


def _seconds_of(task: Task) -> float | None:
    if task.clock is not None:
        return planned_seconds(task.clock)
    return None if task.limit is None else task.limit.seconds


# ---------------------------------------------------------------- asking a player


def ask(
    player: "Player", record: Record, task: Task, stop: StopToken, tell: TellAnalysis
) -> Analysis:
    """Return what a player finds; one that cannot keep to the task does what it can."""
    if task.waits:  # whoever asked ends it
        task = replace(task, clock=None, limit=_without_seconds(task.limit))
    elif task.limit is not None and task.clock is not None:
        task = replace(task, clock=None, limit=task.limit.within(task.clock))
    if task.is_plain or (task.limit is None and task.lines == 1 and not task.moves):
        return _chosen(player, record, task.clock or _clock_within(task.limit), stop, tell)
    if task.moves or task.lines > 1:
        return _by_rounds(player, record, task, stop, tell)
    for limit in (task.limit, USUAL):
        with contextlib.suppress(PlywiseError):  # no depth in a tree, no opinion at all
            return player.analyse(record, limit, 1, stop, tell)
    return _chosen(player, record, task.clock, stop, tell)


def _clock_within(limit: Limit | None) -> Clock | None:
    """Return a clock for one move that keeps a limit of seconds."""
    if limit is None or limit.seconds is None or limit.seconds >= FOREVER:
        return None
    return Clock(limit.seconds, 0.0, moves_to_go=1)


def _without_seconds(limit: Limit | None) -> Limit:
    open_end = Limit(seconds=FOREVER)
    return open_end if limit is None else replace(limit, seconds=FOREVER)


def _chosen(
    player: "Player", record: Record, clock: Clock | None, stop: StopToken, tell: TellAnalysis
) -> Analysis:
    found = player.choose(record, clock, stop, lambda step: tell(Analysis((step,))))
    return Analysis((found,))


def _by_rounds(
    player: "Player", record: Record, task: Task, stop: StopToken, tell: TellAnalysis
) -> Analysis:
    """Return the best lines, or the best of some moves: ever deeper, all of them in each round."""
    limit = task.limit or (Limit(seconds=planned_seconds(task.clock)) if task.clock else USUAL)
    enough, started = StopToken(), time.perf_counter()
    best: Analysis | None = None
    nodes = 0
    with stop.heard_by(enough.set), enough.set_after(limit.seconds):
        for depth in range(1, (limit.depth or DEEPEST) + 1):
            found = _round(player, record, task, depth, enough)
            nodes += sum(line.nodes for line in found.lines)
            if best is not None and enough.is_set():
                break
            seconds = time.perf_counter() - started
            best = Analysis(
                tuple(replace(line, nodes=nodes, seconds=seconds) for line in found.lines)
            )
            tell(best)
            is_proven = all(line.end is not None for line in best.lines)
            if enough.is_set() or is_proven or nodes >= (limit.nodes or nodes + 1):
                break
    assert best is not None
    return best


def _round(player: "Player", record: Record, task: Task, depth: int, stop: StopToken) -> Analysis:
    """Return what is known at one depth."""
    if task.moves:
        judged = [_judge_move(player, record, move, depth, stop) for move in task.moves]
        ranked = sorted(judged, key=lambda found: -found.value)
        return Analysis(tuple(ranked[: task.lines]))
    for limit in _limits_at(depth):
        with contextlib.suppress(PlywiseError):
            return player.analyse(record, limit, task.lines, stop)
    return Analysis((player.choose(record, None, stop),))


def _limits_at(depth: int) -> tuple[Limit, Limit]:
    """Return what a round may cost, for those who know depths and for others."""
    return Limit(depth=depth), Limit(nodes=FIRST_NODES << min(depth, 20))


def _judge_move(player: "Player", record: Record, move: int, depth: int, stop: StopToken) -> Found:
    """Return a move with the value of the position that it leads to."""
    side = record.side
    record.play(move)
    try:
        result = record.result()
        sign = 1 if record.side == side else -1
        if result != ONGOING:
            return Found(move, float(sign * result), (move,), depth, 1, 0.0, 1 if result else None)
        for limit in _limits_at(max(1, depth - 1)):
            with contextlib.suppress(PlywiseError):
                reply = player.analyse(record, limit, 1, stop).lines[0]
                end = None if reply.end is None else reply.end + 1
                line = (move, *reply.line)
                return replace(reply, move=move, value=sign * reply.value, line=line, end=end)
        return Found(move, 0.0, (move,), depth, 1, 0.0)
    finally:
        record.undo()
