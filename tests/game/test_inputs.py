"""Inputs that are derived from the board, for a game that gives none."""

from typing import Any

import numpy as np
import pytest

from plywise.game import DRAW, ONGOING, Game
from plywise.picture import Grid

pytestmark = pytest.mark.kernels


def initial():  # type: ignore[no-untyped-def]
    return 0b0110, 0


def moves(position, out):  # type: ignore[no-untyped-def]
    out[0] = 0
    return 1


def apply(position, move):  # type: ignore[no-untyped-def]
    return position[0], 1 - position[1]


def result(position):  # type: ignore[no-untyped-def]
    return ONGOING if position[1] == 0 else DRAW


def side(position):  # type: ignore[no-untyped-def]
    return position[1]


def cells(position, out):  # type: ignore[no-untyped-def]
    out[0], out[1], out[2] = 2, -1, 0


RULES: dict[str, Any] = {
    "initial": initial,
    "moves": moves,
    "apply": apply,
    "result": result,
    "side": side,
}


def test_every_cell_and_kind_of_piece_is_an_input() -> None:
    glyphs = {1: "m", -1: "w", 2: "M", -2: "W"}
    game = Game("kinds", words=2, **RULES, cells=cells, picture=Grid(1, 3, glyphs=glyphs))
    assert game.inputs(game.initial()).tolist() == [0, 1, -1, 0, 0, 0, 1]
    after = game.apply(game.initial(), 0)
    assert game.inputs(after).tolist() == [0, 1, -1, 0, 0, 0, -1]


def test_without_a_picture_every_bit_is_an_input() -> None:
    game = Game("bits", words=2, **RULES)
    inputs = game.inputs(game.initial())
    assert len(inputs) == 129
    assert np.flatnonzero(inputs).tolist() == [1, 2, 128]
