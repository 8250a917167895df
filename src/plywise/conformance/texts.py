"""What holds of texts: moves and positions are written, told apart, and read back."""

from collections.abc import Iterator

from plywise.conformance.findings import WARNING, Finding, Spot
from plywise.errors import PlywiseError
from plywise.game import Game

INVERSE = "`parse_position` must be the inverse of `format_position`."
BY_CELLS = (
    "`from_cells` must be the inverse of `cells`; and no board shows two pieces on one cell, so "
    "`moves` may list no cell that is taken unless `apply` takes off what stands there."
)


def check_move_texts(spot: Spot) -> Iterator[Finding]:
    """Check that every legal move has a text of its own that is read back."""
    texts: dict[str, int] = {}
    for move in spot.moves():
        try:
            text = spot.game.format_move(spot.row, move)
        except Exception as error:
            yield _failure(spot, "format_move", error, move)
            return
        if not text or text.split() != [text]:
            yield spot.finding(
                "move-text",
                f"`format_move` returns {text!r}.",
                "A move is one word without spaces, so that moves can stand in a row.",
                move,
            )
        if text in texts:
            yield spot.finding(
                "move-text-twice",
                f"Two legal moves are both written {text!r}.",
                "`format_move` must tell all legal moves apart.",
                move,
            )
            return
        texts[text] = move
    yield from _check_reading(spot, texts)


def _check_reading(spot: Spot, texts: dict[str, int]) -> Iterator[Finding]:
    for text, move in texts.items():
        try:
            found = int(spot.game.parse_move(spot.row, text))
        except Exception as error:
            yield _failure(spot, "parse_move", error, move)
            return
        if found != move:
            yield spot.finding(
                "parse-move",
                f"`parse_move` reads {text!r} as another move.",
                "It must be the inverse of `format_move`.",
                move,
            )
            return


def check_position_text(spot: Spot) -> Iterator[Finding]:
    """Check that a position's text is read back as one that plays the same."""
    game, row = spot.game, spot.row
    try:
        text = game.format_position(row)
    except Exception as error:
        yield _failure(spot, "format_position", error)
        return
    try:
        again = game.parse_position(text)
    except Exception as error:
        yield _failure(spot, "parse_position", error)
        return
    pairs = {
        "the side to move": (game.side(again), game.side(row)),
        "the result": (game.result(again), game.result(row)),
        "the legal moves": (sorted(Spot(game, again).moves()), sorted(spot.moves())),
        "the hash": (game.hash(again), game.hash(row)),
    }
    differs = [what for what, (one, other) in pairs.items() if one != other]
    if differs:
        yield spot.finding(
            "position-text",
            f"{text!r} is read back as another position, which differs in {' and '.join(differs)}.",
            BY_CELLS if game.is_read_by_cells else INVERSE,
        )


def check_nonsense(game: Game) -> Iterator[Finding]:
    """Check that nonsense is refused in a sentence instead of an accident."""
    row = game.initial()
    for name, ask in (
        ("parse_position", lambda: game.parse_position("no such position")),
        ("parse_move", lambda: game.parse_move(row, "no such move")),
    ):
        try:
            ask()
        except PlywiseError:
            continue
        except Exception as error:
            what = f"`{name}` meets nonsense with {type(error).__name__}: {error}."
        else:
            what = f"`{name}` accepts nonsense."
        hint = "return None" if name == "parse_move" else "raise BadPosition with a sentence"
        yield Finding(WARNING, f"nonsense-{name}", what, f"Let it {hint} (plywise.errors).")


def _failure(spot: Spot, name: str, error: Exception, move: int | None = None) -> Finding:
    subject = "text" if name.startswith("parse") else "position"
    return spot.finding(
        name.replace("_", "-"),
        f"`{name}` fails: {type(error).__name__}: {error}",
        f"It is plain Python; it must answer for every {subject} of a game.",
        move,
    )
