"""The conformance suite: what every game owes, checked on random games from a seed.

Every check is a function that yields findings, and nothing if all is well; `check_game`
runs them all. A finding says what is wrong, where, and how to mend it.
"""

import numpy as np

from plywise.conformance.compile_errors import explain_compile_error
from plywise.conformance.declarations import check_declarations, suggest, why_no_symmetries
from plywise.conformance.findings import (
    ERROR,
    NOTE,
    WARNING,
    Finding,
    Report,
    Seen,
    first_of_each,
    has_errors,
)
from plywise.conformance.first_look import seems_endless
from plywise.conformance.functions import check_functions
from plywise.conformance.judgements import check_judgements
from plywise.conformance.playing import (
    PLIES,
    check_habits,
    check_perft,
    check_random_game,
    check_start,
)
from plywise.conformance.soundness import (
    answer_of_rules,
    is_to_be_seen,
    require_sound,
    sentence_of,
)
from plywise.conformance.texts import check_nonsense
from plywise.game import Game
from plywise.system.watching import note

__all__ = [
    "ERROR",
    "NOTE",
    "WARNING",
    "Finding",
    "Report",
    "answer_of_rules",
    "check_game",
    "explain_compile_error",
    "is_to_be_seen",
    "require_sound",
    "seems_endless",
    "sentence_of",
    "why_no_symmetries",
]


def check_game(game: Game, *, games: int = 20, seed: int = 0, plies: int = PLIES) -> Report:
    """Return what all checks find in random games; the same seed finds the same."""
    seen = Seen(np.zeros(game.words, np.uint64))
    generator = np.random.default_rng(seed)
    findings = [*check_declarations(game), *check_functions(game)]
    if not has_errors(findings):
        findings += check_start(game)
    played = 0
    while played < games and not has_errors(findings):
        findings += check_random_game(game, generator, seen, plies)
        played += 1
    note("counting positions")
    if not has_errors(findings):
        findings += [*check_perft(game), *check_nonsense(game), *check_habits(game, seen)]
        note("judging positions")
        findings += check_judgements(game, np.array(list(seen.hashes.values())))
    findings += suggest(game)
    note("")
    return Report(first_of_each(findings), played, seen.positions)
