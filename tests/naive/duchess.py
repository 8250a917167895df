"""Duchess from its rules with lists and loops, for four or six players.

The ground is not made of polygons. Every section is a sheet of five files and six ranks whose
squares on files a and b, ranks 5 and 6, are also squares of the next section; steps are made on
the sheets. Players are 1 to 4 or 1 to 6, pieces are kept by the name of their square.
"""

import re
from functools import cache
from typing import NamedTuple

FILES = "abcde"
SEATS = {4: (1, 2, 4, 5), 6: (1, 2, 3, 4, 5, 6)}
SETUP = {"1": "RWKFR", "2": "BNQBD", "3": "PPPPP"}
BOX = {"K": 1, "Q": 1, "D": 1, "F": 1, "W": 1, "N": 1, "R": 2, "B": 2, "P": 5}
ROOKS, BISHOPS, KNIGHTS, STEPPERS = "RFQ", "BDQ", "NDF", "KW"
QUIET_LIMIT = 200


class State(NamedTuple):
    """A position."""

    pieces: dict[str, tuple[int, str]]  # by square: player and letter
    mover: int
    quiet: int
    players: int


# ---------------------------------------------------------------- the ground


def canonical(section: int, file: str, rank: int) -> str:
    """Return the one name of a square; names of files a and b in the middle are the neighbour's."""
    shared = {("a", 5): "e5", ("b", 5): "e6", ("a", 6): "d5", ("b", 6): "d6"}
    section = (section - 1) % 6 + 1
    if (file, rank) in shared:
        return f"{section % 6 + 1}{shared[file, rank]}"
    return "V" if (file, rank) == ("c", 7) else f"{section}{file}{rank}"


class Ground(NamedTuple):
    """Steps and lines by the name of a square."""

    orthogonal: dict[str, set[str]]
    diagonal: dict[str, set[str]]
    knight: dict[str, set[str]]
    rook_rays: dict[str, list[list[str]]]
    bishop_rays: dict[str, list[list[str]]]


@cache
def ground(players: int) -> Ground:
    """Return the ground; for four players, what leads onto missing flaps is cut off."""
    orthogonal, diagonal = _steps()
    rook_rays = _rook_rays(orthogonal)
    bishop_rays = {
        start: [_bishop_ray(start, step, orthogonal, diagonal) for step in sorted(diagonal[start])]
        for start in diagonal
    }
    knight = _knights(orthogonal, diagonal)
    missing = {
        f"{section}{file}{rank}"
        for section in {1, 2, 3, 4, 5, 6} - set(SEATS[players])
        for file in FILES
        for rank in range(1, 5)
    }

    def sets(table: dict[str, set[str]]) -> dict[str, set[str]]:
        return {name: table[name] - missing for name in table if name not in missing}

    def rays(table: dict[str, list[list[str]]]) -> dict[str, list[list[str]]]:
        return {
            name: [_cut(ray, missing) for ray in table[name] if _cut(ray, missing)]
            for name in table
            if name not in missing
        }

    return Ground(
        sets(orthogonal), sets(diagonal), sets(knight), rays(rook_rays), rays(bishop_rays)
    )


def _cut(ray: list[str], missing: set[str]) -> list[str]:
    ends = [place for place, name in enumerate(ray) if name in missing]
    return ray[: ends[0]] if ends else ray


def _steps() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    orthogonal: dict[str, set[str]] = {}
    diagonal: dict[str, set[str]] = {}

    def join(table: dict[str, set[str]], one: str, other: str) -> None:
        table.setdefault(one, set()).add(other)
        table.setdefault(other, set()).add(one)

    for section in range(1, 7):
        sheet = [(file, rank) for file in FILES for rank in range(1, 7)] + [("c", 7)]
        for file, rank in sheet:
            for other, there in sheet:
                across, up = abs(FILES.index(file) - FILES.index(other)), abs(rank - there)
                ends = canonical(section, file, rank), canonical(section, other, there)
                if across + up == 1:
                    join(orthogonal, *ends)
                elif across == up == 1:
                    join(diagonal, *ends)
        following = section % 6 + 1
        join(diagonal, f"{section}a4", f"{following}e4")
        join(diagonal, f"{section}c6", f"{following}c6")
    return orthogonal, diagonal


