"""Boards on the terminal, as plain text and in colour."""

from typing import Any

import numpy as np
import pytest

from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.picture import Grid, Hexagons, Piece, Polygons, counts
from plywise.picture.terminal import _glyph, draw_board, draw_legend, spell_out
from plywise.picture.theme import COLOURS, Theme, theme_of

FOUR = Grid(
    2,
    2,
    pieces={code: Piece("●", owner=owner) for code, owner in ((1, 0), (-1, 1), (2, 2), (-2, 3))},
)


def pits() -> Game:
    """Return a game with one pit for each side: the words of a position are their seeds."""

    def cells(position: Any, out: Any) -> None:
        out[0] = np.int64(position[0])
        out[1] = -np.int64(position[1])

    rules = _rules(load_game("tictactoe"))
    board = Grid(1, 2, pieces=counts(48))
    return Game("pits", words=2, **rules, cells=cells, picture=board, sides=("south", "north"))


def drawn(game: Game, *texts: str, look: Theme | None = None, start: str = "start") -> str:
    """Return the board after some moves."""
    record = Record(game, game.parse_position(start))
    for text in texts:
        record.play(game.parse_move(record.position, text))
    before = record.positions[-2] if texts else None
    board = draw_board(game, record.position, before, look).plain
    return "\n".join(line.rstrip() for line in board.splitlines())


def test_a_stone_is_marked_where_it_was_set() -> None:
    assert drawn(load_game("tictactoe"), "b2", "c3") == (
        "3  ·  · [o]\n"  #
        "2  ·  x  ·\n"
        "1  ·  ·  ·\n"
        "   a  b  c"
    )


def test_columns_are_labelled_where_rows_are_not() -> None:
    lines = drawn(load_game("connect4"), "4", "4").splitlines()
    assert lines[-3:] == [
        " ·  ·  · [○] ·  ·  ·",
        " ·  ·  ·  ●  ·  ·  ·",
        " 1  2  3  4  5  6  7",
    ]


def test_turned_discs_are_not_marked() -> None:
    lines = drawn(load_game("reversi"), "d3").splitlines()
    assert lines[2:5] == [
        "3  ·  ·  · [●] ·  ·  ·  ·",
        "4  ·  ·  ·  ●  ●  ·  ·  ·",
        "5  ·  ·  ·  ●  ○  ·  ·  ·",
    ]


def test_empty_squares_of_draughts_show_their_numbers() -> None:
    assert drawn(load_game("draughts"), "9-13", "24-20").splitlines() == [
        "    ●     ●     ●     ●",
        " ●     ●     ●     ●",
        "    9     ●     ●     ●",
        " ●    14    15    16",
        "   17    18    19    [○]",
        " ○     ○     ○    [ ]",
        "    ○     ○     ○     ○",
        " ○     ○     ○     ○",
    ]


def test_kings_look_different() -> None:
    board = drawn(load_game("draughts"), start="B:WK15:BK3,10")
    assert (board.count("♛"), board.count("♕"), board.count("●")) == (1, 1, 1)


def test_a_game_without_a_picture_shows_its_position() -> None:
    game = load_game("tictactoe")
    bare = Game("bare", words=3, **_rules(game))
    assert draw_board(bare, bare.initial()).plain == "0.0.0"
    assert draw_legend(bare, bare.initial()).plain == ""


def _rules(game: Game) -> dict[str, Any]:
    return {
        name: getattr(game.rules, name) for name in ("initial", "moves", "apply", "result", "side")
    }


def test_the_legend_counts_pieces() -> None:
    game = load_game("reversi")
    position = game.apply(game.initial(), game.parse_move(game.initial(), "d3"))
    assert draw_legend(game, position).plain == " ●  black 4    ○  white 1"


def test_pieces_of_four_owners_are_told_apart_without_colour() -> None:
    glyphs = [_glyph(FOUR, code, None) for code in (1, -1, 2, -2)]
    assert glyphs == ["●", "○", "●3", "●4"]


def test_seeds_are_shown_as_numbers_on_both_sides() -> None:
    game = pits()
    board = draw_board(game, np.array([4, 12], np.uint64)).plain
    assert board.splitlines()[0].split() == ["1", "4", "12"]
    assert draw_legend(game, np.array([4, 12], np.uint64)).plain == " south 4    north 12"
    empty = draw_board(game, np.array([0, 1], np.uint64), np.array([1, 0], np.uint64)).plain
    assert "[0][1]" in empty


# ---------------------------------------------------------------- colour


def test_sides_are_painted_as_they_are_named() -> None:
    assert theme_of(load_game("draughts")).owners == (COLOURS["black"], COLOURS["white"])
    assert theme_of(load_game("connect4")).owners == (COLOURS["yellow"], COLOURS["red"])


