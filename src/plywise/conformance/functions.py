"""Whether every function of a game compiles and answers."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from plywise.conformance.compile_errors import (
    MOVES_ARE_WRITTEN,
    compile_fault,
    is_from_compiler,
    is_list_of_moves,
)
from plywise.conformance.findings import (
    ERROR,
    FAR,
    ROOM,
    Finding,
    is_written_past,
    room_for_codes,
    room_for_inputs,
    room_for_moves,
)
from plywise.game import Game, Row
from plywise.game.functions import BY_NAME, OPTIONAL, RuleFunction
from plywise.game.inputs import inputs_of_cells
from plywise.kernel import Bundle, compiled
from plywise.kernel.bits import Word
from plywise.system.watching import note


@compiled
def raw_moves(game: Bundle, row: Row, out: Row) -> Any:
    return game.moves(game.load(row), out)


@compiled
def raw_count(game: Bundle, row: Row, out: Row) -> Any:
    return game.count(game.load(row), out)


@compiled
def raw_cells(game: Bundle, row: Row, out: Any) -> None:
    game.cells(game.load(row), out)


@compiled
def raw_inputs(game: Bundle, row: Row, out: Any) -> None:
    game.inputs(game.load(row), out)


@compiled
def raw_is_quiet(game: Bundle, row: Row) -> Any:
    return game.is_quiet(game.load(row))


@compiled
def raw_result(game: Bundle, row: Row) -> Any:
    return game.result(game.load(row))


@compiled
def raw_pieces(game: Bundle, row: Row) -> Any:
    return game.pieces(game.load(row))


@compiled
def raw_stuck(game: Bundle, row: Row) -> Any:
    return game.stuck(game.load(row))


@compiled
def raw_in_check(game: Bundle, row: Row) -> Any:
    return game.in_check(game.load(row))


@compiled
def raw_null(game: Bundle, row: Row, out: Row) -> None:
    game.store(game.null(game.load(row)), out)


@compiled
def raw_rank(game: Bundle, row: Row, move: Word) -> Any:
    return game.rank(game.load(row), move)


@compiled
def raw_noisy_moves(game: Bundle, row: Row, out: Row) -> Any:
    return game.noisy_moves(game.load(row), out)


@compiled
def raw_gain(game: Bundle, row: Row, move: Word) -> Any:
    return game.gain(game.load(row), move)


@compiled
def raw_exchange(game: Bundle, row: Row, move: Word, least: int) -> Any:
    return game.exchange(game.load(row), move, least)


@compiled
def raw_may_pass(game: Bundle, row: Row) -> Any:
    return game.may_pass(game.load(row))


@compiled
def raw_theme(game: Bundle, row: Row, move: Word) -> Any:
    return game.theme(game.load(row), move)


def passed(game: Game, row: Row) -> Row:
    """Return the position after a pass."""
    out = np.zeros(game.words, np.uint64)
    raw_null(game.rules, row, out)
    return out


def check_functions(game: Game) -> Iterator[Finding]:
    """Call every compiled function once, so that each is blamed for its own faults only.

    A fault in a line that several functions come to is told once.
    """
    told: set[str] = set()
    for finding in _check_each(game):
        cause = finding.what.partition("` ")[2]
        if cause in told and ", line " in cause:
            continue
        told.add(cause)
        yield finding


def _check_each(game: Game) -> Iterator[Finding]:
    """Call every compiled function once, as long as positions have the words that Game was told."""
    row = np.zeros(game.words, np.uint64)
    moves = room_for_moves(game, FAR)
    move = np.uint64(0)
    found: list[Finding] = []
    for name in BY_NAME:
        if not _is_given(game, name) or (found and name == "inputs" and _is_derived(game)):
            continue
        note(f"`{name}`")
        here = []
        try:
            answer = CALLS[name](game, row, move, moves)
            if is_written_past(moves, by=ROOM):
                moves = room_for_moves(game, FAR)
                raise FarOutside
            if BY_NAME[name].returns == "whole number" and np.ndim(answer) > 0:
                here = [_several(name)]
            else:
                if name == "initial":
                    row = answer
                if name == "moves" and answer > 0:
                    move = moves[0]
                here = list(_check_answer(game, BY_NAME[name], row, move))
        except Exception as error:  # whatever the compiler or the author's function raises
            here = [_failure(game, name, error)]
        yield from here
        found += here
        if name == "initial" and any("words=" in finding.what for finding in here):
            return


def _is_given(game: Game, name: str) -> bool:
    """Return whether a function is part of the rules."""
    return name not in OPTIONAL or bool(getattr(game.rules, f"has_{name}"))


def _is_derived(game: Game) -> bool:
    """Return whether `inputs` is not the author's but made of `cells` and `side`."""
    inputs = author_of(game, "inputs")
    return getattr(inputs, "py_func", inputs).__module__ == inputs_of_cells.__module__


class FarOutside(Exception):
    """A function has written so far outside of `out` that the next time could be fatal."""


def _cells(game: Game, row: Row) -> None:
    """Have `cells` write, with a wide margin."""
    codes = room_for_codes(game, FAR)
    raw_cells(game.rules, row, codes)
    if is_written_past(codes, by=ROOM):
        raise FarOutside


