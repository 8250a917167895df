"""Game: the rules of a board game, compiled, with its text forms and its picture.

An author writes plain functions on a position, which is a tuple of 64-bit words; they are listed
in plywise.game.functions. Outside compiled code a position is a row: a `uint64` array of the same
words.
"""

import inspect
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import BadMove, BadPosition, PlywiseError
from plywise.game.about import About
from plywise.game.declared import (
    require_functions,
    require_known,
    require_name,
    require_numbers,
    require_picture,
    require_sides,
    require_texts,
    require_truth,
)
from plywise.game.functions import OPTIONAL, Function, functions_help, rule_members
from plywise.game.inputs import inputs_of_bits, inputs_of_cells
from plywise.game.reading import MOST_BYTES
from plywise.game.results import DRAW, LOSS, ONGOING, WIN
from plywise.kernel import Bundle, borrow, compiled
from plywise.kernel.bits import Position
from plywise.picture import Picture, format_grid, parse_grid

__all__ = ["DRAW", "LOSS", "ONGOING", "WIN", "Game", "Row", "Rows"]

Row = NDArray[np.uint64]  # [words], or a list of moves
Rows = NDArray[np.uint64]  # [positions, words]

SHOWN_MOVES = 40  # legal moves that an error names


class Game:
    """The rules of a game, how its moves and positions are written, and how its board looks."""

    def __init__(
        self,
        name: str,
        *,
        words: int,
        initial: Function,
        moves: Function,
        apply: Function,
        result: Function,
        side: Function,
        max_moves: int = 256,
        sides: tuple[str, str] = ("first", "second"),
        picture: Picture | None = None,
        repetitions: int = 0,
        clock_limit: int = 0,
        alternates: bool = True,
        input_count: int = 0,
        mirror: Sequence[int] = (),
        cell_mirror: Sequence[int] = (),
        format_move: Function | None = None,
        parse_move: Function | None = None,
        format_position: Function | None = None,
        parse_position: Function | None = None,
        from_cells: Function | None = None,
        judge: Function | None = None,
        about: About | None = None,
        **optional: Function,
    ) -> None:
        """Compile the rules.

        sides, picture          names of the sides; the board's shape, for most a Grid(8, 8)
        repetitions             a position that occurs so many times is a draw (0: it cannot)
        clock_limit             where `result` calls a draw because of the clock (0: nowhere)
        alternates              whether the sides always move in turn
        input_count, mirror     how many numbers `inputs` writes, and which input takes which
                                one's place when the sides are exchanged (none: each its own)
        cell_mirror             which cell takes which one's place when the sides are exchanged;
                                sparse evaluators then see the board as the side to move does
        judge(position)         a value in [-1, 1] for the side to move, compiled: the evaluator
                                called `judge`, the default of this game
        about                   what else the game says of itself, see About

        In plain Python, with positions as tuples of int:
        format_move(position, move), parse_move(position, text)
                                (default: a move is the name of the cell with that number)
        format_position(position), parse_position(text)
        from_cells(codes, side) instead of these two, where cells tell everything: the position
                                with these cells; its text is then `x.o/.../... x`

        All others are the optional compiled functions that the help of the class lists.
        """
        require_known(name, optional, inspect.signature(Game).parameters)
        require_name(name)
        said = {"words": words, "max_moves": max_moves, "repetitions": repetitions}
        said |= {"clock_limit": clock_limit, "input_count": input_count}
        numbers = require_numbers(name, said)
        require_truth(name, "alternates", alternates)
        require_sides(name, sides)
        require_picture(name, picture)
        required = {"initial": initial, "moves": moves, "apply": apply, "result": result}
        given = {**required, "side": side, **optional}
        require_functions(name, given if judge is None else {**given, "judge": judge})
        texts = {"format_move": format_move, "parse_move": parse_move, "from_cells": from_cells}
        require_texts(name, {**texts, "format_position": format_position})
        require_texts(name, {"parse_position": parse_position})
        self.name = name
        self.words = words
        self.max_moves = max_moves
        self.sides = sides
        self.picture = picture if "cells" in optional else None
        self.repetitions = repetitions
        self.mirror = tuple(mirror)
        self.cell_mirror = tuple(cell_mirror)
        self.about = _with_judge(about or About(), judge)
        if self.picture is not None:
            _check_owners(self.picture, self.about.players)
        self._format_move = format_move
        self._parse_move = parse_move
        self._format_position = format_position
        self._parse_position = parse_position
        self._from_cells = from_cells
        if "inputs" not in optional and input_count == 0:
            if self.picture is not None:
                derived = inputs_of_cells(optional["cells"], side, self.picture)
            else:
                derived = inputs_of_bits(side, words)
            given["inputs"], numbers["input_count"] = derived
        more = {
            "alternates": bool(alternates),
            "cell_count": len(self.picture.cells) if self.picture else 0,
            **{f"has_{function}": function in given for function in OPTIONAL},
        }
        self.rules = Bundle(name, {**rule_members(words, given), **numbers, **more})

    def __repr__(self) -> str:
        return f"Game({self.name!r})"

    # ------------------------------------------------------------ rules, on rows

    def initial(self) -> Row:
        """Return the first position."""
        row = np.zeros(self.words, np.uint64)
        _initial(self.rules, row)
        return row

    def legal_moves(self, position: Row) -> Row:
        """Return the legal moves, none if the game is over."""
        out = np.zeros(self.max_moves, np.uint64)
        return out[: _legal_moves(self.rules, position, out)].copy()

    def apply(self, position: Row, move: int | np.uint64) -> Row:
        """Return the position after a legal move."""
        row = np.empty(self.words, np.uint64)
        _apply(self.rules, position, np.uint64(move), row)
        return row

    def result(self, position: Row) -> int:
        """Return ONGOING, or LOSS / DRAW / WIN for the side to move."""
        return int(_result(self.rules, position, np.zeros(self.max_moves, np.uint64)))

    def side(self, position: Row) -> int:
        """Return 0 or 1: the side to move."""
        return int(_side(self.rules, position))

    def sides_to_move(self, positions: Rows) -> NDArray[np.int64]:
        """Return the sides to move in many positions."""
        out = np.zeros(len(positions), np.int64)
        _sides(self.rules, positions, out)
        return out

    def player(self, position: Row) -> int:
        """Return which player is to move: the side, or one of many as the game says."""
        if self.about.player is not None:
            return self.about.player(_as_ints(position))
        return self.side(position)

    def mover(self, position: Row) -> str:
        """Return who is to move in words: the side, and which of its players where it has many."""
        side = self.sides[self.side(position)]
        if self.about.player is None:
            return side
        return f"{side} player {self.player(position) + 1}"

    def hash(self, position: Row) -> int:
        """Return a 64-bit number, equal for positions that repetition takes for the same."""
        return int(_hash(self.rules, position))

    def noisy(self, position: Row, move: int | np.uint64) -> bool:
        """Return whether quiescence has to follow a move."""
        return bool(_noisy(self.rules, position, np.uint64(move)))

    def is_quiet(self, position: Row) -> bool:
        """Return whether no legal move is noisy."""
        return bool(_is_quiet(self.rules, position, np.zeros(self.max_moves, np.uint64)))

    def in_check(self, position: Row) -> bool:
        """Return whether the side to move has to answer a threat."""
        return bool(_in_check(self.rules, position))

    def count_moves(self, position: Row) -> int:
        """Return how many moves a position of a game that goes on has."""
        return int(_count(self.rules, position, np.zeros(self.max_moves, np.uint64)))

    def clock(self, position: Row) -> int:
        """Return the plies since the last move that cannot be undone."""
        return int(_clock(self.rules, position))

    def inputs(self, position: Row) -> NDArray[np.float32]:
        """Return what a learner looks at."""
        out = np.zeros(self.rules.input_count, np.float32)
        _inputs(self.rules, position, out)
        return out

    def cells(self, position: Row) -> NDArray[np.int8]:
        """Return a code per cell: 0 empty, > 0 a piece of side 0, < 0 one of side 1."""
        out = np.zeros(self.rules.cell_count, np.int8)
        _cells(self.rules, position, out)
        return out

    @property
    def is_read_by_cells(self) -> bool:
        """Return whether the text of a position is its board, which `from_cells` reads."""
        return self._format_position is None and self._from_cells is not None

    def from_cells(self, codes: Sequence[int], side: int) -> Row:
        """Return the position with these codes on its cells and this side to move."""
        if self._from_cells is None:
            raise BadPosition(f"{self.name} does not say how its cells make a position.")
        return np.array(self._from_cells(codes, side), np.uint64)

    # ------------------------------------------------------------ text

    def format_move(self, position: Row, move: int | np.uint64) -> str:
        """Return a legal move as text."""
        if self.rules.has_write_move:
            return self._write_line(position, [move])[0]
        if self._format_move is not None:
            return str(self._format_move(_as_ints(position), int(move)))
        if self.picture is not None and int(move) < len(self.picture.cells):
            return self.picture.cells[int(move)].name
        return str(int(move))

    def parse_move(self, position: Row, text: str) -> np.uint64:
        """Return the legal move that a text names.

        The exact text goes first, then what the game itself can read, then a text that differs
        from that of one move alone in the case of letters.
        """
        wanted = text.strip()
        legal = self.legal_moves(position)
        if self.rules.has_read_move:
            read = self.read_move(position, wanted)
            if read in legal:
                return read
        moves = {self.format_move(position, move): np.uint64(move) for move in legal}
        if wanted in moves:
            return moves[wanted]
        if self._parse_move is not None:
            found = self._parse_move(_as_ints(position), wanted)
            if found is not None and np.uint64(found) in legal:
                return np.uint64(found)
        alike = [name for name in moves if name.lower() == wanted.lower()]
        if len(alike) == 1:
            return moves[alike[0]]
        raise BadMove(_refusal(text, list(moves), alike))

    def read_move(self, position: Row, text: str) -> np.uint64:
        """Return what the game's compiled `read_move` makes of a text, see plywise.game.reading."""
        letters = np.array(list(text.encode(errors="replace")), np.uint8)
        return np.uint64(_read_move(self.rules, position, letters, 0, len(letters)))

    def format_line(self, position: Row, moves: Iterable[int | np.uint64]) -> list[str]:
        """Return moves, played one after the other, as texts."""
        if self.rules.has_write_move:
            return self._write_line(position, list(moves))
        texts = []
        for move in moves:
            texts.append(self.format_move(position, move))
            position = self.apply(position, move)
        return texts

    def _write_line(self, position: Row, moves: Sequence[int | np.uint64]) -> list[str]:
        """Return moves as texts by the game's compiled `write_move`."""
        out = np.zeros((len(moves), MOST_BYTES), np.uint8)
        _write_line(self.rules, position, np.array(moves, np.uint64), out)
        return [row.tobytes().rstrip(b"\0").decode() for row in out]

    def format_position(self, position: Row) -> str:
        """Return a position as text that `parse_position` reads back."""
        if self._format_position is not None:
            return str(self._format_position(_as_ints(position)))
        if self._from_cells is not None and self.picture is not None:
            codes = [int(code) for code in self.cells(position)]
            return format_grid(self.picture, codes, self.side(position))
        return ".".join(f"{int(word):x}" for word in position)

    def parse_position(self, text: str) -> Row:
        """Return the position that a text describes; `start` is the first one."""
        if text.strip() == "start":
            return self.initial()
        if self._parse_position is not None:
            return np.array(self._parse_position(text.strip()), np.uint64)
        if self._from_cells is not None and self.picture is not None:
            return np.array(self._from_cells(*parse_grid(self.picture, text)), np.uint64)
        try:
            words = [int(part, 16) for part in text.strip().split(".")]
            if len(words) != self.words:
                raise ValueError
            return np.array(words, np.uint64)
        except (ValueError, OverflowError):
            example = self.format_position(self.initial())
            raise BadPosition(
                f"{text!r} is not a position of {self.name}: it is written as {self.words} "
                f"hexadecimal words with dots between, like {example}."
            ) from None


