"""An engine behind a protocol as a player: whatever it does, it plays or forfeits.

    EnginePlayer ─► Language ─► Wire ─► a program
     life, deadlines   what is said     lines

A language is one conversation: it keeps what the engine said of itself. It is given a wire, and
told every line that the engine writes while it thinks.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from plywise.errors import BadMove, Forfeit
from plywise.game import Game
from plywise.game.notation import Notation
from plywise.game.record import Record
from plywise.protocols.process import EngineProcess, Wire, find_program
from plywise.search.limits import Analysis, Clock, Found, Limit, Tell, TellAnalysis
from plywise.system.stopping import StopToken

GREETING_SECONDS = 60.0  # an engine may have to compile itself first
PATIENCE = 10.0  # seconds beyond its budget after which an engine has lost
SILENCE = 300.0  # seconds for a move of which only depth or nodes are limited
STOPPING_SECONDS = 2.0


@dataclass(frozen=True)
class Asked:
    """What an engine may spend on a position, and how many lines are wanted."""

    limit: Limit
    clock: Clock | None = None
    lines: int = 1

    @property
    def seconds(self) -> float | None:
        """Return the time for this move, None where the engine sees to a clock or to a depth."""
        if self.clock is None:
            return self.limit.seconds
        allowed = self.clock.limit()
        if allowed.planned is None:
            return self.limit.within(self.clock).seconds
        return None if self.limit.seconds is None else min(self.limit.seconds, allowed.planned)

    @property
    def longest(self) -> float:
        """Return the seconds after which nobody waits any longer."""
        if self.clock is not None:
            return self.clock.remaining + PATIENCE
        return SILENCE if self.limit.seconds is None else self.limit.seconds + PATIENCE


@dataclass(frozen=True)
class Said:
    """What an engine has said of one line; values are for the side to move."""

    value: float = 0.0
    end: int | None = None  # plies
    depth: int = 0
    nodes: int = 1
    seconds: float = 0.0
    texts: tuple[str, ...] = ()  # the moves of the line


@dataclass
class Thought:
    """What an engine has said so far about a position."""

    record: Record
    notation: Notation
    said: dict[int, Said] = field(default_factory=dict)  # by rank, from 1 on
    answer: str | None = None  # the text of its move

    def found(self) -> Found:
        """Return the move that was answered, with what was said of it."""
        text = self.answer or ""
        try:
            move = int(self.notation.parse_move(self.record.position, text))
        except BadMove:
            raise Forfeit(f"illegal move: {text or 'none'}") from None
        best = self._read(self.said.get(1, Said()))
        line = best.line if best.line[:1] == (move,) else (move,)
        return replace(best, move=move, line=line)

    def steps(self) -> tuple[Found, ...]:
        """Return the lines that are known so far, best first."""
        known = (self._read(self.said[rank]) for rank in sorted(self.said))
        return tuple(line for line in known if line.line)

    def analysis(self) -> Analysis:
        """Return the lines with the move that was answered as the first of them."""
        best = self.found()
        return Analysis((best, *(line for line in self.steps() if line.move != best.move)))

    def _read(self, said: Said) -> Found:
        """Return a line with its moves, up to the first text that names none."""
        position, moves = self.record.position, []
        for text in said.texts:
            try:
                move = int(self.notation.parse_move(position, text))
            except BadMove:
                break
            moves.append(move)
            position = self.record.game.apply(position, move)
        first, line = moves[0] if moves else -1, tuple(moves)
        return Found(first, said.value, line, said.depth, said.nodes, said.seconds, said.end)


class Language(Protocol):
    """What is said to an engine, and what its answers mean."""

    def greet(self, wire: Wire, deadline: float) -> None:
        """Find out whom one talks to, and set what has to be set."""
        ...

    def begin(self, wire: Wire, limit: Limit, deadline: float) -> None:
        """Say that a new game begins, with such a budget for a move, and wait for the engine."""
        ...

    def ask(self, wire: Wire, record: Record, asked: Asked, deadline: float) -> float | None:
        """Let the engine think; return after how many seconds it has to be told to answer."""
        ...

    def hear(self, line: str, thought: Thought) -> bool:
        """Take in a line; return whether it told something new."""
        ...

    def hurry(self, wire: Wire) -> None:
        """Say that the answer is wanted now."""
        ...


MakeLanguage = Callable[[Notation, Mapping[str, str]], Language]


@dataclass(frozen=True)
class Engine:
    """What makes an engine: its program, its language, its options."""

    command: str
    notation: Notation
    make_language: MakeLanguage
    options: Mapping[str, str]


class EnginePlayer:
    """Plays what a program answers; a program that fails is replaced in the next game."""

    def __init__(self, name: str, engine: Engine, limit: Limit | None) -> None:
        """Without a limit the engine sees to a playing clock itself, or has a second."""
        self.name = name
        self._words = find_program(engine.command)
        self._engine, self._limit = engine, limit
        self._process: EngineProcess | None = None
        self._language: Language | None = None

    @property
    def game(self) -> Game:
        return self._engine.notation.game

    def new_game(self, seed: int) -> None:
        """Start the program, or tell it that a new game begins; its chance is its own."""
        Record(self.game).legal_moves()  # compiled by now
        self._connect()
        wire, language = self._connection()
        with self._closing_on_failure():
            language.begin(wire, self._limit or Limit(), time.monotonic() + GREETING_SECONDS)

    def _connect(self) -> None:
        if self._process is not None and self._process.is_alive():
            return
        self.close()
        self._process = EngineProcess(self._words)
        self._language = self._engine.make_language(self._engine.notation, self._engine.options)
        with self._closing_on_failure():
            self._language.greet(self._process, time.monotonic() + GREETING_SECONDS)

    def _connection(self) -> tuple[EngineProcess, Language]:
        assert self._process is not None
        assert self._language is not None
        return self._process, self._language

    @contextlib.contextmanager
    def _closing_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()
            raise

    def choose(
        self,
        record: Record,
        clock: Clock | None = None,
        stop: StopToken | None = None,
        tell: Tell | None = None,
    ) -> Found:
        """Return the engine's move; raise Forfeit where it gives none that can be played."""
        limit = self._limit or (Limit() if clock else Limit(seconds=1.0))

        def hear(thought: Thought) -> None:
            if tell is not None and (steps := thought.steps()):
                tell(steps[0])

        return self._think(record, Asked(limit, clock), stop, hear).found()

    def analyse(
        self,
        record: Record,
        limit: Limit | None = None,
        lines: int = 1,
        stop: StopToken | None = None,
        tell: TellAnalysis | None = None,
    ) -> Analysis:
        """Return the engine's best lines; one that knows no others tells of the best alone."""
        asked = Asked(limit or self._limit or Limit(seconds=1.0), None, lines)

        def hear(thought: Thought) -> None:
            if tell is not None and (steps := thought.steps()):
                tell(Analysis(steps))

        return self._think(record, asked, stop, hear).analysis()

    def _think(
        self,
        record: Record,
        asked: Asked,
        stop: StopToken | None,
        hear: Callable[[Thought], None],
    ) -> Thought:
        """Return what the engine came to think; one that does not answer is killed."""
        if self._process is None or not self._process.is_alive():
            self.new_game(0)
        thinking = _Thinking(*self._connection(), Thought(record, self._engine.notation))
        with self._closing_on_failure():
            thinking.begin(asked)
            with contextlib.nullcontext() if stop is None else stop.heard_by(thinking.hurry):
                thinking.finish(hear)
        return thinking.thought

    def twin(self) -> "EnginePlayer":
        """Return the same with a program of its own."""
        return EnginePlayer(self.name, self._engine, self._limit)

    def close(self) -> None:
        """Kill the program."""
        process, self._process = self._process, None
        if process is not None:
            process.close()


