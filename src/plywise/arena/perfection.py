"""How often a player finds a perfect move, in a game with a solver that knows them all."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from plywise.arena.statistics import Share, share_of
from plywise.errors import PlywiseError
from plywise.game import LOSS, ONGOING, Game
from plywise.game.record import Record
from plywise.game.solving import Keep, Solver, best_moves
from plywise.players import Player

PATIENCE = 5_000  # positions in a row that do not qualify


@dataclass(frozen=True)
class Filter:
    """Which positions tell something about a player."""

    keeps_quick_wins: bool = False  # those where the next move wins
    differing: Keep | None = "outcome"  # some move must be worse than another in this sense


@dataclass(frozen=True)
class Perfection:
    """How many of a player's moves kept the outcome, and how many also the distance."""

    player: str
    outcome: Share
    distance: Share


def perfect_share(
    player: Player,
    positions: Iterable[Record],
    solver: Solver,
    tell: Callable[[], None] = lambda: None,
) -> Perfection:
    """Return how many of a player's moves are perfect, each position a game of its own."""
    kept = {"outcome": 0, "distance": 0}
    trials = 0
    for record in positions:
        player.new_game(trials)
        move = player.choose(record).move
        scores = solver.analyse(record)
        kept["outcome"] += move in best_moves(scores, "outcome")
        kept["distance"] += move in best_moves(scores, "distance")
        trials += 1
        tell()
    return Perfection(
        player.name, share_of(kept["outcome"], trials), share_of(kept["distance"], trials)
    )


def random_positions(
    count: int,
    plies: tuple[int, int],
    generator: np.random.Generator,
    solver: Solver,
    wanted: Filter = Filter(),
) -> Iterator[Record]:
    """Yield games of random moves, between two numbers of plies long and not over.

    No two lead to the same position.
    """
    low, high = plies
    if not 0 <= low <= high <= solver.most_plies:
        raise PlywiseError(
            f"Plies are a range within 0 to {solver.most_plies}, not {low} to {high}."
        )
    seen: set[bytes] = set()
    for found in range(count):
        for _ in range(PATIENCE):
            plies_wanted = int(generator.integers(low, high + 1))
            record = _random_game(solver.game, plies_wanted, generator)
            if record is None or record.position.tobytes() in seen:
                continue
            seen.add(record.position.tobytes())
            if qualifies(record, solver, wanted):
                break
        else:
            raise PlywiseError(
                f"There are hardly more than {found} such positions of {low} to {high} plies: "
                "ask for fewer, or for a wider range."
            )
        yield record


def _random_game(game: Game, plies: int, generator: np.random.Generator) -> Record | None:
    """Return a game of so many random moves, or None if it ended."""
    record = Record(game)
    for _ in range(plies):
        moves = record.legal_moves()
        if len(moves) == 0:
            return None
        record.play(moves[generator.integers(len(moves))])
    return record if record.result() == ONGOING else None


def qualifies(record: Record, solver: Solver, wanted: Filter) -> bool:
    """Return whether a position tells something about a player."""
    if not wanted.keeps_quick_wins and _can_win_now(record):
        return False
    if wanted.differing is None:
        return True
    scores = solver.analyse(record)
    return len(best_moves(scores, wanted.differing)) < len(scores)


def _can_win_now(record: Record) -> bool:
    game = record.game
    afters = (game.apply(record.position, move) for move in record.legal_moves())
    return any(game.result(after) == LOSS for after in afters)
