"""Chess as a game: its rules with FEN, SAN and UCI, its picture, and what it says of itself.

A move is written in SAN. UCI, and SAN with more or less than it needs, are read as well.
"""

import functools
import re
from collections.abc import Sequence

import numpy as np

from plywise.errors import BadPosition
from plywise.game import About, Bench, Game, Row
from plywise.game.notation import Notation
from plywise.games.chess import exchange, fen, rules
from plywise.games.chess.fen import LETTERS, square_name
from plywise.picture import Grid, Piece

CASTLING, PASSING = int(rules.CASTLING), int(rules.PASSING)
FIRST_PROMOTION = int(rules.TO_KNIGHT)
SAN = re.compile(r"([NBRQK]?)([a-h]?[1-8]?)[x:-]?([a-h][1-8])=?\(?([NBRQ]?)\)?", re.ASCII)
UCI = re.compile(r"([a-h][1-8][a-h][1-8])([nbrq]?)", re.ASCII)
TEXTS_KEPT = 1 << 12
CASTLES = {"O-O": "g", "0-0": "g", "O-O-O": "c", "0-0-0": "c"}


def _row(position: Sequence[int]) -> Row:
    return np.array(position, np.uint64)


# ---------------------------------------------------------------- moves as text


def promotion_of(move: int) -> str:
    """Return the letter of the piece that a pawn becomes, none for other moves."""
    kind = move >> 12
    return LETTERS[kind - FIRST_PROMOTION + 2] if kind >= FIRST_PROMOTION else ""


def format_uci(move: int) -> str:
    """Return a move as UCI writes it: e2e4, e7e8q, e1g1."""
    start, end = square_name(move & 63), square_name(move >> 6 & 63)
    return start + end + promotion_of(move).lower()


def _kind_on(position: Sequence[int], square: int) -> int:
    planes = (position[plane] >> square & 1 for plane in (1, 2, 3))
    return fen.PLANES.index(sum(bit << place for place, bit in enumerate(planes)))


@functools.lru_cache(TEXTS_KEPT)
def format_move(position: tuple[int, ...], move: int) -> str:
    """Return a move in SAN; to read a move, all legal ones are written again and again."""
    row = _row(position)
    after = chess.apply(row, move)
    text = _san_without_check(position, move, row)
    if not chess.in_check(after):
        return text
    return text + ("#" if chess.count_moves(after) == 0 else "+")


def _san_without_check(position: tuple[int, ...], move: int, row: Row) -> str:
    start, end, kind = move & 63, move >> 6 & 63, move >> 12
    if kind == CASTLING:
        return "O-O" if end % 8 == 6 else "O-O-O"
    piece = _kind_on(position, start)
    takes = "x" if kind == PASSING or _kind_on(position, end) else ""
    if piece == rules.PAWN:
        file = square_name(start)[0] if takes else ""
        promotion = f"={promotion_of(move)}" if promotion_of(move) else ""
        return f"{file}{takes}{square_name(end)}{promotion}"
    return f"{LETTERS[piece]}{_origin(position, move, row)}{takes}{square_name(end)}"


