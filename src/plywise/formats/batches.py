"""PGN in bulk: a file of any length as batches of games in arrays, in constant memory.

    for batch in read_batches(Path("games.pgn.zst"), chess, tags=("WhiteElo",)):
        batch.moves[batch.offsets[3] : batch.offsets[4]]      # of the fourth game
        batch.scores, batch.tags["WhiteElo"], batch.faults

Moves are checked by the game's compiled `read_move`. A broken game is left out and reported.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.formats import lines, scanning
from plywise.formats.scanning import MOST_NAMES, NAME_BYTES, OWN_TAGS, PAGE_BYTES, page_type
from plywise.formats.tagpairs import parse_tags, unescaped
from plywise.game import Game, Row
from plywise.game.record import Record
from plywise.system.source_files import BYTE_ORDER_MARK, SourceFile, decode, plain_name

BLOCK_BYTES = 1 << 20  # read at once; about a thousand games without comments

NOTE_KINDS = {
    scanning.COMMENT: "comment",
    scanning.GLYPH: "glyph",
    scanning.MARK: "mark",
    scanning.VARIATION: "variation",
}
REASONS = {
    scanning.NOT_LEGAL: "{text!r} is not a legal move after {plies} plies",
    scanning.UNCLEAR: "{text!r} fits several legal moves after {plies} plies",
    scanning.NO_MOVE: "{text!r} is no move",
    scanning.NULL_MOVE: "{text!r} is a pass, which {game} does not have",
    scanning.BAD_TAG: 'the tag {text!r} is not written like [Name "value"]',
    scanning.OPEN_COMMENT: "a comment has no closing brace",
    scanning.OPEN_VARIATION: "a variation has no closing parenthesis",
    scanning.STRAY: "{text!r} has no place among the moves",
}
CLOCK = re.compile(r"\[%clk\s+(\d+):(\d+):(\d+(?:\.\d+)?)\]")
PLAIN_VARIANTS = ("", "standard", "normal", "from position")
SHOWN = 40  # letters of a text that is quoted


@dataclass(frozen=True)
class Fault:
    """Why a game was left out, and on which line of its file."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"Line {self.line}: {self.reason}."


@dataclass(frozen=True)
class Note:
    """Something about a game beside its moves: comment, glyph ($14), mark (!?) or variation."""

    plies: int  # how many moves stand before it
    kind: str
    text: str

    @property
    def clock(self) -> float | None:
        """Return the seconds that a comment says are left to who has moved, as [%clk 0:01:30]."""
        found = CLOCK.search(self.text)
        if found is None:
            return None
        return 3600 * int(found[1]) + 60 * int(found[2]) + float(found[3])


@dataclass(frozen=True)
class Batch:
    """Some games of a file: those of game i stand at [offsets[i] : offsets[i + 1]] of `moves`."""

    game: Game
    moves: Row  # [plies]
    offsets: NDArray[np.int64]  # [games + 1]
    scores: NDArray[np.int8]  # [games]: 1, 0 or -1 for side 0; NO_SCORE if the game has no result
    starts: Row  # [games, words]: first positions
    lines: NDArray[np.int64]  # [games]: where each game begins in its file
    tags: Mapping[str, list[str]]  # those asked for; "" where a game does not have one
    headers: list[dict[str, str]] = field(default_factory=list)  # [games]: all tags, if asked for
    notes: list[list[Note]] = field(default_factory=list)  # [games]: all notes, if asked for
    faults: list[Fault] = field(default_factory=list)  # of broken games, which are left out

    def __len__(self) -> int:
        return len(self.scores)

    def moves_of(self, index: int) -> Row:
        """Return the moves of a game."""
        return self.moves[self.offsets[index] : self.offsets[index + 1]]

    def record(self, index: int) -> Record:
        """Return a game with all its positions."""
        return Record(self.game, self.starts[index].copy(), self.moves_of(index))


