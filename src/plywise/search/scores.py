"""Scores: whole numbers inside a search, for the side to move.

    -WIN_SCORE ... -PROVEN          lost, the sooner the lower
    -SCALE ... SCALE                an evaluator's value in [-1, 1], in millionths
     PROVEN ... WIN_SCORE           won, the sooner the higher

Whole numbers make a null window exact and equality of two searches meaningful.
"""

from plywise.game.results import LOSS, WIN
from plywise.kernel import compiled
from plywise.kernel.bits import Whole

SCALE = 1_000_000
WIN_SCORE = 1_100_000
PROVEN = WIN_SCORE - 50_000
INFINITE = 2_000_000


@compiled
def score_of_value(value: float) -> Whole:
    """Return an evaluator's value as a score; values outside [-1, 1] are cut off."""
    return int(min(max(value, -1.0), 1.0) * SCALE)


@compiled
def score_of_result(result: Whole, ply: Whole) -> Whole:
    """Return the score of a finished game `ply` plies below the root."""
    if result == WIN:
        return WIN_SCORE - ply
    return ply - WIN_SCORE if result == LOSS else 0


@compiled
def is_proven(score: Whole) -> bool:
    return bool(score >= PROVEN or score <= -PROVEN)


@compiled
def distance(score: Whole) -> Whole:
    """Return the plies to the end of a proven score."""
    return WIN_SCORE - abs(score)


@compiled
def from_root(score: Whole, ply: Whole) -> Whole:
    """Return a score counted from a node as one counted from the root `ply` plies above."""
    if score >= PROVEN:
        return score - ply
    return score + ply if score <= -PROVEN else score


def value_of_score(score: int) -> float:
    """Return a value in [-1, 1]; a proven win is exactly 1."""
    return max(-1.0, min(1.0, score / SCALE))