def _origin(position: tuple[int, ...], move: int, row: Row) -> str:
    """Return what SAN says of the start: file, rank or both, if others of the kind get there."""
    start, end = move & 63, move >> 6 & 63
    piece = _kind_on(position, start)
    if piece == rules.KING:
        return ""
    others = [int(other) & 63 for other in chess.legal_moves(row) if int(other) >> 6 & 63 == end]
    rivals = [s for s in others if s != start and _kind_on(position, s) == piece]
    if not rivals:
        return ""
    if all(rival % 8 != start % 8 for rival in rivals):
        return square_name(start)[0]
    if all(rival // 8 != start // 8 for rival in rivals):
        return square_name(start)[1]
    return square_name(start)


def parse_move(position: tuple[int, ...], text: str) -> int | None:
    """Return the one legal move that a text fits: UCI, or SAN with or without its signs."""
    legal = [int(move) for move in chess.legal_moves(_row(position))]
    if UCI.fullmatch(text):
        fitting = [move for move in legal if format_uci(move) == text]
    else:
        fitting = _moves_of_san(position, legal, re.sub(r"[+#!?]*$", "", text))
    return fitting[0] if len(fitting) == 1 else None


def _moves_of_san(position: tuple[int, ...], legal: list[int], text: str) -> list[int]:
    if text in CASTLES:
        file = CASTLES[text]
        castles = [move for move in legal if move >> 12 == CASTLING]
        return [move for move in castles if square_name(move >> 6 & 63)[0] == file]
    found = SAN.fullmatch(text)
    if found is None:
        return []
    letter, origin, end, promotion = found.groups()
    piece = LETTERS.index(letter) if letter else rules.PAWN

    def fits(move: int) -> bool:
        start = square_name(move & 63)
        is_from_there = all(sign in start for sign in origin)
        is_kind = move >> 12 != CASTLING and _kind_on(position, move & 63) == piece
        is_end = square_name(move >> 6 & 63) == end and promotion_of(move) == promotion
        return is_kind and is_end and is_from_there

    return [move for move in legal if fits(move)]


def uci_notation(game: Game) -> Notation:
    """Return how UCI and CECP write chess."""
    return Notation(
        game, lambda _, move: format_uci(move), game.format_position, game.parse_position
    )


# ---------------------------------------------------------------- positions as text


def parse_position(text: str) -> tuple[int, ...]:
    """Return the position of a FEN; en passant that nobody can do is forgotten."""
    words = fen.parse_fen(text)
    mine, p, d, s, state = words
    others_turn = ((p | d | s) & ~mine, p, d, s, state ^ 1 << int(rules.SIDE))
    if chess.in_check(_row(others_turn)):
        raise BadPosition(f"The side that is not to move is in check in {text!r}.")
    kinds = {int(move) >> 12 for move in chess.legal_moves(_row(words))}
    if PASSING not in kinds:
        state &= ~(63 << int(rules.BEHIND))
    return mine, p, d, s, state


def from_cells(codes: Sequence[int], mover: int) -> tuple[int, ...]:
    """Return the position with these pieces; kings and rooks where they began have not moved."""
    kinds = [int(codes[square ^ 56]) for square in range(64)]
    fen.check_pieces(kinds, "the cells")
    rights = 0
    for bit, (letter, rook) in enumerate(fen.ROOKS_AT_HOME.items()):
        sign, king = (1, 4) if letter.isupper() else (-1, 60)
        if kinds[king] == 6 * sign and kinds[rook] == 4 * sign:
            rights |= 1 << bit
    return fen.from_kinds(kinds, mover, rights | 1 << int(rules.NUMBER))


# ---------------------------------------------------------------- the game


NAMES = ("pawn", "knight", "bishop", "rook", "queen", "king")
GLYPHS = "♟♞♝♜♛♚"
PIECES = {
    sign * (place + 1): Piece(GLYPHS[place], name, owner=owner)
    for owner, sign in enumerate((1, -1))
    for place, name in enumerate(NAMES)
}
KINDS = len(NAMES)
TURNED = [cell ^ 56 for cell in range(64)]  # the board seen from the other side

ABOUT = About(
    evaluators={"classic": "plywise.games.chess.judgement:classic"},
    search="alphabeta,selective=on",
    perft_past_draws=True,
    notations={
        "uci": "plywise.games.chess.game:uci_notation",
        "cecp": "plywise.games.chess.game:uci_notation",
    },
    bench=Bench(
        depth=10,
        positions=(
            "start",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 b - - 3 9",
            "8/2k2p2/1p3p1p/p1pP3P/P1P2PP1/1P1K4/8/8 w - - 0 40",
        ),
    ),
)

chess = Game(
    "chess",
    words=5,
    initial=rules.initial,
    moves=rules.moves,
    apply=rules.apply,
    result=rules.result,
    side=rules.side,
    count=rules.count,
    hash=rules.hash,
    clock=rules.clock,
    noisy=rules.noisy,
    is_quiet=rules.is_quiet,
    pieces=rules.pieces,
    stuck=rules.stuck,
    in_check=rules.in_check,
    null=rules.null,
    rank=rules.rank,
    noisy_moves=rules.noisy_moves,
    gain=exchange.gain,
    exchange=exchange.exchange,
    may_pass=rules.may_pass,
    theme=rules.theme,
    max_moves=rules.MOST_MOVES,
    repetitions=3,
    clock_limit=rules.QUIET_LIMIT,
    mirror=[*(cell * KINDS + kind for cell in TURNED for kind in range(KINDS)), 64 * KINDS],
    cell_mirror=TURNED,
    sides=("white", "black"),
    cells=rules.cells,
    from_cells=from_cells,
    picture=Grid(8, 8, pieces=PIECES, checkered=True),
    format_move=format_move,
    parse_move=parse_move,
    format_position=fen.format_fen,
    parse_position=parse_position,
    about=ABOUT,
)
