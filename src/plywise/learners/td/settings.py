"""The settings of `td`; nothing heavy is imported here, for help is read from them."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class TdSettings:
    """All settings of a run of `td`."""

    evaluator: Literal["featuremap", "mlp", "blondie", "linear", "nnue"] = "featuremap"
    """What learns; mlp, linear and nnue are for any game."""
    features: str = "neuro"
    """Of featuremap: neuro (13), vision (12), ls (15), all (28), or names of features."""
    hidden: str = "20"
    """Hidden units of featuremap; of one or two layers of mlp and nnue: '40 10'."""
    direct: bool = False
    """Whether featuremap links its inputs to the output as well."""
    faults: Literal["none", "encoding", "gradient", "both"] = "none"
    """Faults of the published programs that featuremap shall have, see there."""
    target: Literal["afterstate", "root", "leaf"] = "afterstate"
    """What is learned from: the position after the own move, TD-Root, or TD-Leaf."""
    learn_from: Literal["both", "own"] = "both"
    """own: the learner's moves, as published; both: the clone's as well (afterstate only)."""
    trace: float = 0.7
    """Lambda: how far an error reaches back, 0 to 1."""
    discount: float = 1.0
    """Gamma: what a value is worth one own move earlier."""
    rate: float = 1.0
    """Learning rate; a layer's is this divided by the number of its inputs."""
    final_rate: float = 0.1
    """What is left of the learning rate in the last set; it falls evenly in ratio."""
    momentum: float = 0.0
    """Share of the last change that is added where both have the same sign."""
    draw: float = 0.0
    """The reward of a draw; a win is 1, a loss -1."""
    search: Literal["alphabeta", "minimax"] = "alphabeta"
    """alphabeta: with table and iterative deepening; minimax: plain, at a fixed depth."""
    depth: int = 4
    """Plies of the search."""
    quiescence: bool = False
    """Whether alphabeta plays captures out; not as published, and only with learn_from=both."""
    sets: int = 10
    """Sets of games that the run has in all; after each the learner may replace its clone."""
    games: int = 250
    """Games of a set, against the clone, colours alternating."""
    opening_plies: int = 4
    """Random plies at the beginning of a game; 0 as published."""
    starts: str = ""
    """A file of positions, one a line, from which games begin; none: the game's first position."""
    exploration: float = 0.0
    """Share of random moves of the learner, from which nothing is learned."""
    max_plies: int = 150
    """A game of so many plies is a draw: 75 moves of each side."""
    clone_test: Literal["sound", "paper"] = "sound"
    """sound: 55 % of 40 games over paired openings; paper: 3 of 4 points in two games."""
    setback: float = 0.0
    """A learner with a smaller share of the test's points goes on from its clone; 0: never."""
    final_games: int = 20
    """Games between any two clones in the final round robin."""
    reach: float = 0.2
    """First weights are drawn evenly from [-reach, reach]."""
    seed: int = 1
    """Everything random follows from it."""
