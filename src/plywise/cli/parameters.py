"""Parameters that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from plywise.games import BUILT_IN


def complete_game(incomplete: str) -> list[str]:
    """Return the games, and the Python files here, that begin like this."""
    files = sorted(path.name for path in Path().glob("*.py"))
    return [name for name in [*BUILT_IN, *files] if name.startswith(incomplete)]


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A built-in game (see plywise games), or the file of your own: mygame.py.",
        autocompletion=complete_game,
    ),
]
PositionText = Annotated[
    str, typer.Option("--position", "-p", metavar="TEXT", help="The position to start from.")
]
MovesText = Annotated[
    str, typer.Option("--moves", "-m", metavar="TEXTS", help="Moves to play first, with spaces.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def announce_opponent(text: str) -> None:
    """Say on standard error who plays where nobody was named."""
    from plywise.cli.console import err

    name, *options = text.split(",")
    told = ", ".join([name, *(option.replace("=", " ") for option in options)])
    err().print(f"Opponent: {told}", style="dim", soft_wrap=True)
