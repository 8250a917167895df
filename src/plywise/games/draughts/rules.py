"""English draughts (checkers).

Squares 1-32 are numbered from Black's side; Black moves first and towards higher numbers.
Inside a word, square s is bit (s - 1) + (s - 1) // 8: after every two rows one bit stays
unused, so that a diagonal step is a shift by 4 or 5 everywhere, and leaving the board
lands on an unused bit:

    square     1   2   3   4            bit     0   1   2   3
             5   6   7   8                    4   5   6   7
               9  10  11  12                    9  10  11  12      (8 is unused)
            13  14  15  16                   13  14  15  16
              17  18  19  20                   18  19  20  21     (17 is unused)

A position is (mine, theirs, state): the pieces of the side to move and of the other side;
`state` has the kings of both in its low bits, the side to move in bit 35 and the plies
since the last capture or man's move from bit 36 on.

A move has the start in bits 0-5, the end in bits 6-11 and the captured pieces from bit 12
on: jumps that differ only in their route are therefore one and the same move.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plywise.errors import BadPosition
from plywise.game import DRAW, LOSS, ONGOING, About, Bench, Game, Row
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word, lowest, mix, popcount
from plywise.picture import Grid, Piece

Tour = tuple[Word, Word, Word, bool, bool, int]


def bit_of(square: int) -> int:
    """Return the bit of a square 1-32."""
    return (square - 1) + (square - 1) // 8


_SQUARE_OF = {bit_of(square): square for square in range(1, 33)}
BOARD = np.uint64(sum(1 << bit for bit in _SQUARE_OF))
BLACK_HOME = np.uint64(sum(1 << bit_of(square) for square in range(1, 5)))  # where White is crowned
WHITE_HOME = np.uint64(sum(1 << bit_of(square) for square in range(29, 33)))
BLACK_START = np.uint64(sum(1 << bit_of(square) for square in range(1, 13)))
WHITE_START = np.uint64(sum(1 << bit_of(square) for square in range(21, 33)))

FOUR, FIVE, EIGHT, TEN = (np.uint64(n) for n in (4, 5, 8, 10))
TO, TAKEN, SIX_BITS = np.uint64(6), np.uint64(12), np.uint64(63)
SIDE = np.uint64(35)
CLOCK = np.uint64(36)
SIDE_BIT = ONE << SIDE
CLOCK_STEP = ONE << CLOCK
SAME = (ONE << CLOCK) - ONE  # the part of `state` that repetition looks at

QUIET_LIMIT = 80


def initial() -> Position:
    return BLACK_START, WHITE_START, ZERO


def side(position: Position) -> Whole:
    return np.int64((position[2] >> SIDE) & ONE)


def clock(position: Position) -> Whole:
    return np.int64(position[2] >> CLOCK)


def hash(position: Position) -> Word:
    mine, theirs, state = position
    return mix((mine, theirs, state & SAME))


# ---------------------------------------------------------------- who can move


def upward(position: Position) -> Word:
    """Return the pieces that may move to higher squares: Black's, and kings."""
    mine, _, state = position
    return mine if state & SIDE_BIT == ZERO else mine & state


def downward(position: Position) -> Word:
    """Return the pieces that may move to lower squares: White's, and kings."""
    mine, _, state = position
    return mine & state if state & SIDE_BIT == ZERO else mine


def jumpers(position: Position) -> Word:
    """Return the pieces that can take."""
    mine, theirs, _ = position
    empty = BOARD & ~(mine | theirs)
    up = (((empty >> FOUR) & theirs) >> FOUR) | (((empty >> FIVE) & theirs) >> FIVE)
    down = (((empty << FOUR) & theirs) << FOUR) | (((empty << FIVE) & theirs) << FIVE)
    return (up & upward(position)) | (down & downward(position))


def can_step(position: Position) -> bool:
    mine, theirs, _ = position
    empty = BOARD & ~(mine | theirs)
    up = upward(position) & ((empty >> FOUR) | (empty >> FIVE))
    return bool((up | (downward(position) & ((empty << FOUR) | (empty << FIVE)))) != ZERO)


def is_quiet(position: Position) -> bool:
    return bool(jumpers(position) == ZERO)


def noisy(position: Position, move: Word) -> bool:
    return bool(move >> TAKEN != ZERO)


def result(position: Position) -> Whole:
    if not can_step(position) and jumpers(position) == ZERO:
        return LOSS
    if position[2] >> CLOCK >= QUIET_LIMIT:
        return DRAW
    return ONGOING


# ---------------------------------------------------------------- moves


