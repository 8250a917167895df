"""What every switch of the selective search is worth: the whole search against it without one.

    python benchmarks/switches.py chess --nodes 5000 --games 200
    python benchmarks/switches.py draughts --seconds 0.02 --only reductions --only futility --json

Both play the same openings with colours reversed. With nodes the matches repeat to the game; with
seconds the machine takes part.
"""

import json
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from plywise.arena import Match, MatchResult, play_match
from plywise.cli.standings import format_estimate, format_games
from plywise.errors import UnknownName
from plywise.games import load_game
from plywise.search.options import PLAIN, SELECTIVE

HEADER = ("without", "games", "points of the whole", "Elo, 95 %", "seconds")
SWITCHES = [
    name
    for name, is_on in SELECTIVE._asdict().items()
    if is_on is True and name not in ("pruning", "deepening", "repetition")
    if getattr(PLAIN, name) is False
]


def summary(switch: str, result: MatchResult) -> dict[str, Any]:
    """Return a match for programs."""
    return {"without": switch, **result.summary()}


def main(
    game: Annotated[str, typer.Argument(metavar="GAME", help="By name, or a file.")] = "chess",
    player: Annotated[
        str, typer.Option(metavar="PLAYER", help="Alpha-beta or a model, without budget.")
    ] = "alphabeta",
    nodes: Annotated[int, typer.Option(min=1, help="For a move.")] = 5000,
    seconds: Annotated[float, typer.Option(help="For a move, instead of nodes.")] = 0.0,
    only: Annotated[list[str] | None, typer.Option(help="A switch; may be given again.")] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="In each match.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other openings.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="0: one for every core.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """Measure the switches of a game's search."""
    budget = f"seconds={seconds:g}" if seconds else f"nodes={nodes}"
    whole = f"{player},selective=on,{budget}"
    found = load_game(game)
    console = Console()
    table = Table(*HEADER, title=f"{found.name}, {whole}", box=box.SIMPLE_HEAD)
    for switch in only or SWITCHES:
        if switch not in SWITCHES:
            raise UnknownName("switch", switch, SWITCHES)
        match = Match(found, (whole, f"{whole},{switch}=off"), games, seed=seed)
        result = play_match(match, jobs)
        if as_json:
            print(json.dumps(summary(switch, result)), flush=True)
            continue
        score = result.score
        row = (switch, f"{score.games}: {format_games(score)}", f"{score.mean:.1%}")
        spent = f"{result.seconds:.0f}"
        table.add_row(*row, format_estimate(result.estimate), spent)
        console.print("  ".join((*row, format_estimate(result.estimate))))
    if not as_json:
        console.print(table)


if __name__ == "__main__":
    typer.run(main)
