"""What patterns are found on a board, and what is shared."""

from typing import Any

import numpy as np
import pytest

from conftest import EXAMPLES
from plywise.errors import PlywiseError
from plywise.evaluators.patterns.board import board_of
from plywise.evaluators.patterns.shapes import Geometry
from plywise.evaluators.patterns.specification import (
    Specification,
    enlarged,
    layout_of,
    specification_of,
    specify,
)
from plywise.evaluators.patterns.survey import survey_of
from plywise.evaluators.patterns.symmetry import symmetries_of, turned
from plywise.game import Game
from plywise.game.about import About
from plywise.games import load_game
from plywise.picture import Grid, Hexagons
from toys.crooked import board, crooked, crooked_result, rules, straight

HEX = Hexagons(3, 3)


def test_a_square_board_has_eight_symmetries_and_an_oblong_one_four() -> None:
    assert len(turned(Grid(3, 3), range(9))) == 8
    assert len(turned(Grid(3, 4), range(12))) == 4


def test_a_rhombus_of_hexagons_has_four_symmetries() -> None:
    assert len(turned(HEX, range(9))) == 4


@pytest.mark.parametrize(
    ("name", "keeping", "has_exchange"),
    [
        ("tictactoe", 8, True),
        ("reversi", 8, True),
        ("draughts", 1, True),  # a half turn exchanges the sides
        ("connect4", 2, False),  # whose turn it is follows from the stones
        ("kalah", 1, True),
        (str(EXAMPLES / "breakthrough.py"), 2, True),
        (str(EXAMPLES / "isola.py"), 8, True),  # taken cells are nobody's
    ],
)
def test_symmetries_are_found_by_trying(name: str, keeping: int, has_exchange: bool) -> None:
    found = symmetries_of(survey_of(board_of(load_game(name))))
    assert len(found.keeping) == keeping
    assert found.keeping[0] == tuple(range(len(found.keeping[0])))
    assert (found.exchanging is not None) == has_exchange


def test_a_hidden_asymmetry_is_found_in_results_only() -> None:
    """All exchanges of cells keep the moves; that one corner wins shows in the ends of games."""
    assert len(symmetries_of(survey_of(board_of(straight))).keeping) == 4
    assert len(symmetries_of(survey_of(board_of(crooked))).keeping) == 1


def test_an_enlarged_specification_is_the_one_that_is_made_large_at_once() -> None:
    survey = survey_of(board_of(straight))
    small = specification_of(survey)
    assert enlarged(small, survey, 6, 2) == specification_of(survey, 6, 2) != small


def declaring(**about: Any) -> Game:
    return Game("declared", words=3, result=crooked_result, **rules, **board, about=About(**about))


def test_a_game_may_declare_patterns_and_symmetries_instead() -> None:
    top = tuple(range(8, 12))
    across = tuple(4 * (cell // 4) + 3 - cell % 4 for cell in range(12))
    spec = specify(declaring(patterns=(top, (0, 4)), symmetries=(across,)))
    assert [p.cells for p in spec.patterns if len(p.cells) > 1] == [top, (0, 4)]
    assert spec.keeping == (tuple(range(12)), across)


@pytest.mark.parametrize(
    ("about", "sentence"),
    [
        ({"patterns": ((0, 12),)}, "names a cell that is none"),
        ({"symmetries": ((0,) * 12,)}, "must name each of its 12 cells once"),
    ],
)
def test_wrong_declarations_are_refused(about: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PlywiseError, match=sentence):
        specify(declaring(**about))


def test_larger_windows_are_the_squarest_with_the_most_cells() -> None:
    survey = survey_of(board_of(load_game("draughts")))
    found = Geometry(Grid(8, 8), survey.active).large_windows(10)
    assert len(found) == 2 * 5 * 4  # 4 x 5 lying and standing
    assert {len(cells) for cells in found} == {10}
    assert Geometry(HEX, range(9)).large_windows(10) == []


def test_the_dark_squares_of_draughts_are_the_active_cells() -> None:
    survey = survey_of(board_of(load_game("draughts")))
    assert len(survey.active) == 32
    assert survey.codes == [-2, -1, 0, 1, 2]
    assert survey.most[1] == 12


def test_windows_of_draughts_are_four_by_four_with_eight_dark_squares() -> None:
    spec = specify(load_game("draughts"))
    windows = [p for p in spec.patterns if len(p.cells) == 8 and p.digits == "owner"]
    assert len([p for p in windows if is_square(p.cells, 8)]) == 25


def is_square(cells: tuple[int, ...], columns: int) -> bool:
    rows, files = {c // columns for c in cells}, {c % columns for c in cells}
    return len(rows) == len(files) == 4


def test_single_cells_tell_all_numbers_of_things_apart() -> None:
    spec = specify(load_game("kalah"))
    store = next(p for p in spec.patterns if len(p.cells) == 1)
    digits = spec.digits[store.digits]
    assert len(set(digits)) == len(spec.codes) > 30
    assert digits[spec.codes.index(0)] == 0


def test_lines_of_hexagons_run_in_three_directions() -> None:
    lines = list(Geometry(HEX, range(9)).lines(9))
    straight_ones = [line for line in lines if len(line) == 3]
    assert len(straight_ones) >= 6
    assert (0, 1, 2) in lines
    assert (0, 3, 6) in lines


def test_a_specification_is_the_same_after_json() -> None:
    spec = specify(load_game("reversi"))
    assert Specification.of_values(spec.as_values()) == spec


def test_nonsense_is_no_specification() -> None:
    with pytest.raises(PlywiseError, match="specifies no patterns"):
        Specification.of_values({"codes": [1]})


def test_every_number_of_a_pattern_is_an_entry_of_its_own_table() -> None:
    game = load_game("reversi")
    spec, seen = specify(game), board_of(game)
    layout = layout_of(spec, seen.size)
    codes = {code: place for place, code in enumerate(spec.codes)}
    for row in survey_of(seen).positions[:50]:
        places = [codes[int(code)] for code in seen.codes(row)]
        numbers = layout.first + layout.parts[np.arange(seen.size), places].sum(axis=0)
        assert numbers.min() >= 0
        assert numbers.max() < layout.entries
