"""What an author tells `Game`, refused in one sentence where it cannot be meant."""

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from plywise.errors import PlywiseError
from plywise.game.functions import BY_NAME, OPTIONAL
from plywise.kernel import INTERPRETED, is_plain, plain_functions
from plywise.picture import Picture

MOST_WORDS, MOST_MOVES, MOST = 256, 1 << 16, 1 << 30
NUMBERS = {  # name: the least and the most that make sense
    "words": (1, MOST_WORDS),
    "max_moves": (1, MOST_MOVES),
    "repetitions": (0, MOST),
    "clock_limit": (0, MOST),
    "input_count": (0, MOST),
}


def require_name(name: object) -> None:
    """Raise if a game cannot be called so."""
    if not isinstance(name, str) or not name.isidentifier():
        raise PlywiseError(f"A game's name is one plain word, not {name!r}.")


def require_known(game: object, given: Iterable[str], parameters: Iterable[str]) -> None:
    """Raise if `Game` knows nothing of a name; the nearest that it knows is told."""
    unknown = sorted(set(given) - set(OPTIONAL))
    if not unknown:
        return
    near = difflib.get_close_matches(unknown[0], [*parameters, *OPTIONAL], n=1)
    raise PlywiseError(
        f"Game {game!r} was given {unknown[0]!r}; did you mean {near[0]}?"
        if near
        else f"Game {game!r} was given {unknown[0]!r}; the optional functions are "
        f"{', '.join(OPTIONAL)}."
    )


def require_numbers(game: str, numbers: Mapping[str, Any]) -> dict[str, int]:
    """Return the numbers as plain ones; raise if one is none, or out of range."""
    for name, number in numbers.items():
        least, most = NUMBERS[name]
        is_whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not is_whole or not least <= number <= most:
            raise PlywiseError(
                f"Game {game!r} says {name}={number!r}; it is a whole number from {least} to "
                f"{most}."
            )
    return {name: int(number) for name, number in numbers.items()}


def require_truth(game: str, name: str, said: object) -> None:
    """Raise unless a value is true or false: a text such as "no" would count as true."""
    if not isinstance(said, bool | np.bool_):
        raise PlywiseError(f"Game {game!r} says {name}={said!r}; it is True or False.")


def require_sides(game: str, sides: object) -> None:
    """Raise if there are not two names that can be printed."""
    names = sides if isinstance(sides, tuple | list) else ()
    if len(names) != 2 or not all(isinstance(one, str) and one.isprintable() for one in names):
        raise PlywiseError(
            f'Game {game!r} says sides={sides!r}; give two names, as in sides=("black", "white").'
        )


def require_picture(game: str, picture: object) -> None:
    """Raise if the picture is none."""
    if picture is not None and not isinstance(picture, Picture):
        raise PlywiseError(
            f"Game {game!r} says picture={picture!r}; give a board, as in picture=Grid(8, 8)."
        )


def require_functions(game: str, functions: Mapping[str, Any]) -> None:
    """Raise if a function of the rules is none that can be compiled, before any is."""
    for name, function in functions.items():
        plain = getattr(function, "py_func", function)
        if not is_plain(plain):
            names = " The names of the sides are `sides`." if name == "side" else ""
            raise PlywiseError(
                f"Game {game!r} was given {function!r} for `{name}`; write a plain function, "
                f"`def {name}(...):`.{names}"
            )
        _require_order(name, plain)
        _require_compilable(name, plain)


def require_texts(game: str, functions: Mapping[str, Callable[..., Any] | None]) -> None:
    """Raise if a function in plain Python is none."""
    for name, function in functions.items():
        if function is not None and not callable(function):
            raise PlywiseError(
                f"Game {game!r} was given {function!r} for `{name}`; it is a function."
            )


def _require_order(name: str, function: Any) -> None:
    """Raise if the parameters of a function have the right names in another order."""
    code = function.__code__
    taken = code.co_varnames[: code.co_argcount]
    wanted = BY_NAME[name].parameters.split(", ") if name in BY_NAME else []
    if sorted(taken) == sorted(wanted) and list(taken) != wanted:
        raise PlywiseError(
            f"`{name}` takes ({', '.join(taken)}) (line {code.co_firstlineno}), but it is called "
            f"with ({', '.join(wanted)}): write `def {BY_NAME[name].call}:`."
        )


def _require_compilable(name: str, function: Any) -> None:
    """Raise if a function does what compiled code would do wrongly, or wait for ever at."""
    for used in plain_functions(function):
        code = used.__code__
        where = f"`{name}`" if used is function else f"`{used.__name__}`, which `{name}` calls,"
        where += f" (line {code.co_firstlineno} and after)"
        if "print" in code.co_names and "print" not in used.__globals__ and not INTERPRETED:
            raise PlywiseError(
                f"{where} prints, which compiled rules cannot: take it out, or set "
                "NUMBA_DISABLE_JIT=1 while you look for a fault."
            )
        if code.co_kwonlyargcount:
            raise PlywiseError(
                f"{where} has a parameter after `*`, which compiled rules cannot have: write it "
                "among the others."
            )
