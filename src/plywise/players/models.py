"""Models by name: those that ship with the package, and files."""

from pathlib import Path

from plywise.errors import PlywiseError, UnknownName
from plywise.evaluators import load_model
from plywise.evaluators.model import Model
from plywise.game import Game

MODELS = Path(__file__).parent.parent / "models"
ENDING = ".safetensors"


def shipped_models() -> list[Path]:
    """Return the files of the models that ship with the package: models/GAME/NAME.safetensors."""
    return sorted(MODELS.glob(f"*/*{ENDING}"))


def model_names() -> list[str]:
    """Return the names of the models that ship, for whatever game."""
    return sorted({path.stem for path in shipped_models()})


def is_model(name: str) -> bool:
    """Return whether a name is that of a file or of a model that ships."""
    return name.endswith(ENDING) or name in model_names()


def find_model(name: str, game: Game) -> Model:
    """Return a model by its file, or a shipped one by its name."""
    if name.endswith(ENDING):
        if not Path(name).is_file():
            raise PlywiseError(f"There is no model file {name}.")
        return load_model(Path(name), game)
    known = [path for path in shipped_models() if path.stem == name]
    if not known:
        raise UnknownName("model", name, model_names())
    for path in known:
        if path.parent.name == game.name:
            return load_model(path, game)
    games = " and ".join(path.parent.name for path in known)
    raise PlywiseError(f"The model {name!r} is for {games}, not for {game.name}.")
