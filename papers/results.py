"""The file of results: a line of JSON for each claim, configuration and seed, never changed.

A line tells how it was made (`experiment`, `scale`, `configuration`, `seed`, `version`, `digest` of
the code, `command`, `seconds`) and what came out (`games`, `result`, `error` and more).
"""

import ast
import functools
import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from plywise.arena.intervals import mean_interval
from plywise.arena.match import MatchResult
from plywise.arena.seeds import Interval
from plywise.arena.statistics import CONFIDENCE, Outcome, share_of
from plywise.errors import PlywiseError

ROOT = Path(__file__).parent.parent
FILE = ROOT / "papers" / "results.jsonl"
DIGITS = 16  # of a digest


class BadResult(PlywiseError):
    """A file of results that cannot be read."""


@dataclass(frozen=True)
class Measured:
    """What an experiment found for a claim: a number, its 95 % interval, and in how many games."""

    result: float
    low: float
    high: float
    games: int = 0
    counts: tuple[int, ...] = ()  # of results, worst first: losses, draws, wins, or pairs of games
    curve: tuple[tuple[float, float], ...] = ()  # (step, value) pairs, for a plot
    text: str = ""  # what else is to be told

    @property
    def interval(self) -> Interval:
        """Return the number with its interval."""
        return Interval(self.low, self.result, self.high)


@dataclass(frozen=True)
class Result:
    """A line of the file."""

    claim: str
    experiment: str
    scale: str
    configuration: dict[str, Any]
    seed: int
    version: str
    digest: str
    command: str
    seconds: float  # of the whole experiment, which may serve several claims
    games: int
    result: float
    error: float  # half the width of the 95 % interval
    measured: Measured


# ---------------------------------------------------------------- measuring


def score_measured(outcome: Outcome, text: str = "") -> Measured:
    """Return the share of the points of games or pairs of games."""
    low, high = mean_interval(outcome.counts, CONFIDENCE)
    return Measured(outcome.mean, low, high, outcome.games, outcome.counts, text=text)


def match_measured(result: MatchResult) -> Measured:
    """Return the first player's share of the points; a match that was broken off counts nothing."""
    if result.is_interrupted:
        raise KeyboardInterrupt
    score = result.score
    return score_measured(result.pentanomial, f"{score.wins}-{score.draws}-{score.losses}")


def share_measured(successes: int, trials: int, text: str = "") -> Measured:
    """Return a share of trials."""
    share = share_of(successes, trials)
    return Measured(share.share, share.low, share.high, trials, text=text)


# ---------------------------------------------------------------- the file


def read_results(path: Path) -> list[Result]:
    """Return all lines; a last line that was not written to its end is left out."""
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    return [_parse(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _parse(path: Path, number: int, line: str) -> Result:
    try:
        values = json.loads(line)
        measured = values.pop("measured")
        measured["counts"] = tuple(measured["counts"])
        measured["curve"] = tuple((float(step), float(value)) for step, value in measured["curve"])
        result = Result(**values, measured=Measured(**measured))
    except (AttributeError, KeyError, TypeError, ValueError):
        known = ", ".join(field.name for field in fields(Result))
        raise BadResult(f"Line {number} of {path} is no result; it needs {known}.") from None
    return result


def append_results(path: Path, results: Iterable[Result]) -> None:
    """Add lines to the file, all of them or none, and see them on the disk."""
    text = "".join(f"{json.dumps(asdict(result), allow_nan=False)}\n" for result in results)
    with path.open("ab+") as file:
        file.seek(0)
        whole = file.read().rfind(b"\n") + 1
        file.truncate(whole)  # what a crash left of a line
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())


def same_values(value: Any) -> Any:
    """Return settings as JSON has them, so that those of a file and those of code compare."""
    return json.loads(json.dumps(value))


# ---------------------------------------------------------------- the code


def code_digest(sources: Sequence[str], root: Path = ROOT) -> str:
    """Return a digest of Python files and folders; comments and docstrings change nothing."""
    files = sorted({file for source in sources for file in _files(root / source)})
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.relative_to(root).as_posix()}\n".encode())
        digest.update(_bare(file.read_text(encoding="utf-8")).encode())
    return digest.hexdigest()[:DIGITS]


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return list(path.rglob("*.py"))
    if not path.is_file():
        raise BadResult(f"There is no source {path}.")
    return [path]


@functools.lru_cache(1024)
def _bare(text: str) -> str:
    """Return a program without comments and docstrings."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and len(body) > 1 and _is_text(body[0]):
            del body[0]
    return ast.unparse(tree)


def _is_text(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
