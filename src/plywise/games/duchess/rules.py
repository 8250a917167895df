"""The rules of Duchess, for four or six players, as functions that a game compiles.

Moves are legal as they are written: see plywise.games.duchess.mobility. A player without a legal
move passes, which is a move of its own. A team whose players are all mated at once has lost.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from plywise.game import DRAW, LOSS, ONGOING, Row
from plywise.games.duchess.attacks import attacks_of, tables_of
from plywise.games.duchess.board import Board, make_board
from plywise.games.duchess.judgement import WORTH
from plywise.games.duchess.layout import (
    CLOCK_BITS,
    CLOCK_STEP,
    END,
    KIND_OF_CODE,
    LETTERS,
    MATED,
    PASS,
    PLAYER_BITS,
    PROMOTION,
    SQUARE_BITS,
    Placed,
    layout_for,
    pack,
)
from plywise.games.duchess.mobility import (
    Checks,
    Material,
    Mobility,
    checks_of,
    mobility_of,
)
from plywise.games.duchess.sets import set_functions, words_for
from plywise.games.duchess.variant import Variant
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word

Functions = dict[str, Any]  # what is compiled, by name

MOST_MOVES = 512
SETUP = ("RWKFR", "BNQBD", "PPPPP")  # ranks 1 to 3, files a to e
THEME_ROOM = 1022  # of moves, see plywise.game.functions
KINDS = len(LETTERS)


class Rules(NamedTuple):
    """A variant of the game: what it is made of, and the functions that a game compiles."""

    material: Material
    checks: Checks
    mobility: Mobility
    functions: Functions


def rules_of(variant: Variant) -> Rules:
    """Return the rules of a variant."""
    board = make_board(variant.players, variant.long_knight)
    words = words_for(len(board.squares))
    layout, tables = layout_for(words, variant.players), tables_of(board)
    attacks = attacks_of(words, tables, layout)
    material = Material(variant, board, words, layout, tables, attacks)
    checks = checks_of(material)
    mobility = mobility_of(material, checks)
    functions = {
        **_turns(material, checks, mobility),
        **_ends(material, checks, mobility),
        **_noise(material, checks, mobility),
        **_board(material),
        "hash": layout.hash,
    }
    return Rules(material, checks, mobility, functions)


def first_pieces(board: Board) -> Placed:
    """Return the pieces of the first position."""
    index = board.index()
    return {
        index[f"{section}{'abcde'[file]}{rank}"]: (player, LETTERS.index(letter))
        for player, section in enumerate(board.sections)
        for rank, row in enumerate(SETUP, start=1)
        for file, letter in enumerate(row)
    }


# ---------------------------------------------------------------- turns


def _turns(material: Material, checks: Checks, mobility: Mobility) -> Functions:
    """Return the functions that play."""
    layout, variant = material.layout, material.variant
    start = pack(first_pieces(material.board), material.words, variant.players, 0)
    first, load = np.array(start, np.uint64), _loading(layout.words)
    player_of, state_of, filled = layout.player, layout.state, layout.filled
    code_at, moved, with_state = layout.code_at, layout.moved, layout.with_state
    holds, is_checked = set_functions(material.words).holds, checks.is_checked
    list_moves, count_moves = mobility.moves, mobility.count
    last, passes_are_quiet = np.uint64(variant.players - 1), variant.passes_are_quiet
    marks_mated = not variant.mated_attack

    def initial() -> Any:
        return load(first)

    def moves(position: Position, out: Row) -> Whole:
        count = list_moves(position, player_of(position), out)
        if count == 0:
            out[0] = PASS
            return 1
        return count

    def count(position: Position, out: Row) -> Whole:
        return max(1, count_moves(position, player_of(position)))

    def next_state(state: Word, steps: Word) -> Any:
        player = state & PLAYER_BITS
        following = ZERO if player == last else player + ONE
        return (state & ~PLAYER_BITS | following) + steps

    def mark(position: Position, is_mated: bool) -> Any:
        bit = ONE << (MATED + (state_of(position) & PLAYER_BITS))
        return state_of(position) | bit if is_mated else state_of(position) & ~bit

    def passed(position: Position) -> Any:
        state = state_of(position)
        if marks_mated:
            state = mark(position, is_checked(position, player_of(position)))
        return with_state(position, next_state(state, CLOCK_STEP if passes_are_quiet else ZERO))

    def apply(position: Position, move: Word) -> Any:
        if move == PASS:
            return passed(position)
        begin, end = np.int64(move & SQUARE_BITS), np.int64((move >> END) & SQUARE_BITS)
        code = np.int64(move >> PROMOTION)
        state, steps = state_of(position), CLOCK_STEP
        if code != 0 or holds(filled(position), end):
            state, steps = state & ~CLOCK_BITS, ZERO
        if code == 0:
            code = code_at(position, begin)
        if marks_mated:
            state &= ~(ONE << (MATED + (state & PLAYER_BITS)))
        return moved(position, begin, end, code, next_state(state, steps))

    def side(position: Position) -> Whole:
        return player_of(position) & 1

    def null(position: Position) -> Any:
        return with_state(position, next_state(state_of(position), CLOCK_STEP))

    functions: Functions = {"initial": initial, "moves": moves, "count": count, "apply": apply}
    return {**functions, "side": side, "null": null, "clock": layout.clock}


def _loading(words: int) -> Callable[..., Any]:
    """Return a function that makes a position of a row."""
    scope: dict[str, Any] = {}
    exec(f"def load(row):\n    return ({''.join(f'row[{i}], ' for i in range(words))})", scope)
    load: Callable[..., Any] = scope["load"]
    return load


# ---------------------------------------------------------------- ends


def _ends(material: Material, checks: Checks, mobility: Mobility) -> Functions:
    """Return the functions that tell how the game stands."""
    layout, variant = material.layout, material.variant
    player_of, clock, players = layout.player, layout.clock, variant.players
    is_checked, count_moves, limit = checks.is_checked, mobility.count, variant.quiet_limit

    def is_lost(position: Position) -> bool:
        for step in range(0, players, 2):
            if not is_checked(position, (player_of(position) + step) % players):
                return False
        for step in range(0, players, 2):
            if count_moves(position, (player_of(position) + step) % players) > 0:
                return False
        return True

    def result(position: Position) -> Whole:
        """Return a loss where the whole team is mated; it goes before the quiet plies."""
        if is_lost(position):
            return LOSS
        return DRAW if clock(position) >= limit else ONGOING

    def in_check(position: Position) -> bool:
        return bool(is_checked(position, player_of(position)))

    return {"result": result, "in_check": in_check}


# ---------------------------------------------------------------- for search


def _noise(material: Material, checks: Checks, mobility: Mobility) -> Functions:
    """Return the functions that tell captures and promotions from other moves."""
    layout, sets = material.layout, set_functions(material.words)
    filled, code_at, player_of = layout.filled, layout.code_at, layout.player
    pawns, kings, owned = layout.pawns, layout.kings, layout.owned
    holds, without, join, is_empty = sets.holds, sets.without, sets.join, sets.is_empty
    list_noisy, squares = mobility.noisy, len(material.board.squares)
    groups = THEME_ROOM // squares

    def noisy(position: Position, move: Word) -> bool:
        if move == PASS:
            return False
        end = np.int64((move >> END) & SQUARE_BITS)
        return bool(move >> PROMOTION != ZERO or holds(filled(position), end))

    def noisy_moves(position: Position, out: Row) -> Whole:
        return list_noisy(position, player_of(position), out)

    def kind_at(position: Position, square: Whole) -> Whole:
        return np.int64(KIND_OF_CODE[code_at(position, square)])

    def gain(position: Position, move: Word) -> Whole:
        if move == PASS:
            return 0
        victim = kind_at(position, np.int64((move >> END) & SQUARE_BITS))
        found = WORTH[victim] if victim >= 0 else 0
        if move >> PROMOTION != ZERO:
            found += WORTH[KIND_OF_CODE[np.int64(move >> PROMOTION)]] - WORTH[0]
        return found

    def rank(position: Position, move: Word) -> Whole:
        """Try what wins most first, and of equals the capture by the least valuable piece."""
        if move == PASS:
            return 0
        return 16 * gain(position, move) - kind_at(position, np.int64(move & SQUARE_BITS))

    def theme(position: Position, move: Word) -> Whole:
        """Return which piece goes where; for six players some kinds share their numbers."""
        if move == PASS:
            return 0
        kind = kind_at(position, np.int64(move & SQUARE_BITS)) % groups
        return kind * squares + np.int64((move >> END) & SQUARE_BITS)

    def may_pass(position: Position) -> bool:
        """Return whether the mover has more than pawns, and so a move that does no harm."""
        own = owned(position, player_of(position))
        return not is_empty(without(own, join(pawns(position), kings(position))))

    functions: Functions = {"noisy": noisy, "noisy_moves": noisy_moves, "gain": gain}
    return {**functions, "rank": rank, "theme": theme, "may_pass": may_pass}


# ---------------------------------------------------------------- board


def _board(material: Material) -> Functions:
    """Return the functions that show the board."""
    layout, size = material.layout, set_functions(material.words).size
    filled, code_at, owner_at = layout.filled, layout.code_at, layout.owner_at
    squares = len(material.board.squares)

    def pieces(position: Position) -> Whole:
        return size(filled(position))

    def cells(position: Position, out: Any) -> None:
        """Write 1 + kind + 9 * (owner // 2), negative for the even team."""
        for square in range(squares):
            code, owner = code_at(position, square), owner_at(position, square)
            shown = 1 + np.int64(KIND_OF_CODE[code]) + KINDS * (owner >> 1)
            if code == 0:
                shown = 0
            out[square] = -shown if owner & 1 else shown

    return {"pieces": pieces, "cells": cells}
