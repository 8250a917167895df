"""Texts of moves: exact case first, then what the game can read, then any case that is unique."""

from typing import Any

import pytest

from plywise.errors import BadMove
from plywise.game import Game
from plywise.games import load_game

NAMES = {0: "bxc3", 1: "Bxc3", 2: "Ra1", 3: "O-O", 4: "Nf3", 5: "nF3"}


def chess_like(**more: Any) -> Game:
    """Return tic-tac-toe whose cells are named like moves of chess."""
    inner = load_game("tictactoe").rules
    rules = {name: getattr(inner, name) for name in ("initial", "moves", "apply", "result", "side")}
    texts = {"format_move": lambda position, move: NAMES.get(move, str(move)), **more}
    return Game("chess_like", words=3, **{**rules, **texts})


@pytest.mark.parametrize(("text", "move"), [("bxc3", 0), ("Bxc3", 1), (" Bxc3 ", 1)])
def test_moves_that_differ_in_case_alone_are_two_moves(text: str, move: int) -> None:
    game = chess_like()
    assert game.parse_move(game.initial(), text) == move


@pytest.mark.parametrize(("text", "move"), [("RA1", 2), ("ra1", 2), ("o-o", 3)])
def test_another_case_is_read_where_it_can_mean_one_move_only(text: str, move: int) -> None:
    game = chess_like()
    assert game.parse_move(game.initial(), text) == move


def test_another_case_that_may_be_two_moves_is_refused_with_both() -> None:
    game = chess_like()
    with pytest.raises(BadMove, match="'BXC3' may be bxc3 or Bxc3"):
        game.parse_move(game.initial(), "BXC3")


def test_what_the_game_itself_can_read_goes_before_another_case() -> None:
    game = chess_like(parse_move=lambda position, text: 4 if text == "NF3" else None)
    assert game.parse_move(game.initial(), "NF3") == 4


def test_a_text_of_no_move_is_answered_with_the_legal_ones() -> None:
    game = chess_like()
    with pytest.raises(BadMove, match="'Ka1' is not a legal move here; legal: bxc3 Bxc3"):
        game.parse_move(game.initial(), "Ka1")
