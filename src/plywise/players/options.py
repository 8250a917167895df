"""What can be said of a player in its text: the kinds of players and their options."""

from plywise.players.levels import read_level
from plywise.search.limits import DEEPEST
from plywise.search.options import Options
from plywise.settings.options import (
    Option,
    read_amount,
    read_at_most,
    read_count,
    read_seconds,
    read_share,
    read_size,
    read_switch,
)
from plywise.system.parallel import MOST_JOBS

BUDGET = {
    "depth": Option(read_at_most(DEEPEST), "plies to search"),
    "nodes": Option(read_size, "positions (alpha-beta) or simulations (MCTS) to search"),
    "seconds": Option(read_seconds, "time per move"),
}
HANDICAP = {
    "mistakes": Option(read_share, "share of moves that are random"),
    "level": Option(read_level, "budget and mistakes by one number; the last is full strength"),
}
JUDGE = {
    "eval": Option(str, "evaluator by name, with its settings: material, mlp:hidden=40+10"),
    "model": Option(str, "model by name or file"),
    "seed": Option(read_count, "which random weights, for an evaluator that has learned nothing"),
    "handover": Option(str, "of a model with experts, who judges: leaf, move, fixed or patient"),
}
LARGEST_TABLE = 30  # bits
UNCAPPED = -1  # plies of a playout that goes on to the end of the game


def read_cap(text: str) -> int:
    """Return how many plies a playout has before an evaluator judges."""
    if text.lower() == "off":
        return UNCAPPED
    try:
        return read_count(text)
    except ValueError as error:
        raise ValueError(f"{error}, or off") from None


NUMBERS = ("value_ordering", "pawn")  # fields of Options that are no switches
ALPHABETA = {
    "threads": Option(
        read_at_most(MOST_JOBS), "searching together; more than one is not reproducible"
    ),
    "selective": Option(read_switch, "on or off: all guesses, unless said otherwise"),
    "hash": Option(read_at_most(LARGEST_TABLE), "size of the table: 2 to this power entries"),
    **{
        name: Option(read_switch, f"on or off: {name}")
        for name in Options._fields
        if name not in ("pruning", *NUMBERS)
    },
    "value_ordering": Option(read_count, "depth from which values order moves; 0: nowhere"),
    "pawn": Option(read_at_most(1000), "thousandths of a value that the smallest piece is worth"),
}
NUMBERLESS = ("threads", "singular", "value_ordering")  # what needs scores, or memory of its own
COMPARISON = {
    **{name: option for name, option in ALPHABETA.items() if name not in NUMBERLESS},
    "features": Option(read_size, "size of the table of features: 2 to this power, at most 18"),
}
MCTS = {
    "exploration": Option(read_amount, "the constant of UCT, or of PUCT with a policy"),
    "cap": Option(read_cap, "plies of a playout before the evaluator judges (EPT); off: never"),
    "mixing": Option(read_share, "implicit minimax: weight of heuristic values, 0 to 1"),
    "policy": Option(read_amount, "temperature of priors by a look of one ply (PUCT); 0: UCT"),
    "solver": Option(read_switch, "on or off: back up proven results"),
    "reuse": Option(read_switch, "on or off: keep the tree between moves"),
}
SEARCHES: dict[str, dict[str, Option]] = {  # what is their own, as a model's card may say it
    "minimax": {},
    "alphabeta": ALPHABETA,
    "comparison": COMPARISON,
    "mcts": MCTS,
}
ENGINES = {  # by protocol: what it can say; whatever else is said is an option of the engine
    "uci": BUDGET,
    "cecp": {name: BUDGET[name] for name in ("depth", "seconds")},
    "hub": BUDGET,
    "nboard": {"depth": BUDGET["depth"]},
}
KINDS: dict[str, dict[str, Option]] = {
    "random": {},
    **ENGINES,
    **{name: {**BUDGET, **HANDICAP, **JUDGE, **own} for name, own in SEARCHES.items()},
}
del KINDS["mcts"]["depth"]  # a tree grows where it pays
