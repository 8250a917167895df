"""`plywise bench`: fixed searches, and the number that tells whether search changed."""

from dataclasses import asdict
from typing import Annotated

import typer

from plywise.cli.console import announce_compiling, out, print_json
from plywise.cli.parameters import AsJson
from plywise.live.formatting import format_count, format_rate
from plywise.system.background import Background


def bench(
    game: Annotated[
        str | None, typer.Option("--game", "-g", metavar="NAME", help="One game only; also a file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Search fixed positions, as a signature of search.

    The signature is one number; it changes only when what a search does changes.
    """
    from plywise.games import load_game
    from plywise.players.bench import BenchRow, bench_games, run_bench, signature

    games = [load_game(game)] if game is not None else bench_games()
    announce_compiling(game or "the games")

    def run() -> list[BenchRow]:
        rows = []
        for row in run_bench(games):
            rows.append(row)
            if not as_json:
                speed = format_rate(row.speed, 1)
                out().print(
                    f"{row.game:<10} {row.search:<20} {format_count(row.nodes):>12}  {speed:>9}  "
                    f"{row.position}"
                )
        return rows

    rows = Background(run).answer()
    if as_json:
        print_json({"signature": signature(rows), "rows": [asdict(row) for row in rows]})
    else:
        out().print(f"signature {signature(rows)}")
