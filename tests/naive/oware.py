"""Oware (Abapa) on a ring of twelve houses; south is side 0 and begins.

houses 0-5 south's A-F, 6-11 north's a-f; what is captured lies in two stores
"""

import re
from typing import NamedTuple

HOUSES = (range(6), range(6, 12))
NAMES = "ABCDEFabcdef"
QUIET_LIMIT = 100


class State(NamedTuple):
    """A position."""

    houses: tuple[int, ...]
    stores: tuple[int, int]
    side: int
    quiet: int  # plies without a capture


def initial() -> State:
    """Return the first position."""
    return State((4,) * 12, (0, 0), 0, 0)


def _seeds(state: State, side: int) -> int:
    """Return how many seeds lie in a side's houses."""
    return sum(state.houses[house] for house in HOUSES[side])


def _after_sowing(state: State, house: int) -> tuple[list[int], int]:
    """Return the houses after sowing from one, and where the last seed fell."""
    houses = list(state.houses)
    hand, houses[house] = houses[house], 0
    last = house
    while hand:
        last = (last + 1) % 12
        if last != house:
            houses[last] += 1
            hand -= 1
    return houses, last


def _feeding_moves(state: State) -> list[str]:
    """Return the houses from which a sowing leaves the other side with seeds."""
    found = []
    for house in HOUSES[state.side]:
        after, _ = _after_sowing(state, house)
        if state.houses[house] and any(after[other] for other in HOUSES[1 - state.side]):
            found.append(NAMES[house])
    return found


def moves(state: State) -> list[str]:
    """Return the houses that may be sown, none when the game is over."""
    return [] if result(state) is not None else _feeding_moves(state)


def apply(state: State, text: str) -> State:
    """Return the position after the move."""
    if text not in moves(state):
        raise ValueError(f"illegal move {text!r} in {format_position(state)}")
    mover, other = state.side, 1 - state.side
    houses, last = _after_sowing(state, NAMES.index(text))
    captured = []
    while last in HOUSES[other] and houses[last] in (2, 3):
        captured.append(last)
        last -= 1
    stores = list(state.stores)
    if any(houses[house] for house in HOUSES[other] if house not in captured):
        for house in captured:
            stores[mover] += houses[house]
            houses[house] = 0
    quiet = state.quiet + 1 if tuple(stores) == state.stores else 0
    return State(tuple(houses), (stores[0], stores[1]), other, quiet)


def result(state: State) -> int | None:
    """Return who has more, stores and houses, when the game is over, else None."""
    if max(state.stores) <= 24 and state.quiet < QUIET_LIMIT and _feeding_moves(state):
        return None
    mine, theirs = (state.stores[one] + _seeds(state, one) for one in (state.side, 1 - state.side))
    return (mine > theirs) - (mine < theirs)


def side(state: State) -> int:
    """Return the side to move."""
    return state.side


def format_position(state: State) -> str:
    """Return houses and store of both sides, who is to move, and the quiet plies.

    The first position is `4,4,4,4,4,4,0/4,4,4,4,4,4,0 S 0`.
    """
    parts = [[*state.houses[6 * one : 6 * one + 6], state.stores[one]] for one in (0, 1)]
    rows = [",".join(str(count) for count in part) for part in parts]
    return f"{rows[0]}/{rows[1]} {'SN'[state.side]} {state.quiet}"


def parse_position(text: str) -> State:
    """Return the position that the text describes."""
    if not re.fullmatch(r"\d+(,\d+){6}/\d+(,\d+){6} [SN] \d+", text):
        raise ValueError(f"not two rows of seven counts, a side and a count: {text!r}")
    *holes, quiet = (int(number) for number in re.findall(r"\d+", text))
    mover = "SN".index(text.split()[1])
    return State((*holes[:6], *holes[7:13]), (holes[6], holes[13]), mover, quiet)


def perft(state: State, depth: int) -> int:
    """Return the number of move sequences of exactly that length."""
    if depth == 0:
        return 1
    return sum(perft(apply(state, text), depth - 1) for text in moves(state))
