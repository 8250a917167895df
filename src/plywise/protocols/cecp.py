"""CECP, the protocol of xboard, to drive engines that speak nothing else.

    xboard, protover 2                    feature ping=1 setboard=1 ... done=1
    new, force, usermove e2e4             (nothing)
    st 1, go                              5 -12 10 2300 e7e5 g1f3
    ?                                     move e7e5

A thought is depth, score, hundredths of a second, nodes and a line. The engine is in force mode
except while it thinks, so that it never moves unasked. `st` takes whole seconds only: fractions
are kept by `?`, move now, and by clocks for engines that do not listen while they think.
"""

import math
import re
import shlex
import time
from collections.abc import Mapping

from plywise.errors import Forfeit, PlywiseError, UnknownName
from plywise.game import Row
from plywise.game.notation import Notation
from plywise.game.record import Record
from plywise.protocols.engine_player import Asked, Said, Thought
from plywise.protocols.process import Silence, Wire
from plywise.protocols.scores import value_of_centipawns
from plywise.search.limits import Limit

INTRODUCTION_SECONDS = 2.0  # for the first feature; older engines have none
HASTE = 0.03  # seconds before the end of a clock at which an engine is told to move
LATE = 0.4  # seconds after which an engine has not listened
CONTROL = 40  # moves of the clock that stands for a time per move
LONG = 300  # seconds for a move of which the depth is limited
THOUGHT = re.compile(r"\s*(\d{1,9})[.&+-]?\s+(-?\d{1,18})\s+(\d{1,18})\s+(\d{1,18})\s+(\S.*)")
MOVE = re.compile(r"(?:move|My move is\s*:)\s+(\S+)")
RESULT = re.compile(r"(1-0|0-1|1/2-1/2)\b")
REFUSED = re.compile(r"(?:Illegal move|Error)\b", re.IGNORECASE)
NO_MOVE = re.compile(r"\d*\.+|!|\?|\+\+|--")  # what stands between the moves of a line
MEMORY, CORES = "memory", "cores"


