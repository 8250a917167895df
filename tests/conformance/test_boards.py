"""What a board shows of faults in a game: owners, glyphs, and its size."""

from pathlib import Path

import pytest

from conftest import SMALLEST_GAME
from plywise.conformance import ERROR, NOTE, WARNING, Finding, check_game, why_no_symmetries
from plywise.games import load_game

pytestmark = pytest.mark.kernels

EXCHANGE = "return position[1], position[0] | (1 << move), 1 - position[2]"
KEEP = "return position[0] | (1 << move), position[1], 1 - position[2]"
PICTURE = 'Grid(3, 3, glyphs={1: "x", -1: "o"})'
IMPORT = "from plywise.game.bitboards import cells, from_cells\n"
MINE_ABOVE_0 = """from plywise.game.bitboards import from_cells


def cells(position, out):
    for cell in range(9):
        out[cell] = 0
        if position[0] >> cell & 1:
            out[cell] = 1
        if position[1] >> cell & 1:
            out[cell] = -1
"""
READ_BY_CELLS = "from_cells=from_cells, "


def check_board(folder: Path, *replacements: tuple[str, str]) -> dict[str, Finding]:
    """Return the findings but for notes, by rule, in tic-tac-toe with pieces of text replaced."""
    text = SMALLEST_GAME.read_text()
    for old, new in replacements:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    path = folder / f"board{len(list(folder.iterdir()))}.py"
    path.write_text(text)
    report = check_game(load_game(str(path)), games=10)
    return {finding.rule: finding for finding in report.findings if finding.level != NOTE}


def test_stones_that_are_not_exchanged_are_told(tmp_path: Path) -> None:
    found = check_board(tmp_path, (EXCHANGE, KEEP))
    assert list(found) == ["owners"]
    assert found["owners"].level == ERROR
    assert "all pieces change their owner with every move" in found["owners"].what
    assert "`return theirs, mine, 1 - turn`" in found["owners"].hint


def test_cells_that_forget_whose_turn_it_is_are_told(tmp_path: Path) -> None:
    found = check_board(tmp_path, (IMPORT, MINE_ABOVE_0), (READ_BY_CELLS, ""))
    assert list(found) == ["owners"]
    assert "codes above 0 for side 0, whoever is to move" in found["owners"].hint


def test_a_missing_glyph_is_told_and_not_what_follows_from_it(tmp_path: Path) -> None:
    found = check_board(tmp_path, (PICTURE, 'Grid(3, 3, glyphs={1: "x"})'))
    assert list(found) == ["glyph"]
    assert "writes -1 for cell" in found["glyph"].what


def test_a_third_kind_of_piece_is_told_to_need_texts_of_its_own(tmp_path: Path) -> None:
    third = MINE_ABOVE_0.replace("out[cell] = 1\n", "out[cell] = 3\n").replace("-1", "-3")
    glyphs = (PICTURE, 'Grid(3, 3, glyphs={3: "x", -3: "o"})')
    found = check_board(tmp_path, (IMPORT, third), glyphs)
    assert "writes -3, and a board as text has letters for two" in found["position-text"].what
    assert "in place of `from_cells`" in found["position-text"].hint


@pytest.mark.parametrize(
    ("picture", "rule", "words"),
    [
        ('Grid(3, 3, glyphs={1: "x", 2: "x", -1: "o"})', "same-glyph", "1 and 2 of one owner"),
        ('Grid(3, 3, glyphs={1: "cross", -1: "o"})', "wide-glyph", "'cross' of piece 1"),
        ('Grid(3, 4, glyphs={1: "x", -1: "o"})', "empty-cells", "The last 3 of the 12 cells"),
        ('Grid(4, 3, glyphs={1: "x", -1: "o"})', "empty-cells", "The last 3 of the 12 cells"),
    ],
)
def test_what_makes_a_board_hard_to_read_is_a_warning(
    picture: str, rule: str, words: str, tmp_path: Path
) -> None:
    found = check_board(tmp_path, (PICTURE, picture))
    assert list(found) == [rule]
    assert found[rule].level == WARNING
    assert words in found[rule].what


def test_symmetries_that_cannot_be_tried_are_told_from_none(tmp_path: Path) -> None:
    text = SMALLEST_GAME.read_text()
    for name, old in (("", ""), ("from_cells", READ_BY_CELLS), ("cells", "cells=cells, ")):
        path = tmp_path / f"without_{name}.py"
        path.write_text(text.replace(old, "") if old else text)
        told = f"the game has no `{name}`" if name else ""
        assert why_no_symmetries(load_game(str(path))) == told
