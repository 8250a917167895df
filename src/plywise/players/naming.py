"""The text that names a player, in the grammar of `plywise.settings.options`.

random
alphabeta,eval=material,depth=6
alphabeta,eval=mlp:hidden=40+10,depth=4      an evaluator with settings of its own
comparison,eval=material,depth=6             alpha-beta that compares positions
mcts,nodes=2000,cap=6,eval=material
blondie,seconds=0.5                          a model that ships, or the file of one
blondie,level=3                              held back, see `plywise.players.levels`
uci:gnuchess --uci,seconds=0.1,OwnBook=off   an engine behind a protocol, with options of its own

A model searches as its card says in `search`, which is such a text without a budget; without it,
by alpha-beta. A depth is searched in full by alpha-beta: what else a card asks for serves nodes and
seconds.
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from plywise.errors import PlywiseError, UnknownName
from plywise.evaluators import default_evaluator, make_evaluator, settings_source
from plywise.evaluators.model import BadModel, Model, read_card
from plywise.evaluators.network import random_model
from plywise.game import Game
from plywise.players.handicapped_player import HandicappedPlayer
from plywise.players.levels import FULL_SECONDS, LEVELS
from plywise.players.models import (
    find_model,
    is_model,
    knows_other_rules,
    model_names,
    model_path,
    newest_model,
    require_no_run,
    ships_with,
)
from plywise.players.options import BUDGET, ENGINES, HANDICAP, KINDS, SEARCHES, UNCAPPED
from plywise.players.player import Player
from plywise.players.random_player import RandomPlayer
from plywise.players.search_player import SearchPlayer
from plywise.protocols import make_engine
from plywise.protocols.engine_player import EnginePlayer
from plywise.search.comparators import as_comparator
from plywise.search.comparison import comparison
from plywise.search.limits import Limit
from plywise.search.mcts import MctsOptions
from plywise.search.options import PLAIN, SELECTIVE, Options
from plywise.search.searchers import AlphaBeta, Mcts, Search
from plywise.settings.options import (
    COLON,
    format_options,
    parse_options,
    read_arguments,
    read_options,
)

STRONGEST_MODEL = "patterns"  # of those that ship for a game
SMALL_TABLE, LARGE_TABLE, FEATURE_BITS = 16, 20, 17


def make_player(text: str, game: Game, seed: int = 0) -> Player:
    """Return the player that a text names; what is wrong in it is answered with what is right."""
    kind, options = _parse(text, game)
    if kind == "random":
        return RandomPlayer(text, seed)
    if kind in ENGINES:
        engine = make_engine(kind, options["command"], game, options["engine"])
        return EnginePlayer(text, engine, None if _is_unlimited(options) else _limit_of(options))
    player = SearchPlayer(text, _search_of(kind, options, game), _limit_of(options), seed)
    if "level" in options:  # holds its moves back, not its opinion
        full = Limit(seconds=FULL_SECONDS)
        return HandicappedPlayer(player, LEVELS[options["level"]].mistakes, full, seed)
    if "mistakes" in options:
        return HandicappedPlayer(player, options["mistakes"], seed=seed)
    return player


def require_player(text: str, game: Game) -> None:
    """Raise unless a text names a player as it should; nothing is compiled, no model is read."""
    _, options = _parse(text, game)
    if "eval" in options:
        name, texts = parse_options(options["eval"], COLON)
        read_arguments(texts, settings_source(name, game), name)


def default_opponent(game: Game) -> str:
    """Return the text of the best opponent at hand, without a budget.

    It is the model that was trained last in this folder, else whom the game names, else the
    strongest model that ships, else alpha-beta where there is an evaluator by hand, else MCTS.
    """
    trained = newest_model(game)
    if trained is not None:
        return str(trained)
    if game.about.opponent:
        return game.about.opponent
    if ships_with(game, STRONGEST_MODEL):
        return STRONGEST_MODEL
    return "mcts" if default_evaluator(game) == "none" else "alphabeta"


def model_of(text: str, game: Game) -> Model:
    """Return the model, or the evaluator without learned numbers, by which a player judges."""
    kind, options = _parse(text, game)
    if kind not in SEARCHES:
        raise PlywiseError(f"{text!r} has no evaluator that can be looked into.")
    return _model_of(options, game)


def has_budget(text: str, game: Game) -> bool:
    """Return whether a text says what its player may spend on a move."""
    _, options = _parse(text, game)
    return not _is_unlimited(options)


def budget_of(text: str, game: Game) -> Limit:
    """Return what the player of a text may spend on a move, an open limit if nothing is said."""
    _, options = _parse(text, game)
    return _limit_of(options)


def _is_unlimited(options: Mapping[str, Any]) -> bool:
    return options.keys().isdisjoint(BUDGET)


def with_seconds(text: str, seconds: float, game: Game) -> str:
    """Return the text of the same player with a time for a move in place of its own budget."""
    return _changed(text, "seconds", f"{seconds:g}", {"level", *BUDGET}, game)


def with_level(text: str, level: int, game: Game) -> str:
    """Return the text of the same player at a level, whatever budget it had."""
    return _changed(text, "level", str(level), {*HANDICAP, *BUDGET}, game)


def with_option(text: str, option: str, value: str, game: Game) -> str:
    """Return the text of the same player with one option set."""
    return _changed(text, option, value, {option}, game)


def has_option(text: str, option: str, game: Game) -> bool:
    """Return whether the player of a text has an option, set or not."""
    kind, _ = _parse(text, game)
    return option in KINDS[kind]


def _changed(text: str, option: str, value: str, dropped: set[str], game: Game) -> str:
    """Return the text of the same player with one option in place of others."""
    kind, _ = _parse(text, game)
    if option not in KINDS[kind]:
        raise PlywiseError(f"{kind!r} has no {option} that could be set.")
    name, texts = parse_options(text)
    kept = {key: value for key, value in texts.items() if key not in dropped}
    changed = format_options(name, {**kept, option: value})
    _parse(changed, game)  # refuses a value that is wrong
    return changed


def names_program(text: str) -> bool:
    """Return whether the player of a text is a program that would be started."""
    return text.strip().partition(":")[0].strip() in ENGINES


def outdated_model(text: str, game: Game) -> Path | None:
    """Return the model of a player if it learned by other rules than the game has now."""
    _, options = _parse(text, game)
    path = model_path(options["model"], game) if "model" in options else None
    return path if path and knows_other_rules(path, game) else None


def judge_of(text: str, game: Game) -> str:
    """Return the evaluator or model by which the player of a text judges, or its program."""
    _, options = _parse(text, game)
    if "command" in options:
        return str(options["command"])
    return str(options.get("model") or options.get("eval") or default_evaluator(game))


# ---------------------------------------------------------------- reading


def _parse(text: str, game: Game) -> tuple[str, dict[str, Any]]:
    """Return the kind of player that a text names, and its options."""
    kind, texts = parse_options(text)
    if kind.partition(":")[0] in ENGINES:
        return _as_engine(kind, texts)
    if is_model(kind):
        kind, texts = _as_model(kind, texts, game)
    if kind not in KINDS:
        require_no_run(kind)
        raise UnknownName("player", kind, [*KINDS, *model_names()])
    options = read_options(texts, KINDS[kind], kind)
    if "eval" in options and "model" in options:
        raise PlywiseError(f"{text!r} names both eval and model; a player has one judgement.")
    settled = {"mistakes", *BUDGET} & options.keys()
    if "level" in options and settled:
        raise PlywiseError(
            f"A level settles budget and mistakes: leave out {' and '.join(sorted(settled))}, "
            "or the level."
        )
    return kind, options


def _as_engine(name: str, texts: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the protocol of an engine and its options: budget, command, and what it knows."""
    kind, _, command = name.partition(":")
    known = ENGINES[kind]
    for key in BUDGET.keys() & texts.keys() - known.keys():
        raise PlywiseError(f"The protocol {kind} has no limit of {key}: say {' or '.join(known)}.")
    its_own = {key: value for key, value in texts.items() if key not in known}
    ours = {key: value for key, value in texts.items() if key in known}
    options = read_options(ours, known, kind)
    return kind, {**options, "command": command, "engine": its_own}


