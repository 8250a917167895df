"""The board of Duchess: facts of the rules' geometry, and a second construction that agrees."""

import json
from collections import Counter

import pytest

from conftest import ROOT
from naive import duchess as naive
from plywise.games.duchess.board import Board, make_board

REFERENCE = ROOT.parent / "shared" / "reference" / "duchess_board.json"


def names(board: Board, squares: tuple[int, ...]) -> list[str]:
    return [board.squares[square].name for square in squares]


def rays_of(board: Board, name: str) -> set[str]:
    """Return the rook's and bishop's rays from a square as texts."""
    square = board.squares[board.index()[name]]
    return {" ".join(names(board, ray)) for ray in (*square.rook_rays, *square.bishop_rays)}


@pytest.mark.parametrize(("players", "count"), [(4, 117), (6, 157)])
def test_a_vortex_36_squares_around_it_and_20_for_each_player(players: int, count: int) -> None:
    assert len(make_board(players).squares) == count == 1 + 36 + 20 * players


@pytest.mark.parametrize(
    ("players", "pairs"), [(4, (408, 356, 656, 1852, 1004)), (6, (552, 492, 912, 2820, 1692))]
)
def test_how_many_squares_lead_to_others(players: int, pairs: tuple[int, ...]) -> None:
    squares = make_board(players).squares
    assert pairs == (
        sum(len(square.orthogonal) for square in squares),
        sum(len(square.diagonal) for square in squares),
        sum(len(square.knight) for square in squares),
        sum(len(ray) for square in squares for ray in square.rook_rays),
        sum(len(ray) for square in squares for ray in square.bishop_rays),
    )


@pytest.mark.parametrize(("players", "rook", "bishop"), [(4, 31, 49), (6, 39, 57)])
def test_how_many_lines_there_are(players: int, rook: int, bishop: int) -> None:
    board = make_board(players)
    lines: list[set[frozenset[int]]] = [set(), set()]
    for start, square in enumerate(board.squares):
        for found, rays in zip(lines, (square.rook_rays, square.bishop_rays), strict=True):
            for ray in rays:
                back = board.squares[ray[0]]
                both = back.rook_rays if rays is square.rook_rays else back.bishop_rays
                behind = next((other for other in both if other[0] == start), (start,))
                found.add(frozenset((*behind, *ray)))
    assert [len(found) for found in lines] == [rook, bishop]


def test_a_file_a_turns_along_the_outer_ring_into_the_file_e_of_the_next_but_one() -> None:
    assert "1a2 1a3 1a4 2e5 2d5 2c5 3e6 3e5" in rays_of(make_board(4), "1a1")
    assert "1a2 1a3 1a4 2e5 2d5 2c5 3e6 3e5 3e4 3e3 3e2 3e1" in rays_of(make_board(6), "1a1")


def test_a_file_c_leads_through_the_vortex() -> None:
    line = "1c2 1c3 1c4 1c5 1c6 V 4c6 4c5 4c4 4c3 4c2 4c1"
    assert line in rays_of(make_board(4), "1c1")


def test_bishops_pass_where_two_flaps_touch() -> None:
    assert "1a4 2e4 2d3 2c2 2b1" in rays_of(make_board(4), "1b3")


def test_a_bishop_through_the_vortex_does_not_get_far() -> None:
    assert "1d6 V 4d6 4e5" in rays_of(make_board(6), "1e5")


def test_a_knight_goes_across_the_vortex_to_the_next_section_but_one() -> None:
    board = make_board(4)
    square = board.squares[board.index()["1c5"]]
    expected = "1b3 1d3 1a4 1e4 1e6 2d5 2c6 6c6 3c6 5c6"
    assert set(names(board, square.knight)) == set(expected.split())


def test_without_the_long_knight_it_does_not() -> None:
    board = make_board(4, long_knight=False)
    assert len(board.squares[board.index()["1c5"]].knight) == 8


def test_the_vortex_has_twelve_neighbours_and_twelve_knight_moves() -> None:
    vortex = make_board(6).squares[-1]
    assert (len(vortex.orthogonal), len(vortex.diagonal), len(vortex.knight)) == (6, 6, 12)


@pytest.mark.parametrize("players", [4, 6])
def test_orthogonal_steps_change_colour_and_diagonal_ones_do_not(players: int) -> None:
    squares = make_board(players).squares
    for square in squares:
        assert all(squares[end].is_dark != square.is_dark for end in square.orthogonal)
        assert all(squares[end].is_dark == square.is_dark for end in square.diagonal)


def test_the_way_to_the_vortex_depends_on_the_rank_alone() -> None:
    squares = make_board(4).squares
    flaps = {(square.place[2], square.distance) for square in squares if square.place[2] < 5}
    assert flaps == {(1, 6), (2, 5), (3, 4), (4, 3)}
    assert Counter(square.distance for square in squares[-37:]) == {2: 24, 1: 12, 0: 1}


@pytest.mark.parametrize("players", [4, 6])
def test_half_a_turn_of_the_board_is_a_symmetry(players: int) -> None:
    board = make_board(players)
    turned = board.turned(3)
    for square, image in zip(board.squares, turned, strict=True):
        there = board.squares[image]
        assert {turned[end] for end in square.knight} == set(there.knight)
        rays = {tuple(turned[end] for end in ray) for ray in square.bishop_rays}
        assert rays == set(there.bishop_rays)


def test_squares_that_two_sections_share_have_two_names() -> None:
    index = make_board(4).index()
    pairs = ("1a5", "2e5"), ("1b5", "2e6"), ("1a6", "2d5"), ("6b6", "1d6")
    assert all(index[one] == index[other] for one, other in pairs)


@pytest.mark.parametrize("players", [4, 6])
def test_polygons_and_sheets_of_squares_make_the_same_board(players: int) -> None:
    board, ground = make_board(players), naive.ground(players)
    for square in board.squares:
        assert set(names(board, square.orthogonal)) == ground.orthogonal[square.name]
        assert set(names(board, square.diagonal)) == ground.diagonal[square.name]
        assert set(names(board, square.knight)) == ground.knight[square.name]
        rook_rays = sorted(names(board, ray) for ray in square.rook_rays)
        assert rook_rays == sorted(ground.rook_rays[square.name])
        bishop_rays = sorted(names(board, ray) for ray in square.bishop_rays)
        assert bishop_rays == sorted(ground.bishop_rays[square.name])


@pytest.mark.skipif(not REFERENCE.is_file(), reason="the reference board is not at hand")
@pytest.mark.parametrize(("players", "key"), [(4, "four_player"), (6, "six_player")])
def test_the_board_is_that_of_the_reference(players: int, key: str) -> None:
    board, there = make_board(players), json.loads(REFERENCE.read_text())[key]
    assert board.turned(3) == there["rotation_180"]
    for square, other in zip(board.squares, there["squares"], strict=True):
        assert (square.name, list(square.aliases)) == (other["name"], other["aliases"])
        assert sorted(square.orthogonal) == sorted(other["orth"])
        assert sorted(square.diagonal) == sorted(other["diag"])
        assert sorted(square.knight) == sorted(other["knight"])
        assert sorted(square.rook_rays) == sorted(map(tuple, other["rook_rays"]))
        assert sorted(square.bishop_rays) == sorted(map(tuple, other["bishop_rays"]))
        assert square.distance == other["king_moves_to_vortex"]
        assert square.is_dark == (other["color"] == "black")
