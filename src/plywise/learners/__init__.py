"""Learners: what turns games into models. Each is one file with a configuration and a run."""

import importlib
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from plywise.errors import UnknownName
from plywise.learners.configs import CONFIGS

if TYPE_CHECKING:
    from plywise.evaluators.model import Model
    from plywise.runs import Run
    from plywise.system.parallel import Workers


class Learner(Protocol):
    """What the module of a learner offers."""

    def start(self, folder: Path, game: str, config: Any) -> "Run":
        """Create the folder of a new run, refusing what cannot work."""
        ...

    def learn(self, run: "Run", workers: "Workers | None" = None) -> Generator[dict[str, Any]]:
        """Carry a run on from its last checkpoint to its end; yield the metrics of each step."""
        ...

    def champion_model(self, run: "Run", step: int | None = None) -> "Model":
        """Return the champion of a step, or of the last one, as a model."""
        ...

    def count_steps(self, settings: Mapping[str, Any]) -> int:
        """Return how many steps a run has in all."""
        ...

    def describe_step(self, metrics: Mapping[str, Any]) -> str:
        """Return a step's metrics in a few words."""
        ...


def load_learner(name: str) -> Learner:
    """Return the learner of a name."""
    if name not in CONFIGS:
        raise UnknownName("learner", name, CONFIGS)
    return cast(Learner, importlib.import_module(f"plywise.learners.{name}"))
