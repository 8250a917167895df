"""NBoard, version 2, the protocol of reversi engines.

    nboard 2                              set myname ...
    set depth 6                           (nothing)
    set game (;GM[Othello]...B[F5];)      (nothing)
    ping 1                                pong 1
    go                                    search F6-D3 0.5 0 6, nodestats 3200 0.1, === F6/0.5/0.1

The only budget is a depth. `ping` ends whatever is thought about. Scores are in discs.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from plywise.errors import PlywiseError, UnknownName
from plywise.game.notation import Notation
from plywise.game.record import Record
from plywise.protocols.engine_player import Asked, Said, Thought, wait_for
from plywise.protocols.process import Wire
from plywise.protocols.scores import number_of, whole_of
from plywise.protocols.seat import Seat
from plywise.protocols.thinking import Task, planned_seconds
from plywise.search.limits import Analysis, Found, Limit

if TYPE_CHECKING:
    from plywise.players import EngineSetup

DISCS = 64.0  # a value of 1 wins them all
USUAL_DEPTH = 8
PROPERTY = re.compile(r"(?<![A-Z])(BO|B|W)\[([^\]]*)\]")
MOVES = re.compile(r"[A-Ha-h][1-8]|[Pp][Aa]")
SIDES = "BW"
PASS = "PA"


# ---------------------------------------------------------------- games as GGF


def format_ggf(record: Record, notation: Notation) -> str:
    """Return a game in the Generic Game Format."""
    sides = (SIDES[notation.game.side(position)] for position in record.positions)
    texts = notation.format_moves(record)
    moves = "".join(f"{side}[{text}]" for side, text in zip(sides, texts, strict=False))
    board = notation.format_position(record.start)
    return f"(;GM[Othello]PC[Plywise]PB[black]PW[white]RE[?]TI[0]TY[8]BO[{board}]{moves};)"


def parse_ggf(text: str, notation: Notation) -> Record:
    """Return the game in a text; passes that it leaves out are made."""
    properties = [(found[1], found[2]) for found in PROPERTY.finditer(text)]
    boards = [value for key, value in properties if key == "BO"]
    if len(boards) != 1:
        raise PlywiseError("A game in GGF has one board, as in (;GM[Othello]BO[8 ... *]B[F5];).")
    record = Record(notation.game, notation.parse_position(boards[0]))
    for key, value in properties:
        if key != "BO":
            play_move(record, notation, value, SIDES.index(key))
    return record


def play_move(record: Record, notation: Notation, text: str, side: int | None = None) -> None:
    """Play a move such as F5/1.2/0.5: what follows the move is its score and time."""
    if side is not None and side != record.side:
        record.play(notation.parse_move(record.position, PASS))
    move = text.partition("/")[0].strip().upper()[:2]
    record.play(notation.parse_move(record.position, move))


# ---------------------------------------------------------------- talking to an engine


class NboardLanguage:
    """A conversation with an NBoard engine."""

    def __init__(self, notation: Notation, options: Mapping[str, str]) -> None:
        self._notation, self._wanted = notation, options
        self._pings = 0
        self._nodes, self._seconds = 1, 0.0

    def greet(self, wire: Wire, deadline: float) -> None:
        """Enter the protocol; it has no options."""
        for name in self._wanted:
            raise UnknownName("option of an NBoard engine", name, ["(it has no options)"])
        wire.write("nboard 2")
        self._settle(wire, deadline)

    def _settle(self, wire: Wire, deadline: float) -> None:
        """Wait until the engine has done what it was told."""
        self._pings += 1
        wire.write(f"ping {self._pings}")
        wait_for(wire, deadline, self._is_pong)

    def _is_pong(self, line: str) -> bool:
        return line.split() == ["pong", str(self._pings)]

    def begin(self, wire: Wire, limit: Limit, deadline: float) -> None:
        """Refuse what the protocol cannot say; there is nothing to tell of a new game."""
        if limit.seconds is not None or limit.nodes is not None:
            raise PlywiseError(
                "An NBoard engine has no limit of seconds or nodes: give it a depth."
            )
        self._settle(wire, deadline)

    def ask(self, wire: Wire, record: Record, asked: Asked, deadline: float) -> float | None:
        """Send the game, and let the engine think to a depth, or as long as the clock allows."""
        if asked.limit.nodes is not None:
            raise PlywiseError("An NBoard engine has no limit of nodes: give it a depth.")
        wire.write(f"set depth {asked.limit.depth or USUAL_DEPTH}")
        wire.write(f"set game {format_ggf(record, self._notation)}")
        self._settle(wire, deadline)
        self._nodes, self._seconds = 1, 0.0
        wire.write("go")
        return None if asked.clock is None else planned_seconds(asked.clock)

    def hear(self, line: str, thought: Thought) -> bool:
        """Take in what the engine says while it thinks."""
        words = line.split()
        if words[:1] == ["==="] and len(words) > 1:
            thought.answer = words[1].partition("/")[0].upper()
        elif words[:1] == ["nodestats"] and len(words) == 3:
            self._nodes, self._seconds = max(1, int(number_of(words[1]))), number_of(words[2])
        elif self._is_pong(line):  # it was hurried, and has stopped
            thought.answer = self._best_so_far(thought)
        elif words[:1] in (["search"], ["book"]) and len(words) >= 3:
            return self._take_line(words, thought)
        return False

    def _take_line(self, words: list[str], thought: Thought) -> bool:
        texts = tuple(text.upper() for text in MOVES.findall(words[1]))
        depth = int(number_of(re.sub(r"\D.*", "", words[4]))) if len(words) > 4 else 0
        value = max(-1.0, min(1.0, number_of(words[2].strip("()").partition(",")[0]) / DISCS))
        said = Said(value, None, depth, self._nodes, self._seconds, texts)
        lines = [one for one in thought.said.values() if one.texts[:1] != texts[:1]]
        ranked = sorted([*lines, said], key=lambda one: -one.value)
        thought.said = dict(enumerate(ranked, 1))
        return bool(texts)

    def _best_so_far(self, thought: Thought) -> str:
        if 1 in thought.said:
            return thought.said[1].texts[0]
        record = thought.record
        return self._notation.format_move(record.position, int(record.legal_moves()[0]))

    def hurry(self, wire: Wire) -> None:
        """Let the engine stop; it answers by pong alone."""
        self._pings += 1
        wire.write(f"ping {self._pings}")


# ---------------------------------------------------------------- being an engine


class NboardEngine:
    """A player as an NBoard engine: what it says to the lines that it is told."""

    def __init__(
        self, setup: "EngineSetup", notation: Notation, say: Callable[[str], None]
    ) -> None:
        self._say, self._notation = say, notation
        self._seat = Seat(setup, self)
        self._record = Record(notation.game)
        self._limit: Limit | None = None
        self._is_hint = False
        self._commands: dict[str, Callable[[str], None]] = {
            "nboard": lambda _: self._say("set myname Plywise"),
            "set": self._set,
            "move": self._move,
            "hint": self._hint,
            "go": self._go,
            "ping": self._ping,
            "learn": lambda _: self._say("learned"),
        }

    def run(self, lines: Iterable[str]) -> None:
        """Obey lines until `quit` or their end; what is not known is passed over."""
        try:
            for line in lines:
                word, _, rest = line.strip().partition(" ")
                if word == "quit":
                    break
                if word in self._commands:
                    self._obey(word, rest.strip())
        finally:
            self._seat.close()

    def _obey(self, word: str, rest: str) -> None:
        try:
            self._commands[word](rest)
        except PlywiseError as error:
            self.complain(error)

    def _set(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        if name == "depth":
            if (whole_of(value.strip()) or 0) < 1:
                raise PlywiseError(f"A depth is a whole number from 1 on, not {value!r}.")
            self._limit = Limit(depth=int(value))
        elif name == "game":
            self._seat.finish()
            self._record = parse_ggf(value, self._notation)

    def _move(self, rest: str) -> None:
        self._seat.finish()
        play_move(self._record, self._notation, rest)

    def _ping(self, rest: str) -> None:
        """End what is thought about, and get ready for what comes."""
        self._seat.finish()
        self._seat.get_ready()
        self._say(f"pong {rest}")

    def _hint(self, rest: str) -> None:
        self._think(is_hint=True, lines=max(1, whole_of(rest) or 1))

    def _go(self, _: str) -> None:
        self._think(is_hint=False, lines=1)

    def _think(self, *, is_hint: bool, lines: int) -> None:
        self._seat.finish()
        if len(self._record.legal_moves()) == 0:
            raise PlywiseError("There is nothing to search: the game is over.")
        self._is_hint = is_hint
        self._say("status Plywise is thinking")
        is_plain = self._seat.setup.is_held_back and not is_hint
        self._seat.think(self._record, Task(self._limit, lines=lines, is_plain=is_plain))

    # ------------------------------------------------------------ what it says

    def tell(self, step: Analysis) -> None:
        """Say what is known so far."""
        for found in step.lines:
            line = "-".join(self._notation.format_line(self._record.position, found.line))
            self._say(f"search {line} {_discs(found):.2f} 0 {max(1, found.depth)}")
        best = step.lines[0]
        self._say(f"nodestats {best.nodes} {best.seconds:.3f}")

    def answer(self, found: Analysis) -> None:
        """Say which move it is, unless it was only a hint."""
        self.tell(found)
        best = found.lines[0]
        if not self._is_hint:
            text = self._notation.format_move(self._record.position, best.move)
            self._say(f"=== {text}/{_discs(best):.2f}/{best.seconds:.2f}")
        self._say("status")

    def complain(self, error: Exception) -> None:
        """Say what is wrong."""
        self._say(f"status {' '.join(str(error).split())}")


def _discs(found: Found) -> float:
    return DISCS * found.value
