"""What holds in every position: moves, count, noise, hash, cells and inputs agree."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from plywise.conformance.findings import (
    UNTOUCHED_CODE,
    Finding,
    Seen,
    Spot,
    has_errors,
    is_written_past,
    room_for_codes,
    room_for_inputs,
    room_for_moves,
)
from plywise.conformance.functions import (
    author_of,
    passed,
    raw_cells,
    raw_count,
    raw_inputs,
    raw_moves,
    raw_noisy_moves,
    raw_result,
    raw_theme,
)
from plywise.conformance.texts import check_move_texts, check_position_text
from plywise.game import Game, Row
from plywise.game.declared import MOST_MOVES
from plywise.game.functions import THEMES
from plywise.game.results import DRAW, LOSS, ONGOING, WIN


def check_position(game: Game, row: Row, seen: Seen) -> Iterator[Finding]:
    """Check everything about one position that needs no move."""
    seen.positions += 1
    seen.used |= row
    spot = Spot(game, row.copy())
    findings = [*check_divisions(spot), *check_answers(spot), *check_stuck(spot)]
    if game.result(row) == ONGOING and not has_errors(findings):
        findings += check_moves(spot)
    yield from findings
    if has_errors(findings):
        return
    if game.result(row) == ONGOING:
        yield from check_count(spot)
        yield from check_noisy(spot, seen)
        yield from check_noisy_moves(spot)
        yield from check_themes(spot)
        yield from check_null(spot)
        yield from check_move_texts(spot)
    yield from check_hash(spot, seen)
    drawn = list(check_cells(spot)) if game.picture is not None else []
    yield from drawn
    if not has_errors(drawn):  # a board that cannot be drawn cannot be written either
        yield from check_position_text(spot)
    if game.picture is not None:
        seen.held.update(np.flatnonzero(game.cells(row)).tolist())
    if game.rules.input_count:
        yield from check_inputs(spot)
    if not np.array_equal(row, spot.row):
        yield spot.finding("changed", "A function changed the position.", "Return new words.")


def check_answers(spot: Spot) -> Iterator[Finding]:
    """Check that result and side are what they may be."""
    result, side = spot.game.result(spot.row), spot.game.side(spot.row)
    if result not in (LOSS, DRAW, WIN, ONGOING):
        is_stuck = spot.game.rules.has_stuck and raw_result(spot.game.rules, spot.row) == ONGOING
        yield spot.finding(
            "result",
            f"`{'stuck' if is_stuck else 'result'}` says {result}.",
            f"It is one of LOSS {LOSS}, DRAW {DRAW}, WIN {WIN}, ONGOING {ONGOING}.",
        )
    if side not in (0, 1):
        hint = "It is 0 for who begins, else 1: count the sides from 0, not from 1."
        yield spot.finding("side", f"`side` says {side}.", hint)


def check_divisions(spot: Spot) -> Iterator[Finding]:
    """Check that the author's functions, run as plain Python, divide nothing by 0.

    Compiled they do not stop there but go on with whatever comes out.
    """
    game = spot.game
    position = tuple(np.uint64(word) for word in spot.row)
    for name, arguments in (
        ("result", (position,)),
        ("side", (position,)),
        ("moves", (position, room_for_moves(game))),
    ):
        author = author_of(game, name)
        if author is None:
            continue
        try:
            with np.errstate(over="ignore", divide="raise", invalid="raise"):
                getattr(author, "py_func", author)(*arguments)
        except (ZeroDivisionError, FloatingPointError):
            yield spot.finding(
                f"division-{name}",
                f"`{name}` divides by 0 here.",
                "Look whether the number is 0 before dividing by it.",
            )
        except Exception:  # what works compiled only, such as the bits of the kernel package
            continue


def check_stuck(spot: Spot) -> Iterator[Finding]:
    """Check that a game with `stuck` is over exactly where there is no legal move."""
    game, row = spot.game, spot.row
    if not game.rules.has_stuck or raw_result(game.rules, row) != ONGOING:
        return
    listed = int(raw_moves(game.rules, row, room_for_moves(game)))
    if listed == 0 and game.result(row) == ONGOING:
        yield spot.finding(
            "stuck",
            "There is no legal move, and `stuck` says that the game goes on.",
            f"It is one of LOSS {LOSS}, DRAW {DRAW}, WIN {WIN}, for the side to move.",
        )
    elif listed > 0 and game.result(row) != ONGOING:
        yield spot.finding(
            "stuck",
            f"`stuck` ends the game, but `moves` lists {listed} moves.",
            "It is asked where `count` says 0: let `count` agree with `moves`.",
        )


def check_moves(spot: Spot) -> Iterator[Finding]:
    """Check the list of moves of a game that goes on."""
    game = spot.game
    room = room_for_moves(game)
    count = int(raw_moves(game.rules, spot.row, room))
    if not 0 < count <= game.max_moves:
        yield _bad_count(spot, count)
        return
    if is_written_past(room):
        yield _written_past(spot, "moves")
        return
    listed = room[:count].tolist()
    twice = [move for move, times in Counter(listed).items() if times > 1]
    if twice:
        text = spot.move_text(twice[0])
        yield spot.finding(
            "duplicate-move", f"`moves` lists {text} twice.", "List each move once.", twice[0]
        )
    again = room_for_moves(game)
    if raw_moves(game.rules, spot.row, again) != count or again[:count].tolist() != listed:
        yield spot.finding(
            "random-moves",
            "`moves` lists other moves when it is asked again.",
            "It may read the position only; fill every place of `out` that you count.",
        )


def _bad_count(spot: Spot, count: int) -> Finding:
    if count == 0:
        return spot.finding(
            "no-moves",
            "The game goes on, but there is no move.",
            "Let `result` end the game there; or say it by stuck(position), the result where there "
            "is no move; or let `moves` list a move that passes.",
        )
    if not 0 < count <= MOST_MOVES:
        return spot.finding(
            "move-count", f"`moves` returns {count}.", "Return how many moves it wrote."
        )
    return spot.finding(
        "max-moves",
        f"There are {count} moves, but the game says max_moves={spot.game.max_moves}.",
        f"Say max_moves={count} or more to Game.",
    )


def _written_past(spot: Spot, function: str) -> Finding:
    places = spot.game.max_moves
    return spot.finding(
        "max-moves",
        f"`{function}` writes past the end of `out`, which has {places} places.",
        f"Say max_moves={places + 1} or more; a scratch place counts too.",
    )


def check_count(spot: Spot) -> Iterator[Finding]:
    """Check `count` against the list."""
    game = spot.game
    if not game.rules.has_count:
        return
    room = room_for_moves(game)
    count = int(raw_count(game.rules, spot.row, room))
    listed = len(spot.moves())
    if count != listed:
        yield spot.finding(
            "count",
            f"`count` says {count}, but `moves` lists {listed}.",
            "Mend it or leave it out: it is only there to be quicker.",
        )
    if is_written_past(room):
        yield _written_past(spot, "count")


def check_noisy(spot: Spot, seen: Seen) -> Iterator[Finding]:
    """Check `is_quiet` against `noisy` of every move."""
    game, row = spot.game, spot.row
    if not game.rules.has_noisy:
        return
    moves = spot.moves()
    noisy = [game.noisy(row, move) for move in moves]
    seen.noisy.update(noisy)
    if game.is_quiet(row) == any(noisy):
        yield spot.finding(
            "is-quiet",
            f"`is_quiet` says {game.is_quiet(row)}, but `noisy` is true for {sum(noisy)} moves.",
            "`is_quiet` is true exactly where no legal move is noisy.",
            moves[noisy.index(True)] if any(noisy) else None,
        )


def check_noisy_moves(spot: Spot) -> Iterator[Finding]:
    """Check the list of noisy moves against `noisy` of every move."""
    game, row = spot.game, spot.row
    if not game.rules.has_noisy_moves:
        return
    room = room_for_moves(game)
    listed = room[: int(raw_noisy_moves(game.rules, row, room))].tolist()
    expected = [move for move in spot.moves() if game.noisy(row, move)]
    if sorted(listed) != sorted(expected):
        yield spot.finding(
            "noisy-moves",
            f"`noisy_moves` lists {len(listed)} moves, but `noisy` is true for {len(expected)}.",
            "It lists exactly the legal moves that are noisy.",
        )


def check_themes(spot: Spot) -> Iterator[Finding]:
    """Check that what moves are about is within its range."""
    game, row = spot.game, spot.row
    if not game.rules.has_theme:
        return
    for move in spot.moves():
        theme = int(raw_theme(game.rules, row, np.uint64(move)))
        if not 0 <= theme < THEMES - 1:
            yield spot.finding(
                "theme", f"`theme` says {theme}.", f"It is from 0 to {THEMES - 2}.", move
            )
            return


def check_null(spot: Spot) -> Iterator[Finding]:
    """Check that a pass hands the turn to the other side."""
    game, row = spot.game, spot.row
    if not game.rules.has_null:
        return
    after = passed(game, row)
    if game.side(after) == game.side(row):
        yield spot.finding(
            "null",
            f"After `null` {game.sides[game.side(row)]} is to move again.",
            "A pass changes whose turn it is, and nothing else on the board.",
        )
    elif game.picture is not None and not np.array_equal(game.cells(after), game.cells(row)):
        yield spot.finding(
            "null",
            "`null` changes the board.",
            "A pass changes whose turn it is, and nothing else on the board.",
        )


def check_hash(spot: Spot, seen: Seen) -> Iterator[Finding]:
    """Check that equal hashes mean positions which play alike."""
    game, row = spot.game, spot.row
    key = game.hash(row)
    if game.hash(row.copy()) != key:
        yield spot.finding(
            "hash", "`hash` differs for the same position.", "It may read the position only."
        )
    if is_out_of_time(game, row):
        return
    other = Spot(game, seen.hashes.setdefault(key, row))
    if not np.array_equal(other.row, row) and _plays_as(other) != _plays_as(spot):
        yield spot.finding(
            "hash-collision",
            f"`hash` is the same for {other.text()!r}, which plays otherwise.",
            "Let `hash` look at all that matters, the side to move too: mix((mine, theirs, turn)).",
        )


def is_out_of_time(game: Game, row: Row) -> bool:
    """Return whether the clock has ended the game, which `hash` need not see."""
    limit = game.rules.clock_limit
    return bool(limit and game.clock(row) >= limit)


def _plays_as(spot: Spot) -> tuple[Any, ...]:
    """Return what repetition must tell apart."""
    codes = spot.game.cells(spot.row).tolist() if spot.game.picture is not None else []
    return spot.game.side(spot.row), sorted(spot.moves()), codes


def check_cells(spot: Spot) -> Iterator[Finding]:
    """Check that `cells` writes every cell, and codes that the picture has glyphs for."""
    picture = spot.game.picture
    assert picture is not None
    codes = room_for_codes(spot.game)
    raw_cells(spot.game.rules, spot.row, codes)
    if is_written_past(codes):
        yield spot.finding(
            "cell-count",
            f"`cells` writes past the {len(codes)} cells of the picture.",
            "Write one code per cell, for every index below len(out).",
        )
    for index, code in enumerate(codes.tolist()):
        name = picture.cells[index].name or f"number {index}"
        if code == UNTOUCHED_CODE:
            yield spot.finding(
                "cell-unwritten",
                f"`cells` writes nothing for cell {name}.",
                "Write 0 for an empty cell: `out` may hold anything before.",
            )
        elif code != 0 and code not in picture.pieces:
            yield spot.finding(
                "glyph",
                f"`cells` writes {code} for cell {name}, and the picture has no glyph for it.",
                f"Give Grid(..., glyphs={{{code}: '♞', ...}}), one for every code.",
            )


def check_inputs(spot: Spot) -> Iterator[Finding]:
    """Check what a learner is shown."""
    numbers = room_for_inputs(spot.game)
    raw_inputs(spot.game.rules, spot.row, numbers)
    if is_written_past(numbers):
        yield spot.finding(
            "input-count",
            f"`inputs` writes past input_count={len(numbers)}.",
            "Let input_count say how many numbers it writes.",
        )
    if not np.isfinite(numbers).all():
        yield spot.finding(
            "inputs",
            "`inputs` writes a number that is not finite.",
            "Divide by nothing that can be 0.",
        )