def moves(position: Position, out: Row) -> Whole:
    can_take = jumpers(position)
    if can_take != ZERO:
        return captures(position, can_take, out)
    mine, theirs, _ = position
    empty = BOARD & ~(mine | theirs)
    up, down = upward(position), downward(position)
    count = 0
    count = steps(((up << FOUR) & empty), -4, out, count)
    count = steps(((up << FIVE) & empty), -5, out, count)
    count = steps(((down >> FOUR) & empty), 4, out, count)
    return steps(((down >> FIVE) & empty), 5, out, count)


def steps(ends: Word, back: Whole, out: Row, count: Whole) -> Whole:
    """Write the moves that end on the given squares and begin `back` bits away."""
    while ends != ZERO:
        end = lowest(ends)
        out[count] = np.uint64(end + back) | (np.uint64(end) << TO)
        count += 1
        ends &= ends - ONE
    return count


def captures(position: Position, can_take: Word, out: Row) -> Whole:
    mine, theirs, state = position
    empty = BOARD & ~(mine | theirs)
    up, down = upward(position), downward(position)
    count = 0
    while can_take != ZERO:
        start = can_take & (ZERO - can_take)
        climbs, falls = up & start != ZERO, down & start != ZERO
        king_row = ZERO if state & start != ZERO else (WHITE_HOME if climbs else BLACK_HOME)
        tour = (start, empty | start, king_row, climbs, falls, count)
        count = jump_on(tour, start, theirs, ZERO, out, count)
        can_take ^= start
    return count


def jump_on(tour: Tour, at: Word, theirs: Word, taken: Word, out: Row, count: Whole) -> Whole:
    """Write all jumps of one piece that go on from a square; return the new count.

    The tour: its start, the squares it may land on, the row that ends it (none for a king),
    whether it may go up and down, and how many moves other pieces have in `out`.
    """
    start, free, king_row, climbs, falls, first = tour
    before = count
    is_crowned = at & king_row != ZERO
    if climbs and not is_crowned:
        over = (at << FOUR) & theirs
        if (over << FOUR) & free != ZERO:
            count = jump_on(tour, over << FOUR, theirs ^ over, taken | over, out, count)
            before = -1
        over = (at << FIVE) & theirs
        if (over << FIVE) & free != ZERO:
            count = jump_on(tour, over << FIVE, theirs ^ over, taken | over, out, count)
            before = -1
    if falls and not is_crowned:
        over = (at >> FOUR) & theirs
        if (over >> FOUR) & free != ZERO:
            count = jump_on(tour, over >> FOUR, theirs ^ over, taken | over, out, count)
            before = -1
        over = (at >> FIVE) & theirs
        if (over >> FIVE) & free != ZERO:
            count = jump_on(tour, over >> FIVE, theirs ^ over, taken | over, out, count)
            before = -1
    if before < 0:  # there was a jump to go on with
        return count
    move = np.uint64(lowest(start)) | (np.uint64(lowest(at)) << TO) | (taken << TAKEN)
    for index in range(first, count):
        if out[index] == move:  # the same pieces by another route
            return count
    out[count] = move
    return count + 1


def count(position: Position, out: Row) -> Whole:
    can_take = jumpers(position)
    if can_take != ZERO:
        return captures(position, can_take, out)
    mine, theirs, _ = position
    empty = BOARD & ~(mine | theirs)
    up, down = upward(position), downward(position)
    total = popcount((up << FOUR) & empty) + popcount((up << FIVE) & empty)
    return total + popcount((down >> FOUR) & empty) + popcount((down >> FIVE) & empty)


def apply(position: Position, move: Word) -> Position:
    mine, theirs, state = position
    start = ONE << (move & SIX_BITS)
    end = ONE << ((move >> TO) & SIX_BITS)
    taken = move >> TAKEN
    was_king = state & start
    mine = (mine ^ start) | end
    kings = state & BOARD & ~(taken | start)
    if was_king != ZERO:
        kings |= end
    else:
        kings |= end & (BLACK_HOME | WHITE_HOME)
    clock = state & ~SAME
    clock = clock + CLOCK_STEP if was_king != ZERO and taken == ZERO else ZERO
    return theirs & ~taken, mine, kings | ((state ^ SIDE_BIT) & SIDE_BIT) | clock


def inputs(position: Position, out: Any) -> None:
    """Write the 32 squares: a man is 1, a king 1.5, White's negative."""
    mine, theirs, state = position
    sign = np.float32(1.0) if state & SIDE_BIT == ZERO else np.float32(-1.0)
    for square in range(32):
        bit = np.uint64(square + (square >> 3))
        kind = np.float32(1.0) + np.float32(0.5) * np.float32((state >> bit) & ONE)
        owner = np.float32((mine >> bit) & ONE) - np.float32((theirs >> bit) & ONE)
        out[square] = sign * kind * owner


