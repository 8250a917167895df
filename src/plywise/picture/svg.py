"""A board as SVG, from the game's picture alone."""

import html
import math
from itertools import pairwise
from typing import TYPE_CHECKING

from plywise.errors import PlywiseError
from plywise.picture.picture import CROWNED, DISC, Cell, Piece, is_lettered
from plywise.picture.theme import (
    Rgb,
    Theme,
    faint,
    ground_of,
    hex_of,
    readable_on,
    theme_of,
)

if TYPE_CHECKING:
    from plywise.game import Game, Row

DISC_SHARE = 0.76  # of a cell that a disc fills
GLYPH_SHARE = 1.3  # the height of a glyph, by the same measure
LETTER_SHARE = 1.05  # the height of a letter on a disc
CROWN = "#d4a017"


def board_svg(game: "Game", position: "Row", seat: int = 0) -> str:
    """Return a position as SVG, as the owner at a seat sees the board."""
    if game.picture is None:
        raise PlywiseError(f"{game.name} has no picture of its board.")
    picture = game.picture.seen_from(seat)
    theme = theme_of(game)
    points = [point for cell in picture.cells for point in cell.polygon]
    left, top = (min(axis) for axis in zip(*points, strict=True))
    right, bottom = (max(axis) for axis in zip(*points, strict=True))
    codes = [int(code) for code in game.cells(position)]
    parts = [_ground(cell, theme) for cell in picture.cells if cell.shade != "none"]
    for cell, code in zip(picture.cells, codes, strict=True):
        piece = picture.pieces.get(code)
        if piece is not None:
            colour = theme.owners[piece.owner] if code else faint(ground_of(cell, theme))
            parts.append(_piece(cell, piece, colour))
    view = f"{left:g} {top:g} {right - left:g} {bottom - top:g}"
    label = html.escape(game.format_position(position))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" role="img" '
        f'aria-label="{label}">{"".join(parts)}</svg>'
    )


def _ground(cell: Cell, theme: Theme) -> str:
    corners = " ".join(f"{x:g},{y:g}" for x, y in cell.polygon)
    fill = hex_of(ground_of(cell, theme))
    return f'<polygon points="{corners}" fill="{fill}" stroke="#0003" stroke-width=".02"/>'


def _piece(cell: Cell, piece: Piece, colour: Rgb) -> str:
    """Return a disc, with a ring for a crown or with a letter, or the glyph of any other kind."""
    (x, y), room = cell.middle, _room(cell)
    radius = DISC_SHARE * room
    disc = _circle(x, y, radius, f'fill="{hex_of(colour)}" stroke="#777" stroke-width=".03"')
    if is_lettered(piece):
        return disc + _glyph(cell, piece, readable_on(colour), LETTER_SHARE * room)
    if piece.kind not in (DISC, CROWNED):
        return _glyph(cell, piece, colour, GLYPH_SHARE * room)
    if piece.kind == DISC:
        return disc
    ring = f'fill="none" stroke="{CROWN}" stroke-width=".07"'
    return disc + _circle(x, y, radius * 2 / 3, ring)


def _glyph(cell: Cell, piece: Piece, colour: Rgb, size: float) -> str:
    x, y = cell.middle
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:.3g}" fill="{hex_of(colour)}" '
        f'text-anchor="middle" dominant-baseline="central">{html.escape(piece.glyph)}</text>'
    )


def _circle(x: float, y: float, radius: float, paint: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.3g}" {paint}/>'


def _room(cell: Cell) -> float:
    """Return the distance from the middle of a cell to its nearest edge."""
    x, y = cell.middle
    distances = []
    for (a, b), (c, d) in pairwise((*cell.polygon, cell.polygon[0])):
        length = math.hypot(c - a, d - b)
        if length > 0:
            distances.append(abs((c - a) * (b - y) - (a - x) * (d - b)) / length)
    return min(distances)
