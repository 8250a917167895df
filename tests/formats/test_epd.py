"""EPD: what a line says, what is kept, and what is refused."""

import gzip
from pathlib import Path

import pytest

from plywise.errors import PlywiseError
from plywise.formats import parse_epd, read_epd
from plywise.formats.epd import read_suite
from plywise.games import load_game

MATE = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
chess = load_game("chess")


def test_operations_have_operands_and_texts() -> None:
    one = parse_epd(rf'{MATE} bm Qg6 Nfg4; id "WAC.001"; c0 "a; \"b\""; xyz 1 2;pv', chess)
    assert one.operations == {
        "bm": ("Qg6", "Nfg4"),
        "id": ("WAC.001",),
        "c0": ('a; "b"',),
        "xyz": ("1", "2"),
        "pv": (),
    }
    assert one.name == "WAC.001"
    assert chess.format_line(one.position, one.best[:1]) == ["Qg6"]


def test_a_solution_is_a_best_move_that_is_not_to_be_avoided() -> None:
    one = parse_epd(f"{START} bm e4 d4; am d4;", chess)
    e4, d4, c4 = (int(chess.parse_move(one.position, text)) for text in ("e4", "d4", "c4"))
    assert [one.is_solved_by(move) for move in (e4, d4, c4)] == [True, False, False]
    bad = parse_epd(f"{START} am d4;", chess)
    assert [bad.is_solved_by(move) for move in (e4, d4)] == [True, False]


@pytest.mark.parametrize(
    ("text", "fen"),
    [
        (f"{START}", f"{START} 0 1"),
        (f"{START} 5 9 bm e4;", f"{START} 5 9"),
        (f"{START} hmvc 5; fmvn 9;", f"{START} 5 9"),
        (f"  {START} ;D1 20 ;D2 400", f"{START} 0 1"),
        (f"{START} bm e4", f"{START} 0 1"),
    ],
)
def test_counters_may_stand_in_two_places(text: str, fen: str) -> None:
    assert chess.format_position(parse_epd(text, chess).position) == fen


def test_other_games_have_suites_too() -> None:
    draughts = load_game("draughts")
    text = "W:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"
    one = parse_epd(f'{text} bm 24-19; id "a shot";', draughts)
    assert draughts.format_position(one.position) == draughts.format_position(
        draughts.parse_position(text)
    )
    assert one.name == "a shot"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"{START} bm Nf6;", "line 2: 'Nf6' is not a legal move here"),
        (f"{START} bm e4; 7;", "line 2: '7;' is no operation"),
        (f'{START} id "open;', "line 2: 'id .* is no operation"),
        ("nonsense bm e4;", "line 2: 'nonsense' is no FEN"),
    ],
)
def test_a_broken_line_is_told_by_its_number(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "suite.epd"
    path.write_text(f"# a remark\n{text}\n")
    with pytest.raises(PlywiseError, match=complaint):
        read_epd(path, chess)


def test_a_suite_has_something_to_find_in_every_position(tmp_path: Path) -> None:
    path = tmp_path / "suite.epd.gz"
    path.write_bytes(gzip.compress(f"\n{START} bm e4;\r\n{START} id x;\r\n".encode()))
    assert [one.name for one in read_epd(path, chess)] == ["line 2", "x"]
    with pytest.raises(PlywiseError, match="line 3: the position names neither best moves"):
        read_suite(path, chess)
    path.write_bytes(b"# nothing\n")
    with pytest.raises(PlywiseError, match="has no positions"):
        read_epd(path, chess)
