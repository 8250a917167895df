"""A match: two players over paired openings, and what the games prove.

from plywise import load_game
from plywise.arena import Match, play_match

match = Match(load_game("draughts"), ("alphabeta,depth=5", "random"), games=20)
result = play_match(match)
result.score, result.estimate.elo, result.los, result.reasons
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plywise.arena.game_limits import GameLimits
from plywise.arena.openings import make_openings
from plywise.arena.referee import FAULTS
from plywise.arena.scheduler import Contest, Fixture, Scheduler, play_all
from plywise.arena.statistics import (
    Decision,
    Estimate,
    Pentanomial,
    Score,
    Sprt,
    elo_with_error,
    likelihood_of_superiority,
    p_value,
)
from plywise.errors import PlywiseError
from plywise.formats import Transcript
from plywise.game import Game
from plywise.players import Player

MOST_GAMES = 100_000_000  # more are a slip of the keyboard


@dataclass(frozen=True)
class Match:
    """What is to be played."""

    game: Game
    players: tuple[str | Player, str | Player]
    games: int = 100  # an even number: every opening is played twice, with colours reversed
    openings: str = ""  # book, random or a file; "" is the book where there is one, else random
    opening_plies: int | None = None  # random moves that follow each line
    limits: GameLimits = field(default_factory=GameLimits)
    sprt: Sprt | None = None  # the test that may end the match early
    seed: int = 0
    seconds: float | None = None  # after which the games under way are broken off; None: never

    def __post_init__(self) -> None:
        require_even(self.games)


def require_even(games: int) -> None:
    """Raise unless a number of games can be played in pairs."""
    if games < 2 or games % 2:
        raise PlywiseError(
            "Openings are played twice, so the number of games is even, 2 or more, "
            f"and not {games}."
        )
    if games > MOST_GAMES:
        raise PlywiseError(f"A match has at most {MOST_GAMES:,} games, not {games:,}.")


class Scoreboard:
    """The state of a match while it is played, from the first player's view."""

    def __init__(self, first: str, sprt: Sprt | None = None) -> None:
        self.first, self.sprt = first, sprt
        self.score = Score()
        self.pentanomial = Pentanomial()
        self.records: list[Transcript] = []
        self._halves: dict[int, int] = {}  # results of games whose partner is not there yet

    @property
    def decision(self) -> Decision:
        """Return what the sequential test says; without one the match goes on."""
        return self.sprt.decide(self.pentanomial) if self.sprt else "continue"

    def add(self, transcript: Transcript) -> None:
        """Count a game, and its pair if both games are there."""
        self.records.append(transcript)
        result = transcript.score_of(self.first)
        self.score += Score(int(result > 0), int(result == 0), int(result < 0))
        pair = (transcript.number - 1) // 2
        other = self._halves.pop(pair, None)
        if other is None:
            self._halves[pair] = result
        else:
            self.pentanomial += Pentanomial.from_pairs([(other, result)])


