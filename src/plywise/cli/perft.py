"""`plywise perft`: count move sequences, the classic proof of rules."""

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.console import out, print_json, waiting
from plywise.cli.looking import open_game
from plywise.cli.parameters import AsJson, GameName, PositionText
from plywise.live.formatting import format_count, format_rate, format_seconds
from plywise.system.background import Background

if TYPE_CHECKING:
    from plywise.game import Game, Row

DEEPEST = 1000  # plies; nobody counts so far


def perft(
    game: GameName,
    depth: Annotated[
        int, typer.Option("--depth", "-d", min=0, max=DEEPEST, help="Plies of a sequence.")
    ],
    position: PositionText = "start",
    split: Annotated[bool, typer.Option("--split", help="Count for every first move.")] = False,
    as_json: AsJson = False,
) -> None:
    """Count the move sequences of an exact length.

    This is the classic proof of rules; --split shows where two programs differ.
    """
    if split and depth == 0:
        raise typer.BadParameter("--split needs a depth of at least 1.", param_hint="--depth")
    from plywise.game.text import parse_start

    loaded = open_game(game)
    start = parse_start(loaded, position)
    with waiting(f"counting {depth} plies"):
        report = Background(lambda: _count(loaded, start, depth, split)).answer()
    if as_json:
        print_json(report)
        return
    for text, nodes in report.get("split", {}).items():
        out().print(f"{text:>12}  {format_count(nodes):>16}")
    nodes, seconds = report["nodes"], report["seconds"]
    out().print(
        f"perft({depth}) of {loaded.name}: {format_count(nodes)} nodes in "
        f"{format_seconds(seconds)}, {format_rate(nodes, seconds, 'nodes')}"
    )


def _count(game: "Game", start: "Row", depth: int, wants_split: bool) -> dict[str, Any]:
    from plywise.game import perft as counting

    counting.perft(game, start, 1)  # these compile, before the clock runs
    counting.split(game, start, 1)
    started = time.perf_counter()
    report: dict[str, Any] = {}
    if wants_split:
        report["split"] = counting.split(game, start, depth)
        nodes = sum(report["split"].values())
    else:
        nodes = counting.perft(game, start, depth)
    seconds = time.perf_counter() - started
    return {
        "game": game.name,
        "position": game.format_position(start),
        "depth": depth,
        "nodes": nodes,
        "seconds": seconds,
        "nodes_per_second": nodes / max(seconds, 1e-9),
        **report,
    }
