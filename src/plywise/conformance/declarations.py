"""What an author tells `Game` apart from functions, and what could be told in addition."""

from collections.abc import Iterator

from plywise.conformance.findings import ERROR, NOTE, Finding
from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.game import Game


def check_declarations(game: Game) -> Iterator[Finding]:
    """Check names and numbers."""
    if len(set(game.sides)) != 2 or not all(game.sides):
        yield Finding(
            ERROR,
            "sides",
            f"The sides are called {game.sides!r}.",
            'Give two different names: sides=("black", "white").',
        )
    if game.about.default_evaluator:
        try:
            make_evaluator(game.about.default_evaluator, game)
        except PlywiseError as error:
            yield Finding(
                ERROR, "default-evaluator", str(error), "Name one of its own, or a general one."
            )
    inputs = game.rules.input_count
    if game.rules.has_inputs != (inputs > 0):
        yield Finding(
            ERROR,
            "input-count",
            f"`inputs` and input_count={inputs} do not go together.",
            "Give both or neither: input_count says how many numbers `inputs` writes.",
        )
    if game.mirror and sorted(game.mirror) != list(range(inputs)):
        yield Finding(
            ERROR,
            "mirror",
            f"`mirror` does not rearrange the {inputs} inputs.",
            "It names, for every input, the one that takes its place, each once.",
        )


def suggest(game: Game) -> Iterator[Finding]:
    """Name the optional functions that would make a game better."""
    if not game.rules.has_cells:
        yield Finding(
            NOTE,
            "no-cells",
            "There is no board to draw: `cells` is missing.",
            "Write cells(position, out) and give picture=Grid(rows, columns).",
        )
    elif game.picture is None:
        yield Finding(
            NOTE, "no-picture", "`cells` is there, but no picture.", "Give picture=Grid(8, 8)."
        )
    if game._format_move is None and game.picture is None:
        yield Finding(
            NOTE,
            "no-format-move",
            "Moves are written as bare numbers: `format_move` is missing.",
            "Write format_move(position, move); it returns a text such as b3.",
        )
    if not game.rules.has_noisy:
        yield Finding(
            NOTE,
            "no-noisy",
            "Search stops amid exchanges: `noisy` is missing.",
            "Where pieces are taken, write noisy(position, move): whether a move takes one.",
        )
