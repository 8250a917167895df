"""A board on a terminal, from the game's picture alone: in colour, or as plain text."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from rich.text import Text

from plywise.picture.theme import DARK, Rgb, Theme, ground_of, hex_of, light, mixed

if TYPE_CHECKING:
    from plywise.game import Game, Row
    from plywise.picture import Cell, Picture

WIDTH = 3  # characters of a cell

MARK: Rgb = (155, 199, 0)  # laid over the cells of the last move

# For what a stream cannot show: an old code page, plain ASCII.
LETTERS = str.maketrans("●○◉◎■□▲△◆◇★☆♛♕♚♔·", "xoXOxoxoxoxoXOXO.")
# Without colour, side 1 has the hollow counterpart of the glyph that side 0 has.
HOLLOW = {"●": "○", "◉": "◎", "■": "□", "▲": "△", "◆": "◇", "★": "☆", "♛": "♕", "♚": "♔"}


def spell_out(board: Text, encoding: str) -> Text:
    """Return a board in letters if its glyphs do not exist in an encoding."""
    try:
        board.plain.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return Text(board.plain.translate(LETTERS))
    return board


def draw_board(
    game: "Game", position: "Row", before: "Row | None" = None, theme: Theme | None = None
) -> Text:
    """Return the board as lines of text; `before` is the position whose move is marked."""
    if game.picture is None:
        return Text(game.format_position(position))
    codes = [int(code) for code in game.cells(position)]
    earlier = codes if before is None else [int(code) for code in game.cells(before)]
    marked = moved_cells(earlier, codes)
    if game.picture.columns:
        return _draw_grid(game.picture, codes, marked, theme)
    return _draw_freely(game.picture, codes, marked, theme)


def draw_legend(game: "Game", position: "Row", theme: Theme | None = None) -> Text:
    """Return one line: whose pieces look how, and how many there are; nothing without a picture."""
    picture = game.picture
    if picture is None:
        return Text()
    codes = game.cells(position)
    parts = []
    for name, sign in zip(game.sides, (1, -1), strict=True):
        style = _style(theme, _legend_ground(picture, theme), sign) if theme else ""
        text = Text().append(f" {_glyph(picture, sign, theme)} ", style)
        parts.append(text.append(f" {name} {sum(1 for code in codes if code * sign > 0)}"))
    return Text("   ").join(parts)


def moved_cells(before: Sequence[int], after: Sequence[int]) -> set[int]:
    """Return the cells that tell a move: left and entered ones, not those that only change sides.

    A piece that takes by displacement enters no empty cell: then the taken one's is shown.
    """
    changed = {i for i, (old, new) in enumerate(zip(before, after, strict=True)) if old != new}
    entered = {i for i in changed if before[i] == 0}
    left = {i for i in changed if after[i] == 0}
    return entered | left if entered else changed


# ---------------------------------------------------------------- grids


def _draw_grid(picture: "Picture", codes: list[int], marked: set[int], theme: Theme | None) -> Text:
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
    picture: "Picture",
    index: int,
    codes: list[int],
    is_marked: bool,
    theme: Theme | None,
    shade: int,
) -> Text:
    cell, code = picture.cells[index], codes[index]
    content = _content(picture, index, code, theme)
    if theme is None:
        return Text(f"[{content.strip() if code else ' '}]" if is_marked else content)
    if cell.shade == "none":
        return Text(content)
    ground = _ground(cell, theme, shade)
    if is_marked:
        ground = mixed(ground, MARK, 0.45)
    return Text(content, _style(theme, ground, code))


def _content(picture: "Picture", index: int, code: int, theme: Theme | None) -> str:
    """Return the three characters of a cell: a piece, a name where labels do not tell it, a dot."""
    if code != 0:
        return f"{_glyph(picture, code, theme):^{WIDTH}}"
    cell = picture.cells[index]
    if not _is_told_by_labels(picture, index):
        return f"{cell.name:^{WIDTH}}" if len(cell.name) <= WIDTH else " · "
    return (
        " · " if cell.shade == "plain" or (theme is None and cell.shade != "none") else " " * WIDTH
    )


def _is_told_by_labels(picture: "Picture", index: int) -> bool:
    row, column = divmod(index, picture.columns or 1)
    if not any(picture.row_labels) and not any(picture.column_labels):
        return False
    return picture.cells[index].name == picture.column_labels[column] + picture.row_labels[row]


def _glyph(picture: "Picture", code: int, theme: Theme | None) -> str:
    glyph = picture.glyphs.get(code, "?")
    if theme is not None or code > 0 or picture.glyphs.get(-code) != glyph:
        return glyph
    return HOLLOW.get(glyph, f"{glyph}'")


# ---------------------------------------------------------------- other boards


def _draw_freely(
    picture: "Picture", codes: list[int], marked: set[int], theme: Theme | None
) -> Text:
    """Draw cells of any shape, each at its middle."""
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
    return Text("\n").join(lines)


def _places(picture: "Picture") -> list[tuple[int, int]]:
    """Return the column and line of every cell: as near as no two of them overlap."""
    middles = [
        (
            sum(x for x, _ in cell.polygon) / len(cell.polygon),
            sum(y for _, y in cell.polygon) / len(cell.polygon),
        )
        for cell in picture.cells
    ]
    left, top = min(x for x, _ in middles), min(y for _, y in middles)
    for scale in (1, 1.5, 2, 3, 4, 6, 8, 12):
        places = [(round((x - left) * scale * WIDTH), round((y - top) * scale)) for x, y in middles]
        in_order = sorted((y, x) for x, y in places)
        if all(a[0] != b[0] or b[1] - a[1] >= WIDTH for a, b in pairwise(in_order)):
            break
    return places


# ---------------------------------------------------------------- colours


def _ground(cell: "Cell", theme: Theme, shade: int) -> Rgb:
    ground = ground_of(cell, theme)
    return mixed(ground, (255, 255, 255), 0.06 * shade) if ground == theme.ground else ground


def _legend_ground(picture: "Picture", theme: Theme) -> Rgb:
    is_checkered = any(cell.shade == "dark" for cell in picture.cells)
    return DARK if is_checkered else theme.ground


def _style(theme: Theme, ground: Rgb, code: int) -> str:
    if code == 0:
        faint = mixed(ground, (0, 0, 0) if light(ground) > 0.25 else (255, 255, 255), 0.3)
        return f"{hex_of(faint)} on {hex_of(ground)}"
    return f"bold {hex_of(theme.sides[0 if code > 0 else 1])} on {hex_of(ground)}"
