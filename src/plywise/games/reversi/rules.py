"""Reversi (Othello).

Bit 8 * row + column, a1 at the upper left is bit 0, h8 at the lower right bit 63.
A position is (mine, theirs, side). A move is a square, 0-63, or PASS.
"""

import numpy as np

from plywise.game import DRAW, LOSS, ONGOING, WIN, About, Bench, Game, Row
from plywise.game.bitboards import cells, from_cells
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word, lowest, popcount
from plywise.picture import Grid

PASS = np.uint64(64)
INNER = np.uint64(0x7E7E7E7E7E7E7E7E)  # all but the files a and h
EVERY = np.uint64(0xFFFFFFFFFFFFFFFF)
WHITE_START = np.uint64(1 << 27 | 1 << 36)  # d4 e5
BLACK_START = np.uint64(1 << 28 | 1 << 35)  # e4 d5

# A direction is a shift and what of the opponent's discs a line may run over: not across the edge.
DIRECTIONS = tuple(
    (np.uint64(shift), inner) for shift, inner in ((1, INNER), (7, INNER), (8, EVERY), (9, INNER))
)


def initial() -> Position:
    return BLACK_START, WHITE_START, ZERO


def side(position: Position) -> Whole:
    return np.int64(position[2])


def lines_up(start: Word, over: Word, shift: Word) -> Word:
    """Return the discs of `over` that stand in unbroken lines above the start, by doubling."""
    double = shift + shift
    line = over & (start << shift)
    line |= over & (line << shift)
    pairs = over & (over << shift)
    line |= pairs & (line << double)
    return line | (pairs & (line << double))  # six at most: no line is longer


def lines_down(start: Word, over: Word, shift: Word) -> Word:
    """Return the same below the start."""
    double = shift + shift
    line = over & (start >> shift)
    line |= over & (line >> shift)
    pairs = over & (over >> shift)
    line |= pairs & (line >> double)
    return line | (pairs & (line >> double))


def targets(mine: Word, theirs: Word) -> Word:
    """Return the empty squares on which a disc of mine would turn at least one of theirs."""
    found = ZERO
    for shift, inner in DIRECTIONS:
        over = theirs & inner
        found |= lines_up(mine, over, shift) << shift
        found |= lines_down(mine, over, shift) >> shift
    return found & ~(mine | theirs)


def turned(mine: Word, theirs: Word, placed: Word) -> Word:
    """Return the discs that a disc on an empty square turns."""
    found = ZERO
    for shift, inner in DIRECTIONS:
        over = theirs & inner
        up, down = lines_up(placed, over, shift), lines_down(placed, over, shift)
        if (up << shift) & mine != ZERO:
            found |= up
        if (down >> shift) & mine != ZERO:
            found |= down
    return found


def moves(position: Position, out: Row) -> Whole:
    mine, theirs, _ = position
    free = targets(mine, theirs)
    if free == ZERO:
        out[0] = PASS
        return 1
    count = 0
    while free != ZERO:
        out[count] = lowest(free)
        count += 1
        free &= free - ONE
    return count


def count(position: Position, out: Row) -> Whole:
    return max(1, popcount(targets(position[0], position[1])))


def apply(position: Position, move: Word) -> Position:
    mine, theirs, turn = position
    if move == PASS:
        return theirs, mine, turn ^ ONE
    placed = ONE << move
    flipped = turned(mine, theirs, placed)
    return theirs ^ flipped, mine | placed | flipped, turn ^ ONE


def result(position: Position) -> Whole:
    mine, theirs, _ = position
    if targets(mine, theirs) != ZERO or targets(theirs, mine) != ZERO:
        return ONGOING
    lead = popcount(mine) - popcount(theirs)
    return WIN if lead > 0 else (LOSS if lead < 0 else DRAW)


def format_move(position: tuple[int, ...], move: int) -> str:
    return "pass" if move == PASS else BOARD.cells[move].name


def parse_move(position: tuple[int, ...], text: str) -> int | None:
    return int(PASS) if text.lower() in ("--", "ps", "pa") else None


BOARD = Grid(8, 8, row_labels="12345678")  # row 1 is at the top

ABOUT = About(
    evaluators={
        "positional": "plywise.games.reversi.judgement:positional",
        "pieces": "plywise.games.reversi.judgement:pieces",
    },
    notations={"nboard": "plywise.games.reversi.nboard:nboard_notation"},
    bench=Bench(
        depth=8,
        positions=(
            "start",
            "......../......../...x..../..oxx.../...xo.../....xo../......../........ x",
            "..oooo../..oooo../xxoxooo./xxxooxo./xxoxxoo./xxxxoo../..xxxx../..x..x.. o",
        ),
    ),
)

reversi = Game(
    "reversi",
    words=3,
    initial=initial,
    moves=moves,
    apply=apply,
    result=result,
    side=side,
    count=count,
    max_moves=64,
    sides=("black", "white"),
    cells=cells,
    mirror=range(65),  # who plays black and who white makes no difference
    cell_mirror=range(64),
    from_cells=from_cells,
    format_move=format_move,
    parse_move=parse_move,
    picture=BOARD,
    about=ABOUT,
)
