"""The settings of `patterns`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PatternsSettings:
    """All settings of a run."""

    evaluator: str = "patterns"
    """What learns: patterns, or any that has a gradient, as in mlp:hidden=40+10."""
    start: str = ""
    """A model whose numbers are begun with: one that ships, by its name, a file or a run."""
    teacher: str = ""
    """A model that plays the games of the first rounds, whatever evaluator it has."""
    taught: int = 20
    """Rounds whose games are played by the teacher, if there is one."""
    rounds: int = 1000
    """Rounds that the run has at most."""
    games: int = 0
    """Games of a round; 0: as many as make some seconds of work."""
    batch: int = 100
    """Games that are played with the same numbers before anything is learned from them."""
    trace: float = 0.7
    """Lambda: how far a result reaches back, 0 to 1."""
    discount: float = 0.995
    """Gamma: what a value is worth one ply earlier."""
    depth: int = 1
    """Plies that are looked ahead for a move."""
    exploration: float = 0.05
    """Share of random moves."""
    random_plies: int = -1
    """At most so many random plies begin a game; -1: a quarter of a random game, 2 to 10."""
    max_plies: int = 400
    """A game of so many plies is a draw."""
    grow: int = -1
    """The round in which larger windows and phases join; 0: never; -1: when growth ends."""
    large: int = 10
    """Cells of the larger windows, at most."""
    phases: int = 2
    """Tables for fuller and emptier boards, blended; 1: one for all."""
    rate: float = 1.0
    """Factor of all steps."""
    restart: int = 8
    """Rounds after which the step sizes of tables begin afresh, for they fall to nothing."""
    test_every: int = 4
    """Rounds between two tests against what the run was at the test before."""
    test_games: int = 400
    """Games of a test, an even number."""
    anchor_games: int = 20
    """Games of a test against plain search, which never changes, an even number."""
    patience: int = 8
    """Tests without growth after which the run is over; 0: it never is."""
    seed: int = 1
    """Everything random follows from it."""
