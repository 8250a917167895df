"""Evaluators that keep nothing from ply to ply: they look at the position alone."""

from collections.abc import Callable
from typing import Any

from plywise.kernel.bits import Position, Whole, Word


def refresh(params: Any, acc: Any, ply: Whole, position: Position) -> None:
    pass


def update(
    params: Any, acc: Any, ply: Whole, before: Position, move: Word, after: Position
) -> None:
    pass


def stateless_members(value: Callable[..., float], width: int = 0) -> dict[str, Any]:
    """Return the members of a bundle, see `Evaluator`; `width` numbers of a row are for `value`."""
    members: dict[str, Any] = {"value": value, "refresh": refresh, "update": update}
    return {**members, "has_update": False, "width": width}
