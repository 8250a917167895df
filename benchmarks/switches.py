"""What every switch of the selective search is worth: the whole search against it without one.

    python benchmarks/switches.py chess --nodes 5000 --games 200
    python benchmarks/switches.py chess --seconds 0.01 --games 300 --sprt 0 30 --save runs/switches
    python benchmarks/switches.py draughts --seconds 0.02 --only reductions --only futility --json

Both play the same openings with colours reversed. With nodes the matches repeat to the game; with
seconds the machine takes part. With `--sprt` a match ends as soon as it is clear which of two
differences is true; that decides, and its Elo is then only a guide. With `--save` the result of
every match is kept in a file, and one that is there already is not played again.
"""

import json
from pathlib import Path
from typing import Annotated

import typer
from ladder import figures, result_of
from rich import box
from rich.console import Console
from rich.table import Table

from plywise.arena import Match, Sprt
from plywise.errors import UnknownName
from plywise.games import load_game
from plywise.search.options import PLAIN, SELECTIVE

HEADER = ("without", "games", "points of the whole", "Elo, 95 %", "SPRT", "seconds")
SWITCHES = [
    name
    for name, is_on in SELECTIVE._asdict().items()
    if is_on is True and name not in ("pruning", "deepening", "repetition")
    if getattr(PLAIN, name) is False
]


def main(
    game: Annotated[str, typer.Argument(metavar="GAME", help="By name, or a file.")] = "chess",
    player: Annotated[
        str, typer.Option(metavar="PLAYER", help="Alpha-beta or a model, without budget.")
    ] = "alphabeta",
    nodes: Annotated[int, typer.Option(min=1, help="For a move.")] = 5000,
    seconds: Annotated[float, typer.Option(help="For a move, instead of nodes.")] = 0.0,
    only: Annotated[list[str] | None, typer.Option(help="A switch; may be given again.")] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="In each match.")] = 200,
    sprt: Annotated[
        tuple[float, float] | None, typer.Option(help="Elo of both hypotheses.")
    ] = None,
    save: Annotated[Path | None, typer.Option(help="A folder for the results.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other openings.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="0: one for every core.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """Measure the switches of a game's search."""
    budget = f"seconds={seconds:g}" if seconds else f"nodes={nodes}"
    whole = f"{player},selective=on,{budget}"
    found, test = load_game(game), Sprt(*sprt) if sprt else None
    console = Console()
    table = Table(*HEADER, title=f"{found.name}, {whole}", box=box.SIMPLE_HEAD)
    for switch in only or SWITCHES:
        if switch not in SWITCHES:
            raise UnknownName("switch", switch, SWITCHES)
        match = Match(found, (whole, f"{whole},{switch}=off"), games, seed=seed, sprt=test)
        result = result_of(save / f"{switch}.json" if save else None, match, jobs)
        if as_json:
            print(json.dumps({"without": switch, **result}), flush=True)
            continue
        verdict = result["sprt"]["decision"] if result["sprt"] else "-"
        row = (switch, *figures(result), verdict, f"{result['seconds']:.0f}")
        table.add_row(*row)
        console.print("  ".join(row))
    if not as_json:
        console.print(table)


if __name__ == "__main__":
    typer.run(main)