def read_batches(
    path: Path,
    game: Game,
    *,
    tags: Iterable[str] = (),
    everything: bool = False,
    block_bytes: int = BLOCK_BYTES,
) -> Iterator[Batch]:
    """Yield the games of a PGN file, plain or compressed, a block of bytes at a time.

    A file that is named .txt has a game on each line: its result, then its moves.

    The tags named are kept, and with `everything` all of them, and all comments, glyphs and
    variations. What is broken is in the `faults` of its batch; a batch may have nothing else.
    """
    if not game.rules.has_read_move:
        raise PlywiseError(
            f"{game.name} has no compiled `read_move`, so its files are read by read_games only."
        )
    return _Scanner(path, game, tuple(tags), everything, block_bytes).batches()


def read_records(
    path: Path, game: Game, tell: Callable[[Fault], object]
) -> Iterator[tuple[Record, dict[str, str]]]:
    """Yield the games of a PGN file one by one, each with its tags; `tell` hears of broken ones."""
    for batch in read_batches(path, game, everything=True):
        for fault in batch.faults:
            tell(fault)
        for index, header in enumerate(batch.headers):
            yield batch.record(index), header


# ---------------------------------------------------------------- pages


class _Scanner:
    """A file on its way through the compiled scanner, page by page."""

    def __init__(
        self, path: Path, game: Game, tags: Sequence[str], everything: bool, block_bytes: int
    ) -> None:
        self.path, self.game, self.wanted, self.everything = path, game, tags, everything
        self.block_bytes = block_bytes
        self.lines_before = 0  # of the file, before the page's first byte
        self.bad_starts: dict[int, str] = {}  # by the place of the tag

    def batches(self) -> Iterator[Batch]:
        page, kept, is_last = self._page(), 0, False
        is_lines = plain_name(self.path).suffix.lower() == lines.ENDING
        with lines.LineFile(self.path) if is_lines else SourceFile(self.path) as file:
            while not is_last:
                wanted = min(self.block_bytes, PAGE_BYTES - kept)
                read = file.read(wanted)
                is_last = len(read) < wanted
                page.text[kept : kept + len(read)] = np.frombuffer(read, np.uint8)
                page.length = kept + len(read)
                if self.lines_before == 0 and read.startswith(BYTE_ORDER_MARK):
                    page.text[: len(BYTE_ORDER_MARK)] = ord(" ")
                yield from self._batches_of(page, is_last)
                kept = self._turn(page)
                if kept == PAGE_BYTES:
                    yield self._endless(page)
                    kept = 0

    def _page(self) -> Any:
        """Return an empty page."""
        names = [name.encode() for name in (*OWN_TAGS, *self.wanted)]
        letters, game_name = b"".join(names), self.game.name.encode()
        if len(names) > MOST_NAMES or max(len(letters), len(game_name)) > NAME_BYTES:
            raise PlywiseError(f"At most {MOST_NAMES - len(OWN_TAGS)} tags can be chosen.")
        page: Any = np.zeros(1, page_type(self.game.words))[0]
        page.names[: len(letters)] = np.frombuffer(letters, np.uint8)
        page.game_name[: len(game_name)] = np.frombuffer(game_name, np.uint8)
        page.game_name_length = len(game_name)
        page.name_ends[: len(names)] = np.cumsum([len(name) for name in names])
        page.name_count = len(names)
        page.keeps_notes = self.everything
        page.tags[0] = scanning.NOWHERE
        return page

    def _batches_of(self, page: Any, is_last: bool) -> Iterator[Batch]:
        """Yield what a page holds; mostly it is one batch."""
        status = scanning.FULL
        while status != scanning.READ:
            status = scanning.read_page(self.game.rules, page, is_last)
            if status == scanning.START:
                self._give_start(page)
                continue
            if page.games or page.fault_count:
                yield _Read(self, page).batch()
            scanning.rewind(page)

    def _turn(self, page: Any) -> int:
        """Let the page begin with what is not read yet; return how many bytes that are."""
        place, size = int(page.place), int(page.length)
        self.lines_before += _count_lines(page.text[:place])
        page.text[: size - place] = page.text[place:size].copy()
        page.place = page.begin = 0
        return size - place

    def _endless(self, page: Any) -> Batch:
        """Return a batch of nothing but a fault; the bytes of a game without an end are dropped."""
        fault = Fault(self.lines_before + 1, f"the game does not end within {PAGE_BYTES:,} bytes")
        self.lines_before += _count_lines(page.text)
        return _Read(self, page).batch([fault])

    def _give_start(self, page: Any) -> None:
        """Give the scanner the first position of a game that has tags about it."""
        row = page.games
        own = {
            name: unescaped(decode(page.text[begin:stop].tobytes()))
            for name, (begin, stop) in zip(OWN_TAGS, page.tags[row].tolist(), strict=False)
            if begin >= 0
        }
        page.is_given = True
        try:
            page.starts[row] = first_position(own, self.game)
        except PlywiseError as error:
            page.starts[row] = self.game.initial()
            which = next(OWN_TAGS.index(name) for name in ("FEN", "Variant", "Game") if name in own)
            place, stop = page.tags[row, which]
            self.bad_starts[int(place)] = str(error).rstrip(".")
            scanning.add_fault(page, scanning.BAD_START, place, stop)


