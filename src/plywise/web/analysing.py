"""Analysis for eyes: several lines from the start, and all of them deeper and deeper.

A search finds the second line when it is done with the first. Nobody who looks on wants to wait for
that, so the time is spent in rounds that double; what a search remembers makes the next quick.
"""

from collections.abc import Callable, Iterator

from plywise.game.record import Record
from plywise.live.analysis import is_news
from plywise.players import Player
from plywise.search.limits import Analysis, Limit
from plywise.system.stopping import StopToken

FIRST_ROUND = 0.2  # seconds for each line


def analyse_in_rounds(
    player: Player,
    record: Record,
    seconds: float,
    lines: int,
    stop: StopToken,
    tell: Callable[[Analysis], None],
) -> Analysis:
    """Return the best lines; `tell` hears of all that are known whenever one has changed."""
    known = Analysis(())
    for limit in _rounds(seconds, lines):
        hear = _Teller(known, lines, tell)
        round_ = player.analyse(record, Limit(seconds=limit), lines, stop, hear)
        if round_.moves and lines > 1 and not stop.is_set():  # a tree has all lines at once
            whole = _Teller(round_, lines, tell)
            return player.analyse(record, Limit(seconds=seconds), lines, stop, whole)
        known = _joined(round_, known, lines)
        tell(known)
        if stop.is_set():
            break
    return known


def _rounds(seconds: float, lines: int) -> Iterator[float]:
    """Yield the seconds of each line in every round; all rounds together have the seconds."""
    step, left = FIRST_ROUND * lines, seconds
    while lines > 1 and left > 3 * step:
        yield step / lines
        step, left = 2 * step, left - step
    yield left / lines


class _Teller:
    """Tells the steps of a round that know more than the round before."""

    def __init__(self, before: Analysis, lines: int, tell: Callable[[Analysis], None]) -> None:
        self._before, self._lines, self._tell = before, lines, tell
        self._depth = min((line.depth for line in before.lines), default=0)
        self._last: Analysis | None = None

    def __call__(self, step: Analysis) -> None:
        if step.lines[-1].depth < self._depth:
            return
        if self._last is None or is_news(step, self._last):
            self._last = step
            self._tell(_joined(step, self._before, self._lines))


def _joined(step: Analysis, before: Analysis, lines: int) -> Analysis:
    """Return a step with the lines of the round before that it has not come to, the best first."""
    if step.moves:
        return step
    moves = {line.move for line in step.lines}
    all_lines = [*step.lines, *(line for line in before.lines if line.move not in moves)]
    best = sorted(all_lines[:lines], key=lambda line: -line.value)
    return Analysis(tuple(best))
