"""Kalah, with six pits and four seeds in each.

Both sides sow to the right, from their pits into their store and on into the pits of the other
side, whose store is left out. Who ends in the own store moves again; who ends in an own empty pit
opposite seeds takes these and the last one. When a side's pits are empty the game is over, and
what is left belongs to who has it.

            f e d c b a             north's pits, as south sees them
        N                 S         the stores
            A B C D E F             south's pits

A position is (mine, theirs, turn): the counts of a side are bytes of its word, the pits 0 to 5
from that side's left, then the store. A move is a pit, written as the picture names it.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from plywise.errors import BadPosition
from plywise.game import DRAW, LOSS, ONGOING, WIN, Game, Row
from plywise.game.about import About, Bench
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word
from plywise.picture import Cell, Picture, counts

PITS, SEEDS = 6, 4
ROUND = 2 * PITS + 1  # holes that a lap passes: all but the other side's store
ALL = 2 * PITS * SEEDS
BYTE, EIGHT = np.uint64(0xFF), np.uint64(8)
IN_PITS = np.uint64((1 << 8 * PITS) - 1)
EACH = np.uint64(sum(1 << 8 * byte for byte in range(8)))  # times this, the top byte is the sum
TOP = np.uint64(56)
START = np.uint64(sum(SEEDS << 8 * pit for pit in range(PITS)))
NAMES = ("ABCDEF", "abcdef")


def initial() -> Position:
    return START, START, ZERO


def side(position: Position) -> Whole:
    return np.int64(position[2])


def place(hole: Whole) -> Word:
    """Return where in a word the count of a hole stands."""
    return np.uint64(hole) * EIGHT


def count_in(word: Word, hole: Whole) -> Word:
    return (word >> place(hole)) & BYTE


def total(word: Word) -> Whole:
    return np.int64((word * EACH) >> TOP)


def moves(position: Position, out: Row) -> Whole:
    count: Whole = 0
    for pit in range(PITS):  # without branches: an empty pit's entry is overwritten
        out[count] = pit
        count += np.int64(count_in(position[0], pit) != ZERO)
    return count


def apply(position: Position, move: Word) -> Position:
    mine, theirs, turn = position
    hole: Whole = np.int64(move)
    seeds = np.int64(count_in(mine, hole))
    mine &= ~(BYTE << place(hole))
    while seeds > 0:
        hole = hole + 1 if hole + 1 < ROUND else 0
        if hole <= PITS:
            mine += ONE << place(hole)
        else:
            theirs += ONE << place(hole - PITS - 1)
        seeds -= 1
    if hole == PITS:
        return mine, theirs, turn
    if hole < PITS and count_in(mine, hole) == ONE:
        opposite = count_in(theirs, PITS - 1 - hole)
        if opposite != ZERO:
            theirs &= ~(BYTE << place(PITS - 1 - hole))
            mine &= ~(BYTE << place(hole))
            mine += (opposite + ONE) << place(PITS)
    return theirs, mine, turn ^ ONE


def result(position: Position) -> Whole:
    mine, theirs, _ = position
    if mine & IN_PITS != ZERO and theirs & IN_PITS != ZERO:
        return ONGOING
    lead = total(mine) - total(theirs)
    return WIN if lead > 0 else (LOSS if lead < 0 else DRAW)


def stores(position: Position) -> float:
    """Judge by the seeds in the stores, which nobody loses again."""
    mine, theirs, _ = position
    return (np.int64(count_in(mine, PITS)) - np.int64(count_in(theirs, PITS))) / ALL


def inputs(position: Position, out: Any) -> None:
    """Write the counts of all holes in dozens, north's negative."""
    south, north = position[0], position[1]
    if position[2] != ZERO:
        south, north = north, south
    for hole in range(PITS + 1):
        out[hole] = np.float32(count_in(south, hole)) / np.float32(12)
        out[PITS + 1 + hole] = -np.float32(count_in(north, hole)) / np.float32(12)


# ---------------------------------------------------------------- picture and text


def cells(position: Position, out: Any) -> None:
    """Write the counts of all holes, north's negative: south's pits and store, then north's."""
    south, north = position[0], position[1]
    if position[2] != ZERO:
        south, north = north, south
    for hole in range(PITS + 1):
        out[hole] = np.int64(count_in(south, hole))
        out[PITS + 1 + hole] = -np.int64(count_in(north, hole))


def from_cells(codes: Sequence[int], mover: int) -> tuple[int, int, int]:
    """Return the position with these counts in its holes."""
    rows = (codes[: PITS + 1], codes[PITS + 1 :])
    words = [sum(abs(int(n)) << 8 * hole for hole, n in enumerate(row)) for row in rows]
    return words[mover], words[1 - mover], mover


def _hole(name: str, left: float, top: float, height: float) -> Cell:
    corners = ((left, top), (left + 1, top), (left + 1, top + height), (left, top + height))
    return Cell(name, corners)


def _holes() -> tuple[Cell, ...]:
    south = [_hole(NAMES[0][pit], 1.0 + pit, 1.0, 1.0) for pit in range(PITS)]
    north = [_hole(NAMES[1][pit], float(PITS - pit), 0.0, 1.0) for pit in range(PITS)]
    return (*south, _hole("S", PITS + 1.0, 0.0, 2.0), *north, _hole("N", 0.0, 0.0, 2.0))


def format_move(position: tuple[int, ...], move: int) -> str:
    return NAMES[position[2]][move]


def format_position(position: tuple[int, ...]) -> str:
    """Return the counts of south and north, pits then store, and who is to move."""
    words = position[:2] if position[2] == 0 else (position[1], position[0])
    rows = [",".join(str(word >> 8 * hole & 0xFF) for hole in range(PITS + 1)) for word in words]
    return f"{rows[0]}/{rows[1]} {'SN'[position[2]]}"


def parse_position(text: str) -> tuple[int, int, int]:
    row = rf"(\d+(?:,\d+){{{PITS}}})"
    found = re.fullmatch(rf"{row}/{row} ([SN])", text.strip())
    if found is None:
        raise BadPosition(f"{text!r} is not written like {format_position(_FIRST)}.")
    counts = [[int(number) for number in found[side].split(",")] for side in (1, 2)]
    if sum(map(sum, counts)) != ALL:
        raise BadPosition(f"There are {ALL} seeds in the game, not {sum(map(sum, counts))}.")
    words = [sum(number << 8 * hole for hole, number in enumerate(row)) for row in counts]
    turn = "SN".index(found[3])
    return words[turn], words[1 - turn], turn


_FIRST = (int(START), int(START), 0)
ABOUT = About(
    evaluators={"stores": stores},
    bench=Bench(
        9,
        (
            "start",
            "0,2,6,6,0,7,1/1,6,2,7,2,6,2 N",
            "1,1,1,1,0,3,23/1,2,0,0,2,2,11 S",
        ),
    ),
)

kalah = Game(
    "kalah",
    words=3,
    initial=initial,
    moves=moves,
    apply=apply,
    result=result,
    side=side,
    alternates=False,
    max_moves=PITS + 1,  # one to spare for writing without branches
    sides=("south", "north"),
    cells=cells,
    from_cells=from_cells,
    inputs=inputs,
    input_count=2 * (PITS + 1),
    mirror=(*range(PITS + 1, 2 * PITS + 2), *range(PITS + 1)),
    format_move=format_move,
    format_position=format_position,
    parse_position=parse_position,
    picture=Picture(_holes(), counts(ALL)),
    about=ABOUT,
)
