"""UCI, the protocol of chess engines, for every game: `UCI_Variant` says which.

    GUI                                   engine
    uci                                   id name ..., option name ..., uciok
    isready                               readyok
    position startpos moves e2e4          (nothing)
    go wtime 60000 btime 60000            info depth 1 score cp 13 pv e7e5 ...
    stop                                  bestmove e7e5

Moves and positions are those of the game's notation for UCI, or of the game itself.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from plywise.errors import Forfeit, PlywiseError, UnknownName
from plywise.game.notation import Notation
from plywise.game.record import Record
from plywise.protocols.engine_player import Asked, Said, Thought, wait_for
from plywise.protocols.process import Wire
from plywise.protocols.scores import (
    centipawns_of,
    moves_to_end,
    plies_to_end,
    value_of_centipawns,
    whole_of,
)
from plywise.protocols.seat import Seat
from plywise.protocols.thinking import FOREVER, Task
from plywise.search.limits import Analysis, Clock, Found, Limit
from plywise.settings.options import read_switch

if TYPE_CHECKING:
    from plywise.players import EngineSetup

NAME = "uci"
NO_MOVES = ("(none)", "0000", "NULL")


# ---------------------------------------------------------------- an engine's options


@dataclass(frozen=True)
class EngineOption:
    """An option that an engine offers."""

    name: str
    kind: str  # check, spin, combo, button or string
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    def setting(self, text: str) -> str:
        """Return the line that sets the option to what a text says."""
        if self.kind == "button":
            return f"setoption name {self.name}"
        return f"setoption name {self.name} value {self.read(text)}"

    def read(self, text: str) -> str:
        """Return the value that a text says, as the protocol writes it."""
        try:
            if self.kind == "check":
                return "true" if read_switch(text) else "false"
            if self.kind == "spin":
                return str(self._read_number(text))
            if self.kind == "combo":
                return self._read_choice(text)
        except ValueError as error:
            raise PlywiseError(f"{self.name}={text} is wrong: it is {error}.") from None
        return text

    def _read_number(self, text: str) -> int:
        least, most = self.least or 0, self.most or 0
        written = whole_of(text)
        number = least - 1 if written is None else written
        if not least <= number <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return number

    def _read_choice(self, text: str) -> str:
        for choice in self.choices:
            if choice.lower() == text.lower():
                return choice
        raise ValueError(f"one of {', '.join(self.choices)}")


def parse_option(line: str) -> EngineOption:
    """Return the option that a line of an engine offers."""
    words = line.split()[1:]
    keys = ("name", "type", "default", "min", "max", "var")
    found: dict[str, list[list[str]]] = {key: [] for key in keys}
    values: list[str] = []
    for word in words:
        if word in keys and not (word == "name" and found["name"]):
            values = []
            found[word].append(values)
        else:
            values.append(word)
    texts = {key: [" ".join(words) for words in found[key]] for key in keys}
    return EngineOption(
        name=_first(texts["name"]),
        kind=_first(texts["type"]),
        least=whole_of(_first(texts["min"])),
        most=whole_of(_first(texts["max"])),
        choices=tuple(texts["var"]),
    )


def _first(texts: Sequence[str]) -> str:
    return texts[0] if texts else ""


# ---------------------------------------------------------------- talking to an engine


class UciLanguage:
    """A conversation with a UCI engine."""

    def __init__(self, notation: Notation, options: Mapping[str, str]) -> None:
        self.name = "the engine"
        self._notation, self._wanted = notation, options
        self._offered: dict[str, EngineOption] = {}  # by name in small letters
        self._lines = 1

    def greet(self, wire: Wire, deadline: float) -> None:
        """Learn what the engine offers, and set its options."""
        wire.write("uci")
        wait_for(wire, deadline, self._is_introduced)
        self._set_variant(wire)
        for key, text in self._wanted.items():
            if key.lower() not in self._offered:
                names = [option.name for option in self._offered.values()]
                raise UnknownName(f"option of {self.name}", key, names)
            wire.write(self._offered[key.lower()].setting(text))

    def _is_introduced(self, line: str) -> bool:
        """Take in a line of the introduction; return whether it was the last."""
        if line.startswith("id name "):
            self.name = line.removeprefix("id name ").strip()
        elif line.startswith("option "):
            option = parse_option(line)
            self._offered[option.name.lower()] = option
        elif line.strip() == "uci":
            raise Forfeit("crash: it repeats what it is told, so it speaks no UCI")
        return line.strip() == "uciok"

    def _set_variant(self, wire: Wire) -> None:
        """Choose the game, for an engine that knows several or is not for chess."""
        name = self._notation.game_name
        variants = self._offered.get("uci_variant")
        if variants is not None and name in variants.choices:
            wire.write(variants.setting(name))
        elif NAME not in self._notation.game.about.notations:  # UCI is at home in chess
            known = ", ".join(variants.choices) if variants else "chess, as it seems"
            raise PlywiseError(f"{self.name} does not play {name}: it plays {known}.")

    def begin(self, wire: Wire, limit: Limit, deadline: float) -> None:
        """Announce a new game."""
        wire.write("ucinewgame")
        wire.write("isready")
        wait_for(wire, deadline, lambda line: line.strip() == "readyok")

    def ask(self, wire: Wire, record: Record, asked: Asked, deadline: float) -> float | None:
        """Send the position, and what may be spent."""
        if asked.lines != self._lines and "multipv" in self._offered:
            wire.write(self._offered["multipv"].setting(str(asked.lines)))
            self._lines = asked.lines
        wire.write(format_uci_position(record, self._notation))
        wire.write(format_go(asked))
        return None

    def hear(self, line: str, thought: Thought) -> bool:
        """Take in what the engine says while it thinks."""
        words = line.split()
        if words[:1] == ["bestmove"]:
            text = words[1] if len(words) > 1 else ""
            thought.answer = "" if text in NO_MOVES else text
        if words[:1] != ["info"]:
            return False
        found = parse_info(words[1:])
        if found is None:
            return False
        rank, said = found
        thought.said[rank] = said
        return True

    def hurry(self, wire: Wire) -> None:
        """Say stop."""
        wire.write("stop")


def format_uci_position(record: Record, notation: Notation) -> str:
    """Return the command that sets up a game."""
    game = record.game
    is_first = bool((record.start == game.initial()).all())
    start = "startpos" if is_first else f"fen {notation.format_position(record.start)}"
    texts = notation.format_moves(record)
    return " ".join(["position", start, *(["moves", *texts] if texts else [])])


def format_go(asked: Asked) -> str:
    """Return the command that lets an engine think."""
    words = ["go"]
    if asked.seconds is not None:
        words += ["movetime", _milliseconds(asked.seconds)]
    elif asked.clock is not None:  # of the other side's clock nothing is known
        left, more = _milliseconds(asked.clock.remaining), str(int(1000 * asked.clock.increment))
        words += ["wtime", left, "btime", left, "winc", more, "binc", more]
    if asked.limit.depth is not None:
        words += ["depth", str(asked.limit.depth)]
    if asked.limit.nodes is not None:
        words += ["nodes", str(asked.limit.nodes)]
    return " ".join(words)


def _milliseconds(seconds: float) -> str:
    return str(max(1, int(1000 * seconds)))


def parse_info(words: Sequence[str]) -> tuple[int, Said] | None:
    """Return the rank of a line and what an engine says of it; None if it tells of no line."""
    said, rank, is_judged = Said(), 1, False
    left = iter(words)
    for word in left:
        if word == "string":
            break
        if word == "pv":
            said = replace(said, texts=tuple(left))
        elif word == "score":
            kind, amount = next(left, ""), whole_of(next(left, "")) or 0
            is_judged = kind in ("cp", "mate")
            said = _judged(said, kind, amount)
        elif word in ("depth", "nodes", "time", "multipv"):
            number = whole_of(next(left, "")) or 0
            rank = number if word == "multipv" else rank
            said = said if word == "multipv" else _with_number(said, word, number)
    return (rank, said) if is_judged and said.texts else None


def _judged(said: Said, kind: str, amount: int) -> Said:
    if kind == "mate":
        return replace(said, value=1.0 if amount > 0 else -1.0, end=plies_to_end(amount))
    return replace(said, value=value_of_centipawns(amount), end=None)


def _with_number(said: Said, word: str, number: int) -> Said:
    if word == "time":
        return replace(said, seconds=number / 1000)
    return replace(said, depth=number) if word == "depth" else replace(said, nodes=number)


# ---------------------------------------------------------------- being an engine


GO_NUMBERS = (
    "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime",
)  # fmt: skip
GO_WORDS = (*GO_NUMBERS, "infinite", "ponder", "searchmoves")
MOST_MEGABYTES = 16_384
MOST_LINES = 64
OVERHEAD = 0  # milliseconds that a move takes on its way, beyond what a clock keeps back


class UciEngine:
    """A player as a UCI engine: what it says to the lines that it is told."""

    def __init__(
        self, setup: "EngineSetup", notation: Notation, say: Callable[[str], None]
    ) -> None:
        self._say, self._notation = say, notation
        self._seat = Seat(setup, self)
        self._record = Record(notation.game)
        self._position: tuple[str, list[str]] = ("startpos", [])  # as it was told
        self._lines, self._overhead = 1, OVERHEAD
        self._is_limited, self._elo = False, setup.elo_range[1]
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._introduce,
            "isready": self._get_ready,
            "setoption": self._set_option,
            "ucinewgame": lambda _: self._seat.new_game(),
            "position": self._set_position,
            "go": self._go,
            "stop": lambda _: self._seat.stop(),
            "ponderhit": lambda _: self._seat.hit(),
            "debug": lambda _: None,
            "register": lambda _: None,
        }

    def run(self, lines: Iterable[str]) -> None:
        """Obey lines until `quit` or their end; what makes no sense is said and passed over."""
        try:
            for line in lines:
                words = line.split()
                while words and words[0] not in self._commands and words[0] != "quit":
                    words = words[1:]  # as the protocol demands
                if words[:1] == ["quit"]:
                    break
                if words:
                    self._obey(words)
        finally:
            self._seat.close()

    def _obey(self, words: list[str]) -> None:
        try:
            self._commands[words[0]](words[1:])
        except PlywiseError as error:
            self.complain(error)

    def complain(self, error: Exception) -> None:
        """Say what is wrong."""
        self._say(f"info string {' '.join(str(error).split())}")

    # ------------------------------------------------------------ what it is told

    def _introduce(self, _: list[str]) -> None:
        from plywise import __version__

        self._say(f"id name Plywise {__version__}")
        self._say("id author the Plywise authors")
        for line in self._offered():
            self._say(f"option name {line}")
        self._say("uciok")

    def _offered(self) -> list[str]:
        setup, game = self._seat.setup, self._notation.game_name
        least, most = setup.elo_range
        options = [
            f"Player type string default {setup.text}",
            f"MultiPV type spin default 1 min 1 max {MOST_LINES}",
            "Ponder type check default false",
            f"Move Overhead type spin default {OVERHEAD} min 0 max 5000",
            f"UCI_Variant type combo default {game} var {game}",
        ]
        if setup.offers("hash"):
            options.append(f"Hash type spin default 24 min 1 max {MOST_MEGABYTES}")
        if setup.offers("threads"):
            options.append("Threads type spin default 1 min 1 max 256")
        if setup.offers("level"):
            options.append("UCI_LimitStrength type check default false")
            options.append(f"UCI_Elo type spin default {most} min {least} max {most}")
        return options

    def _get_ready(self, _: list[str]) -> None:
        self._seat.get_ready()
        self._say("readyok")

    def _set_option(self, words: list[str]) -> None:
        offered = {
            option.name.lower(): option
            for option in (parse_option(f"option name {line}") for line in self._offered())
        }
        name, _, value = " ".join(words).removeprefix("name ").partition(" value ")
        if name.lower() not in offered:
            raise UnknownName("option", name, [option.name for option in offered.values()])
        self._set(name.lower(), offered[name.lower()].read(value))

    def _set(self, name: str, value: str) -> None:
        """Take over an option whose value has been checked."""
        if name == "player":
            self._seat.change(text=value)
        elif name == "hash":
            self._seat.change(megabytes=int(value))
        elif name == "threads":
            self._seat.change(threads=int(value))
        elif name == "multipv":
            self._lines = int(value)
        elif name == "move overhead":
            self._overhead = int(value)
        elif name in ("uci_limitstrength", "uci_elo"):
            self._is_limited = value == "true" if name != "uci_elo" else self._is_limited
            self._elo = int(value) if name == "uci_elo" else self._elo
            self._seat.change(elo=self._elo if self._is_limited else None)

    def _set_position(self, words: list[str]) -> None:
        self._seat.finish()
        start, moves = _split_position(words)
        before, played = self._position
        if before == start and moves[: len(played)] == played:
            record, left = self._record, moves[len(played) :]
        else:
            first = None if start == "startpos" else self._notation.parse_position(start)
            record, left = Record(self._notation.game, first), moves
        try:
            for text in left:
                record.play(self._notation.parse_move(record.position, text))
        except PlywiseError:
            self._position = ("", [])  # nothing goes on from here
            raise
        self._record, self._position = record, (start, moves)

    def _go(self, words: list[str]) -> None:
        if len(self._record.legal_moves()) == 0:
            self._say("bestmove (none)")
            return
        self._seat.think(self._record, self._task(words))

    def _task(self, words: list[str]) -> Task:
        """Return what a line `go ...` asks for."""
        said = _split_go(words)
        texts = said.get("searchmoves", [])
        position = self._record.position
        moves = tuple(int(self._notation.parse_move(position, text)) for text in texts)
        numbers = {key: _number(said[key]) for key in GO_NUMBERS if key in said}
        return Task(
            _limit_of_go(numbers, "infinite" in said),
            self._clock(numbers),
            self._lines,
            moves,
            waits="infinite" in said or "ponder" in said,
            is_plain=self._seat.setup.is_held_back,
        )

    def _clock(self, numbers: Mapping[str, int]) -> Clock | None:
        letter = "wb"[self._record.side]
        if f"{letter}time" not in numbers:
            return None
        left = max(1, numbers[f"{letter}time"] - self._overhead) / 1000
        increment = max(0, numbers.get(f"{letter}inc", 0)) / 1000
        return Clock(left, increment, max(0, numbers.get("movestogo", 0)) or None)

    # ------------------------------------------------------------ what it says

    def tell(self, step: Analysis) -> None:
        """Say what is known so far."""
        for rank, found in enumerate(step.lines, 1):
            self._say(format_info(found, rank, self._record, self._notation))

    def answer(self, found: Analysis) -> None:
        """Say which move it is."""
        self.tell(found)
        best = found.lines[0]
        texts = self._notation.format_line(self._record.position, best.line[:2])
        self._say(" ponder ".join([f"bestmove {texts[0]}", *texts[1:]]))


def _split_position(words: list[str]) -> tuple[str, list[str]]:
    """Return the start and the moves of a position, as texts."""
    end = words.index("moves") if "moves" in words else len(words)
    start = words[:end]
    if start[:1] == ["startpos"]:
        return "startpos", words[end + 1 :]
    if start[:1] != ["fen"] or len(start) < 2:
        raise PlywiseError("A position is startpos or fen and its text, then moves.")
    return " ".join(start[1:]), words[end + 1 :]


def _split_go(words: list[str]) -> dict[str, list[str]]:
    """Return the words that follow each known word of a line `go`."""
    found: dict[str, list[str]] = {}
    for word in words:
        if word in GO_WORDS:
            found[word] = []
        elif found:
            found[next(reversed(found))].append(word)
    return found


def _number(words: list[str]) -> int:
    number = whole_of(words[0]) if words else None
    if number is None:
        raise PlywiseError(f"A number is missing after go: {' '.join(words) or 'the line ends'}.")
    return number


def _limit_of_go(numbers: Mapping[str, int], is_infinite: bool) -> Limit | None:
    """Return the limit that a line `go` sets beside a clock, None if it sets none."""
    said = {key: max(1, number) for key, number in numbers.items()}
    depth = 2 * said["mate"] if "mate" in said else said.get("depth")
    seconds = said["movetime"] / 1000 if "movetime" in said else None
    limit = Limit(depth, said.get("nodes"), FOREVER if is_infinite else seconds)
    return None if limit.is_open else limit


def format_info(found: Found, rank: int, record: Record, notation: Notation) -> str:
    """Return the line that tells of something found."""
    milliseconds = int(1000 * found.seconds)
    speed = int(found.nodes / max(found.seconds, 0.001))
    line = " ".join(notation.format_line(record.position, found.line))
    return (
        f"info depth {max(found.depth, 1)} multipv {rank} score {format_score(found)} "
        f"nodes {found.nodes} nps {speed} time {milliseconds} pv {line}"
    )


def format_score(found: Found) -> str:
    """Return a value as UCI says it: hundredths, or moves to the end."""
    if found.end is not None and found.value != 0:
        return f"mate {moves_to_end(found.end, found.value)}"
    return f"cp {centipawns_of(found.value)}"
