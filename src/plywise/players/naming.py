"""The text that names a player, in the grammar of `plywise.settings.options`.

random
alphabeta,eval=material,depth=6
alphabeta,eval=mlp:hidden=40+10,depth=4      an evaluator with settings of its own
mcts,nodes=2000,cap=6,eval=material
blondie,seconds=0.5                          a model that ships, or the file of one
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from plywise.errors import PlywiseError, UnknownName
from plywise.evaluators import default_evaluator, make_evaluator, settings_source
from plywise.evaluators.model import Model
from plywise.evaluators.network import random_model
from plywise.game import Game
from plywise.players.models import find_model, is_model, model_names
from plywise.players.options import BUDGET, KINDS
from plywise.players.player import Player
from plywise.players.random_player import RandomPlayer
from plywise.players.search_player import SearchPlayer
from plywise.search.limits import Limit
from plywise.search.mcts import MctsOptions
from plywise.search.options import PLAIN, Options
from plywise.search.searchers import AlphaBeta, Mcts, Search
from plywise.settings.options import (
    COLON,
    format_options,
    parse_options,
    read_arguments,
    read_options,
)

DEFAULT_SECONDS = 1.0
SMALL_TABLE, LARGE_TABLE = 16, 20  # bits


def make_player(text: str, game: Game, seed: int = 0) -> Player:
    """Return the player that a text names; what is wrong in it is answered with what is right."""
    kind, options = _parse(text)
    if kind == "random":
        return RandomPlayer(text, seed)
    return SearchPlayer(text, _search_of(kind, options, game), _limit_of(options), seed)


def default_opponent(game: Game, seconds: float = DEFAULT_SECONDS) -> str:
    """Return the text of a good opponent: alpha-beta where there is an evaluator, else MCTS."""
    kind = "mcts" if default_evaluator(game) == "none" else "alphabeta"
    return f"{kind},seconds={seconds:g}"


def has_budget(text: str) -> bool:
    """Return whether a text says what its player may spend on a move."""
    _, options = _parse(text)
    return not options.keys().isdisjoint(BUDGET)


def with_seconds(text: str, seconds: float) -> str:
    """Return the text of the same player with a time for a move in place of its own budget."""
    kind, _ = _parse(text)
    if "seconds" not in KINDS[kind]:
        raise PlywiseError(f"{kind!r} takes no time that could be set.")
    name, texts = parse_options(text)
    kept = {key: value for key, value in texts.items() if key not in BUDGET}
    changed = format_options(name, {**kept, "seconds": f"{seconds:g}"})
    _parse(changed)  # refuses a time that is none
    return changed


def judge_of(text: str, game: Game) -> str:
    """Return the evaluator or model by which the player of a text judges."""
    _, options = _parse(text)
    return str(options.get("model") or options.get("eval") or default_evaluator(game))


# ---------------------------------------------------------------- reading


def _parse(text: str) -> tuple[str, dict[str, Any]]:
    """Return the kind of player that a text names, and its options."""
    name, texts = parse_options(text)
    kind = name
    if is_model(name):
        kind = texts.pop("search", "alphabeta")
        texts["model"] = name
    if kind not in KINDS:
        raise UnknownName("player", name, [*KINDS, *model_names()])
    options = read_options(texts, KINDS[kind], kind)
    if "eval" in options and "model" in options:
        raise PlywiseError(f"{text!r} names both eval and model; a player has one judgement.")
    return kind, options


def _limit_of(options: Mapping[str, Any]) -> Limit:
    """Return the player's own budget for a move."""
    limit = Limit(*(options.get(name) for name in ("depth", "nodes", "seconds")))
    return Limit(seconds=DEFAULT_SECONDS) if limit.is_open else limit


# ---------------------------------------------------------------- making


def _search_of(kind: str, options: Mapping[str, Any], game: Game) -> Callable[[], Search]:
    """Return what makes the search of a player."""
    model = _model_of(options, game)
    if kind == "mcts":
        mcts_options = MctsOptions(**_chosen(options, MctsOptions._fields))
        return partial(Mcts, model, mcts_options, options.get("reuse", True))
    settled = {**model.card.get("options", {}), **options}  # as it was trained to play
    search_options = Options(**_chosen(settled, Options._fields))
    if kind == "minimax":
        search_options = PLAIN._replace(repetition=True, deepening="depth" not in options)
    bits = options.get("hash", _table_bits(options))
    return partial(AlphaBeta, model, search_options, bits)


def _table_bits(options: Mapping[str, Any]) -> int:
    is_small = options.get("depth", 99) <= 8 or options.get("nodes", 1e9) < 1e5
    return SMALL_TABLE if is_small else LARGE_TABLE


def _chosen(options: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: options[name] for name in names if name in options}


def _model_of(options: Mapping[str, Any], game: Game) -> Model:
    model = (
        find_model(options["model"], game) if "model" in options else _blank_model(options, game)
    )
    return _handing_over(model, options["handover"]) if "handover" in options else model


def _blank_model(options: Mapping[str, Any], game: Game) -> Model:
    """Return an evaluator that has learned nothing."""
    name, texts = parse_options(options.get("eval", default_evaluator(game)), COLON)
    settings = read_arguments(texts, settings_source(name, game), name)
    evaluator = make_evaluator(name, game, **settings)
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
