"""The features `board` of chess, by bitboards: 768 for the pieces, four for castling.

(owner * 6 + kind) * 64 + square        768 + 0-3: White's castling to g1, c1, Black's to g8, c8
"""

from typing import Any

import numpy as np

from plywise.evaluators.board import board_features
from plywise.evaluators.features import Features
from plywise.game import Game
from plywise.games.chess.rules import RIGHTS, filled, kind_at, side
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word, lowest

KINDS = 6
PIECES = 2 * KINDS * 64
CASTLINGS = 4
MOST = 64 + CASTLINGS
WHITES_CASTLINGS = 2
TURN = 56  # a square xor this is where Black sees it
REFLECTION = 7  # a square xor this is the one as far from the other edge


def white(position: Position) -> Word:
    """Return the pieces of White."""
    return position[0] if side(position) == 0 else filled(position) & ~position[0]


def index_at(position: Position, whites: Word, square: Whole) -> Whole:
    """Return the feature of the piece on a square."""
    place = np.uint64(square)
    owner = np.int64(ONE - ((whites >> place) & ONE))
    return (owner * KINDS + kind_at(position, place) - 1) * 64 + square


def write_rights(rights: Word, out: Any, count: Whole) -> Whole:
    """Write castling rights behind what is there; return the new count."""
    while rights != ZERO:
        out[count] = PIECES + lowest(rights)
        rights &= rights - ONE
        count += 1
    return count


def active(position: Position, out: Any) -> Whole:
    """Write all features; return how many."""
    left, whites = filled(position), white(position)
    count = 0
    while left != ZERO:
        out[count] = index_at(position, whites, lowest(left))
        left &= left - ONE
        count += 1
    return write_rights(position[4] & RIGHTS, out, count)


def changed(
    before: Position, move: Word, after: Position, removed: Any, added: Any
) -> tuple[Whole, Whole]:
    """Write what a move takes away and adds; return how many of each."""
    old, new = white(before), white(after)
    differing = (old ^ new) | (before[1] ^ after[1])
    differing |= (before[2] ^ after[2]) | (before[3] ^ after[3])
    was, becomes = filled(before), filled(after)
    gone = come = 0
    while differing != ZERO:
        square = lowest(differing)
        bit = differing & (~differing + ONE)
        differing &= differing - ONE
        if was & bit != ZERO:
            removed[gone] = index_at(before, old, square)
            gone += 1
        if becomes & bit != ZERO:
            added[come] = index_at(after, new, square)
            come += 1
    lost = before[4] & ~after[4] & RIGHTS
    return write_rights(lost, removed, gone), come


def mirror(row: Whole) -> Whole:
    """Return the feature that Black sees where White sees a feature."""
    if row >= PIECES:
        return PIECES + (row - PIECES + WHITES_CASTLINGS) % CASTLINGS
    kind, square = row // 64, row % 64
    return (kind + KINDS) % (2 * KINDS) * 64 + (square ^ TURN)


def reflect(row: Whole) -> Whole:
    """Return the feature in whose place one stands where left and right are exchanged.

    -1 for the right to castle: the king goes two squares to either side, but not as far from the
    edge, so that only positions in which nobody may castle are the same from left to right.
    """
    return row ^ REFLECTION if row < PIECES else -1


def board(game: Game, fixed: bool = False) -> Features:
    """Return the features; in fixed colours they are 773."""
    parts = (active, changed, mirror)
    return board_features(game, PIECES + CASTLINGS, MOST, parts, fixed, reflect)
