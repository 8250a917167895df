"""What alpha-beta does beyond plain minimax; a field is an option of the player at once.

The fields up to `deepening` never change a value at fixed depth (quiescence and repetition say
what a value is). The others are guesses: they leave out what seems not to matter, or look further
where something seems to happen, so that the same time reaches deeper.
"""

from typing import NamedTuple


class Options(NamedTuple):
    """What the search does beyond plain minimax; each can be switched off."""

    table: bool = True
    pvs: bool = True
    killers: bool = True
    history: bool = True
    quiescence: bool = True
    repetition: bool = True
    deepening: bool = True
    pruning: bool = True  # off: plain minimax
    value_ordering: int = 0  # depth from which moves are tried in the evaluator's order; 0: nowhere
    counter: bool = False  # what refuted the last move is tried early
    continuation: bool = False  # history of moves after moves, and moves that failed are put off
    exchange_order: bool = False  # captures that lose are tried last; for games with `exchange`
    aspiration: bool = False  # a small window around the value of the depth before
    mate_distance: bool = False  # no search for wins slower than one already found
    extensions: bool = True  # an answer to a check costs no depth; for games with `in_check`
    null_move: bool = True  # who stands well enough to pass need not move; for games with `null`
    staged: bool = False  # quiet moves are put in order when captures have failed
    memo: bool = False  # what the evaluator said of a position is remembered
    transfer: bool = False  # entries of deeper searches serve shallower ones
    delta: bool = False  # quiescence leaves out what wins too little; for games with `gain`
    exchange_pruning: bool = False  # captures that lose are left out; for games with `exchange`
    reverse_futility: bool = False  # who stands far above the window is not searched
    futility: bool = False  # quiet moves of who stands far below the window are left out
    late_pruning: bool = False  # near the leaves, quiet moves late in the order are left out
    reductions: bool = False  # moves late in the order are searched less deep first
    internal_reduction: bool = False  # without a move from the table, a ply less
    singular: bool = False  # the only good move is searched a ply deeper
    pawn: int = 220  # thousandths of a value that the smallest piece is worth when all is even


PLAIN = Options(  # minimax
    table=False,
    pvs=False,
    killers=False,
    history=False,
    quiescence=False,
    repetition=False,
    deepening=False,
    pruning=False,
    extensions=False,
    null_move=False,
)
SELECTIVE = Options(
    counter=True,
    continuation=True,
    exchange_order=True,
    aspiration=True,
    mate_distance=True,
    staged=True,
    memo=True,
    transfer=True,
    delta=True,
    exchange_pruning=True,
    reverse_futility=True,
    futility=True,
    late_pruning=True,
    reductions=True,
    internal_reduction=True,
    singular=True,
)
