"""The 28 features of NET-FEATUREMAP for English draughts (Samuel 1959, Lynch 1997), compiled.

A feature is a count. All look at a position as "Black", the side that has just moved and is
*passive*; "Red" is the side to move, *active*. `as_passive` alone knows of this: where White
has just moved, the board is turned round. Black's men then move up, by shifts to the left.

Where Samuel's words leave something open, these are the readings:

    denial_of_occupancy    a square that Red can step to, and on which some capture by Black
                           takes the arriving piece and leaves Red nothing to take
    exchange               a square that Red can step to so that Black must take, and Red can
                           take after each of Black's captures
    threat, taken          an arriving man on its king row threatens as a king
    fork                   Red steps between two of Black's pieces in a row so that it could jump
                           either; from behind only a king can
    back_row_control       the triangle of Oreo counts also where Black has a king
    gap                    squares are counted, not diagonals
    pole                   men inside the board only

Steps are counted as if captures were not compulsory; a capture is a whole one.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError, UnknownName
from plywise.game import Rows
from plywise.games.draughts.rules import (
    BLACK_HOME,
    BOARD,
    EIGHT,
    FIVE,
    FOUR,
    SIDE_BIT,
    TEN,
    WHITE_HOME,
    bit_of,
    draughts,
    jumpers,
    steps,
)
from plywise.kernel import Bundle, compiled
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word, popcount

View = tuple[Word, Word, Word]  # Black's pieces, Red's pieces, the kings of both

moves, apply = draughts.rules.moves, draughts.rules.apply  # compiled once, for all who use them

FEATURES = {  # name: bits that its count is written with
    "piece_advantage": 4,
    "piece_disadvantage": 4,
    "piece_threat": 3,
    "piece_take": 3,
    "advancement": 3,
    "double_diagonal": 4,
    "back_row_bridge": 1,
    "centre_control": 3,
    "xcentre_control": 3,
    "total_mobility": 4,
    "exposure": 3,
    "king_centre_control": 3,
    "diagonal_moment": 4,
    "apex": 1,
    "cramp": 2,
    "denial_of_occupancy": 4,
    "dyke": 3,
    "exchange": 4,
    "fork": 3,
    "gap": 4,
    "back_row_control": 1,
    "hole": 3,
    "undenied_mobility": 3,
    "node": 3,
    "triangle_of_oreo": 1,
    "pole": 3,
    "threat": 3,
    "taken": 3,
}
NAMES = tuple(FEATURES)
BITS = tuple(FEATURES.values())
COUNT = len(NAMES)
PLACE = {name: place for place, name in enumerate(NAMES)}

(
    PIECE_ADVANTAGE,
    PIECE_DISADVANTAGE,
    PIECE_THREAT,
    PIECE_TAKE,
    ADVANCEMENT,
    DOUBLE_DIAGONAL,
    BACK_ROW_BRIDGE,
    CENTRE_CONTROL,
    XCENTRE_CONTROL,
    TOTAL_MOBILITY,
    EXPOSURE,
    KING_CENTRE_CONTROL,
    DIAGONAL_MOMENT,
    APEX,
    CRAMP,
    DENIAL_OF_OCCUPANCY,
    DYKE,
    EXCHANGE,
    FORK,
    GAP,
    BACK_ROW_CONTROL,
    HOLE,
    UNDENIED_MOBILITY,
    NODE,
    TRIANGLE_OF_OREO,
    POLE,
    THREAT,
    TAKEN,
) = range(COUNT)

PRESETS = {  # names of sets of features
    "neuro": NAMES[:13],  # NeuroDraughts: Lynch's choice
    "vision": NAMES[:12],  # VisionDraughts
    "ls": (*NAMES[:13], "threat", "taken"),  # what LS-Draughts chooses from
    "all": NAMES,
}


def chosen_features(chosen: str | Sequence[str]) -> tuple[str, ...]:
    """Return features in their order, given as a preset, or as names in a text or a list."""
    if isinstance(chosen, str):
        if chosen in PRESETS:
            return PRESETS[chosen]
        chosen = chosen.replace(",", " ").split()
    for name in chosen:
        if name not in FEATURES:
            raise UnknownName("feature or set of features", name, [*PRESETS, *NAMES])
    if not chosen:
        raise PlywiseError("No feature is chosen; `all` stands for all of them.")
    return tuple(name for name in NAMES if name in chosen)


# ---------------------------------------------------------------- squares


def _squares(*numbers: int) -> np.uint64:
    return np.uint64(sum(1 << bit_of(number) for number in numbers))


def _lacking(step: int) -> np.uint64:
    """Return the squares from which a step by so many bits leaves the board."""
    board = int(BOARD)
    beside = board >> step if step > 0 else board << -step
    return np.uint64(board & ~beside)


NO_UP4, NO_UP5, NO_DOWN4, NO_DOWN5 = (_lacking(step) for step in (4, 5, -4, -5))
INSIDE = BOARD & ~(NO_UP4 | NO_UP5 | NO_DOWN4 | NO_DOWN5)
CENTRE = _squares(10, 11, 14, 15, 18, 19, 22, 23)
ROWS_3_4 = _squares(*range(9, 17))
ROWS_5_6 = _squares(*range(17, 25))
DOUBLE_CORNER = _squares(1, 6, 10, 15, 19, 24, 28, 5, 9, 14, 18, 23, 27, 32)
MOMENT_2 = _squares(2, 7, 11, 16, 20, 13, 17, 22, 26, 31)
MOMENT_1 = _squares(3, 8, 12, 21, 25, 30)
BRIDGE = _squares(1, 3)
OREO = _squares(2, 3, 7)
APICES = _squares(7, 26)
CRAMPED, CRAMPED_BY = _squares(13), _squares(9, 14)
CRAMPING = _squares(17, 21, 22, 25)

_SWAPS = tuple(
    (np.uint64(distance), np.uint64(mask))
    for distance, mask in (
        (1, 0x5555555555555555),
        (2, 0x3333333333333333),
        (4, 0x0F0F0F0F0F0F0F0F),
        (8, 0x00FF00FF00FF00FF),
        (16, 0x0000FFFF0000FFFF),
        (32, 0x00000000FFFFFFFF),
    )
)
_UNUSED = np.uint64(64 - 35)  # bits above the board


def turned(word: Word) -> Word:
    """Return squares of the board turned round: square s becomes 33 - s."""
    for distance, mask in _SWAPS:
        word = ((word >> distance) & mask) | ((word & mask) << distance)
    return word >> _UNUSED


def as_passive(position: Position) -> View:
    """Return the board as the side that has just moved sees it: it is Black and moves up."""
    active, passive, state = position
    kings = state & BOARD
    if state & SIDE_BIT != ZERO:
        return passive, active, kings
    return turned(passive), turned(active), turned(kings)


# ---------------------------------------------------------------- counting


def count_first(position: Position, out: Any) -> None:
    """Write the counts of the first 13 features, each at its place."""
    view = as_passive(position)
    count_pieces(view, out)
    count_squares(view, out)
    count_reach(view, out)


def count_most(position: Position, out: Any) -> None:
    """Write the counts of all features but those that play captures out."""
    count_first(position, out)
    view = as_passive(position)
    count_patterns(view, out)
    count_shapes(view, out)


def count_all(position: Position, out: Any) -> None:
    """Write the counts of all features."""
    count_most(position, out)
    count_exchanges(as_passive(position), out)


def counter_of(places: Sequence[int]) -> Callable[[Position, Any], None]:
    """Return the cheapest function that counts these features, and perhaps others."""
    if {DENIAL_OF_OCCUPANCY, UNDENIED_MOBILITY, EXCHANGE} & set(places):
        return count_all
    return count_most if max(places) >= APEX else count_first


def count_pieces(view: View, out: Any) -> None:
    """Count material and what stands to be taken."""
    black, red, kings = view
    lead = 2 * (popcount(black) - popcount(red)) + popcount(black & kings) - popcount(red & kings)
    out[PIECE_ADVANTAGE] = max(lead, 0)
    out[PIECE_DISADVANTAGE] = max(-lead, 0)
    empty = BOARD & ~(black | red)
    over_up = (red >> FOUR) & (empty >> EIGHT), (red >> FIVE) & (empty >> TEN)
    over_down = (red << FOUR) & (empty << EIGHT), (red << FIVE) & (empty << TEN)
    out[PIECE_TAKE] = count_jumpers(black, over_up, black & kings, over_down)
    over_up = (black >> FOUR) & (empty >> EIGHT), (black >> FIVE) & (empty >> TEN)
    over_down = (black << FOUR) & (empty << EIGHT), (black << FIVE) & (empty << TEN)
    out[PIECE_THREAT] = count_jumpers(red, over_down, red & kings, over_up)


def count_jumpers(
    pieces: Word, forward: tuple[Word, Word], kings: Word, backward: tuple[Word, Word]
) -> Whole:
    """Return how many pieces can jump, those that can in two directions or more twice."""
    first, second = pieces & forward[0], pieces & forward[1]
    third, fourth = kings & backward[0], kings & backward[1]
    several = (first & second) | (third & fourth) | ((first | second) & (third | fourth))
    return popcount(first | second | third | fourth) + popcount(several)


def count_squares(view: View, out: Any) -> None:
    """Count Black's pieces on the squares that matter."""
    black, red, kings = view
    men = black & ~kings
    out[ADVANCEMENT] = popcount(men & ROWS_5_6) - popcount(men & ROWS_3_4)
    on_diagonals = popcount(black & DOUBLE_CORNER)
    out[DOUBLE_DIAGONAL] = on_diagonals
    has_bridge = red & kings == ZERO and black & BRIDGE == BRIDGE
    out[BACK_ROW_BRIDGE] = int(has_bridge)
    out[CENTRE_CONTROL] = popcount(men & CENTRE)
    out[KING_CENTRE_CONTROL] = popcount(black & kings & CENTRE)
    moment = 3 * on_diagonals + 2 * popcount(black & MOMENT_2) + popcount(black & MOMENT_1)
    out[DIAGONAL_MOMENT] = moment


