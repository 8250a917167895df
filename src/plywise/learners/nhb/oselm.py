"""OS-ELM: the output weights of a network with random hidden units, by least squares as data comes.

Liang et al. 2006, equations 1-3 of paper 003. With H the outputs of the hidden units, T the
wanted values, lambda a small ridge and mu the forgetting factor (1: nothing is forgotten):

    P0 = (H0' H0 + lambda I)^-1                      W0 = P0 H0' T0
    P  <- (P - P H' (mu I + H P H')^-1 H P) / mu     W  <- W + P H' (T - H W)

After any number of chunks W is, for mu = 1, the ridge regression on all that was seen.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators.elm import Matrix, hidden_values

Vector = NDArray[np.float64]

CHUNK = 200  # examples that are learned at once: the matrix to invert is so large
FOLDS = 10
RESTARTS = 3
PATIENCE = 10  # sizes in a row that bring nothing better
BLOCK = 32  # hidden units that are made at once


@dataclass(frozen=True)
class OnlineRegression:
    """Output weights, and the matrix P that new examples are weighed by."""

    inverse: Matrix  # P [hidden, hidden]
    weights: Vector  # W [hidden]

    @classmethod
    def begin(cls, hidden: Matrix, targets: Vector, ridge: float) -> "OnlineRegression":
        """Return the regression on a first set of examples (equation 1)."""
        gram = hidden.T @ hidden + ridge * np.eye(hidden.shape[1])
        inverse = np.linalg.inv(gram)
        inverse = (inverse + inverse.T) / 2
        return cls(inverse, inverse @ (hidden.T @ targets))

    def learn(
        self, hidden: Matrix, targets: Vector, forgetting: float = 1.0, chunk: int = CHUNK
    ) -> "OnlineRegression":
        """Return the regression after more examples, chunk by chunk (equations 2 and 3)."""
        inverse, weights = self.inverse, self.weights
        for begin in range(0, len(targets), chunk):
            h, t = hidden[begin : begin + chunk], targets[begin : begin + chunk]
            seen = h @ inverse
            middle = forgetting * np.eye(len(h)) + seen @ h.T
            inverse = (inverse - seen.T @ np.linalg.solve(middle, seen)) / forgetting
            inverse = (inverse + inverse.T) / 2
            weights = weights + inverse @ (h.T @ (t - h @ weights))
        return OnlineRegression(inverse, weights)


# ---------------------------------------------------------------- how many hidden units


@dataclass(frozen=True)
class HiddenLayer:
    """Random weights and biases of hidden units, and how well they did in cross-validation."""

    weights: Matrix  # [inputs, hidden]
    bias: Vector  # [hidden]
    error: float  # mean squared error on held-out folds
    errors: list[float]  # of all sizes that were tried, the best of the restarts each

    @property
    def size(self) -> int:
        return len(self.bias)


class _Candidate:
    """One random initialisation that grows unit by unit, with the regressions of its folds.

    For every fold, G = H'H + ridge over all other folds grows by a row and a column; with it
    grow the inverse R of its Cholesky factor and z = R H'T, so that the output weights R'z of
    the next size cost no more than a product of a matrix and a vector.
    """

    def __init__(
        self, inputs: Matrix, targets: Vector, folds: list[NDArray[np.int64]], room: int
    ) -> None:
        self.inputs, self.targets, self.folds = inputs, targets, folds
        self.weights = np.zeros((inputs.shape[1], 0))
        self.bias = np.zeros(0)
        self.hidden = np.zeros((len(inputs), 0))
        self.size = 0
        count = len(folds)
        self.grams = np.zeros((count, room, room))  # H'H of each fold alone
        self.products = np.zeros((count, room))  # H'T of each fold alone
        self.inverses = np.zeros((count, room, room))  # R
        self.solved = np.zeros((count, room))  # z

    def add_units(self, generator: np.random.Generator, reach: float) -> None:
        """Draw a block of units, and what they contribute to each fold."""
        old = len(self.bias)
        new = min(BLOCK, self.grams.shape[1] - old)
        weights = generator.uniform(-reach, reach, (self.inputs.shape[1], new))
        bias = generator.uniform(-reach, reach, new)
        columns = hidden_values(self.inputs, weights, bias)
        self.weights = np.concatenate([self.weights, weights], axis=1)
        self.bias = np.concatenate([self.bias, bias])
        self.hidden = np.concatenate([self.hidden, columns], axis=1)
        both = old + new
        for fold, members in enumerate(self.folds):
            border = self.hidden[members].T @ columns[members]
            self.grams[fold, :both, old:both] = border
            self.grams[fold, old:both, :both] = border.T
            self.products[fold, old:both] = columns[members].T @ self.targets[members]

    def grow(self, ridge: float) -> float:
        """Take one unit more; return the mean squared error over the folds.

        Each fold is predicted from all others.
        """
        old, size = self.size, self.size + 1
        edge = self.grams[:, :size, old].sum(axis=0) - self.grams[:, :size, old]
        wanted = self.products[:, old].sum() - self.products[:, old]
        inverse = self.inverses[:, :old, :old]
        row = np.matmul(inverse, edge[:, :old, None])[:, :, 0]
        rest = edge[:, old] + ridge - np.sum(row**2, axis=1)
        pivot = np.sqrt(np.maximum(rest, ridge))
        below = np.matmul(row[:, None, :], inverse)[:, 0, :]
        self.inverses[:, old, :old] = -below / pivot[:, None]
        self.inverses[:, old, old] = 1 / pivot
        self.solved[:, old] = (wanted - np.sum(row * self.solved[:, :old], axis=1)) / pivot
        self.size = size
        return self._error()

    def _error(self) -> float:
        size = self.size
        solved = self.solved[:, None, :size]
        weights = np.matmul(solved, self.inverses[:, :size, :size])[:, 0, :]
        seen = np.matmul(self.grams[:, :size, :size], weights[:, :, None])[:, :, 0]
        squares = np.sum(weights * (seen - 2 * self.products[:, :size]))
        return float((squares + np.sum(self.targets**2)) / len(self.targets))


def choose_hidden_layer(
    inputs: Matrix,
    targets: Vector,
    generator: np.random.Generator,
    *,
    reach: float = 1.0,
    ridge: float = 1e-6,
    largest: int = 512,
) -> HiddenLayer:
    """Return hidden units chosen by ten-fold cross-validation (paper 003, section 4.2).

    Sizes grow by one until the best average error has not fallen ten times in a row; each
    is tried with three random initialisations. A larger size keeps the units of a smaller
    one of the same initialisation, so that only its new units have to be computed.
    """
    order = generator.permutation(len(inputs))
    folds = np.array_split(order, FOLDS)
    candidates = [_Candidate(inputs, targets, folds, largest) for _ in range(RESTARTS)]
    best = HiddenLayer(np.zeros((inputs.shape[1], 0)), np.zeros(0), np.inf, [])
    errors: list[float] = []
    while len(errors) < largest and len(errors) - best.size < PATIENCE:
        size = len(errors) + 1
        if len(candidates[0].bias) < size:
            for candidate in candidates:
                candidate.add_units(generator, reach)
        found = [candidate.grow(ridge) for candidate in candidates]
        winner = candidates[int(np.argmin(found))]
        errors.append(min(found))
        if min(found) < best.error:
            weights, bias = winner.weights[:, :size].copy(), winner.bias[:size].copy()
            best = HiddenLayer(weights, bias, min(found), errors)
    return best
