"""The picture of a board, and how it is drawn: on a terminal, as SVG."""

from plywise.picture.picture import Cell, Grid, Picture, format_grid, parse_grid

__all__ = ["Cell", "Grid", "Picture", "format_grid", "parse_grid"]