def red_reach(view: View) -> Word:
    """Return the empty squares that Red can step to."""
    black, red, kings = view
    royal = red & kings
    reach: Word = (red >> FOUR) | (red >> FIVE) | (royal << FOUR) | (royal << FIVE)
    return reach & BOARD & ~(black | red)


def count_reach(view: View, out: Any) -> None:
    """Count where Red can go, and which of Black's pieces have empty squares on both sides."""
    black, red, _ = view
    empty = BOARD & ~(black | red)
    reach = red_reach(view)
    out[XCENTRE_CONTROL] = popcount(CENTRE & (red | reach))
    out[TOTAL_MOBILITY] = popcount(reach)
    bare = ((empty << FOUR) & (empty >> FOUR)) | ((empty << FIVE) & (empty >> FIVE))
    out[EXPOSURE] = popcount(black & INSIDE & bare)


def count_patterns(view: View, out: Any) -> None:
    """Find the named patterns."""
    black, red, kings = view
    has_apex = kings == ZERO and red & APICES != ZERO and black & APICES == ZERO
    out[APEX] = int(has_apex)
    is_cramped = black & CRAMPED != ZERO and black & CRAMPED_BY != ZERO
    out[CRAMP] = 2 if is_cramped and red & CRAMPING == CRAMPING else 0
    has_oreo = black & OREO == OREO and black & kings == ZERO
    out[TRIANGLE_OF_OREO] = int(has_oreo)
    is_held = black & BRIDGE == BRIDGE or black & OREO == OREO
    out[BACK_ROW_CONTROL] = int(red & kings == ZERO and is_held)


