"""`plywise match` and `plywise tournament`: who is stronger, and how sure that is."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.console import INTERRUPTED, err, out, print_json, progress
from plywise.cli.looking import find_game, look_at
from plywise.cli.parameters import AsJson, GameName, announce_opponent

if TYPE_CHECKING:
    from plywise.arena import GameLimits

PLAYER = "A player such as random or alphabeta,eval=material,depth=6 or mcts,nodes=2000."

OpeningSource = Annotated[
    str,
    typer.Option(
        "--openings",
        metavar="book|random|FILE",
        help="A file has a position or moves on each line. Default: the book, if there is one.",
    ),
]
OpeningPlies = Annotated[
    int | None,
    typer.Option(min=0, help="Random plies in each opening. Default: 4, after a book's lines 0."),
]
ClockText = Annotated[
    str | None,
    typer.Option("--clock", metavar="T+I", help="Seconds for each side and for each move more."),
]
MoveSeconds = Annotated[
    float | None, typer.Option(help="Seconds for each move; whoever takes longer loses.")
]
Grace = Annotated[float, typer.Option(help="Seconds beyond a limit that are overlooked.")]
MaxPlies = Annotated[int, typer.Option(help="A game that gets longer is called a draw.")]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", min=0, help="Games at once; 0 is one for every core.")
]
Seed = Annotated[int, typer.Option(min=0, help="Another seed, other openings.")]
SaveFile = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Write the games to a .pdn, .pgn or .jsonl file."),
]


def match(
    game: GameName,
    player1: Annotated[str, typer.Argument(metavar="PLAYER1", help=PLAYER)],
    player2: Annotated[
        str | None,
        typer.Argument(
            metavar="PLAYER2", help="Another one. Default: the best one at hand, as in play."
        ),
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="An even number of games.")] = 100,
    openings: OpeningSource = "",
    opening_plies: OpeningPlies = None,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="ELO0 ELO1", help="Stop when it is clear which one is true."),
    ] = None,
    clock: ClockText = None,
    move_seconds: MoveSeconds = None,
    grace: Grace = 0.1,
    max_plies: MaxPlies = 500,
    jobs: Jobs = 0,
    seed: Seed = 0,
    save: SaveFile = None,
    as_json: AsJson = False,
) -> None:
    """Play two players against each other: every opening twice, with colours reversed.

    Ctrl-C ends the match and keeps what was played.
    """
    from plywise.arena import Match, Sprt, play_match
    from plywise.cli.standings import match_table, score_line
    from plywise.players import default_opponent, require_player

    loaded = find_game(game)
    opponent = player2 or default_opponent(loaded)
    asked = Match(
        loaded,
        (player1, opponent),
        games=games,
        openings=openings,
        opening_plies=opening_plies,
        limits=_limits(clock, move_seconds, grace, max_plies),
        sprt=Sprt(*sprt) if sprt is not None else None,
        seed=seed,
    )
    for text in (player1, opponent):
        require_player(text, loaded)
    look_at(loaded, game, [player1, opponent])
    if player2 is None:
        announce_opponent(opponent)
    with progress(games) as show:
        result = play_match(asked, jobs, save, lambda board: show(score_line(board)))
    if as_json:
        print_json({"game": asked.game.name, "seed": seed, **result.summary()})
    else:
        out().print(match_table(result))
    leave(result.notes, result.faults, result.is_interrupted)


def tournament(
    game: GameName,
    players: Annotated[list[str], typer.Argument(metavar="PLAYERS", help=PLAYER)],
    games: Annotated[
        int, typer.Option("--games", "-n", help="Games between two players, an even number.")
    ] = 20,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="Only the first player meets all others.")
    ] = False,
    anchor: Annotated[
        str, typer.Option(metavar="PLAYER", help="Whose rating is 0. Default: the first player.")
    ] = "",
    openings: OpeningSource = "",
    opening_plies: OpeningPlies = None,
    clock: ClockText = None,
    move_seconds: MoveSeconds = None,
    grace: Grace = 0.1,
    max_plies: MaxPlies = 500,
    jobs: Jobs = 0,
    seed: Seed = 0,
    save: SaveFile = None,
    as_json: AsJson = False,
) -> None:
    """Play everybody against everybody and rate them all.

    Ctrl-C ends the tournament and keeps what was played.
    """
    from plywise.arena import Tournament, play_tournament
    from plywise.cli.standings import cross_table, rating_table
    from plywise.players import require_player

    loaded = find_game(game)
    asked = Tournament(
        loaded,
        players,
        games=games,
        is_gauntlet=gauntlet,
        anchor=anchor,
        openings=openings,
        opening_plies=opening_plies,
        limits=_limits(clock, move_seconds, grace, max_plies),
        seed=seed,
    )
    for text in players:
        require_player(text, loaded)
    look_at(loaded, game, players)
    with progress(asked.total) as show:
        result = play_tournament(asked, jobs, save, lambda played: show(""))
    if as_json:
        print_json({"game": asked.game.name, "seed": seed, **result.summary()})
    else:
        out().print(rating_table(result))
        out().print(cross_table(result))
    leave(result.notes, result.faults, result.is_interrupted)


def _limits(
    clock: str | None, move_seconds: float | None, grace: float, max_plies: int
) -> "GameLimits":
    from plywise.arena import GameLimits, parse_clock

    return GameLimits(
        max_plies=max_plies,
        move_seconds=move_seconds,
        clock=None if clock is None else parse_clock(clock),
        grace=grace,
    )


def leave(notes: tuple[str, ...], faults: list[str], is_interrupted: bool) -> None:
    """Say what has to be known beside the numbers, and end as Ctrl-C demands."""
    shown = 10
    for line in (*notes, *faults[:shown]):
        err().print(line, soft_wrap=True)
    if len(faults) > shown:
        err().print(f"... and {len(faults) - shown} more forfeits.")
    if is_interrupted:
        err().print("Interrupted: the numbers are those of the games that were finished.")
        raise typer.Exit(INTERRUPTED)
