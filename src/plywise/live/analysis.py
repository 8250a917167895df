"""A live analysis: what a player comes to think of a position, step by step."""

from collections.abc import Iterator
from queue import SimpleQueue

from plywise.game.record import Record
from plywise.players import Player
from plywise.search.limits import Analysis, Limit
from plywise.system.background import Background
from plywise.system.stopping import StopToken

FEW, MANY = 1.3, 2.0  # times the nodes of the step before make a step worth telling


class LiveAnalysis:
    """An analysis under way: iterate over its steps, then ask for the whole.

    The player thinks in another thread. Whoever shows the steps may end it by `stop`, from any
    thread: what is known then is the answer.
    """

    def __init__(
        self, player: Player, record: Record, limit: Limit | None = None, lines: int = 1
    ) -> None:
        self.player, self.record = player, record
        self.stop = StopToken()
        self._steps: SimpleQueue[Analysis | None] = SimpleQueue()
        self._thinking = Background(lambda: self._think(limit, lines))

    def _think(self, limit: Limit | None, lines: int) -> Analysis:
        try:
            return self.player.analyse(self.record, limit, lines, self.stop, self._steps.put)
        finally:
            self._steps.put(None)

    def __iter__(self) -> Iterator[Analysis]:
        """Yield what is known after each step that is worth telling, until the last one."""
        last: Analysis | None = None
        while (step := self._steps.get()) is not None:
            if last is None or is_news(step, last):
                last = step
                yield step

    def answer(self) -> Analysis:
        """Wait for the end and return the whole analysis."""
        return self._thinking.answer()


def is_news(step: Analysis, last: Analysis) -> bool:
    """Return whether a step is worth telling: not every one of a tree, or of a tiny game."""
    if len(step.lines) != len(last.lines):
        return True
    now, before = step.lines[-1], last.lines[-1]
    if step.moves:
        return now.nodes >= MANY * before.nodes
    is_same = (now.value, now.line) == (before.value, before.line)
    return not is_same or now.nodes >= FEW * before.nodes
