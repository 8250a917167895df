"""What checks find, and where: a finding names the position, the move, and how to mend it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plywise.game import Game, Row

ERROR, WARNING, NOTE = "error", "warning", "note"
LEVELS = (ERROR, WARNING, NOTE)

ROOM = 4096  # around a list, so that a function which writes too far harms nothing
FAR = 1 << 20  # around the first lists that a function sees
UNTOUCHED = 0x5A5A_5A5A_5A5A_5A5A
UNTOUCHED_CODE = 0x5A


@dataclass(frozen=True)
class Finding:
    """Something wrong with a game, or worth knowing of it."""

    level: str  # one of LEVELS
    rule: str  # the short name of what was checked
    what: str
    hint: str
    position: str = ""
    move: str = ""


@dataclass(frozen=True)
class Report:
    """All findings, the gravest first, each kind once."""

    findings: tuple[Finding, ...]
    games: int
    positions: int

    @property
    def is_ok(self) -> bool:
        """Return whether nothing is wrong; warnings and notes may be there."""
        return not has_errors(self.findings)


def has_errors(findings: Iterable[Finding]) -> bool:
    return any(finding.level == ERROR for finding in findings)


def first_of_each(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the first finding of every rule, the gravest first."""
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(finding.rule, finding)
    return tuple(sorted(first.values(), key=lambda finding: LEVELS.index(finding.level)))


@dataclass
class Seen:
    """What random games have passed through."""

    used: Row  # all words, or-ed
    positions: int = 0
    hashes: dict[int, Row] = field(default_factory=dict)
    endings: Counter[tuple[int, bool]] = field(default_factory=Counter)  # result, did sides change
    noisy: Counter[bool] = field(default_factory=Counter)
    last_moves: Counter[bool] = field(default_factory=Counter)  # did another one not end the game
    moved_twice: int = 0  # how often a side was to move again after its move
    owners_changed: Counter[bool] = field(default_factory=Counter)  # did all pieces, in a move
    held: set[int] = field(default_factory=set)  # cells that held a piece at some time


def format_words(row: Row) -> str:
    """Return a position as its bare words."""
    return ".".join(f"{int(word):x}" for word in row)


@dataclass(frozen=True)
class Spot:
    """A position of a game that is being checked."""

    game: Game
    row: Row

    def finding(
        self, rule: str, what: str, hint: str, move: int | None = None, *, level: str = ERROR
    ) -> Finding:
        """Return a finding here."""
        shown = "" if move is None else self.move_text(move)
        return Finding(level, rule, what, hint, self.text(), shown)

    def text(self) -> str:
        """Return the position's text, as bare words if its own text is what fails."""
        try:
            return self.game.format_position(self.row)
        except Exception:
            return format_words(self.row)

    def move_text(self, move: int) -> str:
        """Return a move's text, as a bare number if its own text is what fails."""
        try:
            return self.game.format_move(self.row, move)
        except Exception:
            return str(move)

    def moves(self) -> list[int]:
        """Return the legal moves."""
        return [int(move) for move in self.game.legal_moves(self.row)]


# ---------------------------------------------------------------- lists to be written into


def room_for_moves(game: Game, margin: int = ROOM) -> Any:
    return _room(game.max_moves, margin, UNTOUCHED, np.uint64)


def room_for_codes(game: Game, margin: int = ROOM) -> Any:
    return _room(game.rules.cell_count, margin, UNTOUCHED_CODE, np.int8)


def room_for_inputs(game: Game, margin: int = ROOM) -> Any:
    return _room(game.rules.input_count, margin, UNTOUCHED_CODE, np.float32)


def _room(places: int, margin: int, untouched: int, dtype: Any) -> Any:
    """Return a list with a margin on both sides: a place below 0 is one in front of it."""
    return np.full(margin + places + margin, untouched, dtype)[margin : margin + places]


def is_written_past(room: Any, by: int = 0) -> bool:
    """Return whether something was written outside of a list, by more places than so many."""
    untouched = UNTOUCHED if room.dtype == np.uint64 else UNTOUCHED_CODE
    margin = (len(room.base) - len(room)) // 2
    outside = (room.base[: margin - by], room.base[margin + len(room) + by :])
    return any(bool((part != untouched).any()) for part in outside)
