"""Players that behave badly, or just as a test needs."""

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from plywise.game.record import Record
from plywise.players import JudgesNothing
from plywise.search.limits import Analysis, Clock, Limit, Tell, TellAnalysis
from plywise.system.stopping import StopToken


class Time:
    """A clock that only players move."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        return self.seconds


def answer(move: Any) -> Any:
    """Return what the referee looks at in an answer."""
    return SimpleNamespace(move=move, nodes=1)


def first_move(record: Record) -> Any:
    return answer(int(record.legal_moves()[0]))


class Double:
    """Plays the first legal move, or whatever else `act` answers; remembers what it was told."""

    def __init__(self, act: Callable[[Record], Any] = first_move, name: str = "double") -> None:
        self.act, self.name = act, name
        self.seeds: list[int] = []
        self.clocks: list[Clock | None] = []
        self.twins: list[Double] = []
        self.is_closed = False

    def new_game(self, seed: int) -> None:
        self.seeds.append(seed)

    def choose(
        self,
        record: Record,
        clock: Clock | None = None,
        stop: StopToken | None = None,
        tell: Tell | None = None,
    ) -> Any:
        assert not self.is_closed
        self.clocks.append(clock)
        return self.act(record)

    def analyse(
        self,
        record: Record,
        limit: Limit | None = None,
        lines: int = 1,
        stop: StopToken | None = None,
        tell: TellAnalysis | None = None,
    ) -> Analysis:
        raise JudgesNothing("A double judges nothing.")

    def twin(self) -> "Double":
        self.twins.append(Double(self.act, self.name))
        return self.twins[-1]

    def close(self) -> None:
        self.is_closed = True


class Staller(Double):
    """Thinks until it is told to stop; all its twins are itself."""

    def __init__(self, name: str = "staller") -> None:
        super().__init__(name=name)
        self.is_told = threading.Event()
        self.is_thinking = threading.Event()

    def choose(
        self,
        record: Record,
        clock: Clock | None = None,
        stop: StopToken | None = None,
        tell: Tell | None = None,
    ) -> Any:
        assert stop is not None
        with stop.heard_by(self.is_told.set):
            self.is_thinking.set()
            assert self.is_told.wait(60), "nobody stopped it"
        return first_move(record)

    def twin(self) -> "Staller":
        return self


def crash(record: Record) -> Any:
    raise RuntimeError("out of\n  ideas")


def illegal(record: Record) -> Any:
    return answer(99)


def nothing(record: Record) -> Any:
    return None


def thinking(time: Time, seconds: float) -> Callable[[Record], Any]:
    """Return the behaviour of a player that takes so long for a move."""

    def act(record: Record) -> Any:
        time.seconds += seconds
        return first_move(record)

    return act
