"""`td`: temporal differences in games against a frozen clone (NeuroDraughts, VisionDraughts).

A step of the run is a set of games against the clone, colours alternating. Test games without
learning then decide whether the learner replaces the clone. After the last set a round robin
of all clones chooses the champion.
"""

from collections.abc import Mapping
from typing import Any

from plywise.evaluators.model import Array, Model
from plywise.learners.td.settings import TdSettings
from plywise.learners.td.training import TdState, Training
from plywise.runs import Learner, Step


class Td(Learner[TdSettings, TdState]):
    """Temporal differences: a step is a set of games."""

    settings_type = TdSettings

    def prepare(self) -> None:
        self.training = Training(self.game_name, self.settings, self.workers)

    @property
    def steps(self) -> int:
        return self.settings.sets

    @property
    def options(self) -> dict[str, Any]:
        return {"quiescence": self.training.options.quiescence}

    def begin(self) -> TdState:
        return self.training.begin()

    def advance(self, state: TdState, number: int) -> Step[TdState]:
        """Play a set; the champion is the latest clone, in the end the winner of a round robin."""
        state, metrics = self.training.advance(state, number)
        champion = state.clone if len(state.clones) else state.vector
        if number == self.steps - 1 and len(state.clones):
            metrics["chosen"] = self.training.choose_champion(state)
            champion = state.clones[metrics["chosen"]]
        return Step(state, metrics, {"vector": champion})

    def to_arrays(self, state: TdState) -> dict[str, Array]:
        return dict(vars(state))

    def from_arrays(self, arrays: Mapping[str, Array]) -> TdState:
        return TdState(**arrays)

    def model(self, champion: Mapping[str, Array]) -> Model:
        return self.training.layout.model(champion["vector"])

    def describe(self, metrics: Mapping[str, Any]) -> str:
        speed = metrics["games"] / metrics["teaching"]
        score = f"{metrics['wins']}-{metrics['draws']}-{metrics['losses']}"
        share = f"test {metrics['test']:.2f}, clones {metrics['clones']}"
        return f"{speed:.0f} games/s, {score}, {share}"
