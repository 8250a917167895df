"""`plywise tune`: how many nodes a training game's move should get."""

from dataclasses import asdict
from typing import Annotated

import typer

from plywise.cli.console import announce_compiling, out, print_json, waiting
from plywise.cli.parameters import AsJson, GameName
from plywise.errors import PlywiseError
from plywise.settings.options import read_size


def tune(
    game: GameName,
    candidates: Annotated[
        str, typer.Option(metavar="N,N,...", help="Nodes for a move that are tried.")
    ] = "250,500,1000,2000,4000",
    total: Annotated[
        int, typer.Option(min=1, help="Nodes that all training with a candidate may search.")
    ] = 20_000_000,
    games: Annotated[int, typer.Option("--games", "-n", min=2, help="Test games of each.")] = 100,
    test_nodes: Annotated[int, typer.Option(min=1, help="Nodes for a move of a test game.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other games.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Find how careful training games of `nhb` should be, for a fixed total of nodes.

    Few nodes buy many careless games, many nodes few careful ones. Each candidate is trained
    on the same total and then plays fresh untrained networks.
    """
    from rich import box
    from rich.table import Table

    from plywise.arena.match import require_even
    from plywise.arena.statistics import Score, elo_with_error, format_estimate
    from plywise.learners.nhb.settings import NhbSettings
    from plywise.learners.nhb.tuning import tune_nodes

    wanted, settings = _parse_candidates(candidates), NhbSettings(seed=seed)
    require_even(games)
    _require_total(total, max(wanted), settings.first_matches)
    announce_compiling("the search for this evaluator")
    with waiting("tuning") as tell:
        found = tune_nodes(game, settings, wanted, total, games, test_nodes, tell=tell)
    if as_json:
        print_json([asdict(one) for one in found])
        return
    table = Table("nodes a move", "training games", "W-D-L", "Elo", box=box.SIMPLE_HEAD)
    for one in found:
        estimate = elo_with_error(Score(one.wins, one.draws, one.losses))
        table.add_row(
            str(one.nodes),
            str(one.games),
            f"{one.wins}-{one.draws}-{one.losses}",
            format_estimate(estimate),
        )
    out().print(table)


def _parse_candidates(text: str) -> list[int]:
    try:
        candidates = [read_size(part) for part in text.split(",")]
    except ValueError:
        raise PlywiseError(f"Candidates are written 250,500,1000, not {text!r}.") from None
    if len(set(candidates)) < len(candidates):
        raise PlywiseError(f"Every candidate is tried once, but {text!r} names one twice.")
    return candidates


def _require_total(total: int, nodes: int, first_games: int) -> None:
    """Raise if a total of nodes does not even pay a move in each of the games that come first."""
    least = nodes * first_games
    if total < least:
        raise PlywiseError(
            f"--total {total} is too little for {nodes} nodes a move, for training begins with "
            f"{first_games} games: say {least} or more."
        )
