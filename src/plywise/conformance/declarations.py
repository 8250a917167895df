"""What an author tells `Game` apart from functions, and what could be told in addition."""

from collections.abc import Iterator

from rich.cells import cell_len

from plywise.conformance.findings import ERROR, NOTE, WARNING, Finding
from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.game import Game
from plywise.picture.picture import COUNT, CROWNED, DISC
from plywise.picture.terminal import WIDTH

DRAWN = (DISC, CROWNED, COUNT)  # kinds that are drawn as themselves; others as their glyphs


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
    yield from _check_glyphs(game)
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


def _check_glyphs(game: Game) -> Iterator[Finding]:
    """Check that pieces can be told apart, and that glyphs are as wide as a cell lets them."""
    shown: dict[tuple[str, str, int], int] = {}
    for code, piece in game.picture.pieces.items() if game.picture is not None else ():
        kind = piece.kind if piece.kind in DRAWN else ""
        other = shown.setdefault((piece.glyph, kind, piece.owner), code)
        if other != code:
            yield Finding(
                WARNING,
                "same-glyph",
                f"The pieces {other} and {code} of one owner are both drawn as {piece.glyph!r}.",
                "Give each kind of piece a glyph of its own.",
            )
        if cell_len(f"{piece.glyph:^{WIDTH}}") != WIDTH:
            yield Finding(
                WARNING,
                "wide-glyph",
                f"The glyph {piece.glyph!r} of piece {code} is too wide for a cell.",
                "Give one character, such as '♔'; rows of a board would not stand in line.",
            )


def why_no_symmetries(game: Game) -> str:
    """Return why turns and reflections of the board cannot be tried, nothing if they can."""
    if game.about.symmetries:
        return ""
    missing = {
        "cells": not game.rules.has_cells,
        "picture": game.picture is None,
        "from_cells": game._from_cells is None,
    }
    return next((f"the game has no `{name}`" for name, is_so in missing.items() if is_so), "")


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
