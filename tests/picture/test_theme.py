"""Colours that everybody can tell apart."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from plywise.picture.theme import GROUNDS, OWNERS, Rgb, contrast

# How linear RGB is seen without one kind of cone (Machado, Oliveira and Fernandes 2009).
SEEN = {
    "all cones": np.eye(3),
    "no long cones": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "no middle cones": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "no short cones": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(axis=1)


def lab(colour: Rgb, eye: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a colour as an eye sees it, in CIELAB, where distances are differences."""
    parts = np.array(colour) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(eye @ linear, 0, 1) / WHITE
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("eye", SEEN)
def test_six_owners_are_told_apart_by_every_eye(eye: str) -> None:
    seen = [lab(colour, SEEN[eye]) for colour in OWNERS]
    assert len(seen) == 6
    assert min(float(np.linalg.norm(one - other)) for one, other in combinations(seen, 2)) > 25


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_some_ground_lets_all_owners_stand_out(players: int) -> None:
    best = max(min(contrast(g, owner) for owner in OWNERS[:players]) for g in GROUNDS)
    assert best > 1.2