def count_shapes(view: View, out: Any) -> None:
    """Count what Black's pieces form with each other and with empty squares."""
    black, red, kings = view
    empty = BOARD & ~(black | red)
    dykes = popcount(black & (black >> FOUR) & (black >> EIGHT))
    out[DYKE] = dykes + popcount(black & (black >> FIVE) & (black >> TEN))
    stepped = (red >> FOUR) | (red >> FIVE)
    fork = (black << FOUR) & (black << FIVE) & (empty << EIGHT) & (empty << TEN)
    forks = popcount(empty & stepped & fork)
    royal = red & kings
    stepped_back = (royal << FOUR) | (royal << FIVE)
    fork = (black >> FOUR) & (black >> FIVE) & (empty >> EIGHT) & (empty >> TEN)
    out[FORK] = forks + popcount(empty & stepped_back & fork)

    below4, above4 = black << FOUR, black >> FOUR
    below5, above5 = black << FIVE, black >> FIVE
    along4 = (below4 | NO_DOWN4) & (above4 | NO_UP4) & (below4 | above4)
    along5 = (below5 | NO_DOWN5) & (above5 | NO_UP5) & (below5 | above5)
    out[GAP] = popcount(empty & (along4 | along5))
    out[HOLE] = popcount(empty & three_of(below4, above4, below5, above5))
    free4, free5 = (empty << FOUR, empty >> FOUR), (empty << FIVE, empty >> FIVE)
    out[NODE] = popcount(black & three_of(free4[0], free4[1], free5[0], free5[1]))
    alone = free4[0] & free4[1] & free5[0] & free5[1]
    out[POLE] = popcount(black & ~kings & INSIDE & alone)

    up = ((red >> FOUR) & (empty >> EIGHT)) | ((red >> FIVE) & (empty >> TEN))
    down = ((red << FOUR) & (empty << EIGHT)) | ((red << FIVE) & (empty << TEN))
    royal = black & kings
    forward = ((black << FOUR) | (black << FIVE)) & empty
    backward = ((royal >> FOUR) | (royal >> FIVE)) & empty
    crowned = (((royal << FOUR) | (royal << FIVE)) & empty) | backward | (forward & WHITE_HOME)
    out[TAKEN] = popcount(((forward | backward) & up) | (crowned & down))
    up = ((black >> FOUR) & (empty >> EIGHT)) | ((black >> FIVE) & (empty >> TEN))
    down = ((black << FOUR) & (empty << EIGHT)) | ((black << FIVE) & (empty << TEN))
    royal = red & kings
    forward = stepped & empty
    backward = ((royal << FOUR) | (royal << FIVE)) & empty
    crowned = (((royal >> FOUR) | (royal >> FIVE)) & empty) | backward | (forward & BLACK_HOME)
    out[THREAT] = popcount(((forward | backward) & down) | (crowned & up))


