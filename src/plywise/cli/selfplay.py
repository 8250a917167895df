"""`plywise selfplay`: games of a player against itself, to learn from."""

from pathlib import Path
from typing import Annotated

import typer

from plywise.cli.console import out, print_json, progress
from plywise.cli.looking import find_game, look_at
from plywise.cli.match import (
    PLAYER,
    Jobs,
    MaxPlies,
    OpeningPlies,
    OpeningSource,
    Seed,
    leave,
)
from plywise.cli.parameters import AsJson, GameName


def selfplay(
    game: GameName,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help=PLAYER)],
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 100,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="FILE",
            help="A new .pdn, .pgn or .jsonl file. Default: selfplay-GAME.jsonl.",
        ),
    ] = None,
    openings: OpeningSource = "",
    opening_plies: OpeningPlies = None,
    max_plies: MaxPlies = 500,
    jobs: Jobs = 0,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Let a player play against itself, each game from another opening, and save the games.

    Ctrl-C ends it and keeps what was played. `plywise dataset` makes a data set of the games.
    """
    from plywise.arena import GameLimits
    from plywise.arena.selfplay import SelfPlay, play_against_itself
    from plywise.players import require_player

    loaded = find_game(game)
    path = save or Path(f"selfplay-{loaded.name}.jsonl")
    limits = GameLimits(max_plies=max_plies)
    asked = SelfPlay(loaded, player, games, openings, opening_plies, limits, seed)
    require_player(player, loaded)
    look_at(loaded, game)
    with progress(games) as show:
        result = play_against_itself(asked, jobs, path, lambda score: show(str(score.games)))
    first, second = loaded.sides
    score = result.score
    if as_json:
        print_json(
            {
                "game": loaded.name,
                "player": player,
                "seed": seed,
                "file": str(path),
                "games": score.games,
                first: score.wins,
                "draws": score.draws,
                second: score.losses,
                "plies": result.plies,
                "reasons": result.reasons,
                "seconds": round(result.seconds, 3),
            }
        )
    else:
        out().print(
            f"{path}: {score.games} games, {first} won {score.wins}, {second} {score.losses}, "
            f"{score.draws} draws, {result.plies / max(1, score.games):.0f} plies each",
            soft_wrap=True,
        )
    leave((), result.faults, result.is_interrupted)
