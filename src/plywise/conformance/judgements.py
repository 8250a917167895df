"""Whether what a game brings to judge positions answers as an evaluator should."""

from collections.abc import Iterator

import numpy as np

from plywise.conformance.compile_errors import explain_compile_error, is_from_compiler
from plywise.conformance.findings import ERROR, Finding, Spot
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.game import Game, Rows


def check_judgements(game: Game, positions: Rows) -> Iterator[Finding]:
    """Check that every evaluator of a game's own that needs no learning judges in [-1, 1]."""
    for name in game.about.evaluators:
        try:
            evaluator = make_evaluator(name, game)
            values = np.zeros(0) if evaluator.weights else Model(evaluator).values(positions)
        except Exception as error:  # whatever the compiler or the author's function raises
            yield _failure(name, error)
            continue
        for value, row in zip(values, positions, strict=False):
            if not -1 <= value <= 1:
                yield Spot(game, row).finding(
                    f"judge-{name}",
                    f"The evaluator {name!r} says {value:g}.",
                    "A value is in [-1, 1], for the side to move: divide by the most there can be.",
                )
                break


def _failure(name: str, error: Exception) -> Finding:
    told = explain_compile_error(error) if is_from_compiler(error) else str(error)
    return Finding(
        ERROR,
        f"judge-{name}",
        f"The evaluator {name!r} fails: {told}",
        "It takes a position and returns one number; it is compiled like the rules.",
    )
