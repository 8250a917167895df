"""The promise: what two minutes of training are worth against search that has learned nothing.

    python benchmarks/promise.py examples/hex.py examples/oware.py draughts
    python benchmarks/promise.py mygame.py --minutes 2 --seconds 0.05 --games 100 --json

Every game is learned by the default learner with nothing declared. Its model then plays, as its
card says, against plain Monte-Carlo tree search, plain alpha-beta and itself untrained, over paired
random openings and with the same time for a move. A run that is there already is not trained again,
and a match whose result lies beside it is not played again: broken off, the command goes on.
"""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from ladder import figures, result_of
from rich import box
from rich.console import Console
from rich.table import Table

from plywise.arena import Match
from plywise.evaluators import default_evaluator
from plywise.evaluators.model import read_card
from plywise.game import Game
from plywise.games import load_game
from plywise.learners.patterns.learner import Patterns
from plywise.learners.patterns.settings import PatternsSettings
from plywise.reports.closing import Terms, close_model
from plywise.runs import Run, carry_on, start
from plywise.system.parallel import Workers

HEADER = ("game", "plays by", "against", "games", "points", "Elo, 95 %")
OPENING_PLIES = 4


def trained(name: str, folder: Path, minutes: float, seed: int, jobs: int) -> Run:
    """Return the run of a game, trained and closed."""
    place = folder / Path(name).stem
    if (place / "config.toml").is_file():
        return Run(place)
    learner = Patterns(name, PatternsSettings(seed=seed), Workers(jobs))
    run = start(place, "patterns", learner)
    carry_on(run, learner, minutes=minutes)
    close_model(run.model_path, learner.game, lambda text: None, Terms(jobs=jobs))
    return run


def opponents_of(game: Game) -> dict[str, tuple[str, str]]:
    """Return whom a model meets, by names for files: what they are called, and who they are."""
    return {
        "mcts": ("plain MCTS", "mcts,eval=none"),
        "alphabeta": (f"plain alpha-beta ({default_evaluator(game)})", "alphabeta"),
        "untrained": ("itself, untrained", "alphabeta,eval=patterns"),
    }


def main(
    games: Annotated[list[str], typer.Argument(metavar="GAME...", help="By name, or files.")],
    minutes: Annotated[float, typer.Option(help="Of training.")] = 2.0,
    seconds: Annotated[float, typer.Option(help="For a move.")] = 0.05,
    count: Annotated[int, typer.Option("--games", "-n", help="In each match.")] = 100,
    folder: Annotated[Path, typer.Option(help="Where the runs are.")] = Path("runs/promise"),
    seed: Annotated[int, typer.Option(min=0, help="Of the training.")] = 1,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="0: one for every core.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """Train every game and print what its model is worth."""
    table = Table(*HEADER, box=box.SIMPLE_HEAD)
    summaries: list[dict[str, Any]] = []
    with Console(stderr=True).status("") as status:
        for name in games:
            status.update(f"{name}: training")
            game, run = load_game(name), trained(name, folder, minutes, seed, jobs)
            search = str(read_card(run.model_path).get("search", "alphabeta"))
            for slug, (title, opponent) in opponents_of(game).items():
                status.update(f"{name}: against {title}")
                players = f"{run.model_path},seconds={seconds}", f"{opponent},seconds={seconds}"
                match = Match(game, players, count, "random", OPENING_PLIES, seed=2)
                found = result_of(run.folder / f"against-{slug}.json", match, jobs)
                table.add_row(game.name, search, title, *figures(found))
                summaries.append({"game": game.name, "search": search, **found})
    if as_json:
        print(json.dumps(summaries, indent=2))
    else:
        Console().print(table)


if __name__ == "__main__":
    typer.run(main)
