"""The picture of a board: cells as polygons, and the piece that every code of a cell stands for.

A game's compiled `cells(position, out)` writes one code per cell: 0 for empty, positive for a
piece of side 0, negative for one of side 1. Terminal and web draw from this description; no
drawing code knows any game.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, groupby, pairwise

from plywise.errors import BadPosition

Point = tuple[float, float]

DISC, CROWNED, COUNT = "disc", "crowned", "count"  # the kinds of pieces that drawing knows
DISCS = {1: "●", -1: "●"}
LETTERS = {0: ".", 1: "x", -1: "o", 2: "X", -2: "O"}  # of a board as text
NEARNESS = 6  # digits after the point in which two corners agree


@dataclass(frozen=True)
class Cell:
    """One place on the board."""

    name: str
    polygon: tuple[Point, ...]
    shade: str = "plain"  # plain, light, dark or none (not drawn as a place to play)

    @property
    def middle(self) -> Point:
        """Return the mean of the corners."""
        x, y = (sum(axis) / len(self.polygon) for axis in zip(*self.polygon, strict=True))
        return x, y


@dataclass(frozen=True)
class Piece:
    """What stands on a cell.

    A `disc` is drawn as one, a `crowned` one with a ring, and a `count` is a number of things
    such as seeds in a pit; a piece of any other kind (`knight`) is drawn as its glyph.
    """

    glyph: str
    kind: str = DISC
    owner: int = 0  # of up to six; owners 0, 2, 4 are side 0 unless the picture says otherwise


@dataclass(frozen=True)
class Picture:
    """The board's places, and the piece for every code; see Grid, Hexagons and Polygons."""

    cells: tuple[Cell, ...]
    pieces: Mapping[int, Piece]
    columns: int = 0  # > 0: the cells are a grid of so many columns, row by row from the top
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    sides: tuple[int, ...] = ()  # the side of every owner; () means that they sit in turn
    seats: tuple[float, ...] = ()  # by owner: clockwise degrees until the seat is at the bottom

    def piece_of(self, code: int) -> Piece:
        """Return what a code stands for; a question mark for one that is not known."""
        return self.pieces.get(code, Piece("?", "unknown", int(code < 0)))

    def side_of(self, owner: int) -> int:
        """Return the side that an owner of pieces plays for."""
        return self.sides[owner] if self.sides else owner % 2

    def seen_from(self, owner: int) -> "Picture":
        """Return the board as an owner of pieces sees it; the same for all if nobody has a seat."""
        if not self.seats or self.seats[owner] == 0:
            return self
        angle = math.radians(self.seats[owner])
        cells = [replace(cell, polygon=_turned(cell.polygon, angle)) for cell in self.cells]
        return replace(self, cells=tuple(cells))

    @property
    def owners(self) -> list[int]:
        """Return who owns pieces."""
        return sorted({piece.owner for code, piece in self.pieces.items() if code != 0})

    @property
    def has_counts(self) -> bool:
        """Return whether cells hold numbers of things."""
        return any(piece.kind == COUNT for piece in self.pieces.values())

    @cached_property
    def row_lengths(self) -> tuple[int, ...]:
        """Return how many cells, one after the other, are at the same height, row by row."""
        heights = (round(cell.middle[1], NEARNESS) for cell in self.cells)
        return tuple(len(list(row)) for _, row in groupby(heights))

    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """Return for every cell the cells with which it shares an edge."""
        return self._neighbours

    @cached_property
    def _neighbours(self) -> tuple[tuple[int, ...], ...]:
        touching: dict[frozenset[Point], list[int]] = defaultdict(list)
        for index, cell in enumerate(self.cells):
            for edge in _edges(cell.polygon):
                touching[edge].append(index)
        found: list[set[int]] = [set() for _ in self.cells]
        for cells in touching.values():
            for cell_index in cells:
                found[cell_index].update(cells)
        return tuple(tuple(sorted(near - {index})) for index, near in enumerate(found))


def _turned(polygon: Sequence[Point], angle: float) -> tuple[Point, ...]:
    """Return corners turned clockwise around the origin; y goes downwards."""
    cosine, sine = math.cos(angle), math.sin(angle)
    return tuple((x * cosine - y * sine, x * sine + y * cosine) for x, y in polygon)


def _edges(polygon: Sequence[Point]) -> list[frozenset[Point]]:
    corners = [(round(x, NEARNESS) + 0.0, round(y, NEARNESS) + 0.0) for x, y in polygon]
    ends = zip(corners, corners[1:] + corners[:1], strict=True)
    return [frozenset(edge) for edge in ends]


# ---------------------------------------------------------------- pieces


def is_lettered(piece: Piece) -> bool:
    """Return whether a piece is drawn as a letter on its owner's colour."""
    return (
        piece.kind not in (DISC, CROWNED, COUNT) and piece.glyph.isascii() and piece.glyph.isalpha()
    )


def pieces_of(glyphs: Mapping[int, str]) -> dict[int, Piece]:
    """Return the pieces of codes with glyphs: positive ones are owner 0's, negative ones owner 1's.

    The size of a code tells the kind; a full circle is a disc.
    """
    return {
        code: Piece(glyph, DISC if glyph == DISCS[1] else f"kind {abs(code)}", int(code < 0))
        for code, glyph in glyphs.items()
    }


