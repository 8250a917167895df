"""Errors that a person can mend: each message is one sentence that says what would be right."""

import difflib
from collections.abc import Iterable


class PlywiseError(ValueError):
    """Something in the input is wrong; the command line prints it and exits with code 2."""


class BadMove(PlywiseError):
    """A text that names no legal move."""


class BadPosition(PlywiseError):
    """A text that describes no position."""


class Forfeit(PlywiseError):
    """A player has lost its game by what it did; the message begins with the kind of fault."""


class UnknownName(PlywiseError):
    """A name that nothing has, with the nearest ones that exist."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(names)}."
        super().__init__(f"There is no {kind} called {name!r}; {hint}")
