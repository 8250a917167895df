"""Layouts: all learned numbers of a network as one vector, and back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators.model import Array, Evaluator, Model

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Layout:
    """Where in a vector the weights of an evaluator stand; those with a range of their own last."""

    evaluator: Evaluator

    @property
    def free(self) -> list[str]:
        """The names of the weights without a range."""
        return [name for name in self.evaluator.weights if name not in self.evaluator.ranges]

    @property
    def names(self) -> list[str]:
        """The names of all weights in their order in the vector."""
        return [*self.free, *self.evaluator.ranges]

    @property
    def size(self) -> int:
        """How many numbers have no range."""
        return sum(self._count(name) for name in self.free)

    @property
    def length(self) -> int:
        return sum(self._count(name) for name in self.names)

    def _count(self, name: str) -> int:
        return int(np.prod(self.evaluator.weights[name]))

    def places(self, name: str) -> NDArray[np.int64]:
        """Return the places of a weight array, in its own shape."""
        before = sum(self._count(other) for other in self.names[: self.names.index(name)])
        span = np.arange(before, before + self._count(name))
        return span.reshape(self.evaluator.weights[name])

    def ranges(self, field: str) -> Vector:
        """Return a field of the ranges, for every number that has one."""
        found = self.evaluator.ranges.items()
        values = [np.full(self._count(name), getattr(bounds, field)) for name, bounds in found]
        return np.concatenate([np.zeros(0), *values])

    def weights(self, vector: Vector) -> dict[str, Array]:
        """Return the weight arrays of a vector."""
        names = self.evaluator.weights
        return {name: vector[self.places(name)].astype(np.float32) for name in names}

    def vector(self, weights: dict[str, Array]) -> Vector:
        """Return the vector of weight arrays."""
        out = np.zeros(self.length)
        for name in self.names:
            out[self.places(name)] = weights[name]
        return out

    def model(self, vector: Vector) -> Model:
        """Return the network of a vector."""
        return Model(self.evaluator, self.weights(vector))

    def random(self, generator: np.random.Generator, reach: float) -> Vector:
        """Return a vector drawn evenly from [-reach, reach]; what has a range is at its start."""
        out = generator.uniform(-reach, reach, self.length)
        out[self.size :] = self.ranges("start")
        return out
