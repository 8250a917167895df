"""What a paper claims, and the experiment that makes our side of it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, is_dataclass
from pathlib import Path
from typing import Any

from results import Measured, code_digest, same_values

from plywise.arena.intervals import mean_interval
from plywise.arena.seeds import Interval
from plywise.arena.statistics import CONFIDENCE, Score, share_of
from plywise.system.parallel import Workers

SCALES = ("minute", "hour", "paper")  # the smallest first
ENGINE = (  # what every experiment with games rests on
    "src/plywise/game",
    "src/plywise/search",
    "src/plywise/evaluators",
    "src/plywise/players",
    "src/plywise/arena",
)


@dataclass(frozen=True)
class Job:
    """An experiment to be done once: at a scale, with a seed, in a folder of its own."""

    scale: str
    seed: int
    folder: Path  # for runs that are resumed, and models
    workers: Workers = Workers()
    data: Path | None = None  # a data set of chess


Measure = Callable[[Job], dict[str, Measured]]  # by the last part of a claim's name


@dataclass(frozen=True)
class Experiment:
    """What can be done, at several scales, and which code decides how it comes out."""

    name: str
    measure: Measure
    scales: Mapping[str, Any]  # a scale's settings: a dataclass or plain values
    sources: tuple[str, ...]  # files and folders, relative to the repository
    seeds: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # by scale; else FEW
    needs_data: bool = False

    def seeds_at(self, scale: str) -> tuple[int, ...]:
        """Return the seeds with which it is done."""
        return self.seeds.get(scale, FEW)

    def configuration(self, scale: str) -> dict[str, Any]:
        """Return all settings of a scale, as JSON has them."""
        settings = self.scales[scale]
        plain = asdict(settings) if is_dataclass(settings) else settings  # type: ignore[arg-type]
        return dict(same_values(plain))

    def digest(self) -> str:
        """Return a digest of the code that it consists of."""
        return code_digest((*ENGINE, *self.sources))


FEW = (1, 2, 3)  # trainings, the fewest that show a spread


@dataclass(frozen=True)
class Claim:
    """A row of a paper's table, or what it says in words.

    `even` is the number that would mean "no effect"; without it the claim is the figure itself.
    """

    name: str  # PAPER-MORE, as in 001-mp-vision
    what: str
    experiment: Experiment
    told: str = "no figure"  # theirs, as they write it
    theirs: Interval | None = None
    even: float | None = None
    unit: str = "points"  # how a number is written: a key of UNITS
    time: str = "not told"  # theirs
    table: str = ""  # of the paper
    note: str = ""

    def __post_init__(self) -> None:
        if self.theirs is None and self.even is None:
            raise ValueError(f"{self.name} needs a figure or a number that means no effect.")
        if self.unit not in UNITS:
            raise ValueError(f"{self.name} has the unknown unit {self.unit!r}.")

    @property
    def paper(self) -> str:
        """Return the number of the paper."""
        return self.name.partition("-")[0]

    @property
    def part(self) -> str:
        """Return what the experiment calls it."""
        return self.name.partition("-")[2]


UNITS: dict[str, tuple[str, float]] = {  # how a number is written, and by what it is multiplied
    "points": ("{:.1f} %", 100),
    "lead": ("{:+.1f} %", 100),
    "elo": ("{:+.0f}", 1),
    "score": ("{:+.3f}", 1),
    "ratio": ("{:.2f}", 1),
}


def format_number(unit: str, number: float) -> str:
    """Return a number as its unit has it."""
    pattern, factor = UNITS[unit]
    return pattern.format(factor * number)


def format_interval(unit: str, interval: Interval) -> str:
    """Return a number with its 95 % interval: 57.3 % [52.1, 62.4]."""
    ends = [format_number(unit, end).removesuffix(" %") for end in (interval.low, interval.high)]
    return f"{format_number(unit, interval.value)} [{ends[0]}, {ends[1]}]"


def from_score(wins: int, draws: int, losses: int) -> Interval:
    """Return the share of the points of some games, with the error that their number implies."""
    score = Score(wins, draws, losses)
    low, high = mean_interval(score.counts, CONFIDENCE)
    return Interval(low, score.mean, high)


def difference(first: Interval, second: Interval) -> Interval:
    """Return by how much one number is above another, which does not depend on it."""
    value = first.value - second.value
    reach = math.hypot(first.width, second.width) / 2
    return Interval(value - reach, value, value + reach)


def from_share(successes: int, trials: int) -> Interval:
    """Return a share of trials, with the error that their number implies."""
    share = share_of(successes, trials)
    return Interval(share.low, share.share, share.high)
