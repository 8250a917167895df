"""Oware (Abapa): sow the seeds of a house, and take where the last one makes two or three.

If the last seed falls into the other side's row and makes two or three there, they are taken, and
so are the twos and threes right before them; but a move that would take the whole row takes none.
Who can must leave the other side a seed to sow. The game ends when a side has taken more than half,
when there is no move, or 100 plies after the last capture; what is left belongs to who has it.

    N  f e d c b a  S     A position is (mine, theirs, turn, plies since a capture). The counts of
       A B C D E F        a side are bytes of its word: houses 0 to 5 from its left, then its store.
"""

import re

import numpy as np

from plywise import DRAW, LOSS, ONGOING, WIN, Game, Polygons, counts, mix
from plywise.errors import BadPosition

STORE, SEEDS, QUIET_LIMIT = 6, 48, 100
HOUSES = (1 << 8 * STORE) - 1
FOURS = sum(4 << 8 * house for house in range(STORE))


def initial():
    return FOURS, FOURS, 0, 0


def count_in(word, hole):
    return np.int64(word) >> 8 * hole & 0xFF


def moves(position, out):
    count = 0
    for house in range(STORE):
        seeds = count_in(position[0], house)
        if seeds > 0 and (position[1] & HOUSES != 0 or house + seeds >= STORE):
            out[count] = house
            count += 1
    return count


def apply(position, move):
    mine, theirs, house = np.int64(position[0]), np.int64(position[1]), np.int64(move)
    seeds, hole, taken = count_in(mine, house), house, 0
    mine -= seeds << 8 * house
    for seed in range(seeds):
        hole = (house + 1 + seed % 11) % 12  # 0 to 5 are mine; the house itself is left out
        if hole < STORE:
            mine += 1 << 8 * hole
        else:
            theirs += 1 << 8 * (hole - STORE)
    left = theirs
    while hole >= STORE and 2 <= count_in(left, hole - STORE) <= 3:
        taken += count_in(left, hole - STORE)
        left &= ~(0xFF << 8 * (hole - STORE))
        hole -= 1
    if taken == 0 or left & HOUSES == 0:
        return theirs, mine, 1 - np.int64(position[2]), np.int64(position[3]) + 1
    return left, mine + (taken << 8 * STORE), 1 - np.int64(position[2]), 0


def settled(position):
    """Return the result if every seed belongs to the side where it lies."""
    lead = 0
    for hole in range(STORE + 1):
        lead += count_in(position[0], hole) - count_in(position[1], hole)
    return WIN if lead > 0 else LOSS if lead < 0 else DRAW


def result(position):
    most = max(count_in(position[0], STORE), count_in(position[1], STORE))
    return settled(position) if most > SEEDS // 2 or position[3] >= QUIET_LIMIT else ONGOING


def side(position):
    return position[2]


def clock(position):
    return position[3]


def hash(position):
    return mix(position[:3])


def noisy(position, move):
    return apply(position, move)[3] == 0


def cells(position, out):
    south, north = position[position[2]], position[1 - position[2]]
    for hole in range(STORE + 1):
        out[hole], out[STORE + 1 + hole] = count_in(south, hole), -count_in(north, hole)


def from_cells(codes, side):
    rows = codes[: STORE + 1], codes[STORE + 1 :]
    words = [sum(abs(code) << 8 * hole for hole, code in enumerate(row)) for row in rows]
    return words[side], words[1 - side], side, 0


def format_move(position, move):
    return board.cells[move + 7 * position[2]].name


def format_position(position):
    words = position[position[2]], position[1 - position[2]]
    rows = [",".join(str(count_in(word, hole)) for hole in range(STORE + 1)) for word in words]
    return f"{rows[0]}/{rows[1]} {'SN'[position[2]]} {position[3]}"


def parse_position(text):
    row = r"\d+(?:,\d+){6}"
    found = re.fullmatch(rf"({row}/{row}) ([SN]) (\d+)", text)
    codes = [int(number) for number in re.findall(r"\d+", found[1])] if found else []
    if sum(codes) != SEEDS:
        raise BadPosition(f"{text!r} is not like 4,4,4,4,4,4,0/4,4,4,4,4,4,0 S 0 with 48 seeds.")
    return *from_cells(codes, "SN".index(found[2]))[:3], int(found[3])


def box(left, top, height):
    return (left, top), (left + 1, top), (left + 1, top + height), (left, top + height)


south = {name: box(place, 1, 1) for place, name in enumerate("ABCDEF", start=1)}
north = {name: box(7 - place, 0, 1) for place, name in enumerate("abcdef", start=1)}
holes = {**south, "S": box(7, 0, 2), **north, "N": box(0, 0, 2)}
board = Polygons(holes, pieces=counts(SEEDS))
rules = dict(initial=initial, moves=moves, apply=apply, result=result, stuck=settled, side=side)
limits = dict(clock=clock, clock_limit=QUIET_LIMIT, hash=hash, noisy=noisy, max_moves=STORE)
text = dict(format_move=format_move, format_position=format_position, parse_position=parse_position)
appearance = dict(cells=cells, from_cells=from_cells, picture=board, sides=("south", "north"))
oware = Game("oware", words=4, **rules, **limits, **text, **appearance)