class _Thinking:
    """One question that an engine is asked: it ends by an answer, or by a deadline."""

    def __init__(self, process: EngineProcess, language: Language, thought: Thought) -> None:
        self._process, self._language, self.thought = process, language, thought
        self._deadline = 0.0
        self._nudge: float | None = None
        self._is_deaf = False

    def begin(self, asked: Asked) -> None:
        """Ask."""
        self._deadline = time.monotonic() + asked.longest
        record = self.thought.record
        self._nudge = self._language.ask(self._process, record, asked, self._deadline)

    def hurry(self) -> None:
        """Ask for the answer at once, from any thread; an engine that gives none is killed."""
        self._remind()
        killing = threading.Timer(STOPPING_SECONDS, self._kill)
        killing.daemon = True
        killing.start()

    def _remind(self) -> None:
        with contextlib.suppress(Forfeit):  # whoever listens will hear of it
            self._language.hurry(self._process)

    def _kill(self) -> None:
        if self.thought.answer is None:
            self._is_deaf = True
            self._process.close()

    def finish(self, hear: Callable[[Thought], None]) -> None:
        """Listen until the answer is there."""
        time_is_up = StopToken()
        try:
            with time_is_up.heard_by(self._remind), time_is_up.set_after(self._nudge):
                while self.thought.answer is None:
                    line = self._process.read(self._deadline)
                    if self._language.hear(line, self.thought):
                        hear(self.thought)
        except Forfeit:
            if self._is_deaf:
                raise Forfeit(f"overtime: {self._process.label} does not stop") from None
            raise


def wait_for(wire: Wire, deadline: float, is_it: Callable[[str], bool]) -> str:
    """Return the first line that fits; others are passed over."""
    while True:
        line = wire.read(deadline)
        if is_it(line):
            return line
