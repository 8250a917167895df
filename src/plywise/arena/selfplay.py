"""Self-play: games of one player against itself, for learners that learn from games."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from plywise.arena.game_limits import GameLimits
from plywise.arena.match import count_reasons, list_faults
from plywise.arena.openings import make_openings
from plywise.arena.scheduler import Contest, Fixture, Scheduler, play_all
from plywise.arena.statistics import Score
from plywise.errors import PlywiseError
from plywise.formats import Transcript
from plywise.game import Game
from plywise.players import Player


@dataclass(frozen=True)
class SelfPlay:
    """What is to be played: as many openings as games."""

    game: Game
    player: str | Player
    games: int = 100
    openings: str = ""  # as in a Match
    opening_plies: int | None = None
    limits: GameLimits = field(default_factory=GameLimits)
    seed: int = 0

    def __post_init__(self) -> None:
        if self.games < 1:
            raise PlywiseError(f"The number of games is 1 or more, not {self.games}.")


@dataclass(frozen=True)
class SelfPlayResult:
    """What was played."""

    score: Score  # of side 0
    plies: int
    reasons: dict[str, int]
    faults: list[str]
    seconds: float
    is_interrupted: bool


def play_against_itself(
    asked: SelfPlay,
    jobs: int = 0,
    save: Path | None = None,
    tell: Callable[[Score], None] | None = None,
) -> SelfPlayResult:
    """Play the games on so many cores (0: all of them), each saved as it finishes."""
    openings = make_openings(asked.game, asked.openings, asked.opening_plies, asked.seed)
    contest = Contest(asked.game, [asked.player], openings, asked.limits, asked.seed)
    records: list[Transcript] = []
    with Scheduler(contest) as scheduler:

        def take(transcript: Transcript) -> bool:
            records.append(transcript)
            if tell is not None:
                tell(score_of(records))
            return True

        fixtures = (Fixture(number + 1, (0, 0), number) for number in range(asked.games))
        seconds = play_all(scheduler, fixtures, take, jobs, save)
        is_interrupted = scheduler.is_interrupted
    plies, reasons = sum(one.plies for one in records), dict(count_reasons(records))
    return SelfPlayResult(
        score_of(records), plies, reasons, list_faults(records), seconds, is_interrupted
    )


def score_of(records: list[Transcript]) -> Score:
    """Return how often side 0 won, drew and lost."""
    scores = [record.score for record in records]
    return Score(scores.count(1), scores.count(0), scores.count(-1))
