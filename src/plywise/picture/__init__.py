"""The picture of a board, and how it is drawn: on a terminal, as SVG."""

from plywise.picture.difference import Change, changes, touched_cells
from plywise.picture.picture import (
    Cell,
    Grid,
    Hexagons,
    Picture,
    Piece,
    Polygons,
    counts,
    format_grid,
    parse_grid,
)

__all__ = [
    "Cell",
    "Change",
    "Grid",
    "Hexagons",
    "Picture",
    "Piece",
    "Polygons",
    "changes",
    "counts",
    "format_grid",
    "parse_grid",
    "touched_cells",
]
