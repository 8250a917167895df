"""Boards as SVG: discs, crowns, glyphs and numbers."""

import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest

from plywise.errors import PlywiseError
from plywise.game import Game
from plywise.games import load_game
from plywise.picture import Grid, Hexagons, Picture, counts
from plywise.picture.svg import board_svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


def drawn(game: Game, position: Any) -> dict[str, list[Any]]:
    """Return the parts of a board, by the name of the shape."""
    parts: dict[str, list[Any]] = {}
    for part in ElementTree.fromstring(board_svg(game, position)):
        parts.setdefault(part.tag.removeprefix(NAMESPACE), []).append(part)
    return parts


def with_picture(picture: Picture) -> Game:
    """Return a game whose first two words are the codes of its first two cells."""

    def cells(position: Any, out: Any) -> None:
        for cell in range(len(out)):
            out[cell] = 0
        out[0] = np.int64(position[0])
        out[1] = -np.int64(position[1])

    inner = load_game("tictactoe").rules
    rules = {name: getattr(inner, name) for name in ("initial", "moves", "apply", "result", "side")}
    return Game("odd", words=3, **rules, cells=cells, picture=picture)


def test_a_king_is_a_disc_with_a_ring() -> None:
    game = load_game("draughts")
    men = drawn(game, game.parse_position("B:W32:B1"))
    kings = drawn(game, game.parse_position("B:WK32:B1"))
    assert len(men["polygon"]) == 64
    assert (len(men["circle"]), len(kings["circle"])) == (2, 3)
    assert [part.get("fill") for part in men["circle"]] == ["#101010", "#ffffff"]
    assert {part.get("r") for part in men["circle"]} == {"0.38"}


def test_a_piece_of_another_kind_is_its_glyph() -> None:
    game = with_picture(Grid(1, 2, glyphs={1: "▲", -1: "▶"}))
    assert [part.text for part in drawn(game, np.array([1, 1, 0], np.uint64))["text"]] == ["▲", "▶"]


def test_seeds_are_drawn_as_numbers() -> None:
    game = with_picture(Grid(1, 3, pieces=counts(48)))
    texts = drawn(game, np.array([4, 12, 0], np.uint64))["text"]
    assert [part.text for part in texts] == ["4", "12", "0"]
    assert len({part.get("fill") for part in texts}) == 3


def test_a_disc_fits_into_a_hexagon() -> None:
    parts = drawn(with_picture(Hexagons(2, 2)), np.array([1, 0, 0], np.uint64))
    assert len(parts["polygon"]) == 4
    assert float(parts["circle"][0].get("r")) == pytest.approx(0.38)


def test_a_game_without_a_board_cannot_be_drawn() -> None:
    inner = load_game("tictactoe").rules
    rules = {name: getattr(inner, name) for name in ("initial", "moves", "apply", "result", "side")}
    bare = Game("bare", words=3, **rules)
    with pytest.raises(PlywiseError, match="bare has no picture"):
        board_svg(bare, bare.initial())
