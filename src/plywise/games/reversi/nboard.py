"""How the NBoard protocol writes reversi: moves F5 and PA, boards as in GGF.

    8 ---------------------------O*------*O--------------------------- *

Rows from the top, `*` black, `O` white, `-` empty; then the side to move.
"""

from plywise.errors import BadPosition
from plywise.game import Game, Row
from plywise.game.notation import Notation

SIDES = "*O"
LETTERS = {0: "-", 1: "*", -1: "O"}
PASS = "PA"


def nboard_notation(game: Game) -> Notation:
    """Return how NBoard writes the game."""

    def format_move(position: Row, move: int) -> str:
        text = game.format_move(position, move)
        return PASS if text == "pass" else text.upper()

    def format_position(position: Row) -> str:
        board = "".join(LETTERS[int(code)] for code in game.cells(position))
        return f"8 {board} {SIDES[game.side(position)]}"

    def parse_position(text: str) -> Row:
        size, *parts = text.split() or [""]
        board, side = "".join(parts)[:-1], "".join(parts)[-1:]
        codes = {letter: code for code, letter in LETTERS.items()}
        if size != "8" or len(board) != 64 or set(board) - set(codes) or side not in SIDES:
            raise BadPosition(f"{text!r} is not a board of GGF with 8 x 8 squares and a side.")
        return game.from_cells([codes[letter] for letter in board], SIDES.index(side))

    return Notation(game, format_move, format_position, parse_position)
