"""Hill climbing: of a network and a mutant of it, the better one stays."""

from dataclasses import dataclass

import numpy as np

from plywise.learners.shared.duels import DuelSetup, Pair, play_pair
from plywise.learners.shared.openings import random_openings
from plywise.runs import Learner, Step
from plywise.search.options import Options
from plywise.system.parallel import run_all


@dataclass(frozen=True)
class ClimbSettings:
    mutants: int = 200
    """How many mutants are tried."""
    step_size: float = 0.2
    """The standard deviation of the change of every weight."""
    depth: int = 1
    """Plies of the search."""
    seed: int = 1
    """Everything random follows from it."""


class HillClimber(Learner):
    settings_type = ClimbSettings

    def prepare(self):
        network = '{"hidden": [8]}'
        self.setup = DuelSetup(self.game_name, "mlp", Options(), self.settings.depth, 200, network)
        self.layout = self.setup.layout()

    @property
    def steps(self):
        return self.settings.mutants

    def begin(self):
        return {"weights": self.layout.random(np.random.default_rng(self.settings.seed), 0.2)}

    def advance(self, state, number):
        generator = np.random.default_rng([self.settings.seed, number])
        parent = state["weights"]
        mutant = parent + generator.normal(0, self.settings.step_size, len(parent))
        openings = random_openings(self.game, 8, 2, generator)
        pairs = [Pair(self.setup, (mutant, parent), opening) for opening in openings]
        share = sum(run_all(play_pair, pairs, self.workers)) / (2 * len(pairs))
        state = {"weights": mutant if share > 0.5 else parent}
        return Step(state, {"share": share}, state)

    def to_arrays(self, state):
        return state

    def from_arrays(self, arrays):
        return arrays

    def model(self, champion):
        return self.layout.model(champion["weights"])
