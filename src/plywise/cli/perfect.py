"""`plywise perfect`: how many moves of a player are perfect, where a solver knows."""

import re
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.console import out, print_json, progress
from plywise.cli.looking import find_game, look_at
from plywise.cli.parameters import AsJson, GameName
from plywise.errors import PlywiseError

if TYPE_CHECKING:
    from plywise.arena.perfection import Perfection
    from plywise.arena.statistics import Share


def perfect(
    game: GameName,
    players: Annotated[
        list[str],
        typer.Argument(metavar="PLAYERS", help="Players such as random or mcts,nodes=1000."),
    ],
    positions: Annotated[
        int, typer.Option("--positions", "-n", min=1, help="How many random positions.")
    ] = 100,
    plies: Annotated[
        str, typer.Option(metavar="LOW-HIGH", help="Random moves played before.")
    ] = "12-24",
    easy: Annotated[
        bool,
        typer.Option("--easy", help="Also positions that are won at once, or by any move."),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other positions.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Measure how many moves of players are perfect.

    A perfect move keeps the outcome; in the stricter sense it also wins as soon, or loses as late,
    as can be. All players see the same positions, in which some move is worse than another.
    """
    import numpy as np

    from plywise.arena.perfection import Filter, perfect_share, random_positions
    from plywise.game.solving import make_solver
    from plywise.games import built_in_games
    from plywise.players import make_player, require_player

    low, high = _parse_range(plies)
    loaded = find_game(game)
    if not loaded.about.solver:
        solvable = " and ".join(other.name for other in built_in_games() if other.about.solver)
        raise PlywiseError(f"Only {solvable} can be solved, so far; {game} has no perfect moves.")
    for text in players:
        require_player(text, loaded)
    look_at(loaded, game)
    judged = [make_player(text, loaded, seed) for text in players]
    solver, generator = make_solver(loaded), np.random.default_rng(seed)
    wanted = Filter(True, None) if easy else Filter()
    found: list[Perfection] = []
    with progress(positions * (1 + len(judged))) as step:
        records = []
        for record in random_positions(positions, (low, high), generator, solver, wanted):
            records.append(record)
            step("")
        for player in judged:
            with closing(player):
                found.append(perfect_share(player, records, solver, lambda: step("")))
    if as_json:
        about = {"game": game, "positions": positions, "plies": [low, high], "seed": seed}
        print_json({**about, "players": [asdict(one) for one in found]})
    else:
        _print_table(found)


def _parse_range(text: str) -> tuple[int, int]:
    matched = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", text.strip())
    if matched is None:
        raise PlywiseError(f"Plies are written 12 or 12-24, not {text!r}.")
    return int(matched[1]), int(matched[2] or matched[1])


def _print_table(found: list["Perfection"]) -> None:
    from rich import box
    from rich.table import Table

    table = Table(title="Perfect moves, with 95 % intervals", box=box.SIMPLE_HEAD)
    table.add_column("player")
    for heading in ("positions", "keep the outcome", "keep the distance"):
        table.add_column(heading, justify="right")
    for one in found:
        shares = (_format_share(one.outcome), _format_share(one.distance))
        table.add_row(one.player, str(one.outcome.trials), *shares)
    out().print(table)


def _format_share(share: "Share") -> str:
    return f"{100 * share.share:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"
