"""The first layer of networks: sums of rows of a table, on the CPU by compiled loops.

PyTorch's own (`embedding_bag`) sorts the indices of a batch to add up its gradient, which takes
several times as long; elsewhere than on the CPU it is used.
"""

from typing import Any

import numpy as np
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


def clip_units(sums: Tensor, dropout: float) -> Tensor:
    """Return min(max(x, 0), 1) of sums, some left out at random and the others the larger for it.

    On the CPU a share of 1/256 is the least, for one byte is drawn for each unit: PyTorch's own
    draws take longer than everything else in the network.
    """
    least = min(255, round(256 * dropout))
    if sums.device.type != "cpu":
        return functional.dropout(sums.clamp(0.0, 1.0), dropout)
    answer: Tensor = _Clipping.apply(sums, least)
    return answer


class _Clipping(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, sums: Tensor, least: int) -> Tensor:
        draws = -(-sums.numel() // 8)
        dice = torch.zeros(draws, dtype=torch.int64)
        if least > 0:
            dice.random_(-(1 << 63), None)
        out = torch.empty_like(sums)
        ctx.scale = 256 / (256 - least)
        _clip(_flat(sums), dice.numpy().view("u1"), least, np.float32(ctx.scale), _flat(out))
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        (units,) = ctx.saved_tensors
        own = gradients[0].contiguous()
        out = torch.empty_like(own)
        _unclip(_flat(units), _flat(own), np.float32(ctx.scale), _flat(out))
        return out, None


def _flat(tensor: Tensor) -> Any:
    return tensor.detach().reshape(-1).numpy()


@compiled
def _clip(sums: Any, dice: Any, least: Whole, scale: Any, out: Any) -> None:
    """Write clipped sums times a scale, and 0 where the dice show too little."""
    for unit in range(len(sums)):
        value = min(max(sums[unit], np.float32(0)), np.float32(1)) * scale
        out[unit] = value if dice[unit] >= least else np.float32(0)


@compiled
def _unclip(units: Any, gradients: Any, scale: Any, out: Any) -> None:
    """Write the gradients of sums: none where a unit was clipped or left out."""
    for unit in range(len(units)):
        is_open = (units[unit] > 0) & (units[unit] < scale)
        out[unit] = gradients[unit] * scale if is_open else np.float32(0)


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
