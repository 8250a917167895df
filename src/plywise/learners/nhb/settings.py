"""The settings of `nhb`; nothing heavy is imported here, for help is read from them."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class NhbSettings:
    """All settings of a run of `nhb`."""

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
    value_ordering: int = 0
    """Depth from which moves are tried in the order of the network's values (0: nowhere)."""
    backward_nodes: int = 20000
    """Nodes of the backward search from the end of every game; 0: none."""
    examples: int = 20
    """At most so many searched positions of a game are learned, drawn at random (0: all)."""
    fading: float = 2.0
    """Power of t/T by which the result counts after t of T plies of a game (0: in full always)."""
    bootstrap: float = 0.0
    """Share of the own search's value in that of a played position (0: the result alone)."""
    random_plies: int = 0
    """At most so many plies at the beginning of a game are random, and not learned from."""
    opponent: Literal["untrained", "itself"] = "untrained"
    """Who is met in a cycle: fresh untrained networks, or itself (needs random plies)."""
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
    phases: int = 1
    """Parts of the game, told by how full the board is, with output weights of their own."""
    reach: float = 0.3
    """Hidden weights are drawn evenly from [-reach, reach]."""
    ridge: float = 1e-6
    """What is added to the diagonal before a matrix is inverted."""
    forgetting: float = 1.0
    """Below 1, what was learned earlier counts less with every chunk of examples."""
    max_plies: int = 300
    """A game of so many plies is a draw, so that games with repeated positions end."""
    seed: int = 1
    """Everything random follows from it."""
