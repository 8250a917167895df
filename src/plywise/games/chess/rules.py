"""The rules of chess on bitboards: a1 is bit 0, h1 bit 7, h8 bit 63.

A position is (mine, p, d, s, state): the pieces of the side to move, three planes that together
tell the kind of every piece, and the rest.

    pawn    p . .        bishop  . d .        knight  p d .
    rook    . . s        queen   . d s        king    p . s

So the pieces that move like bishops are d & ~p and those that move like rooks s & ~p; `state` is

    bits 0-3     castling still possible: White's to g1, to c1, Black's to g8, to c8
    bits 4-9     the square behind a pawn that can be taken en passant now, else 0
    bit  10      the side to move
    bits 11-18   plies since the last capture or pawn move
    bits 19-     the number of the move, as FEN counts it

En passant is noted only where such a capture is legal, so that equal positions have equal hashes.

A move has the start in bits 0-5, the end in bits 6-11 and its kind from bit 12 on. Moves are
legal as they are written: pieces that give check and pieces that are pinned are found beforehand.
"""

from typing import Any

import numpy as np

from plywise.game import DRAW, LOSS, ONGOING, Row
from plywise.games.chess.attacks import (
    EVERY,
    KING_REACH,
    KNIGHT_REACH,
    first,
    forward,
    forward_left,
    forward_right,
    pawn_reach,
    slant_reach,
    straight_reach,
)
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word, mix, popcount

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
MOST_MOVES = 218  # of a position with pieces that a game can lead to
QUIET_LIMIT = 100

TWO, SIX, EIGHT = (np.uint64(n) for n in (2, 6, 8))
SIX_BITS = np.uint64(63)
KIND = np.uint64(12)
PLAIN, DOUBLE, CASTLING, PASSING = (np.uint64(kind) for kind in range(4))
TO_KNIGHT, TO_BISHOP, TO_ROOK, TO_QUEEN = (np.uint64(kind) for kind in range(4, 8))

RIGHTS = np.uint64(15)
BEHIND, SIDE, CLOCK, NUMBER = (np.uint64(n) for n in (4, 10, 11, 19))
CLOCK_STEP, CLOCK_BITS = ONE << CLOCK, np.uint64(0xFF << 11)
SAME = (ONE << CLOCK) - ONE  # the part of `state` that repetition looks at

OUTER_RANKS = np.uint64(0xFF000000000000FF)
THIRD_RANKS = np.uint64(0x0000FF0000FF0000)
LIGHT_SQUARES = np.uint64(0x55AA55AA55AA55AA)
HOME = (np.uint64(0), np.uint64(56))  # how far a side's first rank is from that of White
KING_WAY = np.uint64(0x60)  # f1 g1: empty and not attacked
QUEEN_GAP, QUEEN_WAY = np.uint64(0x0E), np.uint64(0x0C)  # b1 c1 d1 empty; c1 d1 not attacked
TO_G, TO_C = np.uint64(1 << 6), np.uint64(1 << 2)


def _rights_lost() -> list[int]:
    """Return for every square the castling that ends when a piece leaves or enters it."""
    lost = {4: 0b0011, 7: 0b0001, 0: 0b0010, 60: 0b1100, 63: 0b0100, 56: 0b1000}
    return [lost.get(square, 0) for square in range(64)]


KINDS = np.array([0, 1, 3, 2, 4, 6, 5, 0], np.int64)  # by planes, p + 2 d + 4 s
RIGHTS_LOST = np.array(_rights_lost(), np.uint64)
ALL_PAWNS = 0x00FF00000000FF00


def initial() -> Position:
    planes = (np.uint64(ALL_PAWNS | 0x5200000000000052), np.uint64(0x6E0000000000006E))
    state = RIGHTS | (ONE << NUMBER)
    return np.uint64(0xFFFF), planes[0], planes[1], np.uint64(0x9900000000000099), state


# ---------------------------------------------------------------- parts of a position


def side(position: Position) -> Whole:
    return np.int64((position[4] >> SIDE) & ONE)


