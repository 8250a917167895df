"""How the numbers of an evaluator take steps: the entries of tables, or along a gradient.

Those of tables are kept entry by entry, [numbers, 3]; those of a gradient are [3, numbers], for a
gradient wants all weights in a row.
"""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.model import Array
from plywise.game import Rows
from plywise.kernel import Bundle
from plywise.learners.patterns.games import Setup
from plywise.learners.patterns.learning import SIZE, SUM, WEIGHT, learn, learn_by_gradient
from plywise.learners.shared.layout import Layout, Vector

RATE = 0.0018  # of a number that feeds a unit alone; with n others it is less by sqrt(n)
Targets = NDArray[np.float64]


class Steps(Protocol):
    """What differs between the evaluators that learn."""

    setup: Setup
    length: int  # how many numbers are learned

    def begin(self, generator: np.random.Generator) -> Array:
        """Return the numbers before anything is learned."""

    def weights(self, numbers: Array) -> NDArray[np.float32]:
        """Return a copy of what is learned."""

    def set_weights(self, numbers: Array, vector: Array) -> None:
        """Begin with what was learned elsewhere."""

    def restart(self, numbers: Array) -> None:
        """Let the sizes of the steps begin afresh, where they fall until nothing is learned."""

    def learn(self, numbers: Array, rows: Rows, targets: Targets, rate: float) -> float:
        """Learn in place; return the sum of the squared errors before that."""


def steps_of(setup: Setup) -> Steps:
    """Return how the evaluator of a run learns."""
    evaluator = setup.make()
    if hasattr(evaluator.bundle, "entries"):
        return TableSteps(setup)
    if evaluator.is_differentiable:
        return GradientSteps(setup)
    raise PlywiseError(
        f"The evaluator {evaluator.name!r} cannot learn from what positions should be worth: it "
        "has no gradient. Those for any game that can are patterns, linear, nnue and mlp."
    )


class TableSteps:
    """Steps of the entries of tables, which begin at 0."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.evaluator = setup.make()
        self.length = Layout(self.evaluator).length

    def begin(self, generator: np.random.Generator) -> Array:
        return np.zeros((self.length, 3), np.float32)

    def weights(self, numbers: Array) -> NDArray[np.float32]:
        return numbers[:, WEIGHT].copy()

    def set_weights(self, numbers: Array, vector: Array) -> None:
        numbers[:, WEIGHT] = vector

    def restart(self, numbers: Array) -> None:
        numbers[:, SUM] = numbers[:, SIZE] = 0.0

    def learn(self, numbers: Array, rows: Rows, targets: Targets, rate: float) -> float:
        params, bundle = self.setup.model(numbers[:, WEIGHT]).params, self.evaluator.bundle
        scratch = (_accumulator(bundle), np.zeros(bundle.most_entries, np.int64))
        rules, lessons = self.evaluator.game.rules, (rows, targets)
        return float(learn(rules, bundle, params, numbers, lessons, scratch, rate))


class GradientSteps:
    """Steps along a gradient; numbers begin at random, the smaller the more there are.

    Rows of a large table begin near 0: many are seen rarely, and until then are nothing but noise.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.evaluator = setup.make()
        self.layout = Layout(self.evaluator)
        self.length = self.layout.length
        shapes, fans = self.evaluator.weights, self.evaluator.fans
        self.shares = self._spread({name: fans[name] for name in shapes})
        self.reaches = self._spread({name: max(fans[name], *shapes[name]) for name in shapes})

    def _spread(self, counts: Mapping[str, int]) -> Vector:
        """Return 1 / sqrt(count) for every number, in the order of the vector."""
        shapes = self.evaluator.weights
        return self.layout.vector(
            {name: np.full(shapes[name], count**-0.5) for name, count in counts.items()}
        )

    def begin(self, generator: np.random.Generator) -> Array:
        numbers = np.zeros((3, self.length))
        numbers[WEIGHT] = self.layout.random(generator, 1.0)
        numbers[WEIGHT, : self.layout.size] *= self.reaches[: self.layout.size]
        return numbers

    def weights(self, numbers: Array) -> NDArray[np.float32]:
        return np.array(numbers[WEIGHT], np.float32)

    def set_weights(self, numbers: Array, vector: Array) -> None:
        numbers[WEIGHT] = vector

    def restart(self, numbers: Array) -> None:
        """Nothing is to be done: these steps do not fall."""

    def learn(self, numbers: Array, rows: Rows, targets: Targets, rate: float) -> float:
        bundle = self.evaluator.bundle
        runs, amounts = np.zeros((bundle.most_runs, 2), np.int64), np.zeros(bundle.most_amounts)
        scratch = (_accumulator(bundle), runs, amounts)
        rules, rates = self.evaluator.game.rules, RATE * rate * self.shares
        lessons = (rows, targets)
        return float(learn_by_gradient(rules, bundle, numbers, rates, lessons, scratch))


def _accumulator(bundle: Bundle) -> NDArray[np.float32]:
    return np.zeros((2, max(1, bundle.width)), np.float32)
