"""How strong the levels are where that was measured, in Elo above whoever moves at random.

`models/levels.json` has for a game the player that was measured, and for each of its levels by how
many Elo it beats the one below, with the 95 % error: what `python benchmarks/levels.py GAME` finds.
`anchors` are levels that met somebody whose Elo is known: what that makes theirs, and the error.
"""

import functools
import json
import math
from dataclasses import dataclass
from typing import Any

from plywise.players.levels import LEVELS
from plywise.players.models import MODELS

GUESSED_STEP = 200  # Elo between levels of a game in which nothing was measured


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


def elo_scale(game: str) -> dict[int, int]:
    """Return the Elo of the levels that a program may ask for, the least first, all above 0.

    Where a level met somebody with a known Elo, this is that Elo's scale; where neighbours were
    measured, 0 is who moves at random; elsewhere the scale is a guess.
    """
    if game not in _measured():
        return {level: GUESSED_STEP * level for level in LEVELS}
    (strengths,) = level_strengths(game).values()
    anchors = {int(level): elo for level, (elo, _) in _measured()[game].get("anchors", {}).items()}
    above_random = {one.level: one.elo for one in strengths}
    shift = 0
    if anchors:
        lowest = min(anchors)
        shift = anchors[lowest] - above_random[lowest]
    scale = {level: elo + shift for level, elo in above_random.items()} | anchors
    return {level: elo for level, elo in scale.items() if elo > 0}


def level_of_elo(game: str, elo: int) -> int:
    """Return the level whose Elo is nearest."""
    scale = elo_scale(game)
    return min(scale, key=lambda level: abs(scale[level] - elo))
