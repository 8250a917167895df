"""The one table of a game's functions: Game, its help, the checks and the guide agree with it."""

import pytest

from conftest import ROOT
from plywise.conformance.functions import CALLS
from plywise.errors import PlywiseError
from plywise.game import Game
from plywise.game.functions import FUNCTIONS, OPTIONAL, REQUIRED, functions_table
from plywise.games import load_game


def test_the_guide_shows_the_table() -> None:
    assert functions_table() in (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")


def test_the_help_of_game_names_every_function() -> None:
    assert Game.__doc__ is not None
    assert [one.call for one in FUNCTIONS if one.call not in Game.__doc__] == []


def test_every_function_is_checked() -> None:
    assert list(CALLS) == [*REQUIRED, *OPTIONAL]


def test_a_game_knows_which_functions_it_was_given(game: Game) -> None:
    assert game.rules.has_cells
    assert game.rules.has_null == (game.name == "chess")
    assert all(callable(getattr(game.rules, name)) for name in (*REQUIRED, *OPTIONAL))


def test_an_unknown_function_is_refused_with_those_that_exist() -> None:
    inner = load_game("tictactoe").rules
    rules = {name: getattr(inner, name) for name in REQUIRED}
    with pytest.raises(PlywiseError, match="'zzz'; the optional functions are cells, noisy"):
        Game("odd", words=3, **rules, zzz=inner.is_quiet)
