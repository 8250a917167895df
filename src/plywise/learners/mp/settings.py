"""The settings of `mp`; nothing heavy is imported here, for help is read from them."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class MpSettings:
    """All settings of a run of `mp`."""

    base: str = ""
    """A model, by name or file, that plays until experts take over; none: it is trained first."""
    features: str = "vision"
    """What all networks see: neuro (13), vision (12), ls (15), all (28), or names of features."""
    hidden: str = "20"
    """Hidden units of every network."""
    sets: int = 10
    """Sets of games of every network."""
    games: int = 250
    """Games of a set."""
    depth: int = 4
    """Plies of the search."""
    quiescence: bool = False
    """Whether captures are played out."""
    learn_from: Literal["both", "own"] = "both"
    """own: the learner's moves, as published; both: the clone's as well."""
    trace: float = 0.7
    """Lambda: how far an error reaches back, 0 to 1."""
    discount: float = 1.0
    """Gamma of the first agent."""
    rate: float = 1.0
    """Learning rate of the first agent."""
    final_rate: float = 0.1
    """What is left of the learning rate in the last set."""
    opening_plies: int = 4
    """Random plies at the beginning of the first agent's games."""
    max_plies: int = 150
    """A game of so many plies is a draw."""
    clone_test: Literal["sound", "paper"] = "sound"
    """How is decided whether a learner replaces its clone, see td."""
    reach: float = 0.2
    """First weights are drawn evenly from [-reach, reach]."""
    boards: int = 1000
    """Distinct positions that the map is made from."""
    pieces: int = 12
    """Pieces on such a board; with so many or fewer an expert plays."""
    units: int = 25
    """Units of the map, each with an expert."""
    map: Literal["chain", "grid"] = "chain"
    """chain: the paper's row of units; grid: a square, by minisom."""
    map_features: str = "all"
    """What the map sees: all, names of features, or chosen: by a genetic algorithm."""
    reading: Literal["presence", "counts"] = "presence"
    """What the map sees of a feature: whether it is there, or its count."""
    map_rate: float = 0.6
    """First rate of a chain."""
    map_factor: float = 0.96
    """By which the rate falls from epoch to epoch."""
    map_last: float = 0.1
    """The rate at which the map is finished."""
    map_population: int = 16
    """Sets of features in a generation, with map_features=chosen."""
    map_generations: int = 12
    """Generations of sets of features."""
    least: int = 20
    """Boards that every expert has at least; a small unit borrows the nearest ones."""
    first: Literal["base", "random"] = "base"
    """What experts begin with: the first agent's weights, or random ones as in the paper."""
    expert_plies: int = 2
    """Random plies at the beginning of experts' games."""
    expert_discount: float = 0.98
    """Gamma of the experts; below 1, a win is worth more the nearer it is."""
    expert_rate: float = 1.0
    """Learning rate of the experts."""
    champion: Literal["last", "clones"] = "last"
    """Which of an expert plays: as it is in the end, or the clone that wins a round robin."""
    handover: Literal["move", "fixed", "patient", "leaf"] = "move"
    """Who judges: the expert of every root, of the first own endgame position, of every leaf."""
    seed: int = 1
    """Everything random follows from it."""
