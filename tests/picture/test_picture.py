"""Boards of squares, hexagons and any polygons, and the pieces on them."""

from dataclasses import replace

import pytest

from plywise.errors import BadPosition, PlywiseError
from plywise.game import About, Game
from plywise.games import load_game
from plywise.picture import (
    Grid,
    Hexagons,
    Picture,
    Piece,
    Polygons,
    counts,
    format_grid,
    parse_grid,
)


def named(picture: Picture, index: int) -> set[str]:
    return {picture.cells[near].name for near in picture.neighbours()[index]}


def test_neighbours_on_a_grid_share_an_edge_not_a_corner() -> None:
    grid = Grid(3, 3)
    assert named(grid, 4) == {"b3", "a2", "c2", "b1"}
    assert named(grid, 0) == {"b3", "a2"}
    assert sum(len(near) for near in grid.neighbours()) == 2 * 12


def test_a_hexagon_inside_the_board_has_six_neighbours() -> None:
    board = Hexagons(3, 3)
    assert named(board, 4) == {"b1", "c1", "a2", "c2", "a3", "b3"}
    assert named(board, 0) == {"b1", "a2"}  # the sharp corner
    assert named(board, 2) == {"b1", "b2", "c2"}  # the blunt one


def test_a_large_board_of_hexagons_finds_all_edges() -> None:
    size = 11
    links = sum(len(near) for near in Hexagons(size, size).neighbours()) // 2
    assert links == 2 * size * (size - 1) + (size - 1) ** 2


def test_neighbours_of_any_polygons() -> None:
    triangles = Polygons(
        {
            "up": ((0, 1), (1, 1), (0.5, 0)),
            "down": ((0.5, 0), (1.5, 0), (1, 1)),
            "far": ((3, 3), (4, 3), (3, 4)),
        }
    )
    assert triangles.neighbours() == ((1,), (0,), ())


def test_neighbours_are_found_once() -> None:
    grid = Grid(8, 8)
    assert grid.neighbours() is grid.neighbours()


def test_the_text_of_hexagons_has_their_rows() -> None:
    board = Hexagons(2, 3)
    codes = [1, 0, -1, 0, 1, 0]
    assert format_grid(board, codes, 1) == "x.o/.x. o"
    assert parse_grid(board, "x.o/.x. o") == (codes, 1)


def test_rows_of_a_text_are_as_long_as_those_of_the_board() -> None:
    squares = {
        name: ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        for name, x, y in (("top", 1, 0), ("left", 0, 1), ("middle", 1, 1), ("right", 2, 1))
    }
    board = Polygons(squares)
    assert format_grid(board, [1, -1, 0, 0], 0) == "x/o.. x"
    assert parse_grid(board, "x/o.. x") == ([1, -1, 0, 0], 0)
    with pytest.raises(BadPosition, match="is not rows of 1 and 3 cells"):
        parse_grid(board, "x.o. x")


def test_glyphs_become_pieces_of_two_owners() -> None:
    board = Grid(2, 2, glyphs={1: "▲", -1: "▶"})
    assert (board.pieces[1].glyph, board.pieces[1].owner) == ("▲", 0)
    assert (board.pieces[-1].glyph, board.pieces[-1].owner) == ("▶", 1)


def test_owners_sit_in_turn_unless_the_picture_says_otherwise() -> None:
    board = Grid(1, 1)
    assert [board.side_of(owner) for owner in range(6)] == [0, 1, 0, 1, 0, 1]
    assert replace(board, sides=(0, 0, 1, 1)).side_of(1) == 0


def test_counts_have_a_glyph_for_every_number() -> None:
    pieces = counts(48)
    assert (pieces[48].glyph, pieces[-7].glyph, pieces[0].glyph) == ("48", "7", "0")
    assert (pieces[7].owner, pieces[-7].owner) == (0, 1)


@pytest.mark.parametrize(
    ("pieces", "players", "sentence"),
    [
        ({1: Piece("x", owner=3)}, 2, "owned by 3, but the 2 players are 0 to 1"),
        ({-1: Piece("x", owner=2)}, 4, "codes of side 0 are positive"),
    ],
)
def test_a_piece_of_nobody_is_refused(
    pieces: dict[int, Piece], players: int, sentence: str
) -> None:
    inner = load_game("tictactoe").rules
    rules = {name: getattr(inner, name) for name in ("initial", "moves", "apply", "result", "side")}
    with pytest.raises(PlywiseError, match=sentence):
        Game(
            "odd",
            words=3,
            **rules,
            cells=inner.cells,
            picture=Grid(3, 3, pieces=pieces),
            about=About(players=players),
        )


def test_a_game_has_two_to_six_players() -> None:
    assert About(players=6).players == 6
    for players in (1, 7):
        with pytest.raises(PlywiseError, match="2 to 6 players"):
            About(players=players)
