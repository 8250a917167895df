"""A position of Duchess in words: planes of bits, each a set of squares, and the state.

    plane      r  b  n  x  t  u ...           with W words each, 2 for four players, 3 for six
    state      bits 0-2 the player to move, 3-10 quiet plies, 11-16 who was mated when last asked

Four planes tell what stands on a square: moves like a rook, like a bishop, like a knight, or x:

    rook    r . . .      queen     r b . .      pawn     . . . x
    bishop  . b . .      fortress  r . n .      wizard   . . n x
    knight  . . n .      duchess   . b n .      king     . b . x

Plane t is the team, the planes u its members: player p has p % 2 in t and p // 2 in u.

A move is start | end << 8 | promotion << 16, where the promotion is planes r b n x as a number.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from plywise.games.duchess.sets import Function, set_functions
from plywise.kernel.bits import ONE, ZERO, mix

LETTERS = "PNBRDFQWK"  # by kind
NAMES = ("pawn", "knight", "bishop", "rook", "duchess", "fortress", "queen", "wizard", "king")
PAWN, KNIGHT, BISHOP, ROOK, DUCHESS, FORTRESS, QUEEN, WIZARD, KING = range(9)
CODES = (8, 4, 2, 1, 6, 5, 3, 12, 10)  # by kind: r + 2 b + 4 n + 8 x
KIND_OF_CODE = np.array([CODES.index(code) if code in CODES else -1 for code in range(16)], np.int8)
OWNED = (5, 1, 2, 2, 1, 1, 1, 1, 1)  # pieces of a kind that a player begins with

PLAYER_BITS = np.uint64(7)
CLOCK, CLOCK_BITS, CLOCK_STEP = np.uint64(3), np.uint64(255 << 3), np.uint64(1 << 3)
MATED = np.uint64(11)
END, PROMOTION, SQUARE_BITS = np.uint64(8), np.uint64(16), np.uint64(255)
PASS = np.uint64(0xFFFF)


class Layout(NamedTuple):
    """Functions of a position of so many words."""

    words: int
    filled: Function  # sets of squares
    rook_like: Function
    bishop_like: Function
    knight_like: Function
    pawns: Function
    wizards: Function
    kings: Function
    steppers: Function  # kings and wizards
    team: Function  # (position, side)
    owned: Function  # (position, player)
    of_code: Function  # (position, code): pieces of one kind
    code_at: Function  # (position, square): r + 2 b + 4 n + 8 x
    owner_at: Function
    state: Function
    player: Function
    clock: Function
    moved: Function  # (position, start, end, code, state): a piece moves and becomes what code says
    with_state: Function
    hash: Function


@cache
def layout_for(words: int, players: int) -> Layout:
    """Return the functions for sets of so many words."""
    planes = 6 if players == 4 else 7
    scope: dict[str, Any] = {"uint64": np.uint64, "int64": np.int64, "ONE": ONE, "ZERO": ZERO}
    scope |= {"PLAYER_BITS": PLAYER_BITS, "CLOCK": CLOCK, "CLOCK_BITS": CLOCK_BITS, "mix": mix}
    scope |= set_functions(words)._asdict()
    exec(_source(words, planes), scope)
    count = planes * words + 1
    return Layout(count, *(scope[name] for name in Layout._fields[1:]))


def _source(words: int, planes: int) -> str:
    def each(expression: str) -> str:
        """Return a set, with the words of planes r b n x t in an expression."""
        parts = []
        for i in range(words):
            names = {name: f"p[{k * words + i}]" for k, name in enumerate("rbnxt")}
            parts.append(expression.format(**names))
        return f"({', '.join(parts)},)"

    last = planes * words
    members = range(5, planes)  # planes u
    mine = " & ".join(f"(p[{{{k}}}] ^ flips[{k - 4}])" for k in range(4, planes))
    rows = [
        f"(p[{i}] | p[{words + i}] | p[{2 * words + i}] | p[{3 * words + i}]) & "
        + mine.format(*(k * words + i for k in range(planes)))
        for i in range(words)
    ]
    bits = (f"(uint64(player) >> uint64({k - 4})) & ONE" for k in range(4, planes))
    flips = "".join(f"ZERO - (({bit}) ^ ONE), " for bit in bits)  # all bits where one is missing
    plane = [f"({''.join(f'p[{k * words + i}], ' for i in range(words))})" for k in range(planes)]
    code = " | ".join(f"(int64(holds({plane[k]}, square)) << {k})" for k in range(4))
    owner = " | ".join(f"(int64(holds({plane[k]}, square)) << {k - 4})" for k in (4, *members))
    moved = "\n".join(
        f"    e{k} = " + (f"holds({plane[k]}, start)" if k > 3 else f"(code >> {k}) & 1 != 0")
        for k in range(planes)
    )
    after = ", ".join(
        f"(p[{k * words + i}] & keep[{i}]) | (there[{i}] if e{k} else ZERO)"
        for k in range(planes)
        for i in range(words)
    )
    return f"""
