"""The seam between learners and what drives them.

A learner is made for one game and one choice of settings. It says how a run begins, what a step
does, and how the outcome of a step becomes a model; folder, checkpoints, progress, stopping and
resuming are the driver's business (`plywise.runs.driver`).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from plywise.games import load_game
from plywise.runs.run import Array
from plywise.system.parallel import Workers

if TYPE_CHECKING:
    from plywise.evaluators.model import Model

Settings = TypeVar("Settings")
State = TypeVar("State")


class Step(NamedTuple, Generic[State]):
    """What a step of a run came to."""

    state: State  # what the next step begins with
    metrics: dict[str, Any]  # for people and curves; values that JSON can hold
    champion: Mapping[str, Array] | None  # what is kept of the step, if anything, see `model`
    is_last: bool = False  # whether the run has come as far as it gets


class Learner(ABC, Generic[Settings, State]):
    """A way of learning a game.

    A step depends on nothing but the settings, the state and the step's number: everything random
    follows from a seed in the settings and the number. So a run that was killed anywhere and is
    resumed has the same champions to the bit, whatever its workers.
    """

    settings_type: ClassVar[type[Any]]  # a frozen dataclass; a string below a field is its help
    minutes: ClassVar[float | None] = None  # that a person is asked to wait; None: all steps
    has_closing_match: ClassVar[bool] = False  # whether its models may play by any search

    def __init__(self, game: str, settings: Settings, workers: Workers = Workers()) -> None:
        self.game_name = game  # a name or a file, by which workers load the game
        self.game = load_game(game)
        self.settings = settings
        self.workers = workers
        self.prepare()

    def prepare(self) -> None:
        """Build what all steps need; raise a PlywiseError for settings that cannot work.

        This is called before anything is written to disk.
        """

    @property
    @abstractmethod
    def steps(self) -> int:
        """How many steps a run has in all."""

    @abstractmethod
    def begin(self) -> State:
        """Return what the first step begins with."""

    @abstractmethod
    def advance(self, state: State, number: int) -> Step[State]:
        """Do a step; the first one has the number 0."""

    @abstractmethod
    def to_arrays(self, state: State) -> Mapping[str, Array]:
        """Return a state as named arrays, for a checkpoint."""

    @abstractmethod
    def from_arrays(self, arrays: Mapping[str, Array]) -> State:
        """Return the state that `to_arrays` made arrays of."""

    @abstractmethod
    def model(self, champion: Mapping[str, Array]) -> "Model":
        """Return the champion of a step as a model; the driver writes its card."""

    @property
    def options(self) -> dict[str, Any]:
        """How alpha-beta should play its models, for their cards: what they were trained with."""
        return {}

    def describe(self, metrics: Mapping[str, Any]) -> str:
        """Return a step's metrics in a few words."""
        numbers = {name: v for name, v in metrics.items() if isinstance(v, int | float)}
        return ", ".join(f"{name} {value:g}" for name, value in numbers.items() if name != "step")
