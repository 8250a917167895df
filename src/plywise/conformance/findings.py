"""What checks find, and where: a finding names the position, the move, and how to mend it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plywise.game import Game, Row

ERROR, WARNING, NOTE = "error", "warning", "note"
LEVELS = (ERROR, WARNING, NOTE)

ROOM = 4096  # behind the end of a list, so that a function which writes too far harms nothing
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
            return ".".join(f"{int(word):x}" for word in self.row)

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


def room_for_moves(game: Game) -> Row:
    return np.full(game.max_moves + ROOM, UNTOUCHED, np.uint64)[: game.max_moves]


def room_for_codes(game: Game) -> Any:
    cells = game.rules.cell_count
    return np.full(cells + ROOM, UNTOUCHED_CODE, np.int8)[:cells]


def room_for_inputs(game: Game) -> Any:
    inputs = game.rules.input_count
    return np.full(inputs + ROOM, UNTOUCHED_CODE, np.float32)[:inputs]


def is_written_past(room: Any) -> bool:
    """Return whether something was written behind the end of a list."""
    untouched = UNTOUCHED if room.dtype == np.uint64 else UNTOUCHED_CODE
    return bool((room.base[len(room) :] != untouched).any())
