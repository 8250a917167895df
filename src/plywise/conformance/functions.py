"""Whether every function of a game compiles and answers, and what the compiler says if not."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

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
from plywise.kernel import Bundle, compiled
from plywise.kernel.bits import Word
from plywise.system.watching import note

PACKAGE = Path(__file__).parent.parent
GAMES = PACKAGE / "games"
MARK = r"_[0-9a-f]{10}(?:_exact)?"  # what a bundle adds to the names of its functions


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
    """Call every compiled function once, so that each is blamed for its own faults only."""
    row = np.zeros(game.words, np.uint64)
    moves = room_for_moves(game, FAR)
    move = np.uint64(0)
    for name in BY_NAME:
        if name in OPTIONAL and not getattr(game.rules, f"has_{name}"):
            continue
        note(f"`{name}`")
        try:
            answer = CALLS[name](game, row, move, moves)
            if is_written_past(moves, by=ROOM):
                moves = room_for_moves(game, FAR)
                raise FarOutside
            if BY_NAME[name].returns == "whole number" and np.ndim(answer) > 0:
                yield _several(name)
                continue
            if name == "initial":
                row = answer
            if name == "moves" and answer > 0:
                move = moves[0]
            yield from _check_answer(game, BY_NAME[name], row, move)
        except Exception as error:  # whatever the compiler or the author's function raises
            yield _failure(game, name, error)


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
    if name in ("moves", "noisy_moves"):
        hint = "Write the moves into `out`, from out[0] on, and return how many there are."
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
        what, hint = _compile_fault(name, game.words, str(error))
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


# ---------------------------------------------------------------- what the compiler says


def is_from_compiler(error: Exception) -> bool:
    return type(error).__module__.startswith("numba.")


def explain_compile_error(error: Exception) -> str:
    """Return one sentence for an error of the compiler: which function, which line, what."""
    text = str(error)
    called = re.findall(rf"Dispatcher\(<function (\w+?)(?:{MARK})? at", text)
    name = next((name for name in reversed(called) if name in BY_NAME), None)
    if name is None:
        return f"A function cannot be compiled: {_reason(text)}{_place(text)}."
    return _compile_fault(name, 0, text)[0]


def _compile_fault(name: str, words: int, text: str) -> tuple[str, str]:
    """Return what is wrong with a function that does not compile, and how to mend it."""
    if _place(text) == "":  # it went wrong where Game casts what the function returned
        fault = _return_fault(name, words, text)
        if fault is not None:
            return fault
    bound = re.search(r"to signature '(\([^']*\))'", text)
    if bound:
        return (
            f"`{name}` takes {bound[1]}, but it is called with ({BY_NAME[name].parameters}).",
            f"Write `def {BY_NAME[name].call}:`.",
        )
    what = f"`{name}` cannot be compiled: {_reason(text)}{_place(text)}."
    if "tuple index out of range" in text:
        last = f"position[{words - 1}]" if words else "the last one that the game says"
        return what, f"The words of a position are position[0] to {last}."
    missing = re.search(r"name '(\w+)' is not defined", text)
    if missing:
        return what, f"Define `{missing[1]}`, or import it: from plywise import {missing[1]}."
    if "setitem(readonly" in text:
        return what, "A table is a constant: what changes belongs to the position."
    if re.search(r"STORE_GLOBAL|global .* assign", text):
        return what, "Rules change nothing outside: what changes belongs to the position."
    if "IMPORT_NAME" in text:
        return what, "Put the import at the top of the file."
    if "Untyped global" in text or "not supported as globals" in text:
        return what, "A table is a tuple, or a NumPy array of numbers."
    if "runaway recursion" in text:
        return what, "Let a way that does not call the function again come first."
    if "setitem(UniTuple" in text:
        return what, "A position is a tuple and does not change: return a new one."
    if re.search(r"[lr]shift\([^)]*float", text):
        return what, "Bits shift whole numbers only: use // instead of /."
    return what, (
        "Rules are compiled: numbers, tuples, loops and functions of your own work; "
        "strings, dictionaries and classes do not."
    )


def _return_fault(name: str, words: int, text: str) -> tuple[str, str] | None:
    """Return what is wrong with what a function returns, None if it is something else."""
    wanted = "a tuple of words" if BY_NAME[name].returns == "position" else "a number"
    if "Casting none to" in text:
        ending = "return count" if name == "moves" else "return ..."
        return f"`{name}` returns nothing.", f"It must return {wanted}: end it with `{ending}`."
    if "OptionalType" in text:
        return (
            f"`{name}` returns {wanted} on some ways and nothing on others.",
            "Let every way through it end with a `return`.",
        )
    if "tuple index out of range" in text:
        count = f"words={words}" if words else "a number of words"
        return (
            f"`{name}` returns too few words: the game says {count}.",
            "Return one value per word, or say the right number of words to Game.",
        )
    if "getitem" in text and wanted == "a tuple of words":
        return (
            f"`{name}` does not return {wanted}.",
            "Write `return mine, theirs, turn`; for one word, `return (word,)`.",
        )
    return None


REASONS = (  # what a message of Numba says, in plain words
    (r"STORE_GLOBAL", "it changes a global"),
    (r"IMPORT_NAME", "it imports something"),
    (r"Untyped global name '(\w+)'.*<class 'type'>", "`{0}` is a class"),
    (r"Untyped global name '(\w+)'.*\n?.*<class '(\w+)'>", "`{0}` is a {1}"),
    (r"The use of a (?:reflected )?(\w+).* assigned to variable '(\w+)'", "`{1}` is a {0}"),
    (r"unsupported opcode \((\w+)\)", "it uses what cannot be compiled, {0}"),
)


def _reason(text: str) -> str:
    """Return the first line of a message of Numba that tells something."""
    lines = [line.strip() for line in text.splitlines()]
    told = [line for line in lines if line and not line.startswith("Failed in nopython mode")]
    for pattern, words in REASONS:
        if found := re.search(pattern, text):
            return words.format(*found.groups())
    call = re.search(r">>> (.+)", text)
    if told and told[0].startswith("No implementation of function") and call:
        return f"there is no {call[1].strip()}"
    return told[0].rstrip(".") if told else "Numba gives no reason"


def _place(text: str) -> str:
    """Return the innermost line of the author's that a message of Numba names."""
    for path, line in re.findall(r" (?:at|from) (\S.*?) \((\d+)\)", text):
        if path != "<string>" and (
            PACKAGE not in Path(path).parents or GAMES in Path(path).parents
        ):
            return f" ({Path(path).name}, line {line})"
    return ""
