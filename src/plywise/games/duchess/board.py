"""The board of Duchess: a hexagon with six sections around it, each with a flap for a player.

Sections are numbered 1 to 6 clockwise. Who sits at one sees its files a to e from left to right,
and its ranks from 1 at the edge to 6; next comes the hexagon in the middle, the Vortex V. Ranks 1
to 4 are the flap. Ranks 5 and 6 surround the Vortex, and neighbours share squares there:

    (f, a, 5) = (f + 1, e, 5)        (f, b, 5) = (f + 1, e, 6)
    (f, a, 6) = (f + 1, d, 5)        (f, b, 6) = (f + 1, d, 6)

All movement follows from the polygons. A rook leaves a square through the edge opposite to the
one by which it came, a bishop through the opposite corner; where four squares meet, that is what
everybody expects.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, takewhile
from math import cos, radians, sin, sqrt
from typing import NamedTuple

Point = tuple[float, float]
Place = tuple[int, int, int]  # section 1-6, file 0-4, rank 1-6

FILES = "abcde"
SECTIONS = range(1, 7)
FLAP_RANKS = range(1, 5)
HUB = ((2, 5), (3, 5), (4, 5), (2, 6), (3, 6), (4, 6))  # files and ranks named after a section
VORTEX: Place = (0, 0, 7)
SEATS = {4: (1, 2, 4, 5), 6: (1, 2, 3, 4, 5, 6)}  # the sections at which players sit, in turn
LENGTHS = (0.72, 0.86, 1, 1, 0.86, 0.72)  # of a step outwards along the lines of a flap
NEARNESS = 6  # digits after the point in which two corners agree


@dataclass(frozen=True)
class Square:
    """A square, and where pieces go from there; rays are ordered outwards."""

    name: str
    aliases: tuple[str, ...]
    place: Place
    polygon: tuple[Point, ...]  # y upwards, section 6 at the bottom
    is_dark: bool
    orthogonal: tuple[int, ...]
    diagonal: tuple[int, ...]
    knight: tuple[int, ...]
    rook_rays: tuple[tuple[int, ...], ...]
    bishop_rays: tuple[tuple[int, ...], ...]
    distance: int  # King's moves to the Vortex


@dataclass(frozen=True)
class Board:
    """All squares: flaps by section, rank and file, then what surrounds the Vortex, then V."""

    players: int
    squares: tuple[Square, ...]

    @property
    def sections(self) -> tuple[int, ...]:
        """Return where the players sit, in the order of play."""
        return SEATS[self.players]

    @property
    def vortex(self) -> int:
        return len(self.squares) - 1

    def index(self) -> dict[str, int]:
        """Return the squares by name, other names included."""
        return {
            name: number
            for number, square in enumerate(self.squares)
            for name in (square.name, *square.aliases)
        }

    def turned(self, sections: int) -> list[int]:
        """Return where every square goes when the board is turned by so many sections."""
        index = self.index()
        return [index[name_of(turn(square.place, sections))] for square in self.squares]


@cache
def make_board(players: int, long_knight: bool = True) -> Board:
    """Return the board for four or six players: for four, two opposite flaps are folded down.

    With `long_knight`, knights also go across the Vortex from c5 to c6 of the next section but one.
    """
    places = list(_places(SEATS[6]))
    numbers = {places.index(place): n for n, place in enumerate(_places(SEATS[players]))}
    moving = _movement(places, long_knight)

    def kept(squares: Iterable[int]) -> tuple[int, ...]:
        return tuple(numbers[square] for square in squares if square in numbers)

    def cut(rays: list[list[int]]) -> tuple[tuple[int, ...], ...]:
        whole = (tuple(takewhile(numbers.__contains__, ray)) for ray in rays)
        return tuple(kept(ray) for ray in whole if ray)

    squares = [
        Square(
            name_of(places[old]),
            _aliases(places[old]),
            places[old],
            _polygon(places[old]),
            moving.distances[old] % 2 == 0,
            kept(moving.orthogonal[old]),
            kept(moving.diagonal[old]),
            kept(moving.knight[old]),
            cut(moving.rook_rays[old]),
            cut(moving.bishop_rays[old]),
            moving.king_distances[old],
        )
        for old in numbers
    ]
    return Board(players, tuple(squares))


def _places(sections: Iterable[int]) -> Iterator[Place]:
    for section in sections:
        yield from ((section, file, rank) for rank in FLAP_RANKS for file in range(5))
    for section in SECTIONS:
        yield from ((section, file, rank) for file, rank in HUB)
    yield VORTEX


def turn(place: Place, sections: int) -> Place:
    """Return the place that is so many sections further, clockwise."""
    section, file, rank = place
    return ((section - 1 + sections) % 6 + 1 if section else 0), file, rank


def name_of(place: Place) -> str:
    """Return the name of a square: its section, file and rank, or V."""
    section, file, rank = place
    return f"{section}{FILES[file]}{rank}" if section else "V"


def _aliases(place: Place) -> tuple[str, ...]:
    """Return what the counterclockwise neighbour calls a square that is shared with it."""
    section, file, rank = place
    if rank not in (5, 6) or file < 3:
        return ()
    shared = {(4, 5): (0, 5), (4, 6): (1, 5), (3, 5): (0, 6), (3, 6): (1, 6)}[file, rank]
    return (name_of(turn((section, *shared), -1)),)


# ---------------------------------------------------------------- corners


def _outwards(section: int) -> Point:
    angle = radians(270 - 60 * section)
    return cos(angle), sin(angle)


def _sum(*parts: tuple[float, Point]) -> Point:
    return sum(n * x for n, (x, _) in parts), sum(n * y for n, (_, y) in parts)


def _corner_of_vortex(section: int) -> Point:
    """Return the corner of the hexagon between a section and the next."""
    x, y = _outwards(section)
    return _sum((sqrt(3) / 2, (x, y)), (0.5, (y, -x)))


def _corner(section: int, file_line: int, rank_line: int) -> Point:
    """Return where two lines of a section meet: 0 to 5 along files, 0 to 6 along ranks."""
    own = _outwards(section)
    if file_line <= 2:
        start, aside, steps = section, _outwards(section + 1), 2 - file_line
    else:
        start, aside, steps = section - 1, _outwards(section - 1), file_line - 3
    out = 6 - max(rank_line, 4) + LENGTHS[file_line] * max(0, 4 - rank_line)
    return _sum((1, _corner_of_vortex(start)), (out, own), (steps, aside))


def _polygon(place: Place) -> tuple[Point, ...]:
    section, file, rank = place
    if place == VORTEX:
        return tuple(_corner_of_vortex(section) for section in SECTIONS)
    lines = ((file, rank - 1), (file + 1, rank - 1), (file + 1, rank), (file, rank))
    return tuple(_corner(section, *line) for line in lines)


# ---------------------------------------------------------------- steps

Step = tuple[int, int] | None  # to a square, which is entered by that one of its edges or corners
Steps = list[list[Step]]  # [square][edge or corner by which it is left]


class _Movement(NamedTuple):
    """By square, on the board of six flaps: where pieces go from there."""

    orthogonal: list[list[int]]
    diagonal: list[list[int]]
    knight: list[list[int]]
    rook_rays: list[list[list[int]]]
    bishop_rays: list[list[list[int]]]
    distances: list[int]  # orthogonal steps to the Vortex
    king_distances: list[int]


def _movement(places: Sequence[Place], long_knight: bool) -> _Movement:
    corners = [[_rounded(point) for point in _polygon(place)] for place in places]
    edges = [[frozenset(ends) for ends in pairwise((*one, one[0]))] for one in corners]
    over_edges = _steps(edges, [set() for _ in places])
    orthogonal = _ends(over_edges)
    over_corners = _steps(corners, [set(near) for near in orthogonal])
    diagonal = _ends(over_corners)
    adjacent = [one + other for one, other in zip(orthogonal, diagonal, strict=True)]
    return _Movement(
        orthogonal,
        diagonal,
        _knight_moves(orthogonal, diagonal, _crossings(places) if long_knight else {}),
        _rays(over_edges),
        _rays(over_corners),
        _distances(orthogonal),
        _distances(adjacent),
    )


def _rounded(point: Point) -> Point:
    x, y = point
    return round(x, NEARNESS) + 0.0, round(y, NEARNESS) + 0.0


def _steps(outlines: Sequence[Sequence[Hashable]], barred: Sequence[set[int]]) -> Steps:
    """Return who else has the same edge or corner, but for squares that are barred."""
    owners: dict[Hashable, list[tuple[int, int]]] = defaultdict(list)
    for square, outline in enumerate(outlines):
        for way, part in enumerate(outline):
            owners[part].append((square, way))

    def step(square: int, part: Hashable) -> Step:
        others = [end for end in owners[part] if end[0] != square and end[0] not in barred[square]]
        return others[0] if others else None

    return [[step(square, part) for part in outline] for square, outline in enumerate(outlines)]


def _ends(steps: Steps) -> list[list[int]]:
    return [[step[0] for step in ways if step is not None] for ways in steps]


def _rays(steps: Steps) -> list[list[list[int]]]:
    """Return the rays from every square: each step leaves by what is opposite to the entrance."""

    def ray(step: Step) -> list[int]:
        found = []
        while step is not None:
            square, entrance = step
            found.append(square)
            ways = steps[square]
            step = ways[(entrance + len(ways) // 2) % len(ways)]
        return found

    return [[ray(step) for step in ways if step is not None] for ways in steps]


def _crossings(places: Sequence[Place]) -> dict[int, set[int]]:
    """Return where knights go across the Vortex, between files c of sections two apart."""
    found = {}
    for square, (section, file, rank) in enumerate(places):
        if FILES[file] == "c" and rank in (5, 6):
            ends = (turn((section, file, 11 - rank), way) for way in (2, -2))
            found[square] = {places.index(place) for place in ends}
    return found


def _knight_moves(
    orthogonal: list[list[int]], diagonal: list[list[int]], crossings: dict[int, set[int]]
) -> list[list[int]]:
    """Return what one orthogonal and one diagonal step reach that is not next to the start."""
    found = []
    for square, (near, slant) in enumerate(zip(orthogonal, diagonal, strict=True)):
        ends = {end for by in near for end in diagonal[by]}
        ends |= {end for by in slant for end in orthogonal[by]}
        ends -= {square, *near}
        found.append(sorted(ends | crossings.get(square, set())))
    return found


def _distances(near: list[list[int]]) -> list[int]:
    """Return the number of steps from every square to the Vortex, which is the last one."""
    found = {len(near) - 1: 0}
    edge = list(found)
    while edge:
        reached = {end: found[square] + 1 for square in edge for end in near[square]}
        edge = [end for end in reached if end not in found]
        found |= {end: reached[end] for end in edge}
    return [found[square] for square in range(len(near))]
