"""A board on a terminal, from the game's picture alone: in colour, or as plain text."""

from itertools import pairwise, product
from typing import TYPE_CHECKING

from rich.text import Text

from plywise.picture.difference import changes, touched_cells
from plywise.picture.picture import COUNT, Cell, Picture, Piece, Point, is_lettered
from plywise.picture.theme import (
    DARK,
    Rgb,
    Theme,
    faint,
    ground_of,
    hex_of,
    mixed,
    readable_on,
)

if TYPE_CHECKING:
    from plywise.game import Game, Row

WIDTH = 3  # characters of a cell

SCALES = (1, 4 / 3, 1.5, 2, 3, 4, 6, 8, 12)  # by which cells are moved apart
MOST_LINES = 40  # where exact heights need more, cells are only kept apart
CLOSE_SCALES = tuple(tenths / 10 for tenths in range(10, 31))

MARK: Rgb = (155, 199, 0)  # laid over the cells of the last move

# For what a stream cannot show: an old code page, plain ASCII.
LETTERS = str.maketrans("●○◉◎■□▲△◆◇★☆♛♕·", "xoXOxoxoxoxoXO.")
CHESS_LETTERS = str.maketrans("♟♙♞♘♝♗♜♖♛♕♚♔·", "PpNnBbRrQqKk.")  # where a king is on the board
# Without colour, side 1 has the hollow counterpart of the glyph that side 0 has.
HOLLOW = dict(zip("●◉■▲◆★♟♞♝♜♛♚", "○◎□△◇☆♙♘♗♖♕♔", strict=True))


def spell_out(board: Text, encoding: str) -> Text:
    """Return a board in letters if its glyphs do not exist in an encoding."""
    try:
        board.plain.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        has_king = "♚" in board.plain or "♔" in board.plain
        return Text(board.plain.translate(CHESS_LETTERS if has_king else LETTERS))
    return board


def draw_board(
    game: "Game",
    position: "Row",
    before: "Row | None" = None,
    theme: Theme | None = None,
    seat: int = 0,
) -> Text:
    """Return the board as lines of text; `before` is the position whose move is marked.

    It is drawn as the owner at a seat sees it.
    """
    if game.picture is None:
        return Text(game.format_position(position))
    codes = [int(code) for code in game.cells(position)]
    earlier = codes if before is None else [int(code) for code in game.cells(before)]
    marked = touched_cells(changes(game.picture, earlier, codes))
    if game.picture.columns:
        return _draw_grid(game.picture, codes, marked, theme)
    return _draw_freely(game.picture.seen_from(seat), codes, marked, theme)


def draw_legend(game: "Game", position: "Row", theme: Theme | None = None) -> Text:
    """Return one line: whose pieces look how, and how many there are; nothing without a picture."""
    picture = game.picture
    if picture is None:
        return Text()
    codes = [int(code) for code in game.cells(position)]
    parts = []
    for side, name in enumerate(game.sides):
        text = Text()
        for owner in picture.owners:
            if picture.side_of(owner) == side:
                text.append_text(_legend_piece(picture, owner, theme))
        parts.append(text.append(f" {name} {_amount(picture, codes, side)}"))
    return Text("   ").join(parts)


def _legend_piece(picture: Picture, owner: int, theme: Theme | None) -> Text:
    """Return an owner's simplest piece; of things that are counted, a disc in their colour."""
    codes = [code for code in picture.pieces if code and picture.pieces[code].owner == owner]
    code = min(codes, key=abs)
    style = _style(theme, _legend_ground(picture, theme), picture.pieces[code]) if theme else ""
    if picture.has_counts:
        return Text(" ● ", style) if theme else Text()
    return Text(f" {_glyph(picture, code, theme)} ", style)


def _amount(picture: Picture, codes: list[int], side: int) -> int:
    """Return how many pieces a side has; where cells hold numbers, how much."""
    own = [code for code in codes if code != 0 and (code < 0) == (side == 1)]
    return sum(abs(code) for code in own) if picture.has_counts else len(own)


# ---------------------------------------------------------------- grids


def _draw_grid(picture: Picture, codes: list[int], marked: set[int], theme: Theme | None) -> Text:
    columns = picture.columns
    margin = max((len(label) for label in picture.row_labels), default=0)
    lines = []
    for first in range(0, len(codes), columns):
        row = first // columns
        label = picture.row_labels[row] if picture.row_labels else ""
        line = Text().append(f"{label:>{margin}} " if margin else "", "dim" if theme else "")
        for index in range(first, first + columns):
            shade = (row + index - first) % 2
            line.append_text(_draw_cell(picture, index, codes, index in marked, theme, shade))
        lines.append(line)
    if any(picture.column_labels):
        indent = " " * (margin + 1 if margin else 0)
        labels = "".join(f"{label:^{WIDTH}}" for label in picture.column_labels)
        lines.append(Text((indent + labels).rstrip(), "dim" if theme else ""))
    return Text("\n").join(lines)


def _draw_cell(
    picture: Picture,
    index: int,
    codes: list[int],
    is_marked: bool,
    theme: Theme | None,
    shade: int,
) -> Text:
    cell, code = picture.cells[index], codes[index]
    content = _content(picture, index, code, theme)
    if is_marked and code != 0 and theme is not None and is_lettered(picture.piece_of(code)):
        content = f"[{content.strip()}]"
    if theme is None:
        shown = content.strip() if _is_shown(picture, code) else " "
        return Text(f"[{shown}]" if is_marked else content)
    if cell.shade == "none":
        return Text(content)
    ground = _ground(cell, theme, shade)
    if is_marked:
        ground = mixed(ground, MARK, 0.45)
    return Text(content, _style(theme, ground, picture.piece_of(code) if code else None))


