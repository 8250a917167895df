"""Kings and rooks on 4 x 4: a game with check, mate, stalemate, passes and an order of captures.

Bit i is square i, row by row from the top. A position is (my king, my rooks, their king, their
rooks, turn). A move is start | end << 4 | 1 << 8 if it takes a rook. `minichess` leaves a side
without moves to `stuck`; `plain` has the same rules with all of them in `result`.
"""

from typing import Any

import numpy as np

from plywise import DRAW, LOSS, ONGOING, Game, Grid
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word, lowest, popcount

SIZE = 4
WAYS = ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))
STRAIGHT = 4
TAKES, FOUR = np.uint64(1 << 8), np.uint64(4)
SQUARE = np.uint64(15)


def bit(square: Whole) -> Word:
    return ONE << np.uint64(square)


def stepped(square: Whole, way: Whole) -> Whole:
    """Return the next square, -1 off the board."""
    row, column = square // SIZE + WAYS[way][0], square % SIZE + WAYS[way][1]
    if row < 0 or row >= SIZE or column < 0 or column >= SIZE:
        return -1
    return row * SIZE + column


def is_attacked(square: Whole, king: Word, rooks: Word, filled: Word) -> bool:
    """Return whether a king or a rook of these reaches a square."""
    for way in range(8):
        near = stepped(square, way)
        if near >= 0 and king & bit(near) != ZERO:
            return True
    for way in range(STRAIGHT):
        far = stepped(square, way)
        while far >= 0:
            if rooks & bit(far) != ZERO:
                return True
            if filled & bit(far) != ZERO:
                break
            far = stepped(far, way)
    return False


def in_check(position: Position) -> bool:
    king, rooks, their_king, their_rooks, _ = position
    filled = king | rooks | their_king | their_rooks
    return is_attacked(lowest(king), their_king, their_rooks, filled)


def apply(position: Position, move: Word) -> Position:
    king, rooks, their_king, their_rooks, turn = position
    start, end = ONE << (move & SQUARE), ONE << ((move >> FOUR) & SQUARE)
    if king & start != ZERO:
        king = end
    else:
        rooks = (rooks & ~start) | end
    return their_king, their_rooks & ~end, king, rooks, turn ^ ONE


def is_legal(position: Position, move: Word) -> bool:
    """Return whether a move leaves the own king where nobody attacks it."""
    their_king, their_rooks, king, rooks, _ = apply(position, move)
    filled = king | rooks | their_king | their_rooks
    return not is_attacked(lowest(king), their_king, their_rooks, filled)


def moves(position: Position, out: Any) -> Whole:
    king, rooks, their_king, their_rooks, _ = position
    own, theirs = king | rooks, their_king | their_rooks
    count: Whole = 0
    for start in range(SIZE * SIZE):
        if own & bit(start) == ZERO:
            continue
        is_king = king & bit(start) != ZERO
        for way in range(8 if is_king else STRAIGHT):
            end = stepped(start, way)
            while end >= 0 and own & bit(end) == ZERO:
                move = np.uint64(start) | (np.uint64(end) << FOUR)
                if theirs & bit(end) != ZERO:
                    move |= TAKES
                if is_legal(position, move):
                    out[count] = move
                    count += 1
                if is_king or theirs & bit(end) != ZERO:
                    break
                end = stepped(end, way)
    return count


def result(position: Position) -> Whole:
    return DRAW if position[1] | position[3] == ZERO else ONGOING


def stuck(position: Position) -> Whole:
    return LOSS if in_check(position) else DRAW


def plain_result(position: Position) -> Whole:
    if result(position) == DRAW:
        return DRAW
    if moves(position, np.zeros(64, np.uint64)) == 0:
        return stuck(position)
    return ONGOING


def side(position: Position) -> Whole:
    return np.int64(position[4])


def null(position: Position) -> Position:
    king, rooks, their_king, their_rooks, turn = position
    return their_king, their_rooks, king, rooks, turn ^ ONE


def noisy(position: Position, move: Word) -> bool:
    return bool(move & TAKES != ZERO)


def rank(position: Position, move: Word) -> Whole:
    """Try captures by the king first."""
    return np.int64(position[0] & (ONE << (move & SQUARE)) != ZERO)


def initial() -> Position:
    return bit(15), bit(12), bit(0), bit(3), ZERO


def cells(position: Position, out: Any) -> None:
    sign = 1 if position[4] == ZERO else -1
    for square in range(SIZE * SIZE):
        here = bit(square)
        code = 2 * popcount(position[0] & here) + popcount(position[1] & here)
        code -= 2 * popcount(position[2] & here) + popcount(position[3] & here)
        out[square] = sign * code


def from_cells(codes: Any, mover: int) -> tuple[int, ...]:
    def having(code: int) -> int:
        return sum(1 << square for square, found in enumerate(codes) if found == code)

    sign = 1 if mover == 0 else -1
    return having(2 * sign), having(sign), having(-2 * sign), having(-sign), mover


def format_move(position: tuple[int, ...], move: int) -> str:
    return board.cells[move & 15].name + board.cells[move >> 4 & 15].name


board = Grid(SIZE, SIZE, glyphs={1: "R", 2: "K", -1: "r", -2: "k"})
shared: dict[str, Any] = {
    "words": 5,
    "initial": initial,
    "moves": moves,
    "apply": apply,
    "side": side,
    "noisy": noisy,
    "cells": cells,
    "from_cells": from_cells,
    "format_move": format_move,
    "picture": board,
    "repetitions": 3,
    "max_moves": 64,
}
minichess = Game(
    "minichess", result=result, stuck=stuck, in_check=in_check, null=null, rank=rank, **shared
)
plain = Game("plain_minichess", result=plain_result, **shared)
