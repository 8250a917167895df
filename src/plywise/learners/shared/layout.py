"""Layouts: all learned numbers of a network as one vector, and back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators.model import Array, Evaluator, Model

Vector = NDArray[np.float64]

KING = "king"  # the weight with a range and a mutation of its own
KING_START = 2.0


@dataclass(frozen=True)
class Layout:
    """Where in a vector the weights of an evaluator stand; the king's value, if any, is last."""

    evaluator: Evaluator

    @property
    def names(self) -> list[str]:
        return [name for name in self.evaluator.weights if name != KING]

    @property
    def has_king(self) -> bool:
        return KING in self.evaluator.weights

    @property
    def size(self) -> int:
        """The number of weights and biases, without the king's value."""
        return sum(self._count(name) for name in self.names)

    @property
    def length(self) -> int:
        return self.size + self.has_king

    def _count(self, name: str) -> int:
        return int(np.prod(self.evaluator.weights[name]))

    def places(self, name: str) -> NDArray[np.int64]:
        """Return the places of a weight array, in its own shape."""
        before = sum(self._count(other) for other in self.names[: self.names.index(name)])
        span = np.arange(before, before + self._count(name))
        return span.reshape(self.evaluator.weights[name])

    def weights(self, vector: Vector) -> dict[str, Array]:
        """Return the weight arrays of a vector."""
        arrays = {name: vector[self.places(name)].astype(np.float32) for name in self.names}
        if self.has_king:
            arrays[KING] = vector[self.size :].astype(np.float32)
        return {name: arrays[name] for name in self.evaluator.weights}

    def vector(self, weights: dict[str, Array]) -> Vector:
        """Return the vector of weight arrays."""
        out = np.zeros(self.length)
        for name in self.names:
            out[self.places(name)] = weights[name]
        if self.has_king:
            out[self.size :] = weights[KING]
        return out

    def model(self, vector: Vector) -> Model:
        """Return the network of a vector."""
        return Model(self.evaluator, self.weights(vector))

    def random(self, generator: np.random.Generator, reach: float) -> Vector:
        """Return a vector drawn evenly from [-reach, reach], the king at its start."""
        out = generator.uniform(-reach, reach, self.length)
        if self.has_king:
            out[-1] = KING_START
        return out
