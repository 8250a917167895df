"""How fast a comparison search is: positions looked at in a second of processor time.

python benchmarks/comparison.py deepchess
"""

import time
from typing import Annotated

import typer
from rich.console import Console

from plywise.game.record import Record
from plywise.games import load_game
from plywise.players.models import find_model
from plywise.search.comparators import as_comparator
from plywise.search.comparison import comparison
from plywise.search.limits import Limit
from plywise.search.options import SELECTIVE
from plywise.search.searchers import AlphaBeta


def main(
    model: Annotated[str, typer.Argument(help="A model of chess by name or file.")] = "deepchess",
    nodes: Annotated[int, typer.Option(help="Of each of the bench positions.")] = 200_000,
) -> None:
    """Search the bench positions of chess."""
    game = load_game("chess")
    options = SELECTIVE._replace(singular=False)
    judge = as_comparator(find_model(model, game))
    search = AlphaBeta(judge, options, 20, tree=comparison())
    search.search(Record(game), Limit(nodes=1))  # compiling is no part of it
    looked_at = known = searched = 0
    started = time.process_time()
    assert game.about.bench is not None
    for text in game.about.bench.positions:
        search.forget()
        found = search.search(Record(game, game.parse_position(text)), Limit(nodes=nodes))
        searched += found.nodes
        looked_at += found.extras["looked_at"]
        known += found.extras["known"]
    seconds = time.process_time() - started
    Console().print(
        f"{looked_at / seconds:,.0f} positions looked at in a second of processor time, "
        f"{known / looked_at:.0%} of them known already; {searched / seconds:,.0f} nodes"
    )


if __name__ == "__main__":
    typer.run(main)
