"""Bench: fixed positions searched to fixed depth, and one number that tells search changes.

The signature is the sum of all nodes that alpha-beta visits and of all visits that MCTS
gives to the move it plays. A commit that does not mean to change the search keeps it.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass

from plywise.errors import PlywiseError
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import built_in_games
from plywise.players import make_player

SIMULATIONS = 3000


@dataclass(frozen=True)
class BenchRow:
    """One search: what it visited, and how long it took."""

    game: str
    search: str
    position: str
    nodes: int  # what counts towards the signature
    speed: float  # nodes or simulations per second


def bench_games() -> list[Game]:
    """Return the built-in games that have bench positions."""
    return [game for game in built_in_games() if game.about.bench is not None]


def run_bench(games: Iterable[Game]) -> Iterator[BenchRow]:
    """Search all positions of the games, one after the other."""
    for game in games:
        if game.about.bench is None:
            raise PlywiseError(f"{game.name} has no bench positions: say them in its About.")
        depth, positions = game.about.bench.depth, game.about.bench.positions
        for spec in (f"alphabeta,depth={depth}", f"mcts,nodes={SIMULATIONS}"):
            with closing(make_player(spec, game)) as player:
                for text in positions:
                    record = Record(game, game.parse_position(text))
                    player.new_game(0)
                    found = player.choose(record)
                    counted = found.extras.get("visits", found.nodes)
                    speed = found.nodes / max(found.seconds, 1e-9)
                    yield BenchRow(game.name, spec, text, counted, speed)


def signature(rows: list[BenchRow]) -> int:
    """Return the number that stands for the behaviour of all searches."""
    return sum(row.nodes for row in rows)
