"""A first look at rules: what would break a command in its midst, in a few quick random games."""

from collections.abc import Iterator

import numpy as np

from plywise.conformance.compile_errors import is_from_compiler
from plywise.conformance.findings import (
    FAR,
    ROOM,
    Finding,
    Seen,
    Spot,
    format_words,
    is_written_past,
    room_for_moves,
)
from plywise.conformance.functions import outside, raw_moves
from plywise.conformance.playing import check_start, check_step, failure
from plywise.conformance.positions import check_answers, check_moves
from plywise.game import ONGOING, Game, Row
from plywise.system.watching import note

GAMES, PLIES = 3, 300
LONG = 500  # plies, as in a match


def first_fault(game: Game) -> Finding | None:
    """Return the first fault that a few random games meet, or None."""
    for seed in range(GAMES):
        found = next(_faults(game, np.random.default_rng(seed)), None)
        if found is not None:
            return found
    note("")
    return None


def seems_endless(game: Game) -> bool:
    """Return whether games may last for ever: random ones do, and no rule ends them."""
    if game.repetitions or game.rules.clock_limit > 0:
        return False
    is_endless = not any(_ends(game, np.random.default_rng(seed)) for seed in range(GAMES))
    note("")
    return is_endless


def _ends(game: Game, generator: np.random.Generator) -> bool:
    """Return whether a random game ends before it is long."""
    row = game.initial()
    for _ in range(LONG):
        note(f"position {format_words(row)}")
        if game.result(row) != ONGOING:
            return True
        row = game.apply(row, generator.choice(game.legal_moves(row)))
    return False


def _faults(game: Game, generator: np.random.Generator) -> Iterator[Finding]:
    """Play a random game and yield what is wrong in it."""
    note("`initial`")
    row = game.initial()
    note(f"position {format_words(row)}")
    try:
        yield from _at_the_start(game, row)
        for _ in range(PLIES):
            note(f"position {format_words(row)}")
            yield from check_answers(Spot(game, row))
            if game.result(row) != ONGOING:
                return
            yield from check_moves(Spot(game, row))
            move = generator.choice(game.legal_moves(row))
            after = game.apply(row, move)
            yield from check_step(Spot(game, row), move, after, Seen(row))
            row = after
    except Exception as error:  # whatever the author's functions raise
        if is_from_compiler(error):
            raise
        yield failure(Spot(game, row), error)


def _at_the_start(game: Game, row: Row) -> Iterator[Finding]:
    """Yield what is wrong before the first move."""
    yield from check_start(game)
    moves = room_for_moves(game, FAR)
    raw_moves(game.rules, row, moves)
    if is_written_past(moves, by=ROOM):
        yield outside("moves")
