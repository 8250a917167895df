"""The settings of `ls`; nothing heavy is imported here, for help is read from them."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class LsSettings:
    """All settings of a run of `ls`."""

    candidates: Literal["ls", "all"] = "ls"
    """The features that are chosen from: LS-Draughts' 15, or all 28."""
    generations: int = 10
    """How many generations the run has in all."""
    population: int = 16
    """Sets of features in a generation."""
    elites: int = 2
    """How many of the best live on."""
    opponents: int = 5
    """How many others of its generation everybody meets, besides the 13 features of neuro."""
    openings: int = 4
    """Random openings that two players meet over, each with both colours."""
    mutation: float = 0.0
    """How likely a feature is taken up or dropped; 0: one in a set on average."""
    cost: float = 0.001
    """What every bit of the features costs, in shares of the points."""
    hidden: int = 20
    """Hidden units of every network."""
    sets: int = 4
    """Sets of games by which a network is trained, see td."""
    games: int = 100
    """Games of a set."""
    depth: int = 2
    """Plies of the search."""
    quiescence: bool = False
    """Whether captures are played out."""
    trace: float = 0.7
    """Lambda of td."""
    rate: float = 1.0
    """Learning rate of td."""
    seed: int = 1
    """Everything random follows from it."""
