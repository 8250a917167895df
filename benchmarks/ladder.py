"""Chess against other engines, one match each over paired openings: where we stand.

    python benchmarks/ladder.py --seconds 0.1 --games 100
    python benchmarks/ladder.py --player deepchess --only sjeng --only phalanx --save runs/ladder

Engines are those of Debian (`scripts/system-packages` installs them); one that is not there is left
out. Stockfish plays at the strengths that it calls UCI_Elo, which are its own scale. With `--save`
the result of every match is kept in a file, and one that is there already is not played again.
"""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from plywise.arena import Match, play_match
from plywise.errors import PlywiseError, UnknownName
from plywise.games import load_game
from plywise.protocols.process import find_program
from plywise.system.atomic import write_atomically

HEADER = ("against", "games", "points", "Elo, 95 %")
STRENGTHS = (1600, 1800, 2000, 2200, 2400)
ENGINES = {
    "sjeng": "cecp:sjeng",
    "phalanx": "cecp:phalanx -b-",
    "gnuchess": "uci:gnuchess --uci",
    **{
        f"stockfish-{elo}": f"uci:stockfish,UCI_LimitStrength=true,UCI_Elo={elo}"
        for elo in STRENGTHS
    },
}


def is_installed(engine: str) -> bool:
    """Return whether the program of an engine can be started."""
    try:
        find_program(engine.split(":", 1)[1].split(",")[0])
    except PlywiseError:
        return False
    return True


def main(
    player: Annotated[str, typer.Option(metavar="PLAYER", help="Without budget.")] = "alphabeta",
    seconds: Annotated[float, typer.Option(help="For a move, of both.")] = 0.1,
    games: Annotated[int, typer.Option("--games", "-n", help="In each match.")] = 100,
    only: Annotated[list[str] | None, typer.Option(help="An engine; may be given again.")] = None,
    save: Annotated[Path | None, typer.Option(help="A folder for the results.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other openings.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="0: one for every core.")] = 0,
) -> None:
    """Play all matches and print the table."""
    console, table = Console(), Table(*HEADER, title=player, box=box.SIMPLE_HEAD)
    for name in only or ENGINES:
        if name not in ENGINES:
            raise UnknownName("engine", name, list(ENGINES))
        if not is_installed(ENGINES[name]):
            console.print(f"{name} is not installed.")
            continue
        players = f"{player},seconds={seconds:g}", f"{ENGINES[name]},seconds={seconds:g}"
        match = Match(load_game("chess"), players, games, seed=seed)
        found = result_of(save / f"{name}.json" if save else None, match, jobs)
        row = (name, *figures(found))
        console.print("  ".join(row))
        table.add_row(*row)
    console.print(table)


def result_of(kept: Path | None, match: Match, jobs: int) -> dict[str, Any]:
    """Return what a match came to, for programs; one whose result is in a file is not played."""
    if kept and kept.is_file():
        return dict(json.loads(kept.read_text()))
    summary = dict(play_match(match, jobs).summary())
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(kept, json.dumps(summary, indent=2).encode())
    return summary


def figures(found: dict[str, Any]) -> tuple[str, str, str]:
    """Return what a match came to."""
    won, drawn, lost = found["wins"], found["draws"], found["losses"]
    points = (won + drawn / 2) / found["games"]
    elo, low, high = (
        "-" if found[name] is None else f"{found[name]:+.0f}"
        for name in ("elo", "elo_low", "elo_high")
    )
    return f"{found['games']}: +{won} ={drawn} -{lost}", f"{points:.1%}", f"{elo} [{low}, {high}]"


if __name__ == "__main__":
    typer.run(main)
