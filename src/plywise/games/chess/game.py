"""Chess as a game: its rules with FEN, SAN and UCI, its picture, and what it says of itself.

A move is written in SAN. UCI, and SAN with more or less than it needs, are read as well.
"""

from collections.abc import Sequence

import numpy as np

from plywise.errors import BadPosition
from plywise.game import About, Bench, Game, Row
from plywise.game.notation import Notation
from plywise.games.chess import exchange, fen, rules, san
from plywise.games.chess.fen import LETTERS, square_name
from plywise.picture import Grid, Piece

PASSING = int(rules.PASSING)
FIRST_PROMOTION = int(rules.TO_KNIGHT)


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
    evaluators={
        "classic": "plywise.games.chess.judgement:classic",
        "material": "plywise.games.chess.judgement:material",
    },
    features={"board": "plywise.games.chess.features:board"},
    search="alphabeta,selective=on",
    opponent="alphabeta",
    perft_past_draws=True,
    notations={
        "uci": "plywise.games.chess.game:uci_notation",
        "cecp": "plywise.games.chess.game:uci_notation",
    },
    epd=True,
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
    read_move=san.read_move,
    write_move=san.write_move,
    max_moves=rules.MOST_MOVES,
    repetitions=3,
    clock_limit=rules.QUIET_LIMIT,
    mirror=[*(cell * KINDS + kind for cell in TURNED for kind in range(KINDS)), 64 * KINDS],
    cell_mirror=TURNED,
    sides=("white", "black"),
    cells=rules.cells,
    from_cells=from_cells,
    picture=Grid(8, 8, pieces=PIECES, checkered=True),
    format_position=fen.format_fen,
    parse_position=parse_position,
    about=ABOUT,
)
