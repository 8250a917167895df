"""Duchess for six players."""

from naive import duchess
from naive.duchess import State, apply, format_position, moves, parse_position, perft, result, side

__all__ = [
    "apply",
    "format_position",
    "initial",
    "moves",
    "parse_position",
    "perft",
    "result",
    "side",
]


def initial() -> State:
    """Return the first position."""
    return duchess.initial(6)