def counts(most: int) -> dict[int, Piece]:
    """Return the pieces of a game whose cells hold 0 to so many things, such as seeds in pits.

    Code n is n things of side 0, code -n are n things of side 1.
    """
    numbers = range(-most, most + 1)
    return {code: Piece(str(abs(code)), COUNT, int(code < 0)) for code in numbers}


# ---------------------------------------------------------------- shapes of boards


def Grid(  # noqa: N802 - reads as the noun that it returns
    rows: int,
    columns: int,
    *,
    glyphs: Mapping[int, str] = DISCS,
    pieces: Mapping[int, Piece] | None = None,
    names: Sequence[str] | None = None,
    checkered: bool = False,
    row_labels: Sequence[str] | None = None,
    column_labels: Sequence[str] | None = None,
) -> Picture:
    """Return the picture of a rectangular board, rows from the top.

    Names default to file letter and rank number counted from the bottom, a1 at the lower left.
    """
    file_names = column_labels if column_labels is not None else _letters(columns)
    rank_names = row_labels if row_labels is not None else [str(rows - r) for r in range(rows)]
    cells = []
    for row in range(rows):
        for column in range(columns):
            index = row * columns + column
            name = names[index] if names else f"{file_names[column]}{rank_names[row]}"
            shade = ("light", "dark")[(row + column) % 2] if checkered else "plain"
            corners = ((0, 0), (1, 0), (1, 1), (0, 1))
            polygon = tuple((float(column + x), float(row + y)) for x, y in corners)
            cells.append(Cell(name, polygon, shade))
    known = pieces_of(glyphs) if pieces is None else dict(pieces)
    return Picture(tuple(cells), known, columns, tuple(rank_names), tuple(file_names))


def Hexagons(  # noqa: N802
    rows: int,
    columns: int,
    *,
    glyphs: Mapping[int, str] = DISCS,
    pieces: Mapping[int, Piece] | None = None,
    names: Sequence[str] | None = None,
) -> Picture:
    """Return the picture of a rhombus of hexagons, as in Hex: each row half a cell to the right.

    Names default to column letter and row number, a1 at the upper left.
    """
    height = 3**0.5 / 2  # from row to row, where neighbours in a row are 1 apart
    tip, shoulder = height * 2 / 3, height / 3
    corners = ((0, -tip), (0.5, -shoulder), (0.5, shoulder), (0, tip), (-0.5, shoulder))
    outline = (*corners, (-0.5, -shoulder))
    letters = _letters(columns)
    cells = {}
    for row in range(rows):
        for column in range(columns):
            name = names[row * columns + column] if names else f"{letters[column]}{row + 1}"
            middle = (column + row / 2, row * height)
            cells[name] = tuple((middle[0] + x, middle[1] + y) for x, y in outline)
    return Polygons(cells, glyphs=glyphs, pieces=pieces)


def Polygons(  # noqa: N802
    cells: Mapping[str, Sequence[Point]],
    *,
    glyphs: Mapping[int, str] = DISCS,
    pieces: Mapping[int, Piece] | None = None,
) -> Picture:
    """Return the picture of a board of any cells: their names and corners, y downwards."""
    known = pieces_of(glyphs) if pieces is None else dict(pieces)
    return Picture(tuple(Cell(name, tuple(corners)) for name, corners in cells.items()), known)


def _letters(count: int) -> list[str]:
    return [chr(ord("a") + place) for place in range(count)]


# ---------------------------------------------------------------- a board as text


def format_grid(picture: Picture, codes: Sequence[int], side: int) -> str:
    """Return the cells of a board as text: rows from the top, then x or o for the side to move."""
    letters = "".join(LETTERS[int(code)] for code in codes)
    ends = pairwise(accumulate(picture.row_lengths, initial=0))
    return f"{'/'.join(letters[first:last] for first, last in ends)} {'xo'[side]}"


def parse_grid(picture: Picture, text: str) -> tuple[list[int], int]:
    """Return the codes and the side to move of a board's text."""
    board, _, mover = text.strip().partition(" ")
    rows = board.split("/")
    codes = {
        letter: code for code, letter in LETTERS.items() if code == 0 or code in picture.pieces
    }
    if tuple(map(len, rows)) != picture.row_lengths:
        raise BadPosition(f"{text!r} is not {_shape(picture)} cells with / between.")
    wrong = sorted(set(board) - set(codes) - {"/"})
    if wrong:
        raise BadPosition(f"{wrong[0]!r} in {text!r} is no cell; cells are {' '.join(codes)}.")
    if mover not in ("x", "o"):
        raise BadPosition(f"{text!r} must end with the side to move, x or o.")
    return [codes[letter] for row in rows for letter in row], "xo".index(mover)


def _shape(picture: Picture) -> str:
    """Return how long the rows of a board are, in words."""
    lengths = picture.row_lengths
    if len(set(lengths)) == 1:
        return f"{len(lengths)} rows of {lengths[0]}"
    return f"rows of {', '.join(map(str, lengths[:-1]))} and {lengths[-1]}"
