"""The evolved networks in NumPy say what the compiled ones say, and their derivatives are right."""

import numpy as np
import pytest

from conftest import seeded
from plywise.evaluators import make_evaluator
from plywise.games import load_game
from plywise.games.draughts.activity import activity, slopes_of
from plywise.learners.evolve.sensitivity import archive_inputs
from plywise.learners.shared.layout import Layout, Vector

DRAUGHTS = load_game("draughts")
NAMES = ("subsquares", "blondie", "anaconda")


def layout_of(name: str) -> Layout:
    return Layout(make_evaluator(name, DRAUGHTS))


def outputs(layout: Layout, genome: Vector, inputs: np.ndarray) -> np.ndarray:
    weights = {name: genome[layout.places(name)] for name in layout.names}
    return activity(layout.evaluator.name, weights, inputs).output


@pytest.mark.parametrize("name", NAMES)
def test_outputs_are_those_of_the_player(name: str) -> None:
    layout = layout_of(name)
    genome = layout.random(seeded(5), 0.3)
    position = DRAUGHTS.parse_position("W:W22,25,K7,29,30:B13,14,K26,5,12")
    inputs = -DRAUGHTS.inputs(position)[list(DRAUGHTS.mirror)].astype(float)
    found = outputs(layout, genome, inputs[None, :])
    assert found[0] == pytest.approx(layout.model(genome).value(position), abs=2e-5)


@pytest.mark.parametrize("name", NAMES)
def test_slopes_agree_with_finite_differences(name: str) -> None:
    layout = layout_of(name)
    genome = layout.random(seeded(6), 0.3)
    inputs = archive_inputs(DRAUGHTS)[:4]
    weights = {key: genome[layout.places(key)] for key in layout.names}
    slopes = np.zeros((len(inputs), layout.size))
    for key, found in slopes_of(name, weights, inputs).items():
        slopes[:, layout.places(key)] = found
    for place in seeded(7).integers(0, layout.size, 60):
        ahead, behind = genome.copy(), genome.copy()
        ahead[place] += 1e-5
        behind[place] -= 1e-5
        slope = (outputs(layout, ahead, inputs) - outputs(layout, behind, inputs)) / 2e-5
        assert slopes[:, place] == pytest.approx(slope, abs=1e-7)
