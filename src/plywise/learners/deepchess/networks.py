"""The networks of `deepchess` in PyTorch.

    bits of a position ── table, layers ──► code          "Pos2Vec", the same for both positions
    codes of two positions ── layers ──► two numbers      the first is better, the second is better

The first layer sums one row of a table for every bit that is set. What a network says of a pair is
one number, its *lead*: the difference of its two outputs, whose sigmoid is the probability that the
first position is the better one for side 0.
"""

import itertools
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from plywise.learners.deepchess.summing import clip_units, sum_rows


class Extractor(nn.Module):
    """The layers that look at one position."""

    def __init__(self, inputs: int, units: Sequence[int], dropout: float = 0.0) -> None:
        super().__init__()
        self.inputs = inputs
        self.table = nn.Parameter(torch.empty(inputs + 1, units[0]))  # the last row is nothing
        self.bias = nn.Parameter(torch.zeros(units[0]))
        self.layers = nn.ModuleList(
            nn.Linear(below, above) for below, above in itertools.pairwise(units)
        )
        self.dropout = nn.Dropout(dropout)
        nn.init.normal_(self.table, std=(2.0 / 32) ** 0.5 / 2)
        _he(self.layers)

    def first(self, indices: Tensor) -> Tensor:
        """Return the units of the first layer."""
        return functional.relu(sum_rows(indices, self.table) + self.bias)

    def forward(self, indices: Tensor) -> Tensor:
        """Return the codes of positions."""
        units: Tensor = self.dropout(self.first(indices))
        for layer in self.layers:
            units = functional.relu(layer(units))
        return units


class Comparator(nn.Module):
    """Two copies of one extractor, and the layers that compare what they say."""

    def __init__(
        self, inputs: int, features: Sequence[int], head: Sequence[int], dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.extractor = Extractor(inputs, features, dropout)
        sizes = (2 * features[-1], *head, 2)
        self.layers = nn.ModuleList(
            nn.Linear(below, above) for below, above in itertools.pairwise(sizes)
        )
        self.dropout = nn.Dropout(dropout / 2)
        _he(self.layers)

    def outputs(self, first: Tensor, second: Tensor) -> Tensor:
        """Return both outputs for pairs of codes."""
        units = torch.cat((first, second), dim=1)
        for layer in list(self.layers)[:-1]:
            units = self.dropout(functional.relu(layer(units)))
        answer: Tensor = self.layers[-1](units)
        return answer

    def one_way(self, first: Tensor, second: Tensor) -> Tensor:
        """Return the leads of pairs of codes as they stand."""
        both = self.outputs(first, second)
        return both[:, 0] - both[:, 1]

    def lead(self, first: Tensor, second: Tensor) -> Tensor:
        """Return the leads of pairs of codes, the mean of both orders: lead(b, a) = -lead(a, b)."""
        return (self.one_way(first, second) - self.one_way(second, first)) / 2


class Scalar(nn.Module):
    """One number for each position, for the side to move: the evaluator `nnue`."""

    def __init__(self, inputs: int, hidden: Sequence[int], dropout: float = 0.0) -> None:
        super().__init__()
        self.inputs = inputs
        self.table = nn.Parameter(torch.empty(inputs + 1, hidden[0]))
        self.bias = nn.Parameter(torch.full((hidden[0],), 0.1))
        self.second = nn.Linear(hidden[0], hidden[1]) if len(hidden) > 1 else None
        self.output = nn.Linear(hidden[-1], 1)
        self.dropout = dropout
        nn.init.normal_(self.table, std=0.08)
        if self.second is not None:
            _he([self.second])
            nn.init.constant_(self.second.bias, 0.1)

    def forward(self, indices: Tensor) -> Tensor:
        """Return half the logarithm of the odds of positions, whose tanh is their value."""
        sums = sum_rows(indices, self.table) + self.bias
        units = clip_units(sums, self.dropout if self.training else 0.0)
        if self.second is not None:
            units = torch.clamp(self.second(units), 0.0, 1.0)
        answer: Tensor = self.output(units)
        return answer[:, 0]


def _he(layers: Sequence[nn.Linear] | nn.ModuleList) -> None:
    """Draw weights so that rectified units keep their size from layer to layer."""
    for layer in layers:
        assert isinstance(layer, nn.Linear)
        nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu")
        nn.init.zeros_(layer.bias)
