"""The settings of all learners, in a module that imports nothing heavy: help is read from here."""

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class EvolveConfig:
    """All settings of a run."""

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
    tournament: Literal["random", "round_robin"] = "random"
    """Whom a player of ep or ga meets: random opponents, or everybody."""
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


@dataclass(frozen=True)
class TdConfig:
    """All settings of a run."""

    evaluator: Literal["featuremap", "mlp", "blondie", "linear", "nnue"] = "featuremap"
    """What learns; mlp, linear and nnue are for any game."""
    features: str = "neuro"
    """Of featuremap: neuro (13), vision (12), ls (15), all (28), or names of features."""
    hidden: str = "20"
    """Hidden units of featuremap; of one or two layers of mlp and nnue: '40 10'."""
    direct: bool = False
    """Whether featuremap links its inputs to the output as well."""
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


@dataclass(frozen=True)
class LsConfig:
    """All settings of a run."""

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


@dataclass(frozen=True)
class MpConfig:
    """All settings of a run."""

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


CONFIGS: dict[str, type[Any]] = {
    "nhb": NhbConfig,
    "td": TdConfig,
    "ls": LsConfig,
    "mp": MpConfig,
    "evolve": EvolveConfig,
}