def pieces(position: Position) -> Whole:
    return popcount(position[0] | position[1])


# ---------------------------------------------------------------- text


def square_of(bit: int) -> int:
    return _SQUARE_OF[bit]


def _routes(position: tuple[int, ...], move: int) -> list[tuple[int, ...]]:
    """Return all ways of a capture as squares, least first."""
    mine, theirs, state = position
    start, end, taken = move & 63, move >> 6 & 63, move >> 12
    is_king = state >> start & 1
    ups = is_king or not state & int(SIDE_BIT)
    downs = is_king or state & int(SIDE_BIT)
    directions = [d for d in (4, 5) if ups] + [-d for d in (4, 5) if downs]
    free = int(BOARD) & ~(mine | theirs) | 1 << start
    found = []

    def walk(at: int, left: int, path: tuple[int, ...]) -> None:
        if not left and at == end:
            found.append(path)
        for direction in directions:
            over, land = at + direction, at + 2 * direction
            if land >= 0 and left >> over & 1 and free >> land & 1:
                walk(land, left ^ 1 << over, (*path, square_of(land)))

    walk(start, taken, (square_of(start),))
    return sorted(found)


def format_move(position: tuple[int, ...], move: int) -> str:
    start, end = square_of(move & 63), square_of(move >> 6 & 63)
    if not move >> 12:
        return f"{start}-{end}"
    rivals = draughts.legal_moves(np.array(position, np.uint64))
    alike = [other for other in rivals if int(other) & 0xFFF == move & 0xFFF]
    if len(alike) == 1:
        return f"{start}x{end}"
    return "x".join(str(square) for square in _routes(position, move)[0])


def parse_move(position: tuple[int, ...], text: str) -> int | None:
    """Return the one move that fits: from and to, or a whole path by any route."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if len(numbers) < 2 or re.sub(r"[\d\sxX:-]", "", text):
        return None
    legal = [int(move) for move in draughts.legal_moves(np.array(position, np.uint64))]
    on_route = [
        move
        for move in legal
        if tuple(numbers) in (_routes(position, move) if move >> 12 else [()])
    ]
    ends = [move for move in legal if [square_of(move & 63), square_of(move >> 6 & 63)] == numbers]
    fitting = on_route or ends
    return fitting[0] if len(fitting) == 1 else None


def format_position(position: tuple[int, ...]) -> str:
    mine, theirs, state = position
    mover = state >> int(SIDE) & 1
    black, white = (theirs, mine) if mover else (mine, theirs)
    quiet = state >> int(CLOCK)

    def listed(pieces: int) -> str:
        squares = [bit for bit in sorted(_SQUARE_OF) if pieces >> bit & 1]
        return ",".join(f"{'K' if state >> b & 1 else ''}{square_of(b)}" for b in squares)

    text = f"{'BW'[mover]}:W{listed(white)}:B{listed(black)}"
    return f"{text}:H{quiet}" if quiet else text


_FEN = "a draughts position is written like B:W21,22,K30:B1,2,3"


def parse_position(text: str) -> tuple[int, int, int]:
    """Return the position of a PDN FEN: ranges, either colour first, a final dot are fine."""
    mover, *lists = text.strip().rstrip(".").replace(" ", "").upper().split(":")
    quiet = 0
    if len(lists) == 3 and re.fullmatch(r"H\d+", lists[2]):
        quiet = int(lists.pop()[1:])
    if mover not in ("B", "W") or sorted(part[:1] for part in lists) != ["B", "W"]:
        raise BadPosition(f"{text!r} cannot be read; {_FEN}.")
    pieces = {"B": 0, "W": 0}
    kings = 0
    for part in lists:
        for item in filter(None, part[1:].split(",")):
            fits = re.fullmatch(r"(K?)(\d+)(?:-(\d+))?", item)
            if not fits:
                raise BadPosition(f"{item!r} in {text!r} is no square; {_FEN}.")
            first, last = int(fits[2]), int(fits[3] or fits[2])
            if not 1 <= first <= last <= 32:
                raise BadPosition(f"{item!r} in {text!r} is no square of 1-32.")
            for square in range(first, last + 1):
                bit = 1 << bit_of(square)
                if (pieces["B"] | pieces["W"]) & bit:
                    raise BadPosition(f"Square {square} is taken twice in {text!r}.")
                pieces[part[0]] |= bit
                kings |= bit if fits[1] else 0
    uncrowned = pieces["B"] & ~kings & int(WHITE_HOME) | pieces["W"] & ~kings & int(BLACK_HOME)
    if uncrowned:
        square = square_of(uncrowned.bit_length() - 1)
        raise BadPosition(
            f"Square {square} in {text!r} holds a man on its king row: write K{square}."
        )
    if quiet > QUIET_LIMIT:
        raise BadPosition(
            f"H{quiet} in {text!r} is more than the {QUIET_LIMIT} quiet plies of a draw."
        )
    mine, theirs = ("B", "W") if mover == "B" else ("W", "B")
    state = kings | "BW".index(mover) << int(SIDE) | quiet << int(CLOCK)
    return pieces[mine], pieces[theirs], state


# ---------------------------------------------------------------- picture


def _cell_of(square: int) -> int:
    """Return the place of a square among 64 cells, White's side at the bottom."""
    row, place = divmod(square - 1, 4)
    return 8 * row + 2 * place + (1 - row % 2)


