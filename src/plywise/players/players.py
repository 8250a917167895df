"""Players: the text that names a player, and the player.

A player is one word and options, separated by commas:

    random
    alphabeta,eval=material,depth=6
    mcts,nodes=2000,cap=6,eval=material
    blondie,seconds=0.5           a model that ships, or the file of one
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plywise.errors import PlywiseError, UnknownName
from plywise.evaluators import default_evaluator, load_model, make_evaluator
from plywise.evaluators.model import Model
from plywise.evaluators.network import random_model
from plywise.game import Game
from plywise.game.record import Record
from plywise.search.limits import Clock, Found, Limit
from plywise.search.mcts import MctsOptions
from plywise.search.options import PLAIN, Options
from plywise.search.searchers import AlphaBeta, Mcts, RandomMover, Search, Tell

MODELS = Path(__file__).parent.parent / "models"
DEFAULT_SECONDS = 1.0
SMALL_TABLE, LARGE_TABLE = 16, 20  # bits


class Player:
    """A search with a budget, under the name by which it was asked for."""

    def __init__(self, name: str, search: Search, limit: Limit) -> None:
        self.name = name
        self.search = search
        self.limit = limit

    def new_game(self, seed: int) -> None:
        """Start afresh: the same seed then gives the same moves for the same budget."""
        self.search.forget()
        self.search.reseed(seed)

    def choose(self, record: Record, clock: Clock | None = None, tell: Tell | None = None) -> Found:
        """Return a move for the side to move; a clock shortens the time spent."""
        limit = self.limit
        if clock is not None:
            share = clock.seconds_for_move()
            seconds = share if limit.seconds is None else min(share, limit.seconds)
            limit = Limit(limit.depth, limit.nodes, seconds)
        return self.search.search(record, limit, tell)

    def stop(self) -> None:
        """Make a running search answer at once; callable from any thread."""
        self.search.stop.set()


# ---------------------------------------------------------------- options


def _switch(text: str) -> bool:
    if text in ("on", "true", "yes", "1"):
        return True
    if text in ("off", "false", "no", "0"):
        return False
    raise ValueError("on or off")


def _whole(text: str) -> int:
    number = int(text.replace("_", ""))
    if number < 0:
        raise ValueError("a whole number from 0 on")
    return number


def _positive(text: str) -> int:
    number = _whole(text)
    if number == 0:
        raise ValueError("a whole number from 1 on")
    return number


def _amount(text: str) -> float:
    number = float(text)
    if not 0 <= number < 1e9:
        raise ValueError("a number from 0 on")
    return number


def _seconds(text: str) -> float:
    number = _amount(text)
    if number == 0:
        raise ValueError("a number above 0")
    return number


@dataclass(frozen=True)
class Option:
    """How the text of an option is read, and what it means."""

    read: Callable[[str], Any]
    help: str


BUDGET = {
    "depth": Option(_positive, "plies to search"),
    "nodes": Option(_positive, "positions (alpha-beta) or simulations (MCTS) to search"),
    "seconds": Option(_seconds, "time per move"),
}
JUDGE = {
    "eval": Option(str, "evaluator by name, e.g. material; see also models"),
    "model": Option(str, "model by name or file"),
    "seed": Option(_whole, "which random weights, for an evaluator that has learned nothing"),
    "handover": Option(str, "of a model with experts, who judges: leaf, move, fixed or patient"),
}
ALPHABETA = {
    **BUDGET,
    **JUDGE,
    "hash": Option(_positive, "size of the table: 2 to this power entries"),
    **{
        name: Option(_switch, f"on or off: {name}")
        for name in Options._fields
        if name not in ("pruning", "judging")
    },
    "judging": Option(_whole, "depth from which the evaluator orders moves; 0: nowhere"),
}
MCTS = {
    "nodes": BUDGET["nodes"],
    "seconds": BUDGET["seconds"],
    **JUDGE,
    "exploration": Option(_amount, "the constant of UCT"),
    "cap": Option(_whole, "plies of a playout before the evaluator judges (EPT)"),
    "mixing": Option(_amount, "implicit minimax: weight of heuristic values, 0 to 1"),
    "solver": Option(_switch, "on or off: back up proven results"),
    "reuse": Option(_switch, "on or off: keep the tree between moves"),
}
KINDS: dict[str, dict[str, Option]] = {
    "random": {},
    "minimax": {**BUDGET, **JUDGE},
    "alphabeta": ALPHABETA,
    "mcts": MCTS,
}


@dataclass(frozen=True)
class PlayerSpec:
    """A player's text, read and checked: `make` builds the player for a game."""

    text: str
    kind: str  # one of KINDS
    options: Mapping[str, Any]

    def make(self, game: Game, seed: int = 0) -> Player:
        """Return the player."""
        player = Player(self.text, self._make_search(game), self.limit())
        player.new_game(seed)
        return player

    def limit(self) -> Limit:
        """Return the player's own budget for a move."""
        limit = Limit(*(self.options.get(name) for name in ("depth", "nodes", "seconds")))
        return Limit(seconds=DEFAULT_SECONDS) if limit.is_open else limit

    def _make_search(self, game: Game) -> Search:
        if self.kind == "random":
            return RandomMover(game)
        model = _model_of(self.options, game)
        if self.kind == "mcts":
            mcts_options = MctsOptions(**_chosen(self.options, MctsOptions._fields))
            return Mcts(model, mcts_options, self.options.get("reuse", True))
        settled = {**model.card.get("options", {}), **self.options}  # as it was trained to play
        options = Options(**_chosen(settled, Options._fields))
        if self.kind == "minimax":
            options = PLAIN._replace(repetition=True, deepening="depth" not in self.options)
        bits = self.options.get("hash", self._table_bits())
        return AlphaBeta(model, options, bits)

    def _table_bits(self) -> int:
        small = (self.options.get("depth") or 99) <= 8 or (self.options.get("nodes") or 1e9) < 1e5
        return SMALL_TABLE if small else LARGE_TABLE


