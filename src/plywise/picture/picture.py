"""The picture of a board: cells as polygons, pieces as glyphs.

A game's compiled `cells(position, out)` writes one code per cell: 0 for empty, positive
for a piece of side 0, negative for one of side 1; the size of the code tells the kind.
Terminal and web draw from this description; no drawing code knows any game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plywise.errors import BadPosition

Point = tuple[float, float]

DISCS = {1: "●", -1: "●"}
LETTERS = {0: ".", 1: "x", -1: "o", 2: "X", -2: "O"}  # of a grid as text


@dataclass(frozen=True)
class Cell:
    """One place on the board."""

    name: str
    polygon: tuple[Point, ...]
    shade: str = "plain"  # plain, light, dark or none (not drawn as a place to play)


@dataclass(frozen=True)
class Picture:
    """The board's places, and the glyph for every code of a piece."""

    cells: tuple[Cell, ...]
    glyphs: Mapping[int, str]
    columns: int = 0  # > 0: the cells are a grid of so many columns, row by row from the top
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()


def Grid(  # noqa: N802 - reads as the noun that it returns
    rows: int,
    columns: int,
    *,
    glyphs: Mapping[int, str] = DISCS,
    names: Sequence[str] | None = None,
    checkered: bool = False,
    row_labels: Sequence[str] | None = None,
    column_labels: Sequence[str] | None = None,
) -> Picture:
    """Return the picture of a rectangular board, rows from the top.

    Names default to file letter and rank number counted from the bottom, a1 at the lower left.
    """
    file_names = (
        column_labels if column_labels is not None else [chr(97 + c) for c in range(columns)]
    )
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
    return Picture(tuple(cells), dict(glyphs), columns, tuple(rank_names), tuple(file_names))


def format_grid(picture: Picture, codes: Sequence[int], side: int) -> str:
    """Return the cells of a grid as text: rows from the top, then x or o for the side to move."""
    letters = "".join(LETTERS[int(code)] for code in codes)
    rows = [letters[i : i + picture.columns] for i in range(0, len(letters), picture.columns)]
    return f"{'/'.join(rows)} {'xo'[side]}"


def parse_grid(picture: Picture, text: str) -> tuple[list[int], int]:
    """Return the codes and the side to move of a grid's text."""
    board, _, mover = text.strip().partition(" ")
    rows = board.split("/")
    count = len(picture.cells) // picture.columns
    codes = {
        letter: code for code, letter in LETTERS.items() if code == 0 or code in picture.glyphs
    }
    if len(rows) != count or any(len(row) != picture.columns for row in rows):
        raise BadPosition(
            f"{text!r} is not {count} rows of {picture.columns} cells with / between."
        )
    wrong = sorted(set(board) - set(codes) - {"/"})
    if wrong:
        raise BadPosition(f"{wrong[0]!r} in {text!r} is no cell; cells are {' '.join(codes)}.")
    if mover not in ("x", "o"):
        raise BadPosition(f"{text!r} must end with the side to move, x or o.")
    return [codes[letter] for row in rows for letter in row], "xo".index(mover)