def clock(position: Position) -> Whole:
    return np.int64((position[4] & CLOCK_BITS) >> CLOCK)


def hash(position: Position) -> Word:
    mine, p, d, s, state = position
    return mix((mine, p, d, s, state & SAME))


def filled(position: Position) -> Word:
    return position[1] | position[2] | position[3]


def pawns(position: Position) -> Word:
    return position[1] & ~(position[2] | position[3])


def knights(position: Position) -> Word:
    return position[1] & position[2]


def kings(position: Position) -> Word:
    return position[1] & position[3]


def slants(position: Position) -> Word:
    """Return the bishops and queens."""
    return position[2] & ~position[1]


def straights(position: Position) -> Word:
    """Return the rooks and queens."""
    return position[3] & ~position[1]


def pieces(position: Position) -> Whole:
    return popcount(filled(position))


def code_at(position: Position, square: Word) -> Whole:
    """Return the planes of a square as a number: p + 2 d + 4 s."""
    p, d, s = position[1] >> square, position[2] >> square, position[3] >> square
    return np.int64((p & ONE) | ((d & ONE) << ONE) | ((s & ONE) << TWO))


def kind_at(position: Position, square: Word) -> Whole:
    """Return what stands on a square: 0 nothing, pawn 1, knight 2, bishop 3, rook 4 to king 6."""
    return KINDS[code_at(position, square)]


# ---------------------------------------------------------------- check and pins


def checkers(position: Position, king: Word) -> Word:
    """Return the pieces of the other side that attack the king's square."""
    mine, taken = position[0], filled(position)
    found: Word = KNIGHT_REACH[king] & knights(position)
    found |= pawn_reach(ONE << king, side(position)) & pawns(position)
    found |= slant_reach(king, taken) & slants(position)
    found |= straight_reach(king, taken) & straights(position)
    return found & ~mine


def own_king(position: Position) -> Word:
    return first(kings(position) & position[0])


def in_check(position: Position) -> bool:
    return bool(checkers(position, own_king(position)) != ZERO)


def between(one: Word, other: Word) -> Word:
    """Return the squares between two, none if they are not on one line."""
    ends = (ONE << one) | (ONE << other)
    slanted = slant_reach(one, ends)
    if slanted & ends != ZERO:
        return slanted & slant_reach(other, ends)
    straight = straight_reach(one, ends)
    if straight & ends != ZERO:
        return straight & straight_reach(other, ends)
    return ZERO


def answers(king: Word, attackers: Word) -> Word:
    """Return where pieces other than the king may go, in view of who gives check."""
    if attackers == ZERO:
        return EVERY
    if attackers & (attackers - ONE) != ZERO:
        return ZERO  # the king has to move
    return attackers | between(king, first(attackers))


def pin_lines(king: Word, pinners: Word) -> Word:
    """Return the lines from the king to those who pin, these included."""
    found = ZERO
    while pinners != ZERO:
        found |= between(king, first(pinners))
        found |= pinners & (~pinners + ONE)
        pinners &= pinners - ONE
    return found


def pinned_on_slants(position: Position, king: Word) -> Word:
    """Return the diagonals on which a piece of the side to move stands before its king."""
    mine, taken = position[0], filled(position)
    theirs = slants(position) & ~mine
    if slant_reach(king, ZERO) & theirs == ZERO:
        return ZERO
    seen = slant_reach(king, taken)
    pinners = slant_reach(king, taken & ~(seen & mine)) & theirs & ~seen
    return pin_lines(king, pinners)


def pinned_on_straights(position: Position, king: Word) -> Word:
    """Return the ranks and files on which a piece of the side to move stands before its king."""
    mine, taken = position[0], filled(position)
    theirs = straights(position) & ~mine
    if straight_reach(king, ZERO) & theirs == ZERO:
        return ZERO
    seen = straight_reach(king, taken)
    pinners = straight_reach(king, taken & ~(seen & mine)) & theirs & ~seen
    return pin_lines(king, pinners)


