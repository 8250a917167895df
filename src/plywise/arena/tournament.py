"""A tournament: many players, everybody against everybody or one against the others.

from plywise.arena import Tournament, play_tournament

players = ("random", "alphabeta,depth=2", "alphabeta,depth=4")
result = play_tournament(Tournament(game, players, games=20, anchor="random"))
result.ratings, result.table
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from plywise.arena.game_limits import GameLimits
from plywise.arena.match import count_loops, count_reasons, list_faults, require_even
from plywise.arena.openings import make_openings
from plywise.arena.rating import (
    CrossTable,
    Pair,
    Rating,
    Tally,
    UnconnectedPlayers,
    bootstrap_ratings,
    cross_table,
    ratings,
)
from plywise.arena.scheduler import Contest, Fixture, Scheduler, play_all
from plywise.errors import PlywiseError, UnknownName
from plywise.formats import Transcript
from plywise.game import Game
from plywise.players import Player

ROUNDS = 200  # of resampling, for the error bars


@dataclass(frozen=True)
class Tournament:
    """What is to be played."""

    game: Game
    players: Sequence[str | Player]
    games: int = 20  # between any two players that meet; an even number
    is_gauntlet: bool = False  # the first player against each of the others
    anchor: str = ""  # whose rating is 0; "" is the first player
    openings: str = ""
    opening_plies: int | None = None
    limits: GameLimits = field(default_factory=GameLimits)
    seed: int = 0

    def __post_init__(self) -> None:
        require_even(self.games)
        if len(self.players) < 2:
            raise PlywiseError("A tournament needs two players or more.")

    @property
    def total(self) -> int:
        """Return how many games are played if nothing ends the tournament early."""
        return self.games * len(pairings(len(self.players), self.is_gauntlet))


@dataclass(frozen=True)
class TournamentResult:
    """What was played, and how strong that makes the players."""

    players: tuple[str, ...]
    anchor: str
    ratings: tuple[Rating, ...]  # the best first; none if the games link nobody to the anchor
    table: CrossTable
    records: tuple[Transcript, ...]
    notes: tuple[str, ...]
    seconds: float
    is_interrupted: bool

    @property
    def reasons(self) -> Counter[str]:
        """Return how often games ended for each reason."""
        return count_reasons(self.records)

    @property
    def faults(self) -> list[str]:
        """Return a line for every game that a player forfeited."""
        return list_faults(self.records)

    def summary(self) -> dict[str, Any]:
        """Return all numbers for JSON."""
        names = self.table.names
        return {
            "players": list(self.players),
            "anchor": self.anchor,
            "games": len(self.records),
            "ratings": [
                {
                    "player": rating.name,
                    "elo": rating.elo,
                    "elo_error": rating.error,
                    "games": rating.games,
                    "points": rating.points,
                }
                for rating in self.ratings
            ],
            "cross_table": {
                "players": list(names),
                "points": self.table.points.tolist(),
                "games": self.table.games.tolist(),
            },
            "reasons": dict(self.reasons),
            "loops": {name: count_loops(self.records, name) for name in self.players},
            "faults": self.faults,
            "notes": list(self.notes),
            "seconds": round(self.seconds, 3),
            "games_per_second": round(len(self.records) / max(self.seconds, 1e-9), 3),
            "is_interrupted": self.is_interrupted,
        }


def pairings(players: int, is_gauntlet: bool) -> list[tuple[int, int]]:
    """Return who meets whom, by index."""
    if is_gauntlet:
        return [(0, other) for other in range(1, players)]
    return list(itertools.combinations(range(players), 2))


def fixtures_of(meetings: Sequence[tuple[int, int]], pairs: int) -> Iterator[Fixture]:
    """Yield the games of all meetings, opening by opening: a broken-off tournament is even."""
    number = 0
    for opening in range(pairs):
        for first, second in meetings:
            for sides in ((first, second), (second, first)):
                number += 1
                yield Fixture(number, sides, opening)


def play_tournament(
    tournament: Tournament,
    jobs: int = 0,
    save: Path | None = None,
    tell: Callable[[Transcript], None] | None = None,
    played: Sequence[Transcript] = (),
) -> TournamentResult:
    """Play a tournament on so many cores (0: all of them); `tell` hears of every game.

    Ctrl-C ends it; the result then has the games finished so far and `is_interrupted`. With these
    as `played` the same tournament goes on.
    """
    game, seed = tournament.game, tournament.seed
    openings = make_openings(game, tournament.openings, tournament.opening_plies, seed)
    contest = Contest(game, tournament.players, openings, tournament.limits, seed)
    with Scheduler(contest) as scheduler:
        names = scheduler.names
        anchor = tournament.anchor or names[0]
        if anchor not in names:
            raise UnknownName("player in the tournament", anchor, names)
        records: list[Transcript] = []

        def take(transcript: Transcript) -> bool:
            records.append(transcript)
            if tell is not None:
                tell(transcript)
            return True

        meetings = fixtures_of(pairings(len(names), tournament.is_gauntlet), tournament.games // 2)
        seconds = play_all(scheduler, meetings, take, jobs, save, played)
    rated, notes = rate(records, anchor, seed)
    return TournamentResult(
        players=names,
        anchor=anchor,
        ratings=tuple(rated),
        table=cross_table(tallies_of(records)),
        records=tuple(records),
        notes=(*openings.notes, *notes),
        seconds=seconds,
        is_interrupted=scheduler.is_interrupted,
    )


def rate(records: Sequence[Transcript], anchor: str, seed: int) -> tuple[list[Rating], list[str]]:
    """Return the ratings from complete pairs of games, and what has to be said of them."""
    pairs = pairs_of(records)
    if not pairs:
        return [], ["No pair of games was finished, so there are no ratings."]
    try:
        rated = safe_ratings(pairs, tallies_of(records), anchor, np.random.default_rng([seed, 2]))
    except UnconnectedPlayers as error:
        return [], [f"There are no ratings: {error}"]
    return rated, [_one_sided(rating) for rating in rated if rating.points in (0, rating.games)]


def safe_ratings(
    pairs: Sequence[Pair], games: Sequence[Tally], anchor: str, generator: np.random.Generator
) -> list[Rating]:
    """Return ratings with errors that hold at every number of games.

    An error is the larger one of two: resampling pairs sees how alike the games of a pair are,
    but nothing of what one-sided or few results leave open; the Fisher information does.
    """
    found = bootstrap_ratings(pairs, anchor, ROUNDS, generator)
    floor = {rating.name: rating.error for rating in ratings(games, anchor)}
    return [replace(rating, error=max(rating.error, floor[rating.name])) for rating in found]


def _one_sided(rating: Rating) -> str:
    kind = "lost" if rating.points == 0 else "won"
    return f"{rating.name} {kind} all its games: its distance to the others may be larger."


def pairs_of(records: Sequence[Transcript]) -> list[Pair]:
    """Return the results of games from the same opening with colours reversed."""
    pairs: list[Pair] = []
    by_number = {record.number: record for record in records}
    for record in records:
        partner = by_number.get(record.number + 1)
        if record.number % 2 and partner is not None:
            first, second = record.players
            pairs.append((first, second, record.score_of(first), partner.score_of(first)))
    return pairs


def tallies_of(records: Sequence[Transcript]) -> list[Tally]:
    """Return all games, one line for each."""
    return [
        Tally(
            *record.players,
            wins=record.score == 1,
            draws=record.score == 0,
            losses=record.score == -1,
        )
        for record in records
    ]
