"""The exact score of a Connect Four position by plain minimax: all moves, to the end."""

from naive import PIECES, connect4


def score(state: connect4.State) -> int:
    """Return 22 minus the winner's stones at the end, negative for a loss, 0 for a draw."""
    result = connect4.result(state)
    if result == 0:
        return 0
    if result is not None:
        winner = PIECES[1 - state.side]
        return -(22 - sum(row.count(winner) for row in state.board))
    return max(-score(connect4.apply(state, text)) for text in connect4.moves(state))
