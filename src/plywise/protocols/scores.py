"""Values in [-1, 1] as the hundredths of a pawn that engines speak of, and back.

The scale is that of the chess evaluator `classic`; for other games the numbers only say who is
ahead and by how much, in a way that users of engines know.
"""

import math
import re

BEND = 450  # hundredths whose value is 0.7
MOST = 20_000  # hundredths that are ever written
WHOLE = re.compile(r"-?[0-9]{1,18}")


def centipawns_of(value: float) -> int:
    """Return a value as hundredths of a pawn."""
    room = math.sqrt(max(1 - value * value, 0))
    return round(BEND * value / room) if MOST * room > BEND else int(math.copysign(MOST, value))


def value_of_centipawns(hundredths: float) -> float:
    """Return hundredths of a pawn as a value, which is never quite a win."""
    return hundredths / math.hypot(hundredths, BEND)


def number_of(text: str) -> float:
    """Return the number that an engine wrote, 0 if it is none."""
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if math.isfinite(number) else 0.0


def whole_of(text: str) -> int | None:
    """Return the whole number that a program wrote, None if it is none or has too many digits."""
    return int(text) if WHOLE.fullmatch(text) else None


def moves_to_end(plies: int, value: float) -> int:
    """Return in how many moves of one's own the game ends, negative for the one who loses."""
    return (plies + 1) // 2 if value > 0 else -((plies + 1) // 2)


def plies_to_end(moves: int) -> int:
    """Return the plies to the end that so many moves of one's own stand for."""
    return 2 * moves - 1 if moves > 0 else -2 * moves