def _as_model(name: str, texts: Mapping[str, str], game: Game) -> tuple[str, dict[str, str]]:
    """Return the search of a model and its options: what is said, else what its card says."""
    best, its_own = _search_of_card(name, game)
    if "depth" in texts and "depth" not in KINDS[best]:
        best, its_own = "alphabeta", {}
    kind = texts.get("search", best)
    said = {key: text for key, text in texts.items() if key != "search"}
    settled = its_own if kind == best else {}
    if "search" in texts and settled.get("cap") == "off":  # whoever asks for it wants the model
        settled = {}
    if "depth" in said:  # so that the depths of two models compare
        settled = {key: text for key, text in settled.items() if key != "selective"}
    return kind, {**settled, **said, "model": name}


def _search_of_card(name: str, game: Game) -> tuple[str, dict[str, str]]:
    """Return the search by which a model plays best, and the texts of its options."""
    path = model_path(name, game)
    text = str(read_card(path).get("search", "alphabeta"))
    try:
        kind, texts = parse_options(text)
        if kind not in SEARCHES:
            raise UnknownName("search", kind, SEARCHES)
        read_options(texts, SEARCHES[kind], kind)
    except PlywiseError as error:
        raise BadModel(f"The card of {path} has the search {text!r}, but: {error}") from None
    return kind, texts


