"""How strong the levels are where that was measured, in Elo above whoever moves at random.

`models/levels.json` has for a game the player that was measured, and for each of its levels by how
many Elo it beats the one below, with the 95 % error: what `python benchmarks/levels.py GAME` finds.
"""

import functools
import json
import math
from dataclasses import dataclass
from typing import Any

from plywise.players.models import MODELS


@dataclass(frozen=True)
class Strength:
    """What a level is worth: the steps to it added up, as if their errors were independent."""

    level: int
    elo: int
    error: int


@functools.cache
def _measured() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((MODELS / "levels.json").read_text(encoding="utf-8"))
    return found


def level_strengths(game: str) -> dict[str, list[Strength]]:
    """Return the strengths of the levels of those players of a game that were measured."""
    if game not in _measured():
        return {}
    steps = _measured()[game]["steps"]
    known = [
        Strength(
            level,
            sum(elo for elo, _ in steps[:level]),
            round(math.hypot(*(error for _, error in steps[:level]))),
        )
        for level in range(1, len(steps) + 1)
    ]
    return {_measured()[game]["player"]: known}
