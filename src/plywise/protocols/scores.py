"""Values in [-1, 1] as the hundredths of a pawn that engines speak of, and back.

A lead of 300 hundredths has the value 0.5, as in the chess evaluator `classic`; for other games
the numbers only say who is ahead and by how much, on a scale that users of engines know.
"""

HALF = 300  # hundredths whose value is 0.5
MOST = 20_000  # hundredths that are ever written


def centipawns_of(value: float) -> int:
    """Return a value as hundredths of a pawn."""
    room = max(1 - abs(value), HALF / MOST)
    return round(HALF * value / room)


def value_of_centipawns(hundredths: float) -> float:
    """Return hundredths of a pawn as a value, which is never quite a win."""
    return hundredths / (abs(hundredths) + HALF)


def moves_to_end(plies: int, value: float) -> int:
    """Return in how many moves of one's own the game ends, negative for the one who loses."""
    return (plies + 1) // 2 if value > 0 else -((plies + 1) // 2)


def plies_to_end(moves: int) -> int:
    """Return the plies to the end that so many moves of one's own stand for."""
    return 2 * moves - 1 if moves > 0 else -2 * moves