def attacked(position: Position) -> Word:
    """Return where the other side takes; the king to move hides nothing behind it."""
    theirs = ~position[0]
    taken = filled(position) & ~(kings(position) & position[0])
    found: Word = KING_REACH[first(kings(position) & theirs)]
    found |= pawn_reach(pawns(position) & theirs, 1 - side(position))
    left = knights(position) & theirs
    while left != ZERO:
        found |= KNIGHT_REACH[first(left)]
        left &= left - ONE
    left = slants(position) & theirs
    while left != ZERO:
        found |= slant_reach(first(left), taken)
        left &= left - ONE
    left = straights(position) & theirs
    while left != ZERO:
        found |= straight_reach(first(left), taken)
        left &= left - ONE
    return found


# ---------------------------------------------------------------- where pieces may go


def king_targets(position: Position, king: Word) -> Word:
    """Return where the king may step."""
    near: Word = KING_REACH[king] & ~position[0]
    return near & ~attacked(position) if near != ZERO else near


def castling_targets(position: Position) -> Word:
    """Return where the king, not in check, ends by castling: files g and c of its home rank."""
    mover = side(position)
    rights = position[4] >> np.uint64(2 * mover)
    home, taken = HOME[mover], filled(position)
    found = ZERO
    if rights & ONE != ZERO and taken & (KING_WAY << home) == ZERO:
        found |= TO_G << home
    if rights & TWO != ZERO and taken & (QUEEN_GAP << home) == ZERO:
        found |= TO_C << home
    if found == ZERO:
        return found
    danger = attacked(position)
    if danger & (KING_WAY << home) != ZERO:
        found &= ~(TO_G << home)
    if danger & (QUEEN_WAY << home) != ZERO:
        found &= ~(TO_C << home)
    return found


def pawn_steps(position: Position, slant_pins: Word, straight_pins: Word) -> Word:
    """Return where pawns may step by one, checks apart."""
    mover = side(position)
    walkers = pawns(position) & position[0] & ~slant_pins
    ends = forward(walkers & ~straight_pins, mover)
    ends |= forward(walkers & straight_pins, mover) & straight_pins
    return ends & ~filled(position)


def pawn_leaps(position: Position, steps: Word) -> Word:
    """Return where pawns may step by two, checks apart."""
    return forward(steps & THIRD_RANKS & first_half(position), side(position)) & ~filled(position)


def first_half(position: Position) -> Word:
    """Return the half of the board from which the side to move starts."""
    return EVERY >> np.uint64(32) if side(position) == 0 else EVERY << np.uint64(32)


def takes_left(position: Position, slant_pins: Word, straight_pins: Word) -> Word:
    """Return where pawns may take towards the file a, checks apart."""
    mover = side(position)
    takers = pawns(position) & position[0] & ~straight_pins
    ends = forward_left(takers & ~slant_pins, mover)
    ends |= forward_left(takers & slant_pins, mover) & slant_pins
    return ends & filled(position) & ~position[0]


def takes_right(position: Position, slant_pins: Word, straight_pins: Word) -> Word:
    """Return where pawns may take towards the file h, checks apart."""
    mover = side(position)
    takers = pawns(position) & position[0] & ~straight_pins
    ends = forward_right(takers & ~slant_pins, mover)
    ends |= forward_right(takers & slant_pins, mover) & slant_pins
    return ends & filled(position) & ~position[0]


def passing_takers(position: Position) -> Word:
    """Return the pawns that may take en passant."""
    behind = (position[4] >> BEHIND) & SIX_BITS
    if behind == ZERO:
        return ZERO
    near = pawn_reach(ONE << behind, 1 - side(position)) & pawns(position) & position[0]
    found = ZERO
    while near != ZERO:
        taker = near & (~near + ONE)
        if is_safe_after_passing(position, taker, behind):
            found |= taker
        near ^= taker
    return found


def is_safe_after_passing(position: Position, taker: Word, behind: Word) -> bool:
    """Return whether a capture en passant leaves nobody who attacks the king."""
    mine, king = position[0], own_king(position)
    victim = ONE << (behind ^ EIGHT)
    taken = (filled(position) ^ taker ^ victim) | (ONE << behind)
    found = KNIGHT_REACH[king] & knights(position)
    found |= pawn_reach(ONE << king, side(position)) & pawns(position) & ~victim
    found |= slant_reach(king, taken) & slants(position)
    found |= straight_reach(king, taken) & straights(position)
    return bool(found & ~mine == ZERO)