def _limit_of(options: Mapping[str, Any]) -> Limit:
    """Return the player's own budget for a move, an open one if nothing is said."""
    if "level" in options:
        return LEVELS[options["level"]].limit
    return Limit(*(options.get(name) for name in ("depth", "nodes", "seconds")))


# ---------------------------------------------------------------- making


def _search_of(kind: str, options: Mapping[str, Any], game: Game) -> Callable[[], Search]:
    """Return what makes the search of a player."""
    model = _model_of(options, game)
    if kind == "mcts":
        said = _chosen(options, MctsOptions._fields)
        mcts_options = MctsOptions(**{"cap": _default_cap(options), **said})
        return partial(Mcts, model, mcts_options, options.get("reuse", True))
    settled = {**_habits_of(game, kind), **model.card.get("options", {}), **options}
    base = SELECTIVE if settled.get("selective", False) else Options()
    search_options = base._replace(**_chosen(settled, Options._fields))
    if kind == "minimax":
        search_options = PLAIN._replace(repetition=True, deepening="depth" not in options)
    bits = options.get("hash", _table_bits(_limit_of(options)))
    if kind == "comparison":
        tree = comparison(options.get("features", FEATURE_BITS))
        search_options = search_options._replace(singular=False, value_ordering=0)
        return partial(AlphaBeta, as_comparator(model), search_options, bits, tree=tree)
    threads = options.get("threads", 1)
    return partial(AlphaBeta, model, search_options, bits, threads=threads)


def _default_cap(options: Mapping[str, Any]) -> int:
    """Return how long playouts are unless said: whoever is named to judge does so at once."""
    judge = options.get("model") or options.get("eval", "none")
    return UNCAPPED if judge == "none" else 0


def _habits_of(game: Game, kind: str) -> dict[str, Any]:
    """Return the options by which a game says that a kind of search plays it best."""
    best, texts = parse_options(game.about.search)
    if kind == "comparison" and best == "alphabeta":  # the same search, so the same habits
        texts = {name: text for name, text in texts.items() if name in SEARCHES[kind]}
        return read_options(texts, SEARCHES[kind], kind)
    return read_options(texts, SEARCHES[kind], kind) if best == kind else {}


def _table_bits(limit: Limit) -> int:
    is_small = (limit.depth or 99) <= 8 or (limit.nodes or 1e9) < 1e5
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