def _knights(orthogonal: dict[str, set[str]], diagonal: dict[str, set[str]]) -> dict[str, set[str]]:
    found = {}
    for name, near in orthogonal.items():
        ends = {end for by in near for end in diagonal[by]}
        ends |= {end for by in diagonal[name] for end in orthogonal[by]}
        found[name] = ends - near - {name}
    for section in range(1, 7):
        for way in (2, 4):
            inner = canonical(section + way, "c", 6)
            found[f"{section}c5"].add(inner)
            found[inner].add(f"{section}c5")
    return found


def _rook_rays(orthogonal: dict[str, set[str]]) -> dict[str, list[list[str]]]:
    """Return the rays of 39 lines: rows of flaps, files a and b to e and d, and files c."""
    lines = []
    for section in range(1, 7):
        for rank in range(1, 5):
            lines.append([f"{section}{file}{rank}" for file in FILES])
        for file, rank, end in (("a", 5, "e"), ("b", 6, "d")):
            row = [canonical(section + 1, other, rank) for other in reversed(FILES)]
            outer = [canonical(section + 2, end, back) for back in range(4, 0, -1)]
            lines.append([f"{section}{file}{up}" for up in range(1, 5)] + row + outer)
        if section <= 3:
            half = [f"{section}c{rank}" for rank in range(1, 7)]
            lines.append([*half, "V", *(f"{section + 3}{name[1:]}" for name in reversed(half))])
    rays: dict[str, list[list[str]]] = {name: [] for name in orthogonal}
    for line in lines:
        for place, name in enumerate(line):
            rays[name] += [ray for ray in (line[place + 1 :], line[:place][::-1]) if ray]
    return rays


def _bishop_ray(
    start: str, step: str, orthogonal: dict[str, set[str]], diagonal: dict[str, set[str]]
) -> list[str]:
    """Return the ray by a first step: on from a square, no square beside it touches both ends."""
    before, here, ray = start, step, [step]
    while True:
        if here == "V":
            onward = [canonical(int(before[0]) + 3, before[1], int(before[2]))]
        else:
            onward = [
                end
                for end in diagonal[here] - {before}
                if not orthogonal[here] & orthogonal[before] & orthogonal[end]
            ]
        if not onward:
            return ray
        assert len(onward) == 1, (start, step, here, onward)
        before, here = here, onward[0]
        ray.append(here)


# ---------------------------------------------------------------- moves


def initial(players: int = 4) -> State:
    """Return the first position."""
    pieces = {
        f"{section}{file}{rank}": (player, letter)
        for player, section in enumerate(SEATS[players], start=1)
        for rank, letters in SETUP.items()
        for file, letter in zip(FILES, letters, strict=True)
    }
    return State(pieces, 1, 0, players)


def reached(state: State, start: str) -> set[str]:
    """Return where the piece on a square goes by a normal move, whatever stands there."""
    letter, on = state.pieces[start][1], ground(state.players)
    if letter == "P":
        empty = {end for end in on.orthogonal[start] if end not in state.pieces}
        return empty | {end for end in on.diagonal[start] if end in state.pieces}
    found: set[str] = set()
    if letter in STEPPERS:
        found |= on.orthogonal[start] | on.diagonal[start]
    if letter in KNIGHTS:
        found |= on.knight[start]
    rays = on.rook_rays[start] if letter in ROOKS else []
    for ray in rays + (on.bishop_rays[start] if letter in BISHOPS else []):
        for end in ray:
            found.add(end)
            if end in state.pieces:
                break
    return found


def is_checked(state: State, player: int) -> bool:
    """Return whether an enemy piece could capture on the square of a player's King."""
    king = next(name for name, piece in state.pieces.items() if piece == (player, "K"))
    return any(
        (owner - player) % 2 == 1
        and king in in_sight(state.players, letter, name)
        and king in reached(state, name)
        for name, (owner, letter) in state.pieces.items()
    )


@cache
def in_sight(players: int, letter: str, start: str) -> set[str]:
    """Return where a piece could capture if it stood alone on the board."""
    if letter == "P":
        return ground(players).diagonal[start]
    return reached(State({start: (1, letter)}, 1, 0, players), start)


def zone(state: State, player: int) -> set[str]:
    """Return all squares next to Wizards of a player's team."""
    on, found = ground(state.players), set[str]()
    for name, (owner, letter) in state.pieces.items():
        if letter == "W" and (owner - player) % 2 == 0:
            found |= on.orthogonal[name] | on.diagonal[name]
    return found


def in_box(state: State, player: int) -> list[str]:
    """Return the letters of a player's captured pieces but pawns."""
    own = [letter for owner, letter in state.pieces.values() if owner == player]
    return [letter for letter in "NBRDFQW" if own.count(letter) < BOX[letter]]


