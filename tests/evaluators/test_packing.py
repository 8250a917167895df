"""Packed arrays come back as they were, to a step, and nonsense is refused."""

from pathlib import Path

import numpy as np
import pytest

from conftest import seeded
from plywise.errors import PlywiseError
from plywise.evaluators import load_model, make_evaluator
from plywise.evaluators.model import Model, save_model
from plywise.evaluators.network import random_model
from plywise.evaluators.packing import STEP, pack, unpack
from plywise.games import load_game


def test_what_is_packed_is_unpacked() -> None:
    array = seeded(1).normal(size=(30, 7)).astype(np.float32)
    array[5:] = 0
    packed = pack(array)
    assert packed.dtype == np.uint8
    assert packed.size < array.nbytes / 3
    assert np.abs(unpack(packed, (30, 7), STEP) - array).max() <= STEP / 2


def test_large_numbers_are_cut_off() -> None:
    assert unpack(pack(np.array([100.0, -100.0]), 0.001), (2,), 0.001).tolist() == pytest.approx(
        [32.767, -32.767]
    )


@pytest.mark.parametrize("shape", [(3,), (5,)])
def test_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(PlywiseError, match="does not have the shape"):
        unpack(pack(np.ones(4)), shape, STEP)


def test_garbage_is_refused() -> None:
    with pytest.raises(PlywiseError, match="cannot be read"):
        unpack(np.zeros(9, np.uint8), (4,), STEP)


def test_a_model_may_be_packed(tmp_path: Path) -> None:
    game = load_game("tictactoe")
    model = random_model(make_evaluator("patterns", game), seeded(2))
    path = tmp_path / "packed.safetensors"
    save_model(Model(model.evaluator, model.weights, {"packed": {"table": STEP}}), path)
    again = load_model(path, game)
    assert np.abs(again.weights["table"] - model.weights["table"]).max() <= STEP / 2
    save_model(again, path)  # what was rounded once stays
    assert np.array_equal(load_model(path, game).weights["table"], again.weights["table"])