Game.__doc__ = f"{Game.__doc__}\n\n    Compiled functions:\n\n{functions_help()}\n"


def _as_ints(position: Row) -> tuple[int, ...]:
    return tuple(int(word) for word in position)


def _with_judge(about: About, judge: Function | None) -> About:
    if judge is None:
        return about
    return replace(about, evaluators={"judge": judge, **about.evaluators})


def _check_owners(picture: Picture, players: int) -> None:
    """Refuse pieces of nobody, and codes whose sign is not that of their owner's side."""
    for code, piece in picture.pieces.items():
        if not 0 <= piece.owner < players:
            raise PlywiseError(
                f"A piece of the picture is owned by {piece.owner}, but the {players} players are "
                f"0 to {players - 1}."
            )
        if code != 0 and picture.side_of(piece.owner) != int(code < 0):
            raise PlywiseError(
                f"Code {code} of the picture is a piece of owner {piece.owner}, whose side is "
                f"{picture.side_of(piece.owner)}: codes of side 0 are positive, others negative."
            )


def _refusal(text: str, names: list[str], alike: list[str]) -> str:
    """Return why a text names no move; `alike` are those that differ in the case of letters."""
    if not names:
        return f"{text!r} cannot be played: the game is over."
    if alike:
        return f"{text!r} may be {' or '.join(alike)}: write it with its capital letters."
    more = " ..." if len(names) > SHOWN_MOVES else ""
    return f"{text!r} is not a legal move here; legal: {' '.join(names[:SHOWN_MOVES])}{more}."


