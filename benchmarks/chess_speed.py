"""Chess: perft beside OpenSpiel and python-chess, the search, and two threads beside one.

    python benchmarks/run.py chess

Perft counts the last ply and does not make it, on all sides. Peers are driven by the shortest
Python loop. A search begins with an empty table every time; two threads are compared by the seconds
that both need for the same depths, summed over some positions.
"""

import time
from collections.abc import Callable
from typing import Any

import chess
import pyspiel
from speed import best_rate, peer_perft

from plywise.evaluators import default_evaluator, make_evaluator
from plywise.evaluators.model import Model
from plywise.game.perft import perft
from plywise.game.record import Record
from plywise.games import load_game
from plywise.search.limits import Limit
from plywise.search.options import SELECTIVE
from plywise.search.searchers import AlphaBeta

HEADER = ("what", "measured", "beside", "wanted", "reached")
PERFT_DEPTH, PEERS_DEPTH = 6, 4
SEARCH_DEPTH, THREADS_DEPTH = 13, 17
REPEATS = 3

game = load_game("chess")


def their_perft(board: chess.Board, depth: int) -> int:
    """Return the leaves of a position by python-chess."""
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += their_perft(board, depth - 1)
        board.pop()
    return total


def perft_row() -> tuple[str, ...]:
    """Return the row about perft."""
    perft(game, game.initial(), 2)
    ours = best_rate(lambda: perft(game, game.initial(), PERFT_DEPTH))
    state = pyspiel.load_game("chess").new_initial_state()
    peers = {
        "OpenSpiel": best_rate(lambda: peer_perft(state, PEERS_DEPTH), 2),
        "python-chess": best_rate(lambda: their_perft(chess.Board(), PEERS_DEPTH), 2),
    }
    beside = ", ".join(
        f"{name} {rate / 1e6:.2g} M ({ours / rate:.0f} x)" for name, rate in peers.items()
    )
    measured = f"{ours / 1e6:.0f} M"
    return "perft, leaves/s", measured, beside, "20 M", "yes" if ours >= 20e6 else "NO"


def positions() -> list[Record]:
    """Return where the searches begin."""
    texts = game.about.bench.positions if game.about.bench else ("start",)
    return [
        Record(game) if text == "start" else Record(game, game.parse_position(text))
        for text in texts
    ]


def searched(search: AlphaBeta, depth: int) -> int:
    """Return the nodes of searches from all positions, each with an empty table."""
    nodes = 0
    for record in positions():
        search.forget()
        nodes += search.search(record, Limit(depth=depth)).nodes
    return nodes


def seconds(work: Callable[[], Any]) -> float:
    """Return the least time of some tries."""
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def search_rows() -> list[tuple[str, ...]]:
    """Return the rows about the search."""
    model = Model(make_evaluator(default_evaluator(game), game))
    one, two = AlphaBeta(model, SELECTIVE), AlphaBeta(model, SELECTIVE, threads=2)
    for search in (one, two):
        searched(search, 3)
    rate = best_rate(lambda: searched(one, SEARCH_DEPTH), REPEATS)
    alone = seconds(lambda: searched(one, THREADS_DEPTH))
    together = seconds(lambda: searched(two, THREADS_DEPTH)) / alone
    return [
        (
            f"alpha-beta, nodes/s ({model.evaluator.name}, depth {SEARCH_DEPTH})",
            f"{rate / 1e6:.2f} M",
            "-",
            "1.5 M",
            "yes" if rate >= 1.5e6 else "NO",
        ),
        (
            f"time to depth {THREADS_DEPTH} of two threads",
            f"{together:.2f}",
            f"one thread 1 ({alone:.2f} s)",
            "at most 0.65",
            "yes" if together <= 0.65 else "NO",
        ),
    ]


def rows() -> list[tuple[str, ...]]:
    """Return all measurements."""
    return [perft_row(), *search_rows()]
