"""The settings of `evolve`; nothing heavy is imported here, for help is read from them."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class EvolveSettings:
    """All settings of a run of `evolve`."""

    evaluator: Literal["subsquares", "blondie", "anaconda"] = "anaconda"
    """The network that evolves."""
    method: Literal["ep", "ga", "es"] = "ep"
    """ep: Blondie24's evolutionary programming; ga: paper 000's genetic algorithm; es: one network
    that moves towards the winners among mirrored pairs of mutants."""
    generations: int = 250
    """How many generations the run has in all."""
    population: int = 15
    """Parents of ep (as many children are added); the whole population of ga; pairs of es."""
    games: int = 5
    """Games that every player begins as Black against random opponents; of es: the other mutant."""
    tournament: Literal["random", "round_robin", "elites"] = "random"
    """Whom a player of ep or ga meets: random opponents, everybody, or the best five so far."""
    colours: Literal["black", "both"] = "black"
    """Of ep and ga: both: every game is also played with colours exchanged."""
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
    """First step size of ep; the step size of es."""
    step_cap: float = 0.0
    """Largest step size of ep; unbounded ones (0) saturate the network in the end."""
    rate: float = 1.0
    """How far the network of es moves: 1 is about a step over the square root of the pairs."""
    crossover: Literal["dominant", "node", "uniform", "none"] = "dominant"
    """Of ga, what parents exchange: large weights into a node, all into it, half of all, none."""
    mutation_share: float = 1.0
    """Of ga: the share of the weights that a mutation changes."""
    mutation_size: float = 1.0
    """Of ga: a factor of the published steps, m / sqrt(2 sqrt K)."""
    mutation: Literal["plain", "safe"] = "plain"
    """safe: steps divided by how much the output depends on a weight (SM-G-ABS)."""
    against_ancestors: bool = True
    """Whether every champion plays the previous five (6 games each), for the metrics."""
    seed: int = 1
    """Everything random follows from it."""
