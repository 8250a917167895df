"""EPD: positions with what is to be found in them, one a line.

    2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001"; c0 "mate";

An operation is a code with its operands, a semicolon behind. `bm` names best moves and `am` moves
to avoid; all others are kept as they are. Where positions are no FEN, the position is whatever
stands before the first of EPD's codes.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from plywise.errors import PlywiseError
from plywise.game import Game, Row
from plywise.system.source_files import read_text

CODES = "acd|acn|acs|am|bm|c[0-9]|ce|dm|eco|fmvn|hmvc|id|nic|pm|pv|sm|v[0-9]"
FEN = re.compile(r"\s*(\S+\s+[wb]\s+\S+\s+\S+(?:\s+\d+\s+\d+)?)(?=\s|;|$)")
BEFORE_CODES = re.compile(rf"(.*?)(?=\s(?:{CODES})\s|\s*;|$)")
OPERATION = re.compile(r'\s*([A-Za-z][\w-]*)((?:\s*"(?:\\.|[^"\\])*"|[^;"])*)(?:;|$)')
OPERAND = re.compile(r'"((?:\\.|[^"\\])*)"|(\S+)')
FEN_FIELDS = 4  # without its counters
EMPTY = re.compile(r"[\s;]*")


class BadEpd(PlywiseError):
    """A line that is not EPD, or whose moves are not legal."""


@dataclass(frozen=True)
class EpdPosition:
    """A position with its operations; moves that are best or to be avoided are legal."""

    position: Row
    operations: Mapping[str, tuple[str, ...]]
    best: tuple[int, ...] = ()
    avoid: tuple[int, ...] = ()
    line: int = 0  # of its file, from 1 on

    @property
    def name(self) -> str:
        """Return its id, or its line where it has none."""
        return " ".join(self.operations.get("id", ())) or f"line {self.line}"

    def is_solved_by(self, move: int) -> bool:
        """Return whether a move is one of the best, if some are named, and none to be avoided."""
        return (not self.best or move in self.best) and move not in self.avoid


def parse_epd(text: str, game: Game, line: int = 0) -> EpdPosition:
    """Return the position that a line of EPD describes."""
    is_fen = game.about.epd and FEN.match(text) is not None
    found = (FEN if is_fen else BEFORE_CODES).match(text)
    if found is None:
        raise BadEpd(f"{text!r} has no position.")
    operations = _parse_operations(text[found.end() :])
    counters = [operations[code][0] for code in ("hmvc", "fmvn") if operations.get(code)]
    has_counters = len(found[1].split()) > FEN_FIELDS
    more = counters if is_fen and not has_counters and len(counters) == 2 else []
    position = game.parse_position(" ".join([found[1], *more]))
    best, avoid = (
        tuple(int(game.parse_move(position, move)) for move in operations.get(code, ()))
        for code in ("bm", "am")
    )
    return EpdPosition(position, operations, best, avoid, line)


def _parse_operations(text: str) -> dict[str, tuple[str, ...]]:
    operations = {}
    place = EMPTY.match(text).end()  # type: ignore[union-attr]
    while place < len(text):
        found = OPERATION.match(text, place)
        if found is None:
            raise BadEpd(f"{text[place : place + 40]!r} is no operation such as `bm Nf3;`.")
        operands = OPERAND.findall(found[2])
        operations[found[1]] = tuple(
            re.sub(r"\\(.)", r"\1", quoted) or plain for quoted, plain in operands
        )
        place = EMPTY.match(text, found.end()).end()  # type: ignore[union-attr]
    return operations


def read_epd(path: Path, game: Game) -> list[EpdPosition]:
    """Return the positions of a file, plain or compressed; lines that begin with # are remarks."""
    positions = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                positions.append(parse_epd(line, game, number))
            except PlywiseError as error:
                raise BadEpd(f"{path}, line {number}: {error}") from None
    if not positions:
        raise BadEpd(f"{path} has no positions.")
    return positions


def read_suite(path: Path, game: Game) -> list[EpdPosition]:
    """Return the positions of a file that all say which moves are best or to be avoided."""
    positions = read_epd(path, game)
    for one in positions:
        if not one.best and not one.avoid:
            raise BadEpd(
                f"{path}, line {one.line}: the position names neither best moves (bm) nor moves to "
                "avoid (am), so there is nothing to find."
            )
    return positions
