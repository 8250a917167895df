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


@dataclass(frozen=True)
class NhbConfig:
    """All settings of a run."""

    cycles: int = 100
    """How often games are played and learned from."""
    matches: int = 20
    """Games of a cycle."""
    first_matches: int = 20
    """Games between random players before the first cycle."""
    nodes: int = 2000
    """Nodes that a player searches for a move."""
    seconds: float = 0.0
    """Seconds for a move instead; then two runs are not alike (0: nodes count)."""
    judging: int = 0
    """Depth from which moves are tried in the order of the network's values (0: nowhere)."""
    backward_nodes: int = 20000
    """Nodes of the backward search from the end of every game; 0: none."""
    examples: int = 300
    """At most so many searched positions of a game are learned, drawn at random (0: all)."""
    self_play: bool = True
    """Whether the last game of a cycle is against itself."""
    consistency: float = 0.05
    """Margin within which a value counts as consistent (0: only what is proven counts)."""
    consistent_after: int = 2
    """Cycles before consistent values are trusted."""
    view: Literal["auto", "mover", "fixed"] = "auto"
    """The board as the mover sees it or in fixed colours; auto: mover if the game has a mirror."""
    hidden: int = 0
    """Hidden units; 0: as many as cross-validation finds best."""
    largest: int = 256
    """No more hidden units than these."""
    reach: float = 1.0
    """Hidden weights are drawn evenly from [-reach, reach]."""
    ridge: float = 1e-6
    """What is added to the diagonal before a matrix is inverted."""
    forgetting: float = 1.0
    """Below 1, what was learned earlier counts less with every chunk of examples."""
    max_plies: int = 300
    """A game of so many plies is a draw, so that games with repeated positions end."""
    seed: int = 1
    """Everything random follows from it."""


CONFIGS: dict[str, type[Any]] = {"nhb": NhbConfig, "evolve": EvolveConfig}
