"""Openings: where the games of a match begin, each played twice with colours reversed.

All sources are lines that are made longer by random moves: a book and a file have lines of
their own, `random` has one, the game's first position. No position occurs twice, and random
moves must leave it balanced; when a line has nothing new to give it grows by a ply.
"""

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from plywise.errors import PlywiseError
from plywise.evaluators import default_evaluator, make_evaluator
from plywise.evaluators.model import Model
from plywise.formats.transcript import FIRST
from plywise.game import ONGOING, Game
from plywise.game.record import Record
from plywise.search.forced import is_decided
from plywise.search.limits import Limit
from plywise.search.searchers import AlphaBeta
from plywise.system.source_files import BadFile, read_text

RANDOM_PLIES = 4
BALANCE_DEPTH = 4
BALANCED = 0.05  # the value beyond which a position is decided too early; a man is worth 0.056
TRIES = 60  # random continuations before a line is made longer
GROWTH = 6  # plies by which a line grows before it has nothing more to give


@dataclass(frozen=True)
class Opening:
    """Where a game begins: a position in text, and moves played from there."""

    start: str = FIRST
    moves: tuple[int, ...] = ()

    def record(self, game: Game) -> Record:
        """Return the game up to where the players take over."""
        return Record(game, game.parse_position(self.start), self.moves)


class Openings:
    """An endless list of openings, the same for the same seed; it is made as it is used."""

    def __init__(self, game: Game, lines: Sequence[Opening], plies: int, seed: int) -> None:
        """Begin with these lines, each made longer by so many random plies."""
        self.game = game
        self.notes: list[str] = []
        self._generator = np.random.default_rng([seed, 1])
        order = self._generator.permutation(len(lines))
        self._lines = [lines[index] for index in order]
        self._plies = [plies] * len(lines)  # by which each line is made longer
        self._most = plies + GROWTH
        self._found: list[Opening] = []
        self._seen: set[int] = set()
        self._judge: AlphaBeta | None = None
        self._lock = threading.Lock()

    def __getitem__(self, index: int) -> Opening:
        with self._lock:
            while len(self._found) <= index:
                self._found.append(self._next())
            return self._found[index]

    def _next(self) -> Opening:
        number = len(self._found)
        for offset in range(len(self._lines)):
            opening = self._grown((number + offset) % len(self._lines))
            if opening is not None:
                return opening
        if not self._seen:
            raise PlywiseError(f"No balanced opening of {self.game.name} was found: use a file.")
        distinct = len(self._seen)
        self._note(f"There are only {distinct} distinct openings; later pairs repeat them.")
        return self._found[number - distinct]

    def _grown(self, line: int) -> Opening | None:
        """Return a new opening from a line, None if it has nothing new to give."""
        while self._plies[line] <= self._most:
            plies = self._plies[line]
            for _ in range(TRIES if plies else 1):
                opening = self._extended(self._lines[line], plies)
                if opening is not None:
                    return opening
            self._plies[line] += 1
            if self._seen:
                self._note(
                    "There are more pairs than openings: later ones go on with random moves."
                )
        return None

    def _extended(self, line: Opening, plies: int) -> Opening | None:
        """Return a line made longer by random plies if it is new, balanced and not over."""
        record = line.record(self.game)
        for _ in range(plies):
            moves = record.legal_moves()
            if len(moves) == 0:
                return None
            record.play(moves[self._generator.integers(len(moves))])
        if record.result() != ONGOING or record.keys[-1] in self._seen:
            return None
        if plies and not self._is_balanced(record):
            return None
        self._seen.add(record.keys[-1])
        return Opening(line.start, tuple(record.moves))

    def _is_balanced(self, record: Record) -> bool:
        if default_evaluator(self.game) == "none":
            return not is_decided(self.game, record.position, BALANCE_DEPTH)
        if self._judge is None:
            evaluator = make_evaluator(default_evaluator(self.game), self.game)
            self._judge = AlphaBeta(Model(evaluator), table_bits=12)
        self._judge.forget()
        return abs(self._judge.search(record, Limit(depth=BALANCE_DEPTH)).value) <= BALANCED

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


def make_openings(game: Game, source: str, plies: int | None, seed: int) -> Openings:
    """Return the openings of a source: `book`, `random`, a file's name, or for "" the default.

    `plies` random moves follow each line; by default 4 from the first position, none otherwise.
    """
    if plies is not None and plies < 0:
        raise PlywiseError(f"An opening has 0 random plies or more, not {plies}.")
    source = source or ("book" if has_book(game) else "random")
    if source == "random":
        return Openings(game, [Opening()], RANDOM_PLIES if plies is None else plies, seed)
    lines = read_book(game) if source == "book" else read_lines(Path(source), game)
    return Openings(game, lines, plies or 0, seed)


def has_book(game: Game) -> bool:
    """Return whether a game brings openings of its own."""
    return game.about.openings is not None


def read_book(game: Game) -> list[Opening]:
    """Return the playable openings that a game brings."""
    if game.about.openings is None:
        raise PlywiseError(f"There is no book for {game.name}; use random openings or a file.")
    rows = [row.split("\t") for row in game.about.openings.read_text("utf-8").splitlines()]
    return [parse_opening(moves, game) for status, moves, _ in rows if status == "playable"]


def read_lines(path: Path, game: Game) -> list[Opening]:
    """Return the openings in a file: a position or moves on each line, # before a remark."""
    try:
        text = read_text(path)
    except BadFile as error:
        raise PlywiseError(f"The openings are book, random or a file to read: {error}") from None
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            lines.append(parse_opening(line, game))
        except PlywiseError as error:
            raise PlywiseError(f"{path}, line {number}: {error}") from None
    if not lines:
        raise PlywiseError(f"{path} has no openings: it needs a position or moves on each line.")
    return lines


def parse_opening(text: str, game: Game) -> Opening:
    """Return the opening that a line holds: moves from the first position, or a position."""
    moves = re.sub(r"\b\d+\.+", " ", text).split()  # without move numbers
    try:
        return _checked(_played(moves, game), game)
    except PlywiseError as error:
        wrong_moves = error
    try:
        position = game.parse_position(text)
    except PlywiseError as error:
        looks_like_moves = len(moves) > 1
        raise (wrong_moves if looks_like_moves else error) from None
    return _checked(Opening(game.format_position(position)), game)


def _played(texts: Sequence[str], game: Game) -> Opening:
    record = Record(game)
    for text in texts:
        record.play(game.parse_move(record.position, text))
    return Opening(moves=tuple(record.moves))


def _checked(opening: Opening, game: Game) -> Opening:
    if opening.record(game).result() != ONGOING:
        raise PlywiseError("the game is over before it begins.")
    return opening
