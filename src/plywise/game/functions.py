"""The compiled functions of a game, declared once: what an author may write, and what it means.

`Game` and its help, `plywise check` and the guide for authors all read this table.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from plywise.kernel import bits

Function = Callable[..., Any]

THEMES = 1024  # what moves may be about, and one more for a pass
NO_CLOCK = 1 << 30  # a game without a clock: every earlier position may be repeated

CASTS = {  # what a function returns: how that is given its one type
    "position": "as_words({})",
    "whole number": "int64({})",
    "word": "uint64({})",
    "true or false": "bool({})",
    "nothing": "{}",
}


@dataclass(frozen=True)
class RuleFunction:
    """One function that an author writes and Numba compiles."""

    name: str
    parameters: str
    returns: str  # one of CASTS
    meaning: str
    default: str = ""  # the expression that stands for it; a required function has none
    otherwise: str = ""  # what holds where it is not given, in words

    @property
    def is_required(self) -> bool:
        return not self.default

    @property
    def call(self) -> str:
        """Return how it is called: `apply(position, move)`."""
        return f"{self.name}({self.parameters})"


FUNCTIONS = (
    RuleFunction("initial", "", "position", "the first position"),
    RuleFunction(
        "moves", "position, out", "whole number", "write the legal moves, return how many"
    ),
    RuleFunction("apply", "position, move", "position", "the position after the move"),
    RuleFunction(
        "result",
        "position",
        "whole number",
        "`ONGOING`, or `LOSS`, `DRAW`, `WIN` for the side to move",
    ),
    RuleFunction("side", "position", "whole number", "who is to move: 0 for who begins, or 1"),
    RuleFunction(
        "cells",
        "position, out",
        "nothing",
        "write a code for each cell: 0 empty, above 0 side 0, below 0 side 1",
        "0",
        "no board is drawn",
    ),
    RuleFunction(
        "noisy",
        "position, move",
        "true or false",
        "whether quiescence must follow a move, such as a capture",
        "False",
        "search stops at its depth",
    ),
    RuleFunction(
        "is_quiet",
        "position",
        "true or false",
        "whether no legal move is noisy; spares the list of moves at leaves",
        "True",
        "`noisy` is asked of every move",
    ),
    RuleFunction(
        "count",
        "position, out",
        "whole number",
        "how many moves, where that is quicker; `out` is scratch",
        "0",
        "`moves` counts them",
    ),
    RuleFunction(
        "hash",
        "position",
        "word",
        "equal where repetition takes positions for the same",
        "mix(position)",
        "all words count",
    ),
    RuleFunction(
        "clock",
        "position",
        "whole number",
        "plies since the last move that cannot be taken back",
        str(NO_CLOCK),
        "any earlier position may be repeated",
    ),
    RuleFunction(
        "inputs",
        "position, out",
        "nothing",
        "write what a learner looks at, side 0 positive",
        "0",
        "the cells and the side to move",
    ),
    RuleFunction(
        "pieces",
        "position",
        "whole number",
        "how many pieces are on the board",
        "0",
        "cells that are not empty are counted",
    ),
    RuleFunction(
        "stuck",
        "position",
        "whole number",
        "the result where there is no legal move; `result` then need not look for moves",
        "0",
        "`result` notices it",
    ),
    RuleFunction(
        "in_check",
        "position",
        "true or false",
        "whether the side to move has to answer a threat",
        "False",
        "never",
    ),
    RuleFunction(
        "null",
        "position",
        "position",
        "the position after a pass, where a pass can only harm",
        "position",
        "search tries no pass",
    ),
    RuleFunction(
        "rank",
        "position, move",
        "whole number",
        "the order in which noisy moves are tried, the highest first",
        "0",
        "as `moves` lists them",
    ),
    RuleFunction(
        "noisy_moves",
        "position, out",
        "whole number",
        "write the noisy moves only, return how many; quiescence may then decline them anywhere",
        "0",
        "`moves` are listed, and `noisy` is asked of each",
    ),
    RuleFunction(
        "gain",
        "position, move",
        "whole number",
        "what a move wins at once, in hundredths of the smallest piece",
        "0",
        "no capture is left out because it wins too little",
    ),
    RuleFunction(
        "exchange",
        "position, move, least",
        "true or false",
        "whether a move still wins at least so much when all have taken back on its square",
        "True",
        "no capture is left out or put off because it loses",
    ),
    RuleFunction(
        "may_pass",
        "position",
        "true or false",
        "whether a pass can only harm here, where `null` is given",
        "True",
        "everywhere",
    ),
    RuleFunction(
        "theme",
        "position, move",
        "whole number",
        f"from 0 to {THEMES - 2}: what a move is about, such as which piece goes where",
        "mix((move,)) % uint64(THEMES - 1)",
        "every move has its own, as far as they go",
    ),
    RuleFunction(
        "read_move",
        "position, text, begin, stop",
        "word",
        "the legal move that the bytes `text[begin:stop]` name, or why there is none",
        "0",
        "texts of all moves are compared, and no files are read in batches",
    ),
    RuleFunction(
        "write_move",
        "position, move, out",
        "whole number",
        "write the text of a move as bytes, return how many",
        "0",
        "`format_move` does it, in plain Python",
    ),
)
BY_NAME = {function.name: function for function in FUNCTIONS}
REQUIRED = tuple(function.name for function in FUNCTIONS if function.is_required)
OPTIONAL = tuple(function.name for function in FUNCTIONS if not function.is_required)


def functions_table() -> str:
    """Return the table of the guide for authors, in Markdown."""
    rows = ["| function | returns | meaning | where it is missing |", "|---|---|---|---|"]
    for function in FUNCTIONS:
        otherwise = function.otherwise or "(every game has it)"
        rows.append(
            f"| `{function.call}` | {function.returns} | {function.meaning} | {otherwise} |"
        )
    return "\n".join(rows)


def functions_help() -> str:
    """Return the table as plain lines, for `help(Game)`."""
    width = max(len(function.call) for function in FUNCTIONS)
    return "\n".join(
        f"    {function.call:{width}}  {function.meaning.replace('`', '')}"
        for function in FUNCTIONS
    )


def rule_members(words: int, given: Mapping[str, Function]) -> dict[str, Function]:
    """Return the functions that kernels call, with everything cast to its one type.

    How many words a position has is known only now, so the conversions are made from text.
    """
    some = range(words)
    source = f"""
def load(row):
    return ({"".join(f"row[{i}], " for i in some)})

def store(position, row):
    {"; ".join(f"row[{i}] = position[{i}]" for i in some)}

def load_at(rows, index):
    return ({"".join(f"rows[index, {i}], " for i in some)})

def store_at(position, rows, index):
    {"; ".join(f"rows[index, {i}] = position[{i}]" for i in some)}

def as_words(position):
    return ({"".join(f"uint64(position[{i}]), " for i in some)})
"""
    for name, function in BY_NAME.items():
        body = f"author_{function.call}" if name in given else function.default
        body = CASTS[function.returns].format(body)
        source += f"\ndef {function.call}:\n    return {body}\n"
    scope: dict[str, Any] = {"uint64": np.uint64, "int64": np.int64, "mix": bits.mix}
    scope["THEMES"] = THEMES
    scope |= {f"author_{name}": function for name, function in given.items()}
    exec(source, scope)
    return {name: scope[name] for name in ("load", "store", "load_at", "store_at", *BY_NAME)}
