"""The settings of `treestrap`; nothing heavy is imported here, for help is read from them."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class TreestrapSettings:
    """All settings of a run of `treestrap`."""

    evaluator: str = "linear:features=cells+material+pairs:signed=on"
    """What learns, any that has a gradient: nnue:hidden=32, linear:features=patterns; start:
    that of the model which is begun with."""
    method: Literal["treestrap", "minimax", "rootstrap", "tdleaf", "tdroot"] = "treestrap"
    """treestrap: bounds of alpha-beta; minimax: all nodes, unpruned; rootstrap, tdleaf, tdroot."""
    depth: int = 3
    """Plies of the search."""
    deeper: str = ""
    """Deeper where few pieces are left: '20:7 8:9' is 7 plies below 20 pieces, 9 below 8."""
    quiescence: bool = True
    """Whether leaves are judged with captures played out; never with minimax."""
    fading: float = 0.5
    """What a node counts for each ply that it is below the root."""
    loss: Literal["entropy", "squared"] = "entropy"
    """entropy: the error of a probability of winning; squared: that of the value."""
    steps: Literal["auto", "coherent", "even", "plain"] = "auto"
    """coherent: by temporal coherence; even: by usual size; plain: rate times gradient."""
    rate: float = 0.1
    """Factor of all steps; with steps=plain the learning rate itself, such as 0.0001."""
    final_rate: float = 0.1
    """What is left of the rate in the last round; it falls evenly in ratio."""
    clip: float = 0.0
    """No number changes by more than this after a move; 0: any."""
    trace: float = 0.7
    """Lambda: how far a result reaches back, in tdleaf, tdroot and returns."""
    returns: float = 0.0
    """What the lambda-return of a root counts after the game, beside its search: 0 to 1."""
    stages: str = ""
    """Groups of features and the rounds that each stage has: 'material:10 cells:20 pairs'."""
    start: str = ""
    """A model whose numbers are begun with; groups that it does not have begin at 0."""
    rounds: int = 100
    """Rounds that the run has in all."""
    games: int = 40
    """Games of a round."""
    batch: int = 5
    """Games played one after the other before what was learned at once is joined."""
    at_once: int = 2
    """Batches that begin with the same numbers; where they differ, the mean goes on, or the sum."""
    random_plies: int = 4
    """Random plies at the beginning of a game."""
    exploration: float = 0.05
    """Share of random moves after that."""
    max_plies: int = 200
    """A game of so many plies is a draw."""
    reach: float = 1.0
    """How large the first random numbers are; 1: one over the root of their count."""
    seed: int = 1
    """Everything random follows from it."""
