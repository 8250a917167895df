"""What the compiler says of a function that it refuses, in plain words with a cure."""

import difflib
import dis
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

from plywise.game.functions import BY_NAME
from plywise.kernel import is_plain, plain_functions

PACKAGE = Path(__file__).parent.parent
GAMES = PACKAGE / "games"
MARK = r"_[0-9a-f]{10}(?:_exact)?"  # what a bundle adds to the names of its functions

Author = Callable[..., Any] | None

BITS_OF_FLOAT = r">>> (?:i?(?:and|or|xor)_?|invert)\([^)]*float|>>> i?[lr]shift\(float"
SHIFT_BY_FLOAT = r">>> i?[lr]shift\([^)]*float"
UNEVEN_ROWS = (
    r"Tuple\((?:UniTuple\(\w+ x (\d+)\), .*UniTuple\(\w+ x (?!\1\))"
    r"|(?:UniTuple\([^)]*\), )+u?int64)"
)
PARTS_OF_NUMBER = (
    r">>> (?:static_)?getitem\(u?int\d+,|getiter with parameters \(u?int|"
    r"failed to unpack u?int"
)
WRONG_LENGTH = r"wrong tuple length.*expected (\d+), got (\d+)"
MIXED_RETURNS = r"Can't unify return type"
UNDEFINED = r"name '(\w+)' is not defined"

REASONS = (  # what a message of Numba says, in plain words
    (r"STORE_GLOBAL", "it changes a global"),
    (r"IMPORT_NAME", "it imports something"),
    (UNDEFINED, "`{0}` is not defined"),
    (BITS_OF_FLOAT, "a variable has become a number with a decimal point, which has no bits"),
    (SHIFT_BY_FLOAT, "it shifts bits by a number with a decimal point"),
    (UNEVEN_ROWS, "the rows of a table have different lengths"),
    (PARTS_OF_NUMBER, "it takes a single number for a tuple"),
    (r"tuple index out of range", "it reads behind the end of a tuple"),
    (r"runaway recursion", "it calls itself without an end"),
    (WRONG_LENGTH, "it takes {0} words out of a tuple that has {1}"),
    (rf"{MIXED_RETURNS}.*list\(", "it returns a list in one place and a number in another"),
    (MIXED_RETURNS, "its `return`s give different kinds of answers"),
    (r"Untyped global name '(\w+)'.*<class 'type'>", "`{0}` is a class"),
    (r"Untyped global name '(\w+)'.*\n?.*<class '(?:[^']*\.)?(\w+)'>", "`{0}` is a {1}"),
    (r"The use of a (?:reflected )?(\w+).* assigned to variable '(\w+)'", "`{1}` is a {0}"),
    (r"unsupported opcode \((\w+)\)", "it uses what cannot be compiled, {0}"),
)

CURES = (  # what mends it, the first that fits
    (r"setitem\(readonly", "A table is a constant: what changes belongs to the position."),
    (
        r"STORE_GLOBAL|global .* assign",
        "Rules change nothing outside: what changes belongs to the position.",
    ),
    (r"IMPORT_NAME", "Put the import at the top of the file."),
    (
        r"Untyped global|not supported as globals",
        "A table is a tuple, or a NumPy array of numbers.",
    ),
    (r"runaway recursion", "Let a way that does not call the function again come first."),
    (r"setitem\(UniTuple", "A position is a tuple and does not change: return a new one."),
    (
        BITS_OF_FLOAT,
        "That comes of a variable which is a word in one place and has met a plain number in "
        "another: keep it a word, as in `theirs &= ~np.uint64(1 << cell)` or `ONE = np.uint64(1)`; "
        "and divide by // only.",
    ),
    (SHIFT_BY_FLOAT, "Bits shift by whole numbers only: use // instead of /."),
    (UNEVEN_ROWS, "Give every row as many numbers as the others; a row of one is `(1,)`."),
)
ANYTHING_ELSE = (
    "Rules are compiled: numbers, tuples, loops and functions of your own work; "
    "strings, dictionaries and classes do not."
)
MOVES_ARE_WRITTEN = "Write the moves into `out`, from out[0] on, and return how many there are."


def is_from_compiler(error: Exception) -> bool:
    return type(error).__module__.startswith("numba.")


def explain_compile_error(error: Exception) -> str:
    """Return one sentence for an error of the compiler: which function, which line, what."""
    text = str(error)
    called = re.findall(rf"Dispatcher\(<function (\w+?)(?:{MARK})? at", text)
    name = next((name for name in reversed(called) if name in BY_NAME), None)
    if name is None:
        return f"A function cannot be compiled: {_reason(text)}{_place(text) or _shown(text)}."
    return compile_fault(name, 0, text)[0]


