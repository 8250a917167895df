"""Where pieces of Duchess reach, and who attacks a square: tables of a board, and functions.

A slider reaches along rays: for every square, its rook rays and then its bishop rays stand one
after the other in `walk`, and `skip` tells where the next ray begins. Who attacks a square is
found the other way round: of pieces on its lines, those with nothing in between.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.games.duchess.board import Board
from plywise.games.duchess.layout import Layout
from plywise.games.duchess.sets import (
    Function,
    Squares,
    Table,
    as_table,
    set_functions,
    words_for,
)
from plywise.kernel.bits import Position, Whole

Numbers = NDArray[np.int16]


class Tables(NamedTuple):
    """What a board says, by square; sets are rows of tables."""

    orthogonal: Table
    diagonal: Table
    near: Table  # both
    knight: Table
    rook_lines: Table  # all squares of the rays
    bishop_lines: Table
    walk: Numbers  # the squares of all rays, one after the other
    skip: Numbers  # where the next ray begins
    begin: Numbers  # [2 * square]: where its rook rays begin, [2 * square + 1]: its bishop rays
    pair: Numbers  # [square, square]: the row of `between`
    between: Table  # what lies between two squares of a line; row 0 is empty
    extremes: Table  # row 0 no square, row 1 all of them
    rays: Numbers  # [square, square]: where in `walk` the ray begins that leads there, else -1


def tables_of(board: Board) -> Tables:
    """Return the tables of a board."""
    words, squares = words_for(len(board.squares)), board.squares
    walk: list[int] = []
    skip: list[int] = []
    begin: list[int] = []
    for square in squares:
        for some in (square.rook_rays, square.bishop_rays):
            begin.append(len(walk))
            for ray in some:
                walk += ray
                skip += len(ray) * [len(walk)]
    pair, between = np.zeros((len(squares), len(squares)), np.int16), [frozenset[int]()]
    rays, place = np.full_like(pair, -1), 0
    for start, square in enumerate(squares):
        for ray in (*square.rook_rays, *square.bishop_rays):
            rays[start, list(ray)] = place
            place += len(ray)
    for start, end, inside in _pairs(board):
        pair[start, end] = len(between)
        between.append(inside)
    return Tables(
        as_table((s.orthogonal for s in squares), words),
        as_table((s.diagonal for s in squares), words),
        as_table(({*s.orthogonal, *s.diagonal} for s in squares), words),
        as_table((s.knight for s in squares), words),
        as_table(({end for ray in s.rook_rays for end in ray} for s in squares), words),
        as_table(({end for ray in s.bishop_rays for end in ray} for s in squares), words),
        np.array(walk, np.int16),
        np.array(skip, np.int16),
        np.array([*begin, len(walk)], np.int16),
        pair,
        as_table(between, words),
        as_table([(), range(len(squares))], words),
        rays,
    )


def _pairs(board: Board) -> Iterator[tuple[int, int, frozenset[int]]]:
    """Yield two squares on a line, and what is between them, where there is something."""
    for start, square in enumerate(board.squares):
        for ray in (*square.rook_rays, *square.bishop_rays):
            for place, end in enumerate(ray):
                if place > 0:
                    yield start, end, frozenset(ray[:place])


class Attacks(NamedTuple):
    """Functions of a board."""

    reach: Function  # (square, code, filled): where a slider or knight reaches
    lined_up: Function  # (position, square, foes): sliders with that square on their lines
    attackers: Function  # (position, square, filled, foes): which of the foes attack a square
    between: Function  # (square, square): what lies between them on a line, else nothing


def attacks_of(words: int, tables: Tables, layout: Layout) -> Attacks:
    """Return the functions of a board."""
    sets = set_functions(words)
    meet, join, is_empty, holds = sets.meet, sets.join, sets.is_empty, sets.holds
    single, first, rest, look_up = sets.single, sets.first, sets.rest, sets.look_up
    rook_like, bishop_like, knight_like = layout.rook_like, layout.bishop_like, layout.knight_like
    pawns, steppers = layout.pawns, layout.steppers
    walk, skip, begin = tables.walk, tables.skip, tables.begin
    rook_lines, bishop_lines = tables.rook_lines, tables.bishop_lines
    knight, near, diagonal = tables.knight, tables.near, tables.diagonal
    pair, betweens, extremes = tables.pair, tables.between, tables.extremes

    def reach(square: Whole, code: Whole, filled: Squares) -> Squares:
        place = begin[2 * square + 1 - (code & 1)]
        end = begin[2 * square + 1 + (code >> 1 & 1)]
        found = look_up(extremes, 0)
        if code & 4 != 0:
            found = look_up(knight, square)
        while place < end:
            reached = np.int64(walk[place])
            found = join(found, single(reached))
            place = skip[place] if holds(filled, reached) else place + 1
        return found

    def between(square: Whole, other: Whole) -> Squares:
        return look_up(betweens, pair[square, other])

    def lined_up(position: Position, square: Whole, foes: Squares) -> Squares:
        straight = meet(look_up(rook_lines, square), rook_like(position))
        slanting = meet(look_up(bishop_lines, square), bishop_like(position))
        return meet(join(straight, slanting), foes)

    def attackers(position: Position, square: Whole, filled: Squares, foes: Squares) -> Squares:
        found = meet(look_up(knight, square), knight_like(position))
        found = join(found, meet(look_up(near, square), steppers(position)))
        found = meet(join(found, meet(look_up(diagonal, square), pawns(position))), foes)
        sliders = lined_up(position, square, foes)
        while not is_empty(sliders):
            slider = first(sliders)
            sliders = rest(sliders)
            if is_empty(meet(between(square, slider), filled)):
                found = join(found, single(slider))
        return found

    return Attacks(reach, lined_up, attackers, between)