# ---------------------------------------------------------------- kernels on rows


@compiled
def _initial(game: Bundle, row: Row) -> Any:
    game.store(game.initial(), row)


@compiled
def _legal_moves(game: Bundle, row: Row, out: Any) -> Any:
    position = game.load(row)
    return game.moves(position, out) if game.result(position) == ONGOING else 0


@compiled
def _apply(game: Bundle, row: Row, move: Any, out: Any) -> Any:
    game.store(game.apply(game.load(row), move), out)


@compiled
def _result(game: Bundle, row: Row, out: Any) -> Any:
    return result_of(game, game.load(row), out)


@compiled
def _side(game: Bundle, row: Row) -> Any:
    return game.side(game.load(row))


@compiled
def _sides(game: Bundle, rows: Any, out: Any) -> None:
    for index in range(len(rows)):
        out[index] = game.side(game.load_at(rows, index))


@compiled
def _hash(game: Bundle, row: Row) -> Any:
    return game.hash(game.load(row))


@compiled
def _noisy(game: Bundle, row: Row, move: Any) -> Any:
    return game.noisy(game.load(row), move)


@compiled
def _in_check(game: Bundle, row: Row) -> Any:
    return game.in_check(game.load(row))


@compiled
def _clock(game: Bundle, row: Row) -> Any:
    return game.clock(game.load(row))


