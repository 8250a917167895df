"""Levels of an opponent: how far neighbours are apart.

    python benchmarks/levels.py draughts
    python benchmarks/levels.py mygame.py --player mcts --last 9 --json

Every level plays a match against the one below it, the first against random moves, over paired
openings. Levels below the last have budgets of nodes, so their matches repeat to the game; in that
of the last the machine takes part.
"""

import json
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from plywise.arena import Match, MatchResult, play_match
from plywise.cli.standings import format_estimate, format_games
from plywise.game import Game
from plywise.games import load_game
from plywise.players import default_opponent
from plywise.players.levels import LEVELS, STRONGEST

HEADER = ("level", "against", "games", "points", "Elo, 95 %")


def player_at(player: str, level: int) -> str:
    """Return the text of a player at a level; below the first is who plays at random."""
    return f"{player},level={level}" if level in LEVELS else "random"


def measure(game: Game, player: str, level: int, games: int, seed: int, jobs: int) -> MatchResult:
    """Return a match of a level against the one below it."""
    players = player_at(player, level), player_at(player, level - 1)
    return play_match(Match(game, players, games, seed=seed), jobs)


def row(level: int, result: MatchResult) -> tuple[str, ...]:
    """Return a row of the table."""
    return (
        str(level),
        str(level - 1) if level - 1 in LEVELS else "random",
        f"{result.score.games}: {format_games(result.score)}",
        f"{result.score.mean:.1%}",
        format_estimate(result.estimate),
    )


def main(
    game: Annotated[str, typer.Argument(metavar="GAME", help="By name, or a file.")],
    player: Annotated[
        str, typer.Option(metavar="PLAYER", help="Without budget. Default: that of plywise play.")
    ] = "",
    first: Annotated[int, typer.Option(min=1, max=STRONGEST, help="The first level.")] = 1,
    last: Annotated[int, typer.Option(min=1, max=STRONGEST, help="The last one.")] = STRONGEST,
    games: Annotated[int, typer.Option("--games", "-n", help="In each match.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other openings.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="0: one for every core.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """Print what every level is worth against the one below it."""
    loaded = load_game(game)
    chosen = player or default_opponent(loaded)
    table = Table(*HEADER, title=f"{loaded.name}, {chosen}", box=box.SIMPLE_HEAD)
    summaries: list[dict[str, Any]] = []
    with Console(stderr=True).status("") as status:
        for level in range(first, last + 1):
            status.update(f"level {level}")
            result = measure(loaded, chosen, level, games, seed, jobs)
            table.add_row(*row(level, result))
            summaries.append({"level": level, **result.summary()})
            if result.is_interrupted:
                break
    if as_json:
        print(json.dumps({"game": loaded.name, "player": chosen, "levels": summaries}, indent=2))
    else:
        Console().print(table)


if __name__ == "__main__":
    typer.run(main)
