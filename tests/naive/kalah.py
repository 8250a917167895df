"""Kalah on a ring of fourteen holes; south is side 0 and begins.

holes 0-5 south's pits A-F, 6 south's store, 7-12 north's pits a-f, 13 north's store
"""

import re
from typing import NamedTuple

STORES = (6, 13)
PITS = (range(6), range(7, 13))
NAMES = ("ABCDEF", "abcdef")


class State(NamedTuple):
    """A position."""

    holes: tuple[int, ...]
    side: int


def initial() -> State:
    """Return the first position."""
    return State((4, 4, 4, 4, 4, 4, 0) * 2, 0)


def moves(state: State) -> list[str]:
    """Return the names of the mover's pits with seeds, none when the game is over."""
    if result(state) is not None:
        return []
    pits = zip(NAMES[state.side], PITS[state.side], strict=True)
    return [name for name, hole in pits if state.holes[hole]]


def apply(state: State, text: str) -> State:
    """Return the position after the move."""
    if text not in moves(state):
        raise ValueError(f"illegal move {text!r} in {format_position(state)}")
    holes, mover = list(state.holes), state.side
    hole = PITS[mover][NAMES[mover].index(text)]
    hand, holes[hole] = holes[hole], 0
    while hand:
        hole = (hole + 1) % 14
        if hole != STORES[1 - mover]:
            holes[hole] += 1
            hand -= 1
    if hole == STORES[mover]:
        return State(tuple(holes), mover)
    across = 12 - hole
    if hole in PITS[mover] and holes[hole] == 1 and holes[across]:
        holes[STORES[mover]] += 1 + holes[across]
        holes[hole] = holes[across] = 0
    return State(tuple(holes), 1 - mover)


def result(state: State) -> int | None:
    """Return 1, 0 or -1 for the side to move when a side's pits are empty, else None."""
    if all(any(state.holes[pit] for pit in pits) for pits in PITS):
        return None
    lead = sum(state.holes[:7]) - sum(state.holes[7:])
    lead = lead if state.side == 0 else -lead
    return (lead > 0) - (lead < 0)


def side(state: State) -> int:
    """Return the side to move."""
    return state.side


def format_position(state: State) -> str:
    """Return south's holes, north's and the side to move: `4,4,4,4,4,4,0/4,4,4,4,4,4,0 S`."""
    rows = [",".join(str(n) for n in part) for part in (state.holes[:7], state.holes[7:])]
    return f"{rows[0]}/{rows[1]} {'SN'[state.side]}"


def parse_position(text: str) -> State:
    """Return the position that the text describes."""
    if not re.fullmatch(r"\d+(,\d+){6}/\d+(,\d+){6} [SN]", text):
        raise ValueError(f"not two rows of seven counts and a side: {text!r}")
    holes = tuple(int(number) for number in re.findall(r"\d+", text))
    return State(holes, "SN".index(text[-1]))


def perft(state: State, depth: int) -> int:
    """Return the number of move sequences of exactly that length."""
    if depth == 0:
        return 1
    return sum(perft(apply(state, text), depth - 1) for text in moves(state))
