"""Bench: fixed positions searched to fixed depth, and one number that tells search changes.

The signature is the sum of all nodes that alpha-beta visits and of all visits that MCTS
gives to the move it plays. A commit that does not mean to change the search keeps it.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import make_player

POSITIONS = {  # game: depth of alpha-beta, positions
    "tictactoe": (9, ("start", "..x/.o./... x")),
    "connect4": (
        11,
        (
            "start",
            "......./......./......./...o.../...x.../..oxx.. o",
            "......./...o.../..xx.../..oo.../.oxxo../.xoxx.o x",
        ),
    ),
    "reversi": (
        8,
        (
            "start",
            "......../......../...x..../..oxx.../...xo.../....xo../......../........ x",
            "..oooo../..oooo../xxoxooo./xxxooxo./xxoxxoo./xxxxoo../..xxxx../..x..x.. o",
        ),
    ),
    "draughts": (
        13,
        (
            "start",
            "B:W18,21,23,24,26,27,28,30,32:B1,2,3,5,6,10,12,14,16",
            "W:W22,25,K7,29,30:B13,14,K26,5,12",
            "B:WK15,K18:BK3,K10,12",
        ),
    ),
}
SIMULATIONS = 3000


@dataclass(frozen=True)
class BenchRow:
    """One search: what it visited, and how long it took."""

    game: str
    search: str
    position: str
    nodes: int  # what counts towards the signature
    speed: float  # nodes or simulations per second


def run_bench(games: tuple[str, ...] = tuple(POSITIONS)) -> Iterator[BenchRow]:
    """Search all positions of the games, one after the other."""
    for name in games:
        game = load_game(name)
        depth, positions = POSITIONS[name]
        for spec in (f"alphabeta,depth={depth}", f"mcts,nodes={SIMULATIONS}"):
            with closing(make_player(spec, game)) as player:
                for text in positions:
                    record = Record(game, game.parse_position(text))
                    player.new_game(0)
                    found = player.choose(record)
                    counted = found.extras.get("visits", found.nodes)
                    speed = found.nodes / max(found.seconds, 1e-9)
                    yield BenchRow(name, spec, text, counted, speed)


def signature(rows: list[BenchRow]) -> int:
    """Return the number that stands for the behaviour of all searches."""
    return sum(row.nodes for row in rows)
