"""Learners by name: what turns games into models.

A built-in learner is a folder here, with its settings in `settings.py` and its class in
`learner.py`, and its line in BUILT_IN; a user's is a file's path.
"""

import importlib
import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plywise.errors import PlywiseError, UnknownName
from plywise.settings import build, require_settings

if TYPE_CHECKING:
    from plywise.evaluators.model import Model
    from plywise.runs import Learner, Run
    from plywise.system.parallel import Workers

BUILT_IN = {  # name: what it is, for lists that must not compile anything
    "patterns": "tables of what stands together on a board, learned by self-play, for any game",
    "nhb": "a general game player for any game: regression on played and proven positions",
    "treestrap": "every node of a search learns from what the search found for it, for any game",
    "td": "temporal differences, in games against a frozen clone",
    "ls": "a genetic algorithm that chooses the features of a network",
    "mp": "a network for most of the game, and experts for its endgames",
    "deepchess": "which of two positions is better, learned from decisive games by PyTorch",
    "evolve": "networks that nobody teaches: evolution by tournaments",
}


def settings_of(name: str) -> type[Any]:
    """Return the settings of a learner, as a dataclass; nothing is compiled for a built-in one."""
    if _is_file(name):
        kind: type[Any] = load_learner(name).settings_type
        return kind
    return _class_of(name, "settings", "Settings")


def load_learner(name: str) -> "type[Learner[Any, Any]]":
    """Return a built-in learner by name, or the one in a Python file (`mylearner.py`).

    A file with several learners names the one that is meant: `mylearner.py:Climber`.
    """
    if _is_file(name):
        path, _, wanted = name.partition(":")
        return _learner_in_file(Path(path), wanted)
    return _class_of(name, "learner", "")


def learner_of(
    run: "Run", workers: "Workers | None" = None, game: str | None = None
) -> "Learner[Any, Any]":
    """Return the learner of a run, made with its settings for its game.

    Files that a run names are loaded only if the user named them before (see `require_known`); a
    game that is given here takes the place of the run's.
    """
    from plywise.system.parallel import Workers
    from plywise.system.user_files import require_known

    config = run.config()
    require_known(config["learner"], run.folder)
    if game is None:
        require_known(config["game"], run.folder)
    kind = load_learner(config["learner"])
    try:
        settings = build(kind.settings_type, run.settings())
    except PlywiseError as error:
        raise PlywiseError(f"The settings of {run.folder} are damaged: {error}") from None
    return kind(game or config["game"], settings, workers or Workers())


def champion_model(run: "Run", step: int | None = None) -> "Model":
    """Return the champion of a step, or of the last one, as a model with a card."""
    from plywise import runs

    return runs.champion_model(run, learner_of(run), step)


def _is_file(name: str) -> bool:
    from plywise.system.user_files import is_user_file

    return is_user_file(name)


def _class_of(name: str, module: str, ending: str) -> type[Any]:
    """Return a class of a built-in learner: `evolve` has `Evolve` and `EvolveSettings`."""
    if name not in BUILT_IN:
        raise UnknownName("learner", name, BUILT_IN)
    try:
        found = importlib.import_module(f"plywise.learners.{name}.{module}")
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise PlywiseError(
            f"The learner {name} needs PyTorch: install it with pip install 'plywise[deep]'."
        ) from None
    kind: type[Any] = getattr(found, f"{name.capitalize()}{ending}")
    return kind


def _learner_in_file(path: Path, wanted: str) -> "type[Learner[Any, Any]]":
    from plywise.system.user_files import load_file

    if not path.is_file():
        raise PlywiseError(f"There is no file {path} with a learner in it.")
    learners = _learners_in(load_file(path))
    if not learners:
        raise PlywiseError(
            f"{path} defines no learner: it needs a class like `class MyLearner(Learner):`."
        )
    if wanted and wanted not in learners:
        raise UnknownName(f"learner in {path}", wanted, learners)
    if not wanted and len(learners) > 1:
        names = " or ".join(f"{path}:{name}" for name in sorted(learners))
        raise PlywiseError(f"{path} defines several learners; say {names}.")
    kind = learners[wanted] if wanted else next(iter(learners.values()))
    _require_complete(path, kind)
    return kind


def _learners_in(module: Any) -> "dict[str, type[Learner[Any, Any]]]":
    """Return the learners that a module defines itself."""
    from plywise.runs import Learner

    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Learner)
        and value.__module__ == module.__name__
    }


def _require_complete(path: Path, kind: "type[Learner[Any, Any]]") -> None:
    """Raise unless a user's learner has all that a learner needs."""
    if inspect.isabstract(kind):
        lacking = ", ".join(sorted(kind.__abstractmethods__))
        raise PlywiseError(f"The learner {kind.__name__} in {path} lacks: {lacking}.")
    if not hasattr(kind, "settings_type"):
        raise PlywiseError(
            f"The learner {kind.__name__} in {path} lacks a line like `settings_type = MySettings`."
        )
    require_settings(kind.settings_type)