class CecpLanguage:
    """A conversation with an engine for xboard."""

    def __init__(self, notation: Notation, options: Mapping[str, str]) -> None:
        self.name = "the engine"
        self._notation, self._wanted = notation, options
        self._features: dict[str, str] = {}
        self._offered: list[str] = []  # options by name
        self._pings = 0
        self._start = ""
        self._moves: list[int] = []  # on the engine's board
        self._is_deaf = False  # while it thinks
        self._due = math.inf  # when it was to answer

    # ------------------------------------------------------------ the beginning

    def greet(self, wire: Wire, deadline: float) -> None:
        """Learn what the engine can do, and set its options."""
        wire.write("xboard")
        wire.write("protover 2")
        self._hear_features(wire, deadline)
        for key, text in self._wanted.items():
            wire.write(self._setting(key, text))

    def _hear_features(self, wire: Wire, deadline: float) -> None:
        patience = min(deadline, time.monotonic() + INTRODUCTION_SECONDS)
        while self._features.get("done") != "1":
            try:
                line = wire.read(patience)
            except Silence:  # one of the old ones, that know no features
                return
            if line.startswith("feature "):
                self._take_features(wire, line.removeprefix("feature "))
            if self._features.get("done") == "0":
                patience = deadline

    def _take_features(self, wire: Wire, text: str) -> None:
        for key, value in parse_features(text):
            self._features[key] = value
            if key == "myname":
                self.name = value
            if key == "option":
                self._offered.append(value.partition(" -")[0])
            wire.write(f"accepted {key}")

    def _setting(self, key: str, text: str) -> str:
        """Return the line that sets an option."""
        if key == MEMORY and self._has("memory"):
            return f"memory {text}"
        if key == CORES and self._has("smp"):
            return f"cores {text}"
        for name in self._offered:
            if name.lower() == key.lower():
                return f"option {name}={text}"
        known = [*self._offered, *([MEMORY] if self._has("memory") else [])]
        raise UnknownName(f"option of {self.name}", key, known or ["(it has no options)"])

    def _has(self, feature: str) -> bool:
        return self._features.get(feature) == "1"

    def begin(self, wire: Wire, limit: Limit, deadline: float) -> None:
        """Begin a new game, with nobody to move yet; a limit that cannot be kept is refused."""
        for line in ("new", "force", "easy", "post"):
            wire.write(line)
        if limit.depth is not None:
            wire.write(f"sd {limit.depth}")
        self._start, self._moves = "", []
        for line in self._settle(wire, deadline):
            if REFUSED.match(line) and re.search(r"\bsd\b", line):
                raise PlywiseError(f"{self.name} has no limit of depth: give it seconds.")

    def _settle(self, wire: Wire, deadline: float) -> list[str]:
        """Wait until the engine has done all that it was told; return what it said meanwhile."""
        if not self._has("ping"):
            return []
        self._pings += 1
        wire.write(f"ping {self._pings}")
        heard = []
        while (line := wire.read(deadline)).split() != ["pong", str(self._pings)]:
            heard.append(line)
        return heard

    # ------------------------------------------------------------ a move

    def ask(self, wire: Wire, record: Record, asked: Asked, deadline: float) -> float | None:
        """Bring the engine's board up to date, set its clock, and let it think."""
        if asked.limit.nodes is not None:
            raise PlywiseError(f"{self.name} has no limit of nodes: give it seconds or depth.")
        texts = self._set_up(wire, record, asked.limit, deadline)
        self._set_limits(wire, asked)
        for line in self._settle(wire, deadline):
            self._check(line, texts)
        wire.write("go")
        seconds = asked.seconds
        self._due = math.inf if seconds is None else time.monotonic() + seconds
        if seconds is None or self._is_deaf:
            return None
        return seconds if asked.clock is None else max(seconds / 2, seconds - HASTE)

    def _set_up(self, wire: Wire, record: Record, limit: Limit, deadline: float) -> list[str]:
        """Send the moves that the engine does not know; return their texts."""
        wire.write("force")
        start = self._text_of_start(record)
        known = self._moves
        if start != self._start or record.moves[: len(known)] != known:
            self.begin(wire, limit, deadline)
            known = []
            if start:
                self._require("setboard")
                wire.write(f"setboard {start}")
            self._start = start
        texts = []
        for ply in range(len(known), len(record.moves)):
            texts.append(self._text_of_move(record.positions[ply], record.moves[ply]))
            wire.write(f"usermove {texts[-1]}" if self._has("usermove") else texts[-1])
        self._moves = list(record.moves)
        return texts

    def _text_of_start(self, record: Record) -> str:
        is_first = bool((record.start == record.game.initial()).all())
        return "" if is_first else self._notation.format_position(record.start)

    def _text_of_move(self, position: Row, move: int) -> str:
        if self._has("san"):
            return self._notation.game.format_move(position, move)
        return self._notation.format_move(position, move)

    def _require(self, feature: str) -> None:
        if self._features.get(feature) != "1":
            raise Forfeit(f"crash: {self.name} knows no {feature}")

    def _set_limits(self, wire: Wire, asked: Asked) -> None:
        if asked.limit.depth is not None:
            wire.write(f"sd {asked.limit.depth}")
        if asked.clock is not None and asked.seconds is None:
            self._set_clock(wire, 0, asked.clock.remaining, int(asked.clock.increment))
        elif asked.seconds is None:
            wire.write(f"st {LONG}")
        elif self._is_deaf and asked.seconds != int(asked.seconds):
            self._set_clock(wire, CONTROL, CONTROL * asked.seconds, 0)
        else:
            wire.write(f"st {math.ceil(asked.seconds)}")

    def _set_clock(self, wire: Wire, moves: int, seconds: float, increment: int) -> None:
        whole = max(1, round(seconds))
        wire.write(f"level {moves} {whole // 60}:{whole % 60:02} {increment}")
        wire.write(f"time {max(1, int(100 * seconds))}")
        wire.write(f"otim {max(1, int(100 * seconds))}")

    def _check(self, line: str, texts: list[str]) -> None:
        """Refuse to go on with an engine that does not accept a move."""
        if REFUSED.match(line) and any(text in line for text in texts):
            raise Forfeit(f"crash: {self.name} refuses a move: {line}")

    def hear(self, line: str, thought: Thought) -> bool:
        """Take in what the engine says while it thinks."""
        moved = MOVE.match(line)
        if moved:
            self._take_answer(moved[1], thought)
            return False
        if line.startswith("resign"):
            raise Forfeit(f"resignation: {self.name} resigns")
        if RESULT.match(line):
            raise Forfeit(f"illegal move: none, but the claim {line}")
        found = THOUGHT.fullmatch(line)
        if found is None:
            return False
        depth, score, hundredths, nodes = (int(number) for number in found.groups()[:4])
        texts = tuple(t.strip("<>") for t in found[5].split() if not NO_MOVE.fullmatch(t))
        value = value_of_centipawns(score)
        thought.said[1] = Said(value, None, depth, nodes, hundredths / 100, texts)
        return True

    def _take_answer(self, text: str, thought: Thought) -> None:
        """Note the move, which stands on the engine's board already, and whether it was late."""
        thought.answer = text
        self._is_deaf = self._is_deaf or time.monotonic() > self._due + LATE
        self._moves = [*thought.record.moves, thought.found().move]

    def hurry(self, wire: Wire) -> None:
        """Say that it shall move now."""
        wire.write("?")


def parse_features(text: str) -> list[tuple[str, str]]:
    """Return the features of a line: name="some text" or name=1."""
    try:
        words = shlex.split(text)
    except ValueError:  # a quotation mark that is never closed
        words = text.split()
    pairs = (word.partition("=") for word in words)
    return [(key, value) for key, equals, value in pairs if equals]