# ---------------------------------------------------------------- moves


def write_targets(out: Row, count: Whole, start: Word, targets: Word) -> Whole:
    """Write moves from one square; return how many moves there are then."""
    while targets != ZERO:
        out[count] = start | (first(targets) << SIX)
        count += 1
        targets &= targets - ONE
    return count


def write_pawns(out: Row, count: Whole, ends: Word, offset: Word) -> Whole:
    """Write pawn moves to these squares, each from the end less the offset."""
    while ends != ZERO:
        end = first(ends)
        move = (end - offset) | (end << SIX)
        if ends & (~ends + ONE) & OUTER_RANKS == ZERO:
            out[count] = move
            count += 1
        else:
            out[count] = move | (TO_QUEEN << KIND)
            out[count + 1] = move | (TO_KNIGHT << KIND)
            out[count + 2] = move | (TO_ROOK << KIND)
            out[count + 3] = move | (TO_BISHOP << KIND)
            count += 4
        ends &= ends - ONE
    return count


def write_castling(out: Row, count: Whole, king: Word, targets: Word) -> Whole:
    while targets != ZERO:
        out[count] = king | (first(targets) << SIX) | (CASTLING << KIND)
        count += 1
        targets &= targets - ONE
    return count


def write_pawn_moves(
    position: Position, out: Row, count: Whole, aims: tuple[Word, Word], pins: tuple[Word, Word]
) -> Whole:
    """Write moves of pawns: what takes ends on aims[0], what steps on aims[1]; en passant."""
    ahead = EIGHT if side(position) == 0 else ~EIGHT + ONE
    count = write_pawns(out, count, takes_left(position, pins[0], pins[1]) & aims[0], ahead - ONE)
    count = write_pawns(out, count, takes_right(position, pins[0], pins[1]) & aims[0], ahead + ONE)
    steps = pawn_steps(position, pins[0], pins[1])
    count = write_pawns(out, count, steps & aims[1], ahead)
    leaps = pawn_leaps(position, steps) & aims[1]
    while leaps != ZERO:
        end = first(leaps)
        out[count] = (end - ahead - ahead) | (end << SIX) | (DOUBLE << KIND)
        count += 1
        leaps &= leaps - ONE
    takers = passing_takers(position)
    while takers != ZERO:
        behind = (position[4] >> BEHIND) & SIX_BITS
        out[count] = first(takers) | (behind << SIX) | (PASSING << KIND)
        count += 1
        takers &= takers - ONE
    return count


def moves_to(position: Position, out: Row, aims: Word) -> Whole:
    """Write the moves that end on some squares, with all promotions and those en passant."""
    mine, king, taken = position[0], own_king(position), filled(position)
    attackers = checkers(position, king)
    goals = answers(king, attackers) & ~mine
    count: Whole = 0
    if goals != ZERO:
        slant_pins = pinned_on_slants(position, king)
        straight_pins = pinned_on_straights(position, king)
        ends = (goals, goals & (aims | OUTER_RANKS))
        count = write_pawn_moves(position, out, count, ends, (slant_pins, straight_pins))
        goals &= aims
        left = knights(position) & mine & ~(slant_pins | straight_pins)
        while left != ZERO:
            start = first(left)
            count = write_targets(out, count, start, KNIGHT_REACH[start] & goals)
            left &= left - ONE
        left = slants(position) & mine & ~straight_pins
        while left != ZERO:
            start = first(left)
            targets = slant_reach(start, taken) & goals
            if (slant_pins >> start) & ONE != ZERO:
                targets &= slant_pins
            count = write_targets(out, count, start, targets)
            left &= left - ONE
        left = straights(position) & mine & ~slant_pins
        while left != ZERO:
            start = first(left)
            targets = straight_reach(start, taken) & goals
            if (straight_pins >> start) & ONE != ZERO:
                targets &= straight_pins
            count = write_targets(out, count, start, targets)
            left &= left - ONE
    if KING_REACH[king] & aims & ~mine != ZERO:
        count = write_targets(out, count, king, king_targets(position, king) & aims)
    if attackers == ZERO and aims == EVERY and position[4] & RIGHTS != ZERO:
        count = write_castling(out, count, king, castling_targets(position))
    return count


