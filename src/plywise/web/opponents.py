"""Players that may be named over the network: no program is started and no file is read by name.

random   alphabeta,depth=4   mcts,nodes=2000   patterns,level=3     as on the command line
run:NAME,level=5                                the model of a run, as it is now
engine:NAME,seconds=1                           an engine that whoever started the server declared
"""

import re
from collections.abc import Mapping
from pathlib import Path

from plywise.errors import PlywiseError, UnknownName
from plywise.game import Game
from plywise.players.models import ENDING, model_names
from plywise.players.options import BUDGET, ENGINES, KINDS
from plywise.settings.options import format_options, parse_options
from plywise.web.plans import require_name

MOST = {"seconds": 60.0, "nodes": 50_000_000, "depth": 60, "hash": 22, "threads": 1}
MOST_SETTING = 4096  # of an evaluator that has learned nothing
MOST_LETTERS = 200


def player_text(asked: str, game: Game, runs: Path, engines: Mapping[str, str]) -> str:
    """Return the text by which `make_player` makes the player that was asked for."""
    if len(asked) > MOST_LETTERS:
        raise PlywiseError(f"A player is named by at most {MOST_LETTERS} letters.")
    name, options = parse_options(asked)
    require_bounded(options)
    kind, _, rest = name.partition(":")
    if kind == "run":
        return format_options(str(run_model(rest, game, runs)), options)
    if kind == "engine":
        if rest not in engines:
            raise UnknownName("engine", rest, engines or ["(none: see plywise serve --help)"])
        return _with_budget(engines[rest], options)
    known = [one for one in KINDS if one not in ENGINES] + model_names()
    if name not in known:
        raise UnknownName("player", name, [*known, "run:NAME"])
    if options.get("model", "").endswith(ENDING):
        raise PlywiseError("A model is named, not given as a file: say run:NAME for one of a run.")
    return asked


def require_bounded(options: Mapping[str, str]) -> None:
    """Raise if an option asks for more than a server gives."""
    for name, most in MOST.items():
        try:
            amount = float(options.get(name, 0))
        except ValueError:
            continue  # whoever reads the option says what is right
        if amount > most:
            raise PlywiseError(f"{name} is at most {most:g} here, not {options[name]}.")
    for number in re.findall(r"\d+", options.get("eval", "")):
        if int(number) > MOST_SETTING:
            raise PlywiseError(f"Settings of an evaluator are at most {MOST_SETTING} here.")


def _with_budget(engine: str, options: Mapping[str, str]) -> str:
    """Return the text of an engine with another budget, which is all that may be changed."""
    for name in options:
        if name not in BUDGET:
            raise UnknownName("option of an engine here", name, BUDGET)
    command, own = parse_options(engine)
    kept = {key: text for key, text in own.items() if key not in BUDGET or not options}
    return format_options(command, {**kept, **options})


def run_model(name: str, game: Game, runs: Path) -> Path:
    """Return the file of a run's model as it is now; a champion becomes one while it learns."""
    from plywise.evaluators.model import save_model
    from plywise.learners import champion_model
    from plywise.runs import Run

    run = Run(runs / require_name(name))
    steps = run.champions()
    if not steps:
        if run.model_path.is_file():
            return run.model_path
        raise PlywiseError(f"The run {name} has no champion yet: wait for its first steps.")
    newest = run.champion_path(steps[-1])
    if run.model_path.is_file() and run.model_path.stat().st_mtime >= newest.stat().st_mtime:
        return run.model_path
    path = run.folder / "played" / f"{steps[-1]:06d}{ENDING}"
    if not path.is_file():
        path.parent.mkdir(exist_ok=True)
        save_model(champion_model(run, steps[-1]), path)
    return path