def three_of(a: Word, b: Word, c: Word, d: Word) -> Word:
    """Return the bits that are set in three words or more."""
    return (a & b & (c | d)) | (c & d & (a | b))


def count_exchanges(view: View, out: Any) -> None:
    """Count the squares to which Red can step, by what Black takes there and Red takes back."""
    black, red, kings = view
    position = (red, black, kings | SIDE_BIT)
    empty = BOARD & ~(black | red)
    royal = red & kings
    stepping = np.empty(64, np.uint64)
    taking = np.empty(64, np.uint64)
    count = steps((red >> FOUR) & empty, 4, stepping, 0)
    count = steps((red >> FIVE) & empty, 5, stepping, count)
    count = steps((royal << FOUR) & empty, -4, stepping, count)
    count = steps((royal << FIVE) & empty, -5, stepping, count)
    denied, exchanged = ZERO, ZERO
    for index in range(count):
        end = ONE << ((stepping[index] >> np.uint64(6)) & np.uint64(63))
        after = apply(position, stepping[index])
        if jumpers(after) == ZERO:
            continue
        is_exchange = True
        for other in range(moves(after, taking)):
            taken = taking[other] >> np.uint64(12)
            if jumpers(apply(after, taking[other])) == ZERO:
                is_exchange = False
                if taken & end != ZERO:
                    denied |= end
        if is_exchange:
            exchanged |= end
    out[DENIAL_OF_OCCUPANCY] = popcount(denied)
    out[UNDENIED_MOBILITY] = popcount(red_reach(view)) - popcount(denied)
    out[EXCHANGE] = popcount(exchanged)


# ---------------------------------------------------------------- for many positions

_BUNDLE = Bundle("features", {"count_all": count_all})


@compiled
def _counts(game: Bundle, features: Bundle, rows: Any, out: Any) -> None:
    for index in range(len(rows)):
        features.count_all(game.load_at(rows, index), out[index])


def feature_counts(positions: Rows) -> NDArray[np.int64]:
    """Return all features of many positions: [positions, 28]."""
    out = np.zeros((len(positions), COUNT), np.int64)
    _counts(draughts.rules, _BUNDLE, np.ascontiguousarray(positions), out)
    return out


def feature_presence(positions: Rows) -> NDArray[np.bool_]:
    """Return which features have a count above 0, what paper 001's map sees: [positions, 28]."""
    return feature_counts(positions) > 0