def moves(position: Position, out: Row) -> Whole:
    return moves_to(position, out, EVERY)


def count_pawns(ends: Word) -> Whole:
    """Return how many moves of pawns to these squares there are: promotions count four."""
    return popcount(ends) + 3 * popcount(ends & OUTER_RANKS)


def count_to(position: Position, aims: Word) -> Whole:
    """Return how many moves end on some squares, with all promotions and those en passant."""
    mine, king, taken = position[0], own_king(position), filled(position)
    attackers = checkers(position, king)
    total: Whole = popcount(king_targets(position, king) & aims)
    if attackers == ZERO and aims == EVERY and position[4] & RIGHTS != ZERO:
        total += popcount(castling_targets(position))
    goals = answers(king, attackers) & ~mine
    if goals == ZERO:
        return total
    slant_pins = pinned_on_slants(position, king)
    straight_pins = pinned_on_straights(position, king)
    total += count_pawns(takes_left(position, slant_pins, straight_pins) & goals)
    total += count_pawns(takes_right(position, slant_pins, straight_pins) & goals)
    steps = pawn_steps(position, slant_pins, straight_pins)
    total += count_pawns(steps & goals & (aims | OUTER_RANKS))
    total += popcount(pawn_leaps(position, steps) & goals & aims)
    total += popcount(passing_takers(position))
    goals &= aims
    left = knights(position) & mine & ~(slant_pins | straight_pins)
    while left != ZERO:
        total += popcount(KNIGHT_REACH[first(left)] & goals)
        left &= left - ONE
    left = slants(position) & mine & ~straight_pins
    while left != ZERO:
        start = first(left)
        targets = slant_reach(start, taken) & goals
        if (slant_pins >> start) & ONE != ZERO:
            targets &= slant_pins
        total += popcount(targets)
        left &= left - ONE
    left = straights(position) & mine & ~slant_pins
    while left != ZERO:
        start = first(left)
        targets = straight_reach(start, taken) & goals
        if (straight_pins >> start) & ONE != ZERO:
            targets &= straight_pins
        total += popcount(targets)
        left &= left - ONE
    return total


def count(position: Position, out: Row) -> Whole:
    return count_to(position, EVERY)


def is_quiet(position: Position) -> bool:
    return bool(count_to(position, filled(position) & ~position[0]) == 0)


def apply(position: Position, move: Word) -> Position:
    mine, p, d, s, state = position
    start, end, kind = move & SIX_BITS, (move >> SIX) & SIX_BITS, move >> KIND
    left, entered = ONE << start, ONE << end
    is_lasting = (pawns(position) & left) | (filled(position) & entered) != ZERO
    moved = ((p >> start) & ONE, (d >> start) & ONE, (s >> start) & ONE)
    if kind >= TO_KNIGHT:
        moved = planes_of_promotion(kind)
    others = ~(left | entered)
    p = (p & others) | (moved[0] << end)
    d = (d & others) | (moved[1] << end)
    s = (s & others) | (moved[2] << end)
    mine = (mine ^ left) | entered
    if kind == CASTLING:
        rook = rook_squares(end)
        s ^= rook
        mine ^= rook
    elif kind == PASSING:
        p ^= ONE << (end ^ EIGHT)
    number = (state >> NUMBER) + ((state >> SIDE) & ONE)
    plies = ZERO if is_lasting else (state & CLOCK_BITS) + CLOCK_STEP
    rights = state & RIGHTS & ~(RIGHTS_LOST[start] | RIGHTS_LOST[end])
    turn = (state ^ (ONE << SIDE)) & (ONE << SIDE)
    after = (p | d | s) & ~mine, p, d, s, rights | turn | plies | (number << NUMBER)
    if kind == DOUBLE:
        return with_passing(after, (start + end) >> ONE)
    return after