@dataclass(frozen=True)
class MatchResult:
    """What was played and what it proves, from the first player's view.

    The estimate rests on pairs: a game without its partner counts in the score only.
    """

    players: tuple[str, str]
    score: Score
    pentanomial: Pentanomial
    records: tuple[Transcript, ...]
    sprt: Sprt | None
    notes: tuple[str, ...]
    seconds: float
    is_interrupted: bool

    @property
    def estimate(self) -> Estimate:
        """Return the Elo difference with its 95 % interval."""
        return elo_with_error(self.pentanomial)

    @property
    def los(self) -> float:
        """Return the probability that the first player is the stronger one."""
        return likelihood_of_superiority(self.pentanomial)

    @property
    def decision(self) -> Decision:
        """Return what the sequential test says, "continue" where there is none."""
        return self.sprt.decide(self.pentanomial) if self.sprt else "continue"

    @property
    def reasons(self) -> Counter[str]:
        """Return how often games ended for each reason."""
        return count_reasons(self.records)

    @property
    def faults(self) -> list[str]:
        """Return a line for every game that a player forfeited."""
        return list_faults(self.records)

    @property
    def loops(self) -> tuple[int, int]:
        """Return how often each player was ahead in a game that led nowhere."""
        return count_loops(self.records, self.players[0]), count_loops(
            self.records, self.players[1]
        )

    def summary(self) -> dict[str, Any]:
        """Return all numbers for JSON, None in place of infinite ones."""
        estimate = self.estimate
        return {
            "players": list(self.players),
            "games": self.score.games,
            "wins": self.score.wins,
            "draws": self.score.draws,
            "losses": self.score.losses,
            "elo": finite(estimate.elo),
            "elo_error": finite(estimate.error),
            "elo_low": finite(estimate.low),
            "elo_high": finite(estimate.high),
            "is_too_few": estimate.is_too_few,
            "los": self.los,
            "p_value": p_value(self.pentanomial),
            "pairs": self.pentanomial.samples,
            "pentanomial": list(self.pentanomial.counts),
            "sprt": self._test(),
            "reasons": dict(self.reasons),
            "loops": list(self.loops),
            "faults": self.faults,
            "notes": list(self.notes),
            "seconds": round(self.seconds, 3),
            "games_per_second": round(self.score.games / max(self.seconds, 1e-9), 3),
            "is_interrupted": self.is_interrupted,
        }

    def _test(self) -> dict[str, Any] | None:
        if self.sprt is None:
            return None
        return {
            "elo0": self.sprt.elo0,
            "elo1": self.sprt.elo1,
            "llr": self.sprt.llr(self.pentanomial),
            "bounds": list(self.sprt.bounds),
            "decision": self.decision,
        }


def finite(number: float) -> float | None:
    """Return a number that JSON can hold, None for an infinite one."""
    return number if math.isfinite(number) else None


def count_reasons(records: Iterable[Transcript]) -> Counter[str]:
    """Return how often games ended for each reason, the most frequent first."""
    return Counter(dict(Counter(record.kind for record in records).most_common()))


def count_loops(records: Iterable[Transcript], player: str) -> int:
    """Return in how many games a player was ahead and the game led nowhere."""
    leads = [(record.players, record.looping_side) for record in records]
    return sum(side is not None and players[side] == player for players, side in leads)


def list_faults(records: Iterable[Transcript]) -> list[str]:
    """Return a line for every game that a player forfeited: who, and how."""
    return [
        f"Game {record.number}: {record.players[0 if record.score == -1 else 1]}: {record.reason}"
        for record in records
        if record.kind in FAULTS
    ]


def paired_fixtures(pairs: int) -> Iterator[Fixture]:
    """Yield two games for every opening, the first player beginning one of them."""
    for pair in range(pairs):
        yield Fixture(2 * pair + 1, (0, 1), pair)
        yield Fixture(2 * pair + 2, (1, 0), pair)


def play_match(
    match: Match,
    jobs: int = 0,
    save: Path | None = None,
    tell: Callable[[Scoreboard], None] | None = None,
    played: Sequence[Transcript] = (),
) -> MatchResult:
    """Play a match on so many cores (0: all of them); `tell` hears of the score after each game.

    Games are saved to a file as they finish. Ctrl-C ends the match; the result then has the
    games finished so far and `is_interrupted`. With these as `played` the same match goes on.
    """
    openings = make_openings(match.game, match.openings, match.opening_plies, match.seed)
    contest = Contest(match.game, match.players, openings, match.limits, match.seed)
    with Scheduler(contest) as scheduler:
        board = Scoreboard(scheduler.names[0], match.sprt)

        def take(transcript: Transcript) -> bool:
            board.add(transcript)
            if tell is not None:
                tell(board)
            return board.decision == "continue"

        fixtures = paired_fixtures(match.games // 2)
        seconds = play_all(scheduler, fixtures, take, jobs, save, played, match.seconds)
    return MatchResult(
        players=(scheduler.names[0], scheduler.names[1]),
        score=board.score,
        pentanomial=board.pentanomial,
        records=tuple(board.records),
        sprt=match.sprt,
        notes=tuple(openings.notes),
        seconds=seconds,
        is_interrupted=scheduler.is_interrupted,
    )