def compile_fault(name: str, words: int, text: str, author: Author = None) -> tuple[str, str]:
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
    place = _place(text) or _shown(text) or _place_of_name(text, author)
    what = f"`{name}` cannot be compiled: {_reason(text)}{place}."
    return what, _cure(name, words, text, author)


def _cure(name: str, words: int, text: str, author: Author) -> str:
    """Return what to do about a message of Numba."""
    last = f"position[{words - 1}]" if words else "the last one that the game says"
    if "tuple index out of range" in text or re.search(WRONG_LENGTH, text):
        return f"The words of a position are position[0] to {last}."
    if missing := re.search(UNDEFINED, text):
        return _cure_of_name(missing[1], author)
    if re.search(PARTS_OF_NUMBER, text):
        return f"It is called as `{BY_NAME[name].call}`, in this order; a move is one number."
    if re.search(MIXED_RETURNS, text):
        return MOVES_ARE_WRITTEN if is_list_of_moves(name) else f"Always return {_wanted(name)}."
    return next((cure for pattern, cure in CURES if re.search(pattern, text)), ANYTHING_ELSE)


def is_list_of_moves(name: str) -> bool:
    """Return whether a function writes a list of moves."""
    return name in ("moves", "noisy_moves")


def _wanted(name: str) -> str:
    """Return what a function must return, in words."""
    return "a tuple of words" if BY_NAME[name].returns == "position" else "a number"


def _return_fault(name: str, words: int, text: str) -> tuple[str, str] | None:
    """Return what is wrong with what a function returns, None if it is something else."""
    is_position = BY_NAME[name].returns == "position"
    if "Casting none to" in text:
        ending = "return count" if name == "moves" else "return ..."
        return (
            f"`{name}` returns nothing.",
            f"It must return {_wanted(name)}: end it with `{ending}`.",
        )
    if "OptionalType" in text:
        return (
            f"`{name}` returns {_wanted(name)} on some ways and nothing on others.",
            "Let every way through it end with a `return`.",
        )
    if "tuple index out of range" in text and is_position:
        count = f"words={words}" if words else "a number of words"
        return (
            f"`{name}` returns too few words: the game says {count}.",
            "Return one value per word, or say the right number of words to Game.",
        )
    if "getitem" in text and is_position:
        return (
            f"`{name}` does not return {_wanted(name)}.",
            "Write `return mine, theirs, turn`; for one word, `return (word,)`.",
        )
    return None


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


# ---------------------------------------------------------------- where it is


def _place(text: str) -> str:
    """Return the innermost line of the author's that a message of Numba names."""
    return _first_place(re.findall(r" (?:at|from) (\S.*?) \((\d+)\)", text))


def _shown(text: str) -> str:
    """Return the innermost line of the author's that a message of Numba shows."""
    return _first_place(re.findall(r'File "([^"]+)", line (\d+)', text))


def _first_place(places: list[tuple[str, str]]) -> str:
    """Return the first of some files and lines that is the author's."""
    for path, line in places:
        parents = Path(path).resolve().parents
        if path != "<string>" and (PACKAGE not in parents or GAMES in parents):
            return f" ({Path(path).name}, line {line})"
    return ""


def _place_of_name(text: str, author: Author) -> str:
    """Return the line on which an author's function uses a name that is not defined."""
    missing = re.search(UNDEFINED, text)
    for function in _functions(author) if missing else []:
        for step in dis.get_instructions(function):
            line = step.positions.lineno if step.positions else None
            if missing and step.opname == "LOAD_GLOBAL" and step.argval == missing[1] and line:
                return f" ({Path(function.__code__.co_filename).name}, line {line})"
    return ""


def _functions(author: Author) -> list[FunctionType]:
    """Return an author's function and those that it calls."""
    plain = getattr(author, "py_func", author)
    return plain_functions(plain) if isinstance(plain, FunctionType) and is_plain(plain) else []


def _cure_of_name(name: str, author: Author) -> str:
    """Return what to do about a name that is not defined."""
    if name in getattr(sys.modules["plywise"], "__all__", ()):
        return f"Import it at the top of the file: from plywise import {name}."
    known = {
        one
        for function in _functions(author)
        for one in (*function.__code__.co_varnames, *function.__globals__)
        if not one.startswith("_")
    }
    near = difflib.get_close_matches(name, sorted(known), n=1)
    meant = f"Did you mean `{near[0]}`? If not, define" if near else "Define"
    return f"{meant} `{name}` in the file, or give it a value before this line."
