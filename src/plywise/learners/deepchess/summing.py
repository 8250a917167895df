"""The first layer of networks: sums of rows of a table, on the CPU by compiled loops.

PyTorch's own (`embedding_bag`) sorts the indices of a batch to add up its gradient, which takes
several times as long; elsewhere than on the CPU it is used.
"""

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from plywise.kernel import borrow, compiled
from plywise.kernel.bits import Whole


def sum_rows(indices: Tensor, table: Tensor) -> Tensor:
    """Return [positions, units]: the sums of the rows of a table; its last row is nothing."""
    if table.device.type != "cpu":
        return functional.embedding_bag(indices, table, mode="sum", padding_idx=len(table) - 1)
    answer: Tensor = _Summing.apply(indices, table)
    return answer


class _Summing(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, indices: Tensor, table: Tensor) -> Tensor:
        ctx.save_for_backward(indices, table)
        out = torch.zeros(len(indices), table.shape[1])
        _add_rows(indices.numpy(), table.detach().numpy(), out.numpy(), len(table) - 1)
        return out

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, Tensor]:
        indices, table = ctx.saved_tensors
        out = torch.zeros_like(table)
        own = gradients[0].contiguous().numpy()
        _spread_rows(indices.numpy(), own, out.numpy(), len(table) - 1)
        return None, out


@compiled
def _add_rows(indices: Any, table: Any, out: Any, nothing: Whole) -> None:
    """Add to every row of `out` the rows of a table that its indices name."""
    for index in range(len(indices)):
        row = borrow(out, index)
        for place in range(indices.shape[1]):
            number = indices[index, place]
            if number != nothing:
                source = borrow(table, number)
                for unit in range(len(row)):
                    row[unit] += source[unit]


@compiled
def _spread_rows(indices: Any, gradients: Any, out: Any, nothing: Whole) -> None:
    """Add every gradient to the rows of a table from which its sum came."""
    for index in range(len(indices)):
        gradient = borrow(gradients, index)
        for place in range(indices.shape[1]):
            number = indices[index, place]
            if number != nothing:
                row = borrow(out, number)
                for unit in range(len(gradient)):
                    row[unit] += gradient[unit]
