"""In which search a model that ships plays best: its closing matches, written into its card.

    python benchmarks/closing.py draughts reversi
    python benchmarks/closing.py examples/breakthrough.py --games 40 --seconds 0.1

These are the matches that end `plywise train`, with more games or time: alpha-beta with
guesses, without them, and Monte-Carlo tree search meet; the best meets plain search and itself
untrained.
"""

from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from plywise.cli.standings import format_estimate, format_games
from plywise.games import load_game
from plywise.players.models import MODELS
from plywise.reports.closing import Terms, close_model

LONGEST = 600.0  # seconds of a match
HEADER = ("game", "player", "against", "games", "points", "Elo, 95 %")


def main(
    games: Annotated[list[str], typer.Argument(metavar="GAME...", help="By name, or files.")],
    name: Annotated[str, typer.Option("--model", help="Of those that ship.")] = "patterns",
    count: Annotated[int, typer.Option("--games", "-n", help="In each match, at most.")] = 100,
    seconds: Annotated[float, typer.Option(help="For a move.")] = 0.01,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="0: one for every core.")] = 0,
) -> None:
    """Close models anew and print the matches."""
    table = Table(*HEADER, box=box.SIMPLE_HEAD)
    terms = Terms(count, LONGEST, jobs, seconds)
    with Console(stderr=True).status("") as status:
        for text in games:
            game = load_game(text)
            path = MODELS / game.name / f"{name}.safetensors"
            for test in close_model(path, game, status.update, terms).tests:
                score = test.result.score
                table.add_row(
                    game.name,
                    test.first,
                    test.second,
                    format_games(score),
                    f"{score.mean:.1%}",
                    format_estimate(test.result.estimate),
                )
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