def _inputs(game: Game, row: Row) -> None:
    """Have `inputs` write, with a wide margin."""
    numbers = room_for_inputs(game, FAR)
    raw_inputs(game.rules, row, numbers)
    if is_written_past(numbers, by=ROOM):
        raise FarOutside


CALLS: dict[str, Callable[[Game, Row, Word, Row], Any]] = {  # with room for a list of moves
    "initial": lambda game, row, move, moves: game.initial(),
    "moves": lambda game, row, move, moves: raw_moves(game.rules, row, moves),
    "apply": lambda game, row, move, moves: game.apply(row, move),
    "result": lambda game, row, move, moves: raw_result(game.rules, row),
    "side": lambda game, row, move, moves: game.side(row),
    "cells": lambda game, row, move, moves: _cells(game, row),
    "noisy": lambda game, row, move, moves: game.noisy(row, move),
    "is_quiet": lambda game, row, move, moves: raw_is_quiet(game.rules, row),
    "count": lambda game, row, move, moves: raw_count(game.rules, row, moves),
    "hash": lambda game, row, move, moves: game.hash(row),
    "clock": lambda game, row, move, moves: game.clock(row),
    "inputs": lambda game, row, move, moves: _inputs(game, row),
    "pieces": lambda game, row, move, moves: raw_pieces(game.rules, row),
    "stuck": lambda game, row, move, moves: raw_stuck(game.rules, row),
    "in_check": lambda game, row, move, moves: raw_in_check(game.rules, row),
    "null": lambda game, row, move, moves: passed(game, row),
    "rank": lambda game, row, move, moves: raw_rank(game.rules, row, move),
    "noisy_moves": lambda game, row, move, moves: raw_noisy_moves(game.rules, row, moves),
    "gain": lambda game, row, move, moves: raw_gain(game.rules, row, move),
    "exchange": lambda game, row, move, moves: raw_exchange(game.rules, row, move, 0),
    "may_pass": lambda game, row, move, moves: raw_may_pass(game.rules, row),
    "theme": lambda game, row, move, moves: raw_theme(game.rules, row, move),
    "read_move": lambda game, row, move, moves: game.read_move(row, game.format_move(row, move)),
    "write_move": lambda game, row, move, moves: game.format_move(row, move),
}


def _several(name: str) -> Finding:
    """Return what is wrong with a function that returns a list where one number is wanted."""
    hint = f"`{BY_NAME[name].call}` returns one whole number."
    if is_list_of_moves(name):
        hint = MOVES_ARE_WRITTEN
    return Finding(ERROR, f"list-{name}", f"`{name}` returns a list instead of a number.", hint)


def outside(name: str) -> Finding:
    """Return what is wrong with a function that writes anywhere."""
    what = f"`{name}` writes far outside of `out`."
    hint = "Its places are out[0] to out[len(out) - 1]."
    return Finding(ERROR, f"outside-{name}", what, hint)


def author_of(game: Game, name: str) -> Callable[..., Any] | None:
    """Return a function of the rules as its author wrote it, None if that cannot be told."""
    member = getattr(game.rules, name)
    found: Callable[..., Any] | None
    found = getattr(member, "py_func", member).__globals__.get(f"author_{name}")
    return found


def _failure(game: Game, name: str, error: Exception) -> Finding:
    if is_from_compiler(error):
        what, hint = compile_fault(name, game.words, str(error), author_of(game, name))
        return Finding(ERROR, f"compile-{name}", what, hint)
    if isinstance(error, FarOutside):
        return outside(name)
    return Finding(
        ERROR,
        f"fails-{name}",
        f"`{name}` fails: {type(error).__name__}: {error}.",
        f"`{BY_NAME[name].call}` must answer for every position of a game.",
    )


def _check_answer(
    game: Game, function: RuleFunction, row: Row, move: np.uint64
) -> Iterator[Finding]:
    """Look at what the author's own function returns, before it is cast to its type."""
    is_position = function.returns == "position"
    if not is_position and (function.is_required or function.returns != "whole number"):
        return
    given = {"position": tuple(np.uint64(word) for word in row), "move": move}
    wanted = [name for name in function.parameters.split(", ") if name]
    author = author_of(game, function.name)
    if author is None or not set(wanted) <= set(given):
        return
    with np.errstate(over="ignore"):
        answer = author(*(given[name] for name in wanted))
    if is_position and len(answer) > game.words:
        yield Finding(
            ERROR,
            f"words-{function.name}",
            f"`{function.name}` returns {len(answer)} words, but the game says words={game.words}.",
            f"Say words={len(answer)}, or return fewer; what is too much is dropped.",
        )
    if any(isinstance(n, float | np.floating) for n in (answer if is_position else [answer])):
        where = "word" if is_position else "whole number"
        yield Finding(
            ERROR,
            f"floats-{function.name}",
            f"`{function.name}` returns a number with a decimal point where a {where} is wanted.",
            "Use // instead of /; what is a word here and a literal there becomes a float, too, "
            "also in two returns: make both words, np.uint64(...).",
        )
