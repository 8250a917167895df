"""How many nodes a training game's move should get, if all training may search only so many.

Few nodes buy many careless games, many nodes few careful ones; paper 003 leaves the best
trade as future work. Every candidate is trained on the same total of nodes and then plays
fresh untrained networks at one common budget.
"""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plywise.errors import PlywiseError
from plywise.learners.nhb.games import meet_untrained
from plywise.learners.nhb.learner import Nhb, NhbState, weights_of
from plywise.learners.nhb.settings import NhbSettings
from plywise.search.limits import Limit
from plywise.system.parallel import Workers

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Tuned:
    """What training with a budget of nodes for a move came to."""

    nodes: int
    games: int  # that the total paid for
    wins: int
    draws: int
    losses: int


def tune_nodes(
    game: str,
    settings: NhbSettings,
    candidates: Sequence[int],
    total_nodes: int,
    test_games: int,
    test_nodes: int,
    workers: Workers = Workers(),
    tell: Tell = lambda text: None,
) -> list[Tuned]:
    """Return how each candidate did, in their order."""
    if not candidates or min(candidates) < 1:
        raise PlywiseError("The candidates are numbers of nodes from 1 on.")
    found = []
    for nodes in candidates:
        tell(f"{nodes} nodes for a move")
        learner = Nhb(game, dataclasses.replace(settings, nodes=nodes, seconds=0.0), workers)
        state, games = _train(learner, total_nodes)
        model = learner.model(weights_of(state))
        scores = meet_untrained(model, test_games, Limit(nodes=test_nodes), workers)
        found.append(Tuned(nodes, games, scores.count(1), scores.count(0), scores.count(-1)))
    return found


def _train(learner: Nhb, total_nodes: int) -> tuple[NhbState, int]:
    """Return the state when the total of nodes is spent, and the games that it paid for."""
    step = learner.advance(learner.begin(), 0)
    spent, games = step.metrics["nodes"], step.metrics["games"]
    cycle = 0
    while spent < total_nodes:
        cycle += 1
        step = learner.advance(step.state, cycle)
        spent += step.metrics["nodes"]
        games += step.metrics["games"]
    return step.state, games
