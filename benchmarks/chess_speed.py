"""Chess: perft beside OpenSpiel and python-chess, the search, and two threads beside one.

    python benchmarks/run.py chess

Perft counts the last ply and does not make it, on all sides. Peers are driven by the shortest
Python loop. A search begins with an empty table every time. Two threads are compared by the
seconds that both need for the same depth, summed over positions of games: what threads find for
each other is luck in a single position.
"""

import time
from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pyspiel
from speed import best_rate, peer_perft

from plywise.evaluators import default_evaluator, make_evaluator
from plywise.evaluators.model import Model
from plywise.game import ONGOING
from plywise.game.perft import perft
from plywise.game.record import Record
from plywise.games import load_game
from plywise.search.limits import Limit
from plywise.search.options import SELECTIVE
from plywise.search.searchers import AlphaBeta

HEADER = ("what", "measured", "beside", "wanted", "reached")
PERFT_DEPTH, PEERS_DEPTH = 6, 4
SEARCH_DEPTH, THREADS_DEPTH = 13, 15
REPEATS = 3
GAMES, OPENING, SHORTEST, LONGEST, NODES = 32, 4, 12, 60, 1000  # of `positions_of_games`

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


def positions_of_games(search: AlphaBeta) -> list[Record]:
    """Return a position of each of some games that a search plays after random openings."""
    generator = np.random.default_rng(1)
    found = []
    for _ in range(GAMES):
        record = Record(game)
        search.forget()
        for ply in range(generator.integers(SHORTEST, LONGEST)):
            if record.result() != ONGOING:
                record.undo()
                break
            if ply < OPENING:
                record.play(generator.choice(record.legal_moves()))
            else:
                record.play(search.search(record, Limit(nodes=NODES)).move)
        found.append(record)
    return found


def searched(search: AlphaBeta, records: list[Record], depth: int) -> int:
    """Return the nodes of searches from some positions, each with an empty table."""
    nodes = 0
    for record in records:
        search.forget()
        nodes += search.search(record, Limit(depth=depth)).nodes
    return nodes


def seconds(work: Callable[[], Any]) -> float:
    """Return the mean time of some tries."""
    started = time.perf_counter()
    for _ in range(REPEATS):
        work()
    return (time.perf_counter() - started) / REPEATS


def search_rows() -> list[tuple[str, ...]]:
    """Return the rows about the search."""
    model = Model(make_evaluator(default_evaluator(game), game))
    one, two = AlphaBeta(model, SELECTIVE), AlphaBeta(model, SELECTIVE, threads=2)
    for search in (one, two):
        searched(search, positions(), 3)
    rate = best_rate(lambda: searched(one, positions(), SEARCH_DEPTH), REPEATS)
    records = positions_of_games(one)
    alone = seconds(lambda: searched(one, records, THREADS_DEPTH))
    together = seconds(lambda: searched(two, records, THREADS_DEPTH)) / alone
    return [
        (
            f"alpha-beta, nodes/s ({model.evaluator.name}, depth {SEARCH_DEPTH})",
            f"{rate / 1e6:.2f} M",
            "-",
            "1.5 M",
            "yes" if rate >= 1.5e6 else "NO",
        ),
        (
            f"time to depth {THREADS_DEPTH} of two threads, {GAMES} positions",
            f"{together:.2f}",
            f"one thread 1 ({alone:.2f} s)",
            "at most 0.65",
            "yes" if together <= 0.65 else "NO",
        ),
    ]


def rows() -> list[tuple[str, ...]]:
    """Return all measurements."""
    return [perft_row(), *search_rows()]
