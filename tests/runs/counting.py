"""A learner that only counts: fast, and wrong in whatever way its settings say."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from plywise.errors import PlywiseError
from plywise.evaluators.model import Model
from plywise.evaluators.noise import noise_model
from plywise.runs import Array, Learner, Step


@dataclass(frozen=True)
class CountSettings:
    """Settings of a learner that counts."""

    count: int = 5
    """Steps of the run."""
    seconds: float = 0.0
    """How long a step takes."""
    fault: int = -1
    """The step in which it fails; -1: none."""


Counted = dict[str, Array]


class Counter(Learner[CountSettings, Counted]):
    """Adds the number of each step to its total."""

    settings_type = CountSettings

    def prepare(self) -> None:
        if self.settings.count < 1:
            raise PlywiseError("There is nothing to count.")

    @property
    def steps(self) -> int:
        return self.settings.count

    def begin(self) -> Counted:
        return {"total": np.zeros(1)}

    def advance(self, state: Counted, number: int) -> Step[Counted]:
        time.sleep(self.settings.seconds)
        if number == self.settings.fault:
            raise ZeroDivisionError("nothing to divide by")
        state = {"total": state["total"] + number}
        return Step(state, {"total": float(state["total"][0]), "pid": os.getpid()}, state)

    def to_arrays(self, state: Counted) -> Counted:
        return state

    def from_arrays(self, arrays: Mapping[str, Array]) -> Counted:
        return {"total": arrays["total"]}

    def model(self, champion: Mapping[str, Array]) -> Model:
        return noise_model(self.game, int(champion["total"][0]))


FILE = Path(__file__)