@pytest.mark.parametrize("name", ["connect4", "reversi", "draughts"])
def test_in_colour_both_sides_have_the_same_glyph_in_two_colours(name: str) -> None:
    game = load_game(name)
    look = theme_of(game)
    record = Record(game)
    for _ in range(2):
        record.play(record.legal_moves()[0])
    board = draw_board(game, record.position, record.positions[-2], look)
    pieces = {
        str(span.style) for span in board.spans if board.plain[span.start : span.end].strip() == "●"
    }
    colours = {style.split()[1] for style in pieces}
    assert len(colours) == 2
    assert "○" not in board.plain


def test_cells_of_the_last_move_have_another_ground() -> None:
    game = load_game("connect4")
    before = game.initial()
    position = game.apply(before, game.legal_moves(before)[0])
    plain = draw_board(game, position, None, theme_of(game))
    marked = draw_board(game, position, before, theme_of(game))
    changed = [a != b for a, b in zip(plain.spans, marked.spans, strict=True)]
    assert changed.count(True) == 1


# ---------------------------------------------------------------- other shapes


def test_a_board_that_is_no_grid_is_drawn_by_the_middles_of_its_cells() -> None:
    def hexagon(x: float, y: float) -> tuple[tuple[float, float], ...]:
        return tuple((x + dx, y + dy) for dx, dy in ((-0.5, -0.5), (0.5, -0.5), (0, 0.5), (0, 0.5)))

    cells = {name: hexagon(x, y) for name, x, y in (("a", 0, 0), ("b", 1, 0), ("c", 0.5, 1))}
    inner = load_game("tictactoe")
    game = Game(
        "hexagons",
        words=3,
        **_rules(inner),
        cells=inner.rules.cells,
        picture=Polygons(cells),
    )
    board = draw_board(game, np.array([0b001, 0b100, 0], np.uint64)).plain
    assert [line.split() for line in board.splitlines()] == [["●", "b"], ["○"]]
    first, second = board.splitlines()
    assert first.index("●") < second.index("○") < first.index("b")


def test_cells_at_different_heights_stand_on_different_lines() -> None:
    def box(x: float, y: float) -> tuple[tuple[float, float], ...]:
        return tuple((x + dx, y + dy) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1)))

    inner = load_game("tictactoe")
    cells = {"a": box(1, 0), "b": box(1, 1), "c": box(0, 0.5)}  # c is a store beside two pits
    game = Game("store", words=3, **_rules(inner), cells=inner.rules.cells, picture=Polygons(cells))
    lines = draw_board(game, np.zeros(3, np.uint64)).plain.splitlines()
    assert [line.split() for line in lines] == [["a"], ["c"], ["b"]]


def test_hexagons_stand_in_even_rows_each_half_a_cell_further_right() -> None:
    inner = load_game("tictactoe")
    board = Hexagons(7, 7)
    game = Game("hexagons", words=3, **_rules(inner), cells=inner.rules.cells, picture=board)
    lines = draw_board(game, np.zeros(3, np.uint64)).plain.splitlines()
    names = [cell.name for cell in board.cells]
    assert [lines[row].split() for row in range(7)] == [names[i : i + 7] for i in range(0, 49, 7)]
    starts = [[line.index(name) for name in line.split()] for line in lines]
    assert starts == [[2 * row + 4 * column for column in range(7)] for row in range(7)]


def test_a_stream_without_the_glyphs_gets_letters() -> None:
    game = load_game("draughts")
    board = draw_board(game, game.parse_position("B:WK15,30:BK3,10"))
    letters = spell_out(board, "ascii").plain
    assert [letters.count(letter) for letter in "xXoO"] == [1, 1, 1, 1]
    assert letters.isascii()
    assert spell_out(board, "utf-8") is board


def test_chess_without_its_glyphs_has_the_letters_of_fen() -> None:
    game = load_game("chess")
    board = draw_board(game, game.parse_position("1k1r4/1n3b1p/8/8/8/8/2Q2P2/4K3 w - - 0 1"))
    letters = spell_out(board, "ascii").plain.splitlines()
    rows = [".k.r....", ".n...b.p", *["........"] * 4, "..Q..P..", "....K..."]
    assert ["".join(line[1:].split()) for line in letters[:8]] == rows


def test_pits_show_their_seeds_and_below_them_their_names() -> None:
    game = load_game("kalah")
    assert draw_board(game, game.initial()).plain.splitlines() == [
        "    4  4  4  4  4  4 ",
        "    f  e  d  c  b  a",
        " 0                    0 ",
        " N                    S",
        "    4  4  4  4  4  4 ",
        "    A  B  C  D  E  F",
    ]
