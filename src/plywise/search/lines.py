"""Lines: the best moves from every ply of a search, and the root's best so far."""

from typing import Any

from plywise.kernel import compiled
from plywise.kernel.bits import Whole, Word


@compiled
def remember_line(memory: Any, ply: Whole, move: Word) -> None:
    """Make the best line from `ply` the move followed by the best line from the next ply."""
    memory.lines[ply, 0] = move
    length = memory.lengths[ply + 1]
    for index in range(length):
        memory.lines[ply, index + 1] = memory.lines[ply + 1, index]
    memory.lengths[ply] = length + 1


@compiled
def keep_best(memory: Any, score: Whole, depth: Whole) -> None:
    """Keep the root's best line so far, in case that the search is stopped."""
    memory.best_score = score
    memory.best_depth = depth
    memory.best_length = memory.lengths[0]
    for index in range(memory.lengths[0]):
        memory.best_line[index] = memory.lines[0, index]