def filled(p):
    return {each("{r} | {b} | {n} | {x}")}

def rook_like(p):
    return {each("{r}")}

def bishop_like(p):
    return {each("{b} & ~{x}")}

def knight_like(p):
    return {each("{n} & ~{x}")}

def pawns(p):
    return {each("{x} & ~({b} | {n})")}

def wizards(p):
    return {each("{x} & {n}")}

def kings(p):
    return {each("{x} & {b}")}

def steppers(p):
    return {each("{x} & ({b} | {n})")}

def team(p, side):
    flip = ZERO - (uint64(side) ^ ONE)
    return {each("({r} | {b} | {n} | {x}) & ({t} ^ flip)")}

def owned(p, player):
    flips = ({flips})
    return ({", ".join(rows)},)

def of_code(p, code):
    f = ({"".join(f"ZERO - (((uint64(code) >> uint64({k})) & ONE) ^ ONE), " for k in range(4))})
    return {each("({r} ^ f[0]) & ({b} ^ f[1]) & ({n} ^ f[2]) & ({x} ^ f[3])")}

def code_at(p, square):
    return {code}

def owner_at(p, square):
    return {owner}

def state(p):
    return p[{last}]

def player(p):
    return int64(p[{last}] & PLAYER_BITS)

def clock(p):
    return int64((p[{last}] & CLOCK_BITS) >> CLOCK)

def moved(p, start, end, code, state):
    there = single(end)
    keep = join(single(start), there)
    keep = ({", ".join(f"~keep[{i}]" for i in range(words))},)
{moved}
    return ({after}, state)

def with_state(p, state):
    return ({"".join(f"p[{i}], " for i in range(last))}state)

def hash(p):
    return mix(with_state(p, p[{last}] & ~CLOCK_BITS))
"""


# ---------------------------------------------------------------- outside of kernels

Placed = dict[int, tuple[int, int]]  # square: owner and kind


def pack(pieces: Placed, words: int, players: int, state: int) -> tuple[int, ...]:
    """Return the words of a position with these pieces."""
    planes = [0] * (6 if players == 4 else 7)
    for square, (owner, kind) in pieces.items():
        for place in range(4):
            planes[place] |= (CODES[kind] >> place & 1) << square
        for place in range(4, len(planes)):
            planes[place] |= (owner >> (place - 4) & 1) << square
    mask = (1 << 64) - 1
    return *(plane >> 64 * i & mask for plane in planes for i in range(words)), state


def unpack(position: Sequence[int], words: int, players: int) -> tuple[Placed, int]:
    """Return the pieces of a position, by square, and its state."""
    count = 6 if players == 4 else 7
    planes = [
        sum(position[plane * words + i] << 64 * i for i in range(words)) for plane in range(count)
    ]
    pieces, left = {}, planes[0] | planes[1] | planes[2] | planes[3]
    while left:
        square = (left & -left).bit_length() - 1
        left &= left - 1
        bits = [plane >> square & 1 for plane in planes]
        code = sum(bit << place for place, bit in enumerate(bits[:4]))
        owner = sum(bit << place for place, bit in enumerate(bits[4:]))
        pieces[square] = (owner, CODES.index(code))
    return pieces, int(position[-1])
