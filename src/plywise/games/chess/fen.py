"""FEN, the text of a chess position: board, side to move, castling, en passant, clock, number.

The last two may be missing, as in EPD. What only the rules can tell is checked elsewhere.
"""

import re
from collections.abc import Sequence

from plywise.errors import BadPosition
from plywise.games.chess.rules import BEHIND, CLOCK, NUMBER, SIDE

Words = tuple[int, ...]

LETTERS = ".PNBRQK"  # by kind
PLANES = (0b000, 0b001, 0b011, 0b010, 0b100, 0b110, 0b101)  # by kind: p, 2 d, 4 s
RIGHTS_LETTERS = "KQkq"
ROOKS_AT_HOME = dict(zip(RIGHTS_LETTERS, (7, 0, 63, 56), strict=True))
MOST_QUIET = 150  # plies without capture or pawn move: nobody may play on
EXAMPLE = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def square_name(square: int) -> str:
    return "abcdefgh"[square % 8] + "12345678"[square // 8]


def square_of(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * "12345678".index(name[1])


def kinds_of(position: Words) -> list[int]:
    """Return what stands on every square from a1 on: 0 to 6, Black's pieces negative."""
    mine, p, d, s, state = position
    white = mine if not state >> int(SIDE) & 1 else (p | d | s) & ~mine
    kinds = []
    for square in range(64):
        planes = (p >> square & 1) | (d >> square & 1) << 1 | (s >> square & 1) << 2
        kind = PLANES.index(planes)
        kinds.append(kind if white >> square & 1 else -kind)
    return kinds


def from_kinds(kinds: Sequence[int], mover: int, state: int) -> Words:
    """Return the position with these pieces on its squares; `state` without the side to move."""
    mine, planes = 0, [0, 0, 0]
    for square, kind in enumerate(kinds):
        for plane in range(3):
            planes[plane] |= (PLANES[abs(kind)] >> plane & 1) << square
        if kind and (kind < 0) == (mover == 1):
            mine |= 1 << square
    return mine, *planes, state | mover << int(SIDE)


def format_fen(position: Words) -> str:
    """Return the FEN of a position; en passant is named where it can be done."""
    kinds, state = kinds_of(position), position[4]
    rows = ["".join(map(_letter, kinds[first : first + 8])) for first in range(56, -1, -8)]
    board = re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(rows))
    rights = "".join(letter for bit, letter in enumerate(RIGHTS_LETTERS) if state >> bit & 1)
    behind = state >> int(BEHIND) & 63
    passing = square_name(behind) if behind else "-"
    clock, number = state >> int(CLOCK) & 0xFF, state >> int(NUMBER)
    return f"{board} {'wb'[state >> int(SIDE) & 1]} {rights or '-'} {passing} {clock} {number}"


def _letter(kind: int) -> str:
    return LETTERS[kind] if kind >= 0 else LETTERS[-kind].lower()


def parse_fen(text: str) -> Words:
    """Return the position of a FEN, whose squares and numbers make sense each for itself."""
    fields = text.split()
    if len(fields) == 4:
        fields += ["0", "1"]
    pattern = r"\S+ [wb] (-|K?Q?k?q?) (-|[a-h][36]) \d{1,3} \d{1,6}"
    if not re.fullmatch(pattern, " ".join(fields)):
        raise BadPosition(f"{text!r} is no FEN; a position of chess is written like {EXAMPLE}.")
    board, mover, rights, passing, clock, number = fields
    kinds = _parse_board(board)
    _check_rights(kinds, rights, text)
    turn = "wb".index(mover)
    state = sum(1 << bit for bit, letter in enumerate(RIGHTS_LETTERS) if letter in rights)
    if passing != "-":
        _check_passing(kinds, passing, turn, text)
        state |= square_of(passing) << int(BEHIND)
    if int(clock) > MOST_QUIET:
        raise BadPosition(f"{clock} quiet plies in {text!r} are more than {MOST_QUIET}.")
    state |= int(clock) << int(CLOCK) | max(1, int(number)) << int(NUMBER)
    return from_kinds(kinds, turn, state)


def _parse_board(board: str) -> list[int]:
    rows = board.split("/")
    spread = [re.sub(r"[1-8]", lambda gap: int(gap[0]) * ".", row) for row in rows]
    wrong = re.search(r"[^.PNBRQKpnbrqk]", "".join(spread))
    if wrong:
        raise BadPosition(f"{wrong[0]!r} in {board!r} is no piece; pieces are PNBRQK and pnbrqk.")
    if [len(row) for row in spread] != 8 * [8]:
        raise BadPosition(f"{board!r} is not 8 rows of 8 squares with / between.")
    letters = "".join(reversed(spread))
    kinds = [LETTERS.index(x.upper()) * (1 if x.isupper() else -1) for x in letters]
    check_pieces(kinds, board)
    return kinds


def check_pieces(kinds: Sequence[int], board: str) -> None:
    """Refuse pieces that no game leads to: more than can be on the board, or pawns at an edge."""
    for sign, name in ((1, "White"), (-1, "Black")):
        counts = [sum(kind == sign * wanted for kind in kinds) for wanted in range(1, 7)]
        if counts[5] != 1:
            raise BadPosition(f"{name} has {counts[5]} kings in {board!r}.")
        promoted = sum(max(0, n - own) for n, own in zip(counts[1:5], (2, 2, 2, 1), strict=True))
        if counts[0] + promoted > 8:
            raise BadPosition(f"{name} has more pieces in {board!r} than 8 pawns can become.")
    if any(abs(kind) == 1 for kind in (*kinds[:8], *kinds[56:])):
        raise BadPosition(f"A pawn stands on the first or the last rank in {board!r}.")


def _check_rights(kinds: Sequence[int], rights: str, text: str) -> None:
    for letter in rights.replace("-", ""):
        sign = 1 if letter.isupper() else -1
        king = 4 if letter.isupper() else 60
        if kinds[king] != 6 * sign or kinds[ROOKS_AT_HOME[letter]] != 4 * sign:
            raise BadPosition(
                f"Castling {letter} in {text!r} needs the king and the rook where they began."
            )


def _check_passing(kinds: Sequence[int], passing: str, turn: int, text: str) -> None:
    behind, step = square_of(passing), 8 if turn == 0 else -8
    pawn = kinds[behind - step]
    is_clear = kinds[behind] == 0 and kinds[behind + step] == 0
    if passing[1] != "63"[turn] or not is_clear or pawn != (-1 if turn == 0 else 1):
        raise BadPosition(f"No pawn in {text!r} has just passed over {passing}.")
