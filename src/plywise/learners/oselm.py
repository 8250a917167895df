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
    """One random initialisation that grows, with the Gram matrices of its folds."""

    def __init__(self, inputs: Matrix, targets: Vector, folds: list[NDArray[np.int64]]) -> None:
        self.inputs, self.targets, self.folds = inputs, targets, folds
        self.weights = np.zeros((inputs.shape[1], 0))
        self.bias = np.zeros(0)
        self.hidden = np.zeros((len(inputs), 0))
        self.grams = np.zeros((len(folds), 0, 0))
        self.products = np.zeros((len(folds), 0))

    def grow(self, generator: np.random.Generator, reach: float) -> None:
        """Add a block of units; of the Gram matrices only the new rows and columns are made."""
        weights = generator.uniform(-reach, reach, (self.inputs.shape[1], BLOCK))
        bias = generator.uniform(-reach, reach, BLOCK)
        new = hidden_values(self.inputs, weights, bias)
        old = self.hidden.shape[1]
        self.weights = np.concatenate([self.weights, weights], axis=1)
        self.bias = np.concatenate([self.bias, bias])
        self.hidden = np.concatenate([self.hidden, new], axis=1)
        grams = np.zeros((len(self.folds), old + BLOCK, old + BLOCK))
        grams[:, :old, :old] = self.grams
        products = np.zeros((len(self.folds), old + BLOCK))
        products[:, :old] = self.products
        for fold, members in enumerate(self.folds):
            border = self.hidden[members].T @ new[members]
            grams[fold, :, old:] = border
            grams[fold, old:, :] = border.T
            products[fold, old:] = new[members].T @ self.targets[members]
        self.grams, self.products = grams, products

    def error(self, size: int, ridge: float) -> float:
        """Return the mean squared error over the folds, each predicted from all others."""
        grams = self.grams[:, :size, :size]
        products = self.products[:, :size]
        train = grams.sum(axis=0) - grams + ridge * np.eye(size)
        wanted = products.sum(axis=0) - products
        weights = np.linalg.solve(train, wanted[:, :, None])[:, :, 0]
        squares = np.einsum("fi,fij,fj->", weights, grams, weights)
        return float(
            (squares - 2 * np.sum(weights * products) + np.sum(self.targets**2)) / len(self.targets)
        )


def choose_hidden_layer(
    inputs: Matrix,
    targets: Vector,
    generator: np.random.Generator,
    *,
    reach: float = 1.0,
    ridge: float = 1e-6,
    first: int = 1,
    largest: int = 512,
) -> HiddenLayer:
    """Return hidden units chosen by ten-fold cross-validation (paper 003, section 4.2).

    Sizes grow by one until the best average error has not fallen ten times in a row; each
    is tried with three random initialisations. A larger size keeps the units of a smaller
    one of the same initialisation, so that only its new units have to be computed.
    """
    order = generator.permutation(len(inputs))
    folds = np.array_split(order, FOLDS)
    candidates = [_Candidate(inputs, targets, folds) for _ in range(RESTARTS)]
    best = HiddenLayer(np.zeros((inputs.shape[1], 0)), np.zeros(0), np.inf, [])
    errors: list[float] = []
    size = first
    while size <= largest and (best.size == 0 or size - best.size <= PATIENCE):
        while candidates[0].hidden.shape[1] < size:
            for candidate in candidates:
                candidate.grow(generator, reach)
        found = [candidate.error(size, ridge) for candidate in candidates]
        winner = candidates[int(np.argmin(found))]
        errors.append(min(found))
        if min(found) < best.error:
            best = HiddenLayer(
                winner.weights[:, :size].copy(), winner.bias[:size].copy(), min(found), errors
            )
        size += 1
    return best