def planes_of_promotion(kind: Word) -> tuple[Word, Word, Word]:
    """Return the planes of the piece that a pawn becomes."""
    p = ONE if kind == TO_KNIGHT else ZERO
    d = ZERO if kind == TO_ROOK else ONE
    s = ONE if kind >= TO_ROOK else ZERO
    return p, d, s


def rook_squares(end: Word) -> Word:
    """Return the start and end of the rook where the king ends by castling."""
    king = ONE << end
    if end & np.uint64(4) != ZERO:
        return (king << ONE) | (king >> ONE)
    return (king >> TWO) | (king << ONE)


def with_passing(position: Position, behind: Word) -> Position:
    """Return the position with the right to take en passant, if somebody can use it."""
    mine, p, d, s, state = position
    marked = mine, p, d, s, state | (behind << BEHIND)
    return marked if passing_takers(marked) != ZERO else position


def null(position: Position) -> Position:
    """Return the position after a pass; nothing before it can be repeated after it."""
    mine, p, d, s, state = position
    number = (state >> NUMBER) + ((state >> SIDE) & ONE)
    turn = (state ^ (ONE << SIDE)) & (ONE << SIDE)
    return (p | d | s) & ~mine, p, d, s, (state & RIGHTS) | turn | (number << NUMBER)


# ---------------------------------------------------------------- ends


def is_dead(position: Position) -> bool:
    """Return whether nobody can mate: bare kings, one knight, or bishops of one colour."""
    if pawns(position) | straights(position) != ZERO:
        return False
    if knights(position) != ZERO:
        return bool(popcount(filled(position)) == 3)
    bishops = slants(position)
    return bool(bishops & LIGHT_SQUARES == ZERO or bishops & ~LIGHT_SQUARES == ZERO)


def result(position: Position) -> Whole:
    """Return a draw by fifty moves or for want of pieces; mate goes before the fifty moves."""
    if clock(position) >= QUIET_LIMIT:
        if in_check(position) and count_to(position, EVERY) == 0:
            return ONGOING
        return DRAW
    return DRAW if is_dead(position) else ONGOING


def stuck(position: Position) -> Whole:
    return LOSS if in_check(position) else DRAW


# ---------------------------------------------------------------- for search


def noisy(position: Position, move: Word) -> bool:
    end, kind = (move >> SIX) & SIX_BITS, move >> KIND
    return bool(kind >= PASSING or (filled(position) >> end) & ONE != ZERO)


def noisy_moves(position: Position, out: Row) -> Whole:
    return moves_to(position, out, filled(position) & ~position[0])


def rank(position: Position, move: Word) -> Whole:
    """Try the capture of the most valuable piece by the least valuable one first."""
    start, end, kind = move & SIX_BITS, (move >> SIX) & SIX_BITS, move >> KIND
    victim = kind_at(position, end)
    if kind == PASSING:
        victim = PAWN
    elif kind == TO_QUEEN:
        victim += QUEEN
    return 8 * victim + KING - kind_at(position, start)


def theme(position: Position, move: Word) -> Whole:
    """Return which piece goes where, of one of the 12 kinds to one of the 64 squares."""
    start, end = move & SIX_BITS, (move >> SIX) & SIX_BITS
    kind = kind_at(position, start) - PAWN + KING * side(position)
    return 64 * kind + np.int64(end)


def may_pass(position: Position) -> bool:
    """Return whether the side to move has more than pawns, so that it seldom is in zugzwang."""
    return bool((knights(position) | slants(position) | straights(position)) & position[0] != ZERO)


# ---------------------------------------------------------------- board


def cells(position: Position, out: Any) -> None:
    """Write pawns as 1 to kings as 6, Black's negative, row by row from the eighth rank."""
    white = position[0] if side(position) == 0 else filled(position) & ~position[0]
    for cell in range(64):
        square = np.uint64(cell ^ 56)
        code = kind_at(position, square)
        out[cell] = code if (white >> square) & ONE != ZERO else -code
