"""How moves are shown with a finger."""

import pytest

from conftest import EXAMPLES
from plywise.game.text import parse_record
from plywise.games import load_game
from plywise.live.gestures import Gesture, gestures

CASTLING = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def shown(name: str, position: str = "start", moves: str = "") -> dict[str, Gesture]:
    game = load_game(name)
    record = parse_record(game, position, moves)
    found = gestures(game, record.position, [int(move) for move in record.legal_moves()])
    return {one.text: one for one in found}


def cells(name: str, gesture: Gesture) -> list[list[str]]:
    """Return the names of the single cells of every path."""
    picture = load_game(name).picture
    assert picture is not None
    return [[picture.cells[step[0]].name for step in path] for path in gesture.paths]


def test_a_stone_is_placed_by_one_cell() -> None:
    assert cells("tictactoe", shown("tictactoe")["b2"]) == [["b2"]]


def test_any_cell_of_a_column_drops_a_stone_there() -> None:
    (path,) = shown("connect4")["4"].paths
    assert path == ((3, 10, 17, 24, 31, 38),)


def test_a_man_moves_from_cell_to_cell() -> None:
    assert cells("draughts", shown("draughts")["11-15"]) == [["11", "15"]]


def test_a_chain_of_jumps_stops_at_every_landing() -> None:
    jumps = shown("draughts", "B:W6,7,14,15,22:B2,K10")
    assert cells("draughts", jumps["2x9x18x25"]) == [["2", "9", "18", "25"]]
    assert len(jumps["2x9x18x25"].removed) == 3


def test_landings_that_a_text_leaves_out_are_found() -> None:
    jumps = shown("draughts", "B:W6,7,14,15,22:B2,K10")
    assert cells("draughts", jumps["10x26"]) == [["10", "17", "26"]]


def test_a_pit_is_sown_by_one_cell() -> None:
    assert cells("kalah", shown("kalah")["C"]) == [["C"]]


def test_hexagons_are_cells_like_others() -> None:
    name = str(EXAMPLES / "hex.py")
    assert cells(name, shown(name)["d4"]) == [["d4"]]


@pytest.mark.parametrize(
    ("text", "path"), [("O-O", ["e1", "g1"]), ("O-O-O", ["e1", "c1"]), ("Rf1", ["h1", "f1"])]
)
def test_castling_is_shown_by_the_piece_that_no_other_move_moves_so(
    text: str, path: list[str]
) -> None:
    assert cells("chess", shown("chess", CASTLING)[text]) == [path]


def test_promotions_differ_in_the_piece_that_arrives() -> None:
    promotions = shown("chess", "8/P7/8/8/8/8/k7/7K w - - 0 1")
    texts = [text for text in promotions if text.startswith("a8")]
    assert len({promotions[text].arriving for text in texts}) == len(texts) == 4
    assert {promotions[text].paths for text in texts} == {(((8,), (0,)),)}
