"""Hub, version 2, the protocol of draughts engines such as Scan.

    hub                                   id name=... , param name=..., wait
    init                                  ready
    pos pos=W... moves="11-15 22-17"      (nothing)
    level move-time=1                     (nothing)
    go think                              info depth=3 score=0.12 pv="9-14", done move=9-14

Every line is a word and arguments name=value, in quotation marks where there are spaces.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from plywise.errors import Forfeit, PlywiseError, UnknownName
from plywise.game.notation import Notation
from plywise.game.record import Record
from plywise.protocols.engine_player import Asked, Said, Thought, wait_for
from plywise.protocols.process import Wire
from plywise.protocols.scores import centipawns_of, number_of, value_of_centipawns, whole_of
from plywise.protocols.seat import Seat
from plywise.protocols.thinking import FOREVER, Task
from plywise.search.limits import Analysis, Clock, Found, Limit

if TYPE_CHECKING:
    from plywise.players import EngineSetup

ARGUMENT = re.compile(r'([^\s="]+)(?:=(?:"([^"]*)"|([^\s"]*)))?')
PROVEN = 100.0  # men: a score near it tells of the end, a hundredth less for each ply
MOST = 89.0  # men: what is not proven is below


def parse_line(line: str) -> tuple[str, dict[str, str]]:
    """Return the word of a line and its arguments; one without a value is an empty text."""
    word, _, rest = line.strip().partition(" ")
    found = ARGUMENT.finditer(rest)
    return word, {part[1]: part[2] if part[2] is not None else part[3] or "" for part in found}


def format_line(word: str, arguments: Mapping[str, object]) -> str:
    """Return a line that `parse_line` reads."""
    texts = ((key, str(value)) for key, value in arguments.items())
    return " ".join([word, *(f"{key}={_quoted(text)}" for key, text in texts)])


def _quoted(text: str) -> str:
    return (
        text if text and not re.search(r'[\s="]', text) else '"{}"'.format(text.replace('"', "'"))
    )


def normal_move(text: str) -> str:
    """Return a move whose captured squares stand in ascending order."""
    squares = text.split("x")
    if len(squares) < 4 or not all(square.isdecimal() for square in squares):
        return text
    return "x".join([*squares[:2], *sorted(squares[2:], key=int)])


# ---------------------------------------------------------------- talking to an engine


class HubLanguage:
    """A conversation with a Hub engine."""

    def __init__(self, notation: Notation, options: Mapping[str, str]) -> None:
        self.name = "the engine"
        self._notation, self._wanted = notation, options
        self._offered: dict[str, list[str]] = {}  # values of each parameter, where they are listed

    def greet(self, wire: Wire, deadline: float) -> None:
        """Learn what the engine offers, set its parameters, and let it get ready."""
        wire.write("hub")
        wait_for(wire, deadline, self._is_introduced)
        options = dict(self._wanted)
        if self._notation.game_name in self._offered.get("variant", []):
            options.setdefault("variant", self._notation.game_name)
        for name, value in options.items():
            if name not in self._offered:
                raise UnknownName(f"option of {self.name}", name, self._offered)
            wire.write(format_line("set-param", {"name": name, "value": value}))
        wire.write("init")
        wait_for(wire, deadline, lambda line: line.strip() == "ready")

    def _is_introduced(self, line: str) -> bool:
        word, arguments = parse_line(line)
        if word == "id":
            self.name = arguments.get("name", self.name)
        elif word == "param" and "name" in arguments:
            self._offered[arguments["name"]] = arguments.get("values", "").split()
        return word == "wait"

    def begin(self, wire: Wire, limit: Limit, deadline: float) -> None:
        """Announce a new game."""
        wire.write("new-game")
        wire.write("ping")
        wait_for(wire, deadline, lambda line: line.strip() == "pong")

    def ask(self, wire: Wire, record: Record, asked: Asked, deadline: float) -> float | None:
        """Send the position, and what may be spent."""
        arguments = {"pos": self._notation.format_position(record.start)}
        if record.moves:
            arguments["moves"] = " ".join(self._notation.format_moves(record))
        wire.write(format_line("pos", arguments))
        wire.write(format_line("level", _level_of(asked)))
        wire.write("go think")
        return None

    def hear(self, line: str, thought: Thought) -> bool:
        """Take in what the engine says while it thinks."""
        word, arguments = parse_line(line)
        if word == "done":
            thought.answer = normal_move(arguments.get("move", ""))
        if word == "error":
            raise Forfeit(f"crash: {self.name}: {arguments.get('message', 'an error')}")
        if word != "info" or "score" not in arguments:
            return False
        texts = tuple(normal_move(text) for text in arguments.get("pv", "").split())
        value, end = _judged(number_of(arguments["score"]))
        thought.said[1] = Said(
            value,
            end,
            int(number_of(arguments.get("depth", ""))),
            max(1, int(number_of(arguments.get("nodes", "")))),
            number_of(arguments.get("time", "")),
            texts,
        )
        return True

    def hurry(self, wire: Wire) -> None:
        """Say stop."""
        wire.write("stop")


def _judged(score: float) -> tuple[float, int | None]:
    """Return what a score in men says: a value, and the plies to the end if that is proven."""
    if MOST + 1 <= abs(score) <= PROVEN:
        return (1.0 if score > 0 else -1.0), round(100 * (PROVEN - abs(score)))
    return value_of_centipawns(100 * score), None


def _level_of(asked: Asked) -> dict[str, object]:
    limit: dict[str, object] = {}
    if asked.seconds is not None:
        limit["move-time"] = f"{asked.seconds:g}"
    elif asked.clock is not None:
        limit = {"time": f"{asked.clock.remaining:g}", "inc": f"{asked.clock.increment:g}"}
    if asked.limit.depth is not None:
        limit["depth"] = asked.limit.depth
    if asked.limit.nodes is not None:
        limit["nodes"] = asked.limit.nodes
    return limit


# ---------------------------------------------------------------- being an engine


class HubEngine:
    """A player as a Hub engine: what it says to the lines that it is told."""

    def __init__(
        self, setup: "EngineSetup", notation: Notation, say: Callable[[str], None]
    ) -> None:
        self._say, self._notation = say, notation
        self._seat = Seat(setup, self)
        self._record = Record(notation.game)
        self._limit: Limit | None = None
        self._clock: Clock | None = None
        self._commands: dict[str, Callable[[dict[str, str]], None]] = {
            "hub": self._introduce,
            "set-param": self._set_parameter,
            "init": self._get_ready,
            "new-game": lambda _: self._seat.new_game(),
            "pos": self._set_position,
            "level": self._set_level,
            "go": self._go,
            "stop": lambda _: self._seat.stop(),
            "ponder-hit": lambda _: self._seat.hit(),
            "ping": lambda _: self._say("pong"),
        }

    def run(self, lines: Iterable[str]) -> None:
        """Obey lines until `quit` or their end; what is not known is passed over."""
        try:
            for line in lines:
                word, arguments = parse_line(line)
                if word == "quit":
                    break
                if word in self._commands:
                    self._obey(word, arguments)
        finally:
            self._seat.close()

    def _obey(self, word: str, arguments: dict[str, str]) -> None:
        try:
            self._commands[word](arguments)
        except PlywiseError as error:
            self.complain(error)

    def _introduce(self, _: dict[str, str]) -> None:
        from plywise import __version__

        who = {"name": "Plywise", "version": __version__, "author": "the Plywise authors"}
        self._say(format_line("id", who))
        name = self._notation.game_name
        variant = {"name": "variant", "value": name, "type": "enum", "values": name}
        self._say(format_line("param", variant))
        if self._seat.setup.offers("level"):
            least, most = self._seat.setup.elo_range
            elo = {"name": "elo", "value": most, "type": "int", "min": least, "max": most}
            self._say(format_line("param", elo))
        self._say("wait")

    def _set_parameter(self, arguments: dict[str, str]) -> None:
        name, value = arguments.get("name", ""), arguments.get("value", "")
        if name == "variant" and value == self._notation.game_name:
            return
        elo = whole_of(value) if name == "elo" else None
        if elo is None or elo < 0:
            raise PlywiseError(f"The parameter {name!r} cannot be {value!r} here.")
        self._seat.change(elo=None if elo >= self._seat.setup.elo_range[1] else elo)

    def _get_ready(self, _: dict[str, str]) -> None:
        self._seat.get_ready()
        self._say("ready")

    def _set_position(self, arguments: dict[str, str]) -> None:
        self._seat.finish()
        start = arguments.get("pos", "")
        record = Record(self._notation.game, self._notation.parse_position(start))
        for text in arguments.get("moves", "").split():
            record.play(self._notation.parse_move(record.position, normal_move(text)))
        self._record = record

    def _set_level(self, arguments: dict[str, str]) -> None:
        """Take over what a move may cost; a clock's increment is added before the move."""
        numbers = {key: number_of(text) for key, text in arguments.items()}
        self._clock = _clock_of(numbers) if "time" in numbers else None
        limit = Limit(
            int(numbers["depth"]) if numbers.get("depth", 0) >= 1 else None,
            int(numbers["nodes"]) if numbers.get("nodes", 0) >= 1 else None,
            FOREVER if "infinite" in numbers else _seconds(numbers),
        )
        self._limit = None if limit.is_open else limit

    def _go(self, arguments: dict[str, str]) -> None:
        if len(self._record.legal_moves()) == 0:
            raise PlywiseError("There is nothing to search: the game is over.")
        is_infinite = self._limit is not None and self._limit.seconds == FOREVER
        task = Task(
            self._limit,
            self._clock,
            waits="ponder" in arguments or is_infinite,
            is_plain=self._seat.setup.is_held_back,
        )
        self._seat.think(self._record, task)

    # ------------------------------------------------------------ what it says

    def tell(self, step: Analysis) -> None:
        """Say what is known so far."""
        self._say(format_line("info", _info_of(step.lines[0], self._record, self._notation)))

    def answer(self, found: Analysis) -> None:
        """Say which move it is."""
        self.tell(found)
        texts = self._notation.format_line(self._record.position, found.lines[0].line[:2])
        self._say(format_line("done", dict(zip(("move", "ponder"), texts, strict=False))))

    def complain(self, error: Exception) -> None:
        """Say what is wrong."""
        self._say(format_line("error", {"message": " ".join(str(error).split())}))


def _clock_of(numbers: Mapping[str, float]) -> Clock:
    left = max(0.001, numbers["time"] + numbers.get("inc", 0.0))
    increment = max(0.0, numbers.get("inc", 0.0))
    return Clock(left, increment, max(0, int(numbers.get("moves", 0))) or None)


def _seconds(numbers: Mapping[str, float]) -> float | None:
    return max(0.001, numbers["move-time"]) if "move-time" in numbers else None


def _info_of(found: Found, record: Record, notation: Notation) -> dict[str, object]:
    return {
        "depth": max(1, found.depth),
        "score": f"{_score_of(found):.2f}",
        "nodes": found.nodes,
        "time": f"{found.seconds:.3f}",
        "nps": f"{found.nodes / max(found.seconds, 1e-3) / 1e6:.3f}",
        "pv": " ".join(notation.format_line(record.position, found.line)),
    }


def _score_of(found: Found) -> float:
    """Return a value in men; one that is proven says in its hundredths how far the end is."""
    if found.end is None or found.value == 0:
        return max(-MOST, min(MOST, centipawns_of(found.value) / 100))
    sign = 1 if found.value > 0 else -1
    return sign * (PROVEN - found.end / 100)