def _chosen(options: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: options[name] for name in names if name in options}


def _model_of(options: Mapping[str, Any], game: Game) -> Model:
    model = (
        find_model(options["model"], game) if "model" in options else _blank_model(options, game)
    )
    return _handing_over(model, options["handover"]) if "handover" in options else model


def _blank_model(options: Mapping[str, Any], game: Game) -> Model:
    """Return an evaluator that has learned nothing."""
    evaluator = make_evaluator(options.get("eval", default_evaluator(game)), game)
    if not evaluator.weights:
        return Model(evaluator)
    return random_model(evaluator, np.random.default_rng(options.get("seed", 0)))


def _handing_over(model: Model, handover: str) -> Model:
    """Return a model of experts that hand over in another way."""
    settings = model.evaluator.settings
    if "handover" not in settings:
        raise PlywiseError(f"The option 'handover' is for experts, not for {model.evaluator.name}.")
    changed = {**settings, "handover": handover}
    evaluator = make_evaluator(model.evaluator.name, model.game, **changed)
    return Model(evaluator, model.weights, model.card)


def shipped_models() -> list[Path]:
    """Return the files of the models that ship with the package: models/GAME/NAME.safetensors."""
    return sorted(MODELS.glob("*/*.safetensors"))


def find_model(name: str, game: Game) -> Model:
    """Return a model by its file, or a shipped one by its name."""
    if name.endswith(".safetensors"):
        if not Path(name).is_file():
            raise PlywiseError(f"There is no model file {name}.")
        return load_model(Path(name), game)
    known = [path for path in shipped_models() if path.stem == name]
    if not known:
        raise UnknownName("model", name, {path.stem for path in shipped_models()})
    for path in known:
        if path.parent.name == game.name:
            return load_model(path, game)
    games = " and ".join(path.parent.name for path in known)
    raise PlywiseError(f"The model {name!r} is for {games}, not for {game.name}.")


def parse_player(text: str) -> PlayerSpec:
    """Return the player that a text names; what is wrong in it is answered with what is right."""
    name, *parts = [part.strip() for part in text.split(",")]
    given = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals:
            raise PlywiseError(f"An option of a player is written name=value, not {part!r}.")
        if key in given:
            raise PlywiseError(f"The option {key!r} is given twice in {text!r}.")
        given[key] = value
    kind = name
    models = sorted({path.stem for path in shipped_models()})
    if name.endswith(".safetensors") or name in models:
        kind = given.pop("search", "alphabeta")
        given["model"] = name
    if kind not in KINDS:
        raise UnknownName("player", name, [*KINDS, *models])
    known = KINDS[kind]
    options = {}
    for key, value in given.items():
        if key not in known:
            raise UnknownName(f"option of {kind}", key, known or ["(it has no options)"])
        try:
            options[key] = known[key].read(value)
        except ValueError as error:
            raise PlywiseError(
                f"{key}={value} is wrong: {key} is {known[key].help} ({error})."
            ) from None
    if "eval" in options and "model" in options:
        raise PlywiseError(f"{text!r} names both eval and model; a player has one judgement.")
    return PlayerSpec(text, kind, options)


def make_player(text: str, game: Game, seed: int = 0) -> Player:
    """Return the player that a text names."""
    return parse_player(text).make(game, seed)


def default_opponent(game: Game, seconds: float = DEFAULT_SECONDS) -> str:
    """Return the text of a good opponent: alpha-beta where there is an evaluator, else MCTS."""
    kind = "mcts" if default_evaluator(game) == "none" else "alphabeta"
    return f"{kind},seconds={seconds:g}"
