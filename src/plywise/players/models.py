"""Models by name: those that ship with the package, files, and what was trained here."""

from pathlib import Path

from plywise.errors import PlywiseError, UnknownName
from plywise.evaluators import load_model
from plywise.evaluators.model import BadModel, Model, read_card
from plywise.game import Game
from plywise.games import BUILT_IN, load_game

MODELS = Path(__file__).parent.parent / "models"
RUNS = Path("runs")
ENDING = ".safetensors"


def shipped_models() -> list[Path]:
    """Return the files of the models that ship with the package: models/GAME/NAME.safetensors."""
    return sorted(MODELS.glob(f"*/*{ENDING}"))


def model_names() -> list[str]:
    """Return the names of the models that ship, for whatever game."""
    return sorted({path.stem for path in shipped_models()})


def is_model(name: str) -> bool:
    """Return whether a name is that of a file, of a model that ships, or of a run with one."""
    return name.endswith(ENDING) or name in model_names() or run_model(name) is not None


def run_model(name: str, folder: Path = RUNS) -> Path | None:
    """Return the model of a run by the run's name or folder, None without one."""
    if not name.strip() or "\0" in name:
        return None
    for run in (folder / name, Path(name)):
        try:
            if (run / f"model{ENDING}").is_file() and (run / "config.toml").is_file():
                return run / f"model{ENDING}"
        except OSError:  # a name that is too long for a file's
            return None
    return None


def require_no_run(name: str, folder: Path = RUNS) -> None:
    """Raise if a name that no player has is meant for a run: one without a model, or none at all.

    A name of a folder, or with a slash in it, is meant so.
    """
    places = [folder / name, Path(name)]
    found = next((place for place in places if name.strip() and _is_folder(place)), None)
    if found is None:
        if "/" in name:
            raise PlywiseError(f"There is no run {name}: plywise runs lists those that are there.")
    elif (found / "config.toml").is_file():
        raise PlywiseError(f"The run {found} has no model yet: go on with its training first.")
    else:
        raise PlywiseError(f"The folder {found} is no run, and so has no model that could play.")


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name that no file can have
        return False


def find_model(name: str, game: Game) -> Model:
    """Return a model by its file, or a shipped one by its name."""
    return load_model(model_path(name, game), game)


def model_path(name: str, game: Game) -> Path:
    """Return the file of a model: itself, or that of a shipped one or of a run by its name."""
    if name.endswith(ENDING):
        return _existing(name)
    known = [path for path in shipped_models() if path.stem == name]
    if not known:
        trained = run_model(name)
        if trained is None:
            raise UnknownName("model", name, model_names())
        return trained
    for path in known:
        if path.parent.name == game.name:
            return path
    games = " and ".join(path.parent.name for path in known)
    raise PlywiseError(f"The model {name!r} is for {games}, not for {game.name}.")


def _existing(name: str) -> Path:
    """Return the path of a model's file, which is there."""
    try:
        if Path(name).is_file():
            return Path(name)
    except (OSError, ValueError):  # a name that no file can have
        pass
    raise PlywiseError(f"There is no model file {name}.")


def ships_with(game: Game, name: str) -> bool:
    """Return whether there is a model of a name for a game, by its very rules, in the package."""
    path = MODELS / game.name / f"{name}{ENDING}"
    if not (path.is_file() and _is_for(game, path)):
        return False
    return _is_built_in(game) or read_card(path).get("rules") == game.rules.meaning


def _is_built_in(game: Game) -> bool:
    """Return whether a game is one of the package, and not another one of that name."""
    return game.name in BUILT_IN and load_game(game.name).rules.key == game.rules.key


def knows_other_rules(path: Path, game: Game) -> bool:
    """Return whether a model learned by other rules of a user's game than it has now."""
    now = game.rules.meaning
    return not _is_built_in(game) and read_card(path).get("rules", now) != now


def newest_model(game: Game, folder: Path = RUNS) -> Path | None:
    """Return the model of a game that was trained last in a folder of runs, None without one."""
    trained = sorted(folder.glob(f"*/model{ENDING}"), key=_age)
    return next((path for path in trained if _is_for(game, path)), None)


def _age(path: Path) -> tuple[int, str]:
    return -path.stat().st_mtime_ns, str(path)


def _is_for(game: Game, path: Path) -> bool:
    """Return whether a file holds a model for this version of a game."""
    try:
        card = read_card(path)
    except BadModel:
        return False
    return (card.get("game"), card.get("game_version", 1)) == (game.name, game.about.version)