@compiled
def _inputs(game: Bundle, row: Row, out: Any) -> Any:
    game.inputs(game.load(row), out)


@compiled
def _cells(game: Bundle, row: Row, out: Any) -> Any:
    game.cells(game.load(row), out)


@compiled
def _read_move(game: Bundle, row: Row, text: Any, begin: Any, stop: Any) -> Any:
    return game.read_move(game.load(row), text, begin, stop)


@compiled
def _write_line(game: Bundle, row: Row, moves: Row, out: Any) -> Any:
    position = game.load(row)
    for index in range(len(moves)):
        game.write_move(position, moves[index], borrow(out, index))
        position = game.apply(position, moves[index])


@compiled
def count_moves(game: Bundle, position: Position, out: Any) -> Any:
    """Return how many moves a position of a game that goes on has."""
    if game.has_count:
        return game.count(position, out)
    return game.moves(position, out)


@compiled
def result_of(game: Bundle, position: Position, out: Any) -> Any:
    """Return the result for the side to move, also where it shows in the moves; `out` is scratch.

    A game's own `result` says ONGOING where there is no legal move, if it has `stuck`.
    """
    result = game.result(position)
    if game.has_stuck and result == ONGOING and count_moves(game, position, out) == 0:
        return game.stuck(position)
    return result


@compiled
def is_quiet(game: Bundle, position: Position, out: Any) -> Any:
    """Return whether no legal move is noisy."""
    if not game.has_noisy:
        return True
    if game.has_is_quiet:
        return game.is_quiet(position)
    for index in range(game.moves(position, out)):
        if game.noisy(position, out[index]):
            return False
    return True


@compiled
def _count(game: Bundle, row: Row, out: Any) -> Any:
    return count_moves(game, game.load(row), out)


@compiled
def _is_quiet(game: Bundle, row: Row, out: Any) -> Any:
    return is_quiet(game, game.load(row), out)
