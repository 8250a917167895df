"""What features find in positions, as counts, for tests of any set."""

from collections import Counter
from typing import Any

import numpy as np

from plywise.evaluators.features import Features
from plywise.game import Row
from plywise.kernel import Bundle, compiled


@compiled
def write_active(game: Bundle, features: Bundle, row: Any, out: Any) -> Any:
    return features.active(game.load(row), out)


@compiled
def write_changed(
    game: Bundle, features: Bundle, row: Any, move: Any, removed: Any, added: Any
) -> Any:
    before = game.load(row)
    return features.changed(before, move, game.apply(before, move), removed, added)


def active_in(features: Features, row: Row) -> Counter[int]:
    out = np.full(features.most, -1, np.int32)
    count = write_active(features.game.rules, features.bundle, row, out)
    return Counter(out[:count].tolist())


def changed_by(features: Features, row: Row, move: int) -> tuple[Counter[int], Counter[int]]:
    removed, added = np.full((2, features.most), -1, np.int32)
    gone, come = write_changed(
        features.game.rules, features.bundle, row, np.uint64(move), removed, added
    )
    return Counter(removed[:gone].tolist()), Counter(added[:come].tolist())
