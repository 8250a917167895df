"""What holds of texts: moves and positions are written, told apart, and read back."""

from collections.abc import Iterator
from pathlib import Path

from plywise.conformance.findings import WARNING, Finding, Spot
from plywise.errors import PlywiseError
from plywise.game import Game
from plywise.picture.picture import LETTERS
from plywise.system.user_files import place_of

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
        if text == "None" and _returns_nothing(spot, move):
            yield spot.finding(
                "move-text",
                "`format_move` returns nothing.",
                "Let every way through it end with a `return` of a text such as b3.",
                move,
            )
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


def _returns_nothing(spot: Spot, move: int) -> bool:
    """Return whether the author's `format_move` has no answer."""
    own = spot.game._format_move
    return own is not None and own(tuple(int(word) for word in spot.row), move) is None


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
    if game.is_read_by_cells and (strange := set(game.cells(row).tolist()) - set(LETTERS)):
        yield spot.finding(
            "position-text",
            f"`cells` writes {max(strange, key=abs)}, and a board as text has letters for two "
            "kinds of pieces a side.",
            "Write format_position(position) and parse_position(text) in place of `from_cells`.",
        )
        return
    try:
        text = game.format_position(row)
    except Exception as error:
        yield _failure(spot, "format_position", error)
        return
    try:
        again = game.parse_position(text)
    except Exception as error:
        reader = "from_cells" if game.is_read_by_cells else "parse_position"
        yield _failure(spot, reader, error)
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
    place = place_of(error)
    where = f" ({Path(place).name})" if place else ""
    rule = name.replace("_", "-")
    if name == "format_move" and isinstance(error, IndexError | KeyError):
        return spot.finding(
            rule,
            f"`moves` lists {move}, for which `format_move` finds no cell{where}.",
            "Perhaps the move leads off the board, or the picture has too few cells: look at the "
            "bounds in `moves`, then at what `format_move` takes out of a move.",
            move,
        )
    subject = "text" if name.startswith("parse") else "position"
    return spot.finding(
        rule,
        f"`{name}` fails: {type(error).__name__}: {str(error).rstrip('.')}{where}.",
        f"It is plain Python; it must answer for every {subject} of a game.",
        move,
    )
