"""The settings of all learners, in a module that imports nothing heavy: help is read from here."""

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class EvolveConfig:
    """All settings of a run."""

    evaluator: Literal["subsquares", "blondie", "anaconda"] = "anaconda"
    """The network that evolves."""
    method: Literal["ep", "ga"] = "ep"
    """ep: Blondie24's evolutionary programming; ga: paper 000's genetic algorithm."""
    generations: int = 250
    """How many generations the run has in all."""
    population: int = 15
    """Parents of ep (as many children are added); the whole population of ga."""
    games: int = 5
    """Games that every player begins as Black against random opponents."""
    tournament: Literal["random", "round_robin"] = "random"
    """Whom a player meets: random opponents, or everybody."""
    opening_plies: int = 0
    """Random plies at the beginning of a game, the same for both games of a pair."""
    decision: Literal["alphabeta", "mcts"] = "alphabeta"
    """How players decide: alpha-beta, or MCTS with early playout termination."""
    depth: int = 4
    """Plies of alpha-beta."""
    curriculum: str = ""
    """Shallower depths for the first generations, as 'depth@until': '2@50 3@100'."""
    quiescence: bool = False
    """Whether alpha-beta plays captures out; the published systems did not."""
    simulations: int = 200
    """Simulations of MCTS per move."""
    cap: int = 6
    """Plies of a playout of MCTS before the network judges."""
    max_plies: int = 200
    """A game of so many plies is a draw: 100 moves of each side."""
    reach: float = 0.2
    """First weights are drawn evenly from [-reach, reach]."""
    step_size: float = 0.05
    """First step size of ep."""
    step_cap: float = 0.0
    """Largest step size of ep; unbounded ones (0) saturate the network in the end."""
    mutation: Literal["plain", "safe"] = "plain"
    """safe: steps divided by how much the output depends on a weight (SM-G-ABS)."""
    growth: bool = True
    """Whether every champion plays the previous five (6 games each)."""
    seed: int = 1
    """Everything random follows from it."""


CONFIGS: dict[str, type[Any]] = {"evolve": EvolveConfig}
