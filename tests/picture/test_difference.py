"""What moved, told from two pictures of one board."""

import pytest

from plywise.game import Game
from plywise.games import load_game
from plywise.picture import Grid, Picture, Piece, changes, counts, touched_cells

ROW = Grid(1, 4)
PIECES = {
    1: Piece("♟", "pawn", 0),
    2: Piece("♛", "queen", 0),
    -1: Piece("♟", "pawn", 1),
    -2: Piece("♛", "queen", 1),
}
CHESS = Grid(2, 4, pieces=PIECES)


def told(picture: Picture, before: list[int], after: list[int]) -> list[tuple[str, object, object]]:
    return [(kind, start, end) for kind, start, end, _ in changes(picture, before, after)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([0, 0], [0, 1], {1}),  # a stone is set
        ([1, 0], [0, 1], {0, 1}),  # a piece moves
        ([1, -1], [0, 1], {0, 1}),  # it takes the piece that it replaces
        ([1, -1, 0], [0, 0, 1], {0, 1, 2}),  # it takes by jumping
        ([0, -1, 1], [1, 1, 1], {0}),  # a disc turns another
        ([1, 1], [1, 1], set()),  # a pass
        ([1, -1], [-1, -1], {0}),  # a disc turns, and nothing else happens
    ],
)
def test_the_cells_of_a_move(before: list[int], after: list[int], expected: set[int]) -> None:
    assert touched_cells(changes(ROW, before, after)) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([0, 0, 0, 0], [0, 1, 0, 0], [("placed", None, 1)]),
        ([1, 0, 0, 0], [0, 0, 1, 0], [("moved", 0, 2)]),
        ([1, -1, 0, 0], [0, 0, 1, 0], [("moved", 0, 2), ("removed", 1, None)]),
        ([1, -1, 0, 0], [0, 1, 0, 0], [("moved", 0, 1), ("removed", 1, None)]),
        ([0, -1, 1, 0], [1, 1, 1, 0], [("placed", None, 0), ("turned", None, 1)]),
        ([1, 0, -1, 0], [0, 1, 1, 0], [("moved", 0, 1), ("turned", None, 2)]),  # as in Ataxx
    ],
)
def test_a_move_is_told_piece_by_piece(
    before: list[int], after: list[int], expected: list[tuple[str, object, object]]
) -> None:
    assert sorted(told(ROW, before, after), key=str) == sorted(expected, key=str)


def test_each_piece_comes_from_the_nearest_one_that_left() -> None:
    before, after = [1, 0, 0, 0, 0, 0, 0, 1], [0, 1, 0, 0, 0, 0, 1, 0]
    assert sorted(told(CHESS, before, after)) == [("moved", 0, 1), ("moved", 7, 6)]


def test_a_promoted_piece_comes_from_one_of_its_owner() -> None:
    found = changes(CHESS, [1, 0, 0, 0, 0, -2, 0, 0], [0, 0, 0, 0, 0, 2, 0, 0])
    assert [(change.kind, change.start, change.end) for change in found] == [
        ("moved", 0, 5),
        ("removed", 5, None),
    ]
    assert [change.piece for change in found] == [PIECES[2], PIECES[-2]]


def test_seeds_are_counted_in_every_pit_that_changed() -> None:
    pits = Grid(1, 4, pieces=counts(10))
    found = changes(pits, [2, 0, 1, -3], [0, 1, 2, -3])
    assert [(change.kind, change.end, change.piece.glyph) for change in found] == [
        ("counted", 0, "0"),
        ("counted", 1, "1"),
        ("counted", 2, "2"),
    ]


def test_every_move_of_a_game_touches_a_cell(game: Game) -> None:
    assert game.picture is not None
    before = game.initial()
    for move in game.legal_moves(before):
        after = game.apply(before, move)
        codes = [[int(code) for code in game.cells(row)] for row in (before, after)]
        assert touched_cells(changes(game.picture, *codes))


def test_a_jump_of_draughts_moves_one_piece_and_removes_one() -> None:
    game = load_game("draughts")
    assert game.picture is not None
    before = game.parse_position("B:W15,32:B10,1")
    after = game.apply(before, game.parse_move(before, "10x19"))
    codes = [[int(code) for code in game.cells(row)] for row in (before, after)]
    found = changes(game.picture, *codes)
    names = [
        (c.kind, *(game.picture.cells[i].name if i is not None else "" for i in (c.start, c.end)))
        for c in found
    ]
    assert sorted(names) == [("moved", "10", "19"), ("removed", "15", "")]