def moved(state: State, start: str, end: str, letter: str) -> State:
    """Return the position after a piece went somewhere and became what a letter says."""
    pieces = dict(state.pieces)
    owner, before = pieces.pop(start)
    quiet = 0 if end in pieces or letter != before else state.quiet + 1
    pieces[end] = (owner, letter)
    return State(pieces, state.mover % state.players + 1, quiet, state.players)


def moves_of(state: State, player: int) -> dict[str, State]:
    """Return the legal moves of a player, as if it were that player's turn, by their texts."""
    found = {}
    state = state._replace(mover=player)
    near_wizards = zone(state, player)
    for start, (owner, letter) in list(state.pieces.items()):
        if owner != player:
            continue
        normal = reached(state, start)
        jumps = near_wizards if letter == "W" or start in near_wizards else set()
        for end in (normal | jumps) - {start}:
            taken = state.pieces.get(end)
            if taken is not None and (taken[1] == "K" or (taken[0] - player) % 2 == 0):
                continue
            sign = ("" if end in normal else "~") + ("x" if taken else "")
            text = f"{letter.replace('P', '')}{start}{sign or '-'}{end}"
            found[text] = moved(state, start, end, letter)
            if letter == "P" and end == "V":
                for other in in_box(state, player):
                    found[f"{text}={other}"] = moved(state, start, end, other)
    return {text: after for text, after in found.items() if not is_checked(after, player)}


def is_mated(state: State, player: int) -> bool:
    """Return whether a player is in check and has no legal move."""
    return is_checked(state, player) and not moves_of(state, player)


def moves(state: State) -> list[str]:
    """Return the legal moves, none when the game is over."""
    if result(state) is not None:
        return []
    return sorted(moves_of(state, state.mover)) or ["pass"]


def apply(state: State, text: str) -> State:
    """Return the position after the move."""
    found = moves_of(state, state.mover)
    if text == "pass" and not found:
        mover = state.mover % state.players + 1
        return state._replace(mover=mover, quiet=state.quiet + 1)
    if text not in found:
        raise ValueError(f"illegal move {text!r} in {format_position(state)}")
    return found[text]


def result(state: State) -> int | None:
    """Return -1 or 1 where a whole team is mated, 0 after too many quiet plies, else None."""
    for parity, value in ((state.mover % 2, -1), (1 - state.mover % 2, 1)):
        team = [player for player in range(1, state.players + 1) if player % 2 == parity]
        if all(is_checked(state, player) for player in team):
            if all(is_mated(state, player) for player in team):
                return value
    return 0 if state.quiet >= QUIET_LIMIT else None


def side(state: State) -> int:
    """Return the side to move."""
    return (state.mover - 1) % 2


# ---------------------------------------------------------------- texts


def format_position(state: State) -> str:
    """Return every player's pieces, `/` between, the player to move and the quiet plies."""
    names = all_names(state.players)
    rows = []
    for player in range(1, state.players + 1):
        own = [(name, letter) for name, (owner, letter) in state.pieces.items() if owner == player]
        own.sort(key=lambda one: ("KQDFWNRBP".index(one[1]), names.index(one[0])))
        rows.append("".join(letter + name for name, letter in own))
    return f"{'/'.join(rows)} {state.mover} {state.quiet}"


def all_names(players: int) -> list[str]:
    """Return the squares: flaps, then what surrounds the Vortex, then V."""
    flaps = [
        f"{section}{file}{rank}" for section in SEATS[players] for rank in "1234" for file in FILES
    ]
    middle = ("c5", "d5", "e5", "c6", "d6", "e6")
    hub = [f"{section}{place}" for section in range(1, 7) for place in middle]
    return [*flaps, *hub, "V"]


def parse_position(text: str) -> State:
    """Return the position that the text describes."""
    if not re.fullmatch(r"[^ ]+(/[^ ]*)+ [1-6] \d+", text):
        raise ValueError(f"not lists of pieces, a player and a number: {text!r}")
    board, mover, quiet = text.split(" ")
    rows = board.split("/")
    pieces = {}
    for player, row in enumerate(rows, start=1):
        for letter, name in re.findall(r"([A-Z])(V|[1-6][a-e][1-6])", row):
            pieces[name] = (player, letter)
    return State(pieces, int(mover), int(quiet), len(rows))


def perft(state: State, depth: int) -> int:
    """Return the number of move sequences of exactly that length."""
    if depth == 0:
        return 1
    return sum(perft(apply(state, text), depth - 1) for text in moves(state))
