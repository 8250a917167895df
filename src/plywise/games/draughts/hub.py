"""How the Hub protocol writes draughts.

Hub comes from draughts on 100 squares, where White moves first and up the list of squares. So the
side that begins is called W here and the squares are listed from 32 to 1, as pydraughts does:

    Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww      the first position

A capture names start, end, and the captured squares in ascending order: 15x29x18x25.
"""

from plywise.errors import BadPosition
from plywise.game import Game, Row
from plywise.game.notation import Notation
from plywise.games.draughts.rules import bit_of, square_of

VARIANT = "english"  # what other programs call it
SIDES = "WB"
EMPTY = "e"
SQUARES = range(32, 0, -1)


def hub_notation(game: Game) -> Notation:
    """Return how Hub writes the game."""

    def format_position(position: Row) -> str:
        mine, theirs, state = (int(word) for word in position)
        mover = game.side(position)
        own, other = ("wb", "bw")[mover]

        def letter_on(square: int) -> str:
            bit = 1 << bit_of(square)
            letter = own if mine & bit else other if theirs & bit else EMPTY
            return letter.upper() if letter != EMPTY and state & bit else letter

        return SIDES[mover] + "".join(letter_on(square) for square in SQUARES)

    def parse_position(text: str) -> Row:
        side, board = text[:1], text[1:]
        if side not in SIDES or len(board) != len(SQUARES) or set(board) - set("wbWBe"):
            raise BadPosition(f"{text!r} is not a position of Hub: a side and 32 squares.")
        lists: dict[str, list[str]] = {"w": [], "b": []}
        for square, letter in zip(SQUARES, board, strict=True):
            if letter != EMPTY:
                lists[letter.lower()].append(f"{'K' if letter.isupper() else ''}{square}")
        first, second = ",".join(lists["w"]), ",".join(lists["b"])
        return game.parse_position(f"{'BW'[SIDES.index(side)]}:W{second}:B{first}")

    def format_move(_: Row, move: int) -> str:
        return format_hub_move(move)

    return Notation(game, format_move, format_position, parse_position, VARIANT)


def format_hub_move(move: int) -> str:
    """Return a move with all that it captures."""
    start, end, taken = square_of(move & 63), square_of(move >> 6 & 63), move >> 12
    if not taken:
        return f"{start}-{end}"
    captured = [square for square in range(1, 33) if taken >> bit_of(square) & 1]
    return "x".join(str(square) for square in (start, end, *captured))