def _is_shown(picture: Picture, code: int) -> bool:
    """Return whether a code has something to draw: a piece, or the number 0."""
    return code != 0 or 0 in picture.pieces


def _content(picture: Picture, index: int, code: int, theme: Theme | None) -> str:
    """Return the three characters of a cell: a piece, a name where labels do not tell it, a dot."""
    if _is_shown(picture, code):
        return f"{_glyph(picture, code, theme):^{WIDTH}}"
    cell = picture.cells[index]
    if not _is_told_by_labels(picture, index):
        return f"{cell.name:^{WIDTH}}" if len(cell.name) <= WIDTH else " · "
    return (
        " · " if cell.shade == "plain" or (theme is None and cell.shade != "none") else " " * WIDTH
    )


def _is_told_by_labels(picture: Picture, index: int) -> bool:
    row, column = divmod(index, picture.columns or 1)
    if not any(picture.row_labels) and not any(picture.column_labels):
        return False
    return picture.cells[index].name == picture.column_labels[column] + picture.row_labels[row]


def _glyph(picture: Picture, code: int, theme: Theme | None) -> str:
    """Return a piece's glyph; without colour, it has to differ from that of other owners."""
    piece = picture.piece_of(code)
    if theme is None and is_lettered(piece) and len(picture.owners) > 2:
        return f"{piece.glyph}{piece.owner + 1}"
    if theme is not None or piece.owner == 0 or piece.kind == COUNT:
        return piece.glyph
    others = [other.glyph for other in picture.pieces.values() if other.owner < piece.owner]
    if piece.glyph not in others:
        return piece.glyph
    if piece.owner == 1:
        return HOLLOW.get(piece.glyph, f"{piece.glyph}'")
    return f"{piece.glyph}{piece.owner + 1}"


# ---------------------------------------------------------------- other boards


def _draw_freely(picture: Picture, codes: list[int], marked: set[int], theme: Theme | None) -> Text:
    """Draw cells of any shape, each at its middle; names stand below numbers that hide them."""
    places = _places(picture)
    rows: dict[int, list[tuple[int, int]]] = {}
    for index, (x, y) in enumerate(places):
        rows.setdefault(y, []).append((x, index))
    lines = []
    for y in range(max(rows) + 1):
        line = Text()
        for x, index in sorted(rows.get(y, [])):
            line.append(" " * (x - line.cell_len))
            line.append_text(_draw_cell(picture, index, codes, index in marked, theme, 0))
        lines.append(line)
        if picture.has_counts and y in rows:
            lines.append(_names(picture, sorted(rows[y]), theme))
    return Text("\n").join(lines)


def _names(picture: Picture, row: list[tuple[int, int]], theme: Theme | None) -> Text:
    """Return the names of cells in a line, each where its cell is."""
    line = ""
    for x, index in row:
        line = f"{line:<{x}}{picture.cells[index].name:^{WIDTH}}"
    return Text(line.rstrip(), "dim" if theme else "")


def _places(picture: Picture) -> list[tuple[int, int]]:
    """Return the column and line of every cell: as near as no two of them overlap."""
    middles = [cell.middle for cell in picture.cells]
    left, top = min(x for x, _ in middles), min(y for _, y in middles)
    heights = sorted({round(y - top, 3) for _, y in middles})
    nearest = min((b - a for a, b in pairwise(heights)), default=1)
    for tall in sorted((*SCALES, 1 / nearest)):
        lines = {height: round(height * tall) for height in heights}
        if len(set(lines.values())) == len(heights):
            break
    if max(lines.values()) > MOST_LINES:
        return _close_places([(x - left, y - top) for x, y in middles])
    for wide in SCALES:
        places = [(round((x - left) * wide * WIDTH), lines[round(y - top, 3)]) for x, y in middles]
        if _gap(places) >= WIDTH:
            break
    return places


def _close_places(points: list[Point]) -> list[tuple[int, int]]:
    """Return places for points at very many heights, which lines cannot tell apart.

    Of all scales with a gap between cells, the one is taken that fills the least of the screen.
    """
    best: list[tuple[int, int]] = []
    for tall, wide in product(CLOSE_SCALES, CLOSE_SCALES):
        places = [(round(x * wide * WIDTH), round(y * tall)) for x, y in points]
        if _gap(places) > WIDTH and (not best or _area(places) < _area(best)):
            best = places
    return best


def _gap(places: list[tuple[int, int]]) -> int:
    """Return how far neighbours in a line are apart, at least."""
    in_order = sorted((y, x) for x, y in places)
    gaps = [b[1] - a[1] for a, b in pairwise(in_order) if a[0] == b[0]]
    return min(gaps, default=WIDTH + 1)


def _area(places: list[tuple[int, int]]) -> int:
    return (max(x for x, _ in places) + WIDTH) * (max(y for _, y in places) + 1)


# ---------------------------------------------------------------- colours


def _ground(cell: Cell, theme: Theme, shade: int) -> Rgb:
    ground = ground_of(cell, theme)
    return mixed(ground, (255, 255, 255), 0.06 * shade) if ground == theme.ground else ground


def _legend_ground(picture: Picture, theme: Theme) -> Rgb:
    is_checkered = any(cell.shade == "dark" for cell in picture.cells)
    return DARK if is_checkered else theme.ground


def _style(theme: Theme, ground: Rgb, piece: Piece | None) -> str:
    if piece is None:
        return f"{hex_of(faint(ground))} on {hex_of(ground)}"
    if is_lettered(piece):
        colour = theme.owners[piece.owner]
        return f"bold {hex_of(readable_on(colour))} on {hex_of(colour)}"
    return f"bold {hex_of(theme.owners[piece.owner])} on {hex_of(ground)}"
