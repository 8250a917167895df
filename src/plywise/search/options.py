"""What alpha-beta does beyond plain minimax; a field is an option of the player at once."""

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
    extensions: bool = True  # an answer to a check costs no depth; for games with `in_check`
    null_move: bool = True  # who stands well enough to pass need not move; for games with `null`


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