def first_position(tags: Mapping[str, str], game: Game) -> Row:
    """Return the first position that tags tell; another variant, or another game, is refused."""
    variant, other = tags.get("Variant", ""), tags.get("Game", game.name)
    if variant.lower() not in (*PLAIN_VARIANTS, game.name):
        raise PlywiseError(f"the variant {variant} is not {game.name}.")
    if other != game.name:
        raise PlywiseError(f"the game is {other}, not {game.name}.")
    if "FEN" not in tags or tags.get("SetUp") == "0":
        return game.initial()
    return game.parse_position(tags["FEN"])


def _count_lines(text: NDArray[np.uint8]) -> int:
    return int(np.count_nonzero(text == scanning.NEWLINE))


class _Read:
    """What the scanner has found in a page, on its way into a batch."""

    def __init__(self, scanner: _Scanner, page: Any) -> None:
        self.scanner, self.page = scanner, page
        self.games, self.faults = int(page.games), int(page.fault_count)

    @cached_property
    def text(self) -> bytes:
        return bytes(self.page.text[: self.page.length])

    def part(self, begin: int, stop: int) -> str:
        return decode(self.text[begin:stop])

    @cached_property
    def line_ends(self) -> NDArray[np.int64]:
        return np.flatnonzero(self.page.text[: self.page.length] == scanning.NEWLINE)

    def lines(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the lines of the file on which places of the page are."""
        return np.searchsorted(self.line_ends, places) + self.scanner.lines_before + 1

    def batch(self, more_faults: Sequence[Fault] = ()) -> Batch:
        page, games, scanner = self.page, self.games, self.scanner
        offsets = np.concatenate([np.zeros(1, np.int64), page.ends[:games]])
        wanted = enumerate(scanner.wanted, len(OWN_TAGS))
        return Batch(
            scanner.game,
            page.moves[: offsets[-1]].copy(),
            offsets,
            page.scores[:games].copy(),
            page.starts[:games].copy(),
            self.lines(page.heads[:games, 0]),
            {name: self.values(which) for which, name in wanted},
            self.headers() if scanner.everything else [],
            self.notes() if scanner.everything else [],
            [*(self.fault(row) for row in range(self.faults)), *more_faults],
        )

    def values(self, which: int) -> list[str]:
        """Return the values of a tag, "" where a game does not have it."""
        spans = self.page.tags[: self.games, which].tolist()
        return [unescaped(self.part(*span)) if span[0] >= 0 else "" for span in spans]

    def headers(self) -> list[dict[str, str]]:
        return [parse_tags(self.part(*span)) for span in self.page.heads[: self.games].tolist()]

    def notes(self) -> list[list[Note]]:
        notes = [
            Note(plies, NOTE_KINDS[kind], self.part(begin, stop).strip())
            for plies, kind, begin, stop in self.page.notes[: self.page.note_count].tolist()
        ]
        ends = self.page.note_ends[: self.games].tolist()
        return [notes[first:end] for first, end in zip([0, *ends], ends, strict=False)]

    def fault(self, row: int) -> Fault:
        kind, begin, stop, plies = self.page.faults[row].tolist()
        line = int(self.lines(np.array([begin]))[0])
        if kind == scanning.BAD_START:
            return Fault(line, self.scanner.bad_starts[begin])
        text = self.part(begin, min(stop, begin + SHOWN)).strip()
        reason = REASONS[kind].format(text=text, plies=plies, game=self.scanner.game.name)
        return Fault(line, reason)
