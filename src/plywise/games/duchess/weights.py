"""Weights of the features of Duchess by name: those that the paper begins with, and reading them.

A value is the tanh of a sum where the paper has a sigmoid, so all weights are half of the paper's.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.games.duchess.board import make_board
from plywise.games.duchess.features import KINDS, Places, Sizes, relative_places
from plywise.games.duchess.layout import LETTERS

Weights = NDArray[np.float64]

HALF = 0.5  # tanh(x) = 2 sigmoid(2 x) - 1
FIRST_WORTH = {"Q": 0.1, "D": 0.1, "F": 0.1, "N": 0.05, "R": 0.05, "B": 0.05, "P": 0.05, "W": 0.05}
FIRST_WIZARDS, FIRST_CHECK, FIRST_MATE = 0.05, 0.05, 0.25
FIRST_PAWN, PAWN_STEP = 0.04, 0.01  # on the Vortex, and less for every King's move away from it


def places_for(players: int, stage: int) -> tuple[Sizes, Places]:
    """Return where the weights of a stage are, without modes and phases."""
    sizes = Sizes(players, len(make_board(players).squares), stage, 1)
    return sizes, relative_places(sizes)


def first_weights(players: int, stage: int) -> Weights:
    """Return the weights that training begins with, by row: those of pairs and squares are 0."""
    sizes, at = places_for(players, stage)
    weights = np.zeros((at.end, 2))
    for letter, worth in FIRST_WORTH.items():
        weights[at.material + LETTERS.index(letter)] = worth
    weights[at.wizards : at.pawns] = FIRST_WIZARDS
    distances = np.array([square.distance for square in make_board(players).squares])
    for owner in range(players):
        sign = 1 if owner % 2 == 0 else -1  # relative owner 0 is who is to move
        begin = at.pawns + owner * sizes.squares
        worth_of_squares = sign * (FIRST_PAWN - PAWN_STEP * distances)
        weights[begin : begin + sizes.squares] = worth_of_squares[:, None]
        weights[at.checks + owner] = -sign * FIRST_CHECK
        weights[at.mates + owner] = -sign * FIRST_MATE
    return HALF * weights.reshape(-1)


def read_weights(weights: NDArray[Any], players: int, stage: int) -> dict[str, tuple[float, float]]:
    """Return the weights of material, checks and mates by name, of the odd and the even team.

    They are on the paper's scale.
    """
    _, at = places_for(players, stage)
    rows = np.asarray(weights, np.float64).reshape(-1, 2) / HALF
    names = {"bias": 0}
    names |= {letter: at.material + kind for kind, letter in enumerate(LETTERS[:-1])}
    names |= {f"W x {n + 2}": at.wizards + n for n in range(at.pawns - at.wizards)}
    names |= {f"P{owner + 1} check": at.checks + owner for owner in range(players)}
    names |= {f"P{owner + 1} checkmate": at.mates + owner for owner in range(players)}
    return {name: (float(rows[place, 0]), float(rows[place, 1])) for name, place in names.items()}


def attack_weights(weights: NDArray[Any], players: int, team: int) -> Weights:
    """Return the weights of pairs, [who attacks or defends, whom], on the paper's scale."""
    _, at = places_for(players, 2)
    rows = np.asarray(weights, np.float64).reshape(-1, 2)[at.attacks : at.squares, team] / HALF
    return rows.reshape(KINDS * players, KINDS * players)


def square_weights(weights: NDArray[Any], players: int, team: int, letter: str) -> Weights:
    """Return the weights of the mover's own pieces of a kind by square, on the paper's scale."""
    sizes, at = places_for(players, 3)
    group = at.pawns
    if letter != "P":
        group = at.squares + (LETTERS.index(letter) - 1) * players * sizes.squares
    rows = np.asarray(weights, np.float64).reshape(-1, 2)[group : group + sizes.squares, team]
    return rows / HALF
