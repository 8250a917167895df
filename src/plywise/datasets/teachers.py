"""Teachers: whoever says beforehand how likely the positions of a data set are won.

Either judges, models or players, or the end of the game itself: a won position is the surer the
nearer its end is. That is known of games that were played to their end, as those of masters hardly
are.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from plywise.datasets.sampling import Sample
from plywise.evaluators.model import Model
from plywise.formats import Batch
from plywise.game import ONGOING, Game
from plywise.players.judges import make_judge, mean_odds
from plywise.players.models import is_model, model_path
from plywise.players.player import Player

WON, NEAR, FADING = 3.5, 4.5, 0.97  # odds far from the end, what nearness adds, and how it fades


class Teachers(Protocol):
    """Says the odds of positions of a batch, logarithms for side 0."""

    @property
    def recipe(self) -> Any:
        """Return how a card names it."""
        ...

    def odds(self, batch: Batch, sample: Sample, first: int) -> NDArray[np.float32]:
        """Return the odds of what was drawn from a batch whose first game has a number."""
        ...

    def close(self) -> None:
        """Give back what is held."""
        ...


@dataclass(frozen=True)
class Judges:
    """The mean of some judges."""

    judges: Sequence[Model | Player]
    recipe: Any

    def odds(self, batch: Batch, sample: Sample, first: int) -> NDArray[np.float32]:
        return mean_odds(self.judges, batch.game, sample.positions)

    def close(self) -> None:
        for judge in self.judges:
            if not isinstance(judge, Model):
                judge.close()


@dataclass(frozen=True)
class NearEnds:
    """The end of a game, by how many plies it is away; NaN where the game was given up."""

    recipe: Any = "end"

    def odds(self, batch: Batch, sample: Sample, first: int) -> NDArray[np.float32]:
        numbers = sample.games - first
        is_over = np.zeros(len(batch), np.bool_)
        for number in np.unique(numbers):
            is_over[number] = batch.record(int(number)).result() != ONGOING
        left = np.diff(batch.offsets)[numbers] - sample.plies
        sure = sample.scores * (WON + NEAR * FADING**left)
        return np.where(is_over[numbers], sure, np.nan).astype(np.float32)

    def close(self) -> None:
        pass


def make_judges(texts: Sequence[str], game: Game) -> Judges:
    """Return judges by their texts, see `make_judge`."""
    judges = [make_judge(text, game) for text in texts]
    return Judges(judges, [_recipe(text, game) for text in texts])


def _recipe(text: str, game: Game) -> dict[str, Any]:
    """Return what a card says of a judge: a model is known by what it holds, wherever it is."""
    if not is_model(text):
        return {"name": text}
    digest = hashlib.sha256(model_path(text, game).read_bytes()).hexdigest()
    return {"name": Path(text).name, "sha256": digest}