_CELLS = np.array([_cell_of(square) for square in range(1, 33)])
_NAMES = [""] * 64
for _square in range(1, 33):
    _NAMES[_cell_of(_square)] = str(_square)


def cells(position: Position, out: Any) -> None:
    """Write men as 1 and kings as 2, White's negative, on the 64 cells of the board."""
    mine, theirs, state = position
    sign = 1 if state & SIDE_BIT == ZERO else -1
    for cell in range(64):
        out[cell] = 0
    for square in range(32):
        bit = np.uint64(square + (square >> 3))
        kind = 1 + np.int64((state >> bit) & ONE)
        owner = np.int64((mine >> bit) & ONE) - np.int64((theirs >> bit) & ONE)
        out[_CELLS[square]] = sign * owner * kind


PIECES = {
    1: Piece("●", "disc", owner=0),
    2: Piece("♛", "crowned", owner=0),
    -1: Piece("●", "disc", owner=1),
    -2: Piece("♛", "crowned", owner=1),
}

ABOUT = About(
    evaluators={
        "material": "plywise.games.draughts.judgement:material",
        "featuremap": "plywise.games.draughts.featuremap:featuremap",
        "subsquares": "plywise.games.draughts.windows:subsquares",
        "blondie": "plywise.games.draughts.windows:blondie",
        "anaconda": "plywise.games.draughts.windows:anaconda",
    },
    features={"board": "plywise.games.draughts.board:board"},
    classifiers={"map": "plywise.games.draughts.classifier:feature_map"},
    openings=Path(__file__).with_name("openings.tsv"),
    pdn_type="21",
    notations={"hub": "plywise.games.draughts.hub:hub_notation"},
    bench=Bench(
        depth=13,
        positions=(
            "start",
            "B:W18,21,23,24,26,27,28,30,32:B1,2,3,5,6,10,12,14,16",
            "W:W22,25,K7,29,30:B13,14,K26,5,12",
            "B:WK15,K18:BK3,K10,12",
        ),
    ),
)


def from_cells(codes: Sequence[int], mover: int) -> tuple[int, int, int]:
    """Return the position with these pieces, as if a man had just moved."""
    pieces, kings = [0, 0], 0
    for square in range(1, 33):
        code = codes[_cell_of(square)]
        if code != 0:
            bit = 1 << bit_of(square)
            pieces[int(code < 0)] |= bit
            kings |= bit if abs(code) == 2 else 0
    return pieces[mover], pieces[1 - mover], kings | mover << int(SIDE)


draughts = Game(
    "draughts",
    words=3,
    initial=initial,
    moves=moves,
    apply=apply,
    result=result,
    side=side,
    count=count,
    hash=hash,
    clock=clock,
    noisy=noisy,
    is_quiet=is_quiet,
    inputs=inputs,
    pieces=pieces,
    input_count=32,
    mirror=tuple(range(31, -1, -1)),
    cell_mirror=range(63, -1, -1),  # the board turned round
    max_moves=64,
    repetitions=3,
    clock_limit=QUIET_LIMIT,
    sides=("black", "white"),
    cells=cells,
    from_cells=from_cells,
    picture=Grid(
        8,
        8,
        pieces=PIECES,
        names=_NAMES,
        checkered=True,
        row_labels=[""] * 8,
        column_labels=[""] * 8,
    ),
    format_move=format_move,
    parse_move=parse_move,
    format_position=format_position,
    parse_position=parse_position,
    about=ABOUT,
)
