"""The page of all papers, `docs/papers.md`: made from the file of results and nothing else.

A row takes the results of the largest scale that there is, made with the settings which that scale
has now, by one version of the code: the last one that made any. So the page changes only when
results or claims do.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from claims import ABOUT, CLAIMS, TITLES
from drawing import Bar, draw_bars, draw_curves
from experiment import FEW, SCALES, Claim, format_interval
from results import Result
from verdicts import Verdict, verdict

from plywise.arena.seeds import Interval, mean_over_seeds
from plywise.system.atomic import write_atomically

NONE = "no result yet"
EARLY: Verdict = "too early to say"
HEADER = (
    "claim",
    "theirs",
    "ours",
    "verdict",
    "games",
    "seeds",
    "scale",
    "time there",
    "time here",
    "made by",
)
INTRODUCTION = """# The five papers on one page

What holds of five papers, what does not, and what is better now: for each of their tables and
headlines theirs with the error that their number of games implies, ours, and one word. This page is
written by `python papers/all.py` from [papers/results.jsonl](../papers/results.jsonl); no result on
it was typed by hand.

```sh
python papers/all.py --list
python papers/all.py --scale minute
python papers/all.py --scale hour --only 001
python papers/all.py --scale paper --only 000-ga-random --jobs 8
```

What is there is not made again; Ctrl-C loses nothing, and the same command goes on. `--write` only
writes the page, `--backend ray --address HOST:PORT` plays on a cluster, and paper 002 needs
`--data`, see [deepchess](deepchess.md). `minute` takes a minute or a few for an experiment and seed
and refutes nothing; `hour` is meant to decide; `paper` is the published size.

A win is worth 1 point, a draw 1/2. Brackets are 95 % intervals: those of the games or, where
trainings with several seeds are judged, of the spread between them (Student's t), whichever is
wider; see [how strength is measured](measuring-strength.md). W-D-L stand for each seed. The verdict
follows from the intervals alone:

| word | meaning |
|---|---|
| passed | ours is above theirs, beyond both errors |
| reproduced | both show the effect; a mere figure: ours agrees and is known about as well |
| reproduced with more games | ours shows an effect that their few games did not |
| not reproduced | ours shows no effect and excludes theirs, or is below it beyond both errors |
| too early to say | too uncertain, fewer than three seeds, or too short to refute (`minute`) |
"""


@dataclass(frozen=True)
class Row:
    """A claim beside what was found."""

    claim: Claim
    results: tuple[Result, ...]  # one for each seed

    @property
    def ours(self) -> Interval | None:
        """Return our number with its error, None before there is any."""
        if not self.results:
            return None
        found = mean_over_seeds([result.measured.interval for result in self.results])
        if self.claim.unit != "points":
            return found
        return Interval(max(0.0, found.low), found.value, min(1.0, found.high))  # a share

    @property
    def verdict(self) -> str:
        """Return the word, or that there is no result; too few seeds have no say."""
        if self.ours is None:
            return NONE
        if len(self.results) < len(FEW):
            return EARLY
        return verdict(self.claim.theirs, self.ours, self.claim.even, self.scale == SCALES[0])

    @property
    def scale(self) -> str:
        """Return the scale of the results."""
        return self.results[0].scale if self.results else ""

    def as_values(self) -> dict[str, object]:
        """Return all that is told, for JSON."""
        claim, ours = self.claim, self.ours
        return {
            "claim": claim.name,
            "what": claim.what,
            "theirs": claim.told,
            "theirs_interval": None if claim.theirs is None else list(claim.theirs),
            "ours_interval": None if ours is None else list(ours),
            "verdict": self.verdict,
            "games": sum(result.games for result in self.results),
            "seeds": [result.seed for result in self.results],
            "scale": self.scale,
            "seconds": sum(result.seconds for result in self.results),
            "command": self.results[0].command if self.results else command(claim, SCALES[0]),
        }


def command(claim: Claim, scale: str) -> str:
    """Return what makes a claim's results."""
    data = " --data DATA" if claim.experiment.needs_data else ""
    return f"python papers/all.py --scale {scale} --only {claim.name}{data}"


# ---------------------------------------------------------------- choosing results


def make_rows(results: Sequence[Result]) -> list[Row]:
    """Return a row for every claim."""
    return [Row(claim, choose_results(claim, results)) for claim in CLAIMS.values()]


def choose_results(claim: Claim, results: Iterable[Result]) -> tuple[Result, ...]:
    """Return the results that a row shows, one for each seed."""
    known = [result for result in results if result.claim == claim.name]
    for scale in reversed(SCALES):
        wanted = claim.experiment.configuration(scale)
        fitting = [r for r in known if r.scale == scale and r.configuration == wanted]
        if fitting:
            newest = [r for r in fitting if r.digest == fitting[-1].digest]
            return tuple({r.seed: r for r in newest}.values())
    return ()


# ---------------------------------------------------------------- text


def page_text(rows: Sequence[Row]) -> str:
    """Return the page."""
    parts = [INTRODUCTION, _standing(rows)]
    for paper, title in TITLES.items():
        own = [row for row in rows if row.claim.paper == paper]
        parts.append(f"## Paper {paper}: {title}\n\n{ABOUT[paper]}\n")
        for table, group in itertools.groupby(own, lambda row: row.claim.table):
            parts.append(f"### {table}\n\n{_table(list(group))}")
        parts += [
            f"![{_about(name)}](images/{name})\n"
            for name in pictures(rows)
            if name.startswith(f"papers-{paper}")
        ]
    return "\n".join(parts)


def _about(picture: str) -> str:
    kind = "Curves of training" if picture.endswith("curves.svg") else "Theirs and ours"
    return f"{kind}, paper {picture.split('-')[1].removesuffix('.svg')}"


def _standing(rows: Sequence[Row]) -> str:
    """Return how many claims have which verdict."""
    lines = ["| paper | " + " | ".join(WORDS) + " |", "|---" * (len(WORDS) + 1) + "|"]
    for paper in TITLES:
        own = [row.verdict for row in rows if row.claim.paper == paper]
        lines.append(f"| {paper} | " + " | ".join(str(own.count(word)) for word in WORDS) + " |")
    return "\n".join(lines) + "\n"


WORDS = (
    "passed",
    "reproduced",
    "reproduced with more games",
    "not reproduced",
    EARLY,
    NONE,
)


def _table(rows: Sequence[Row]) -> str:
    lines = [f"| {' | '.join(HEADER)} |", "|---" * len(HEADER) + "|"]
    lines += [f"| {' | '.join(_cells(row))} |" for row in rows]
    return "\n".join(lines) + "\n"


def _cells(row: Row) -> list[str]:
    """Return the cells of a row."""
    claim, ours = row.claim, row.ours
    what = f"{claim.what} ({claim.note})" if claim.note else claim.what
    texts = [result.measured.text for result in row.results if result.measured.text]
    shown = "-" if ours is None else format_interval(claim.unit, ours)
    told = f"{shown}: {'; '.join(texts)}" if texts else shown
    return [
        what,
        _theirs(claim),
        told,
        f"**{row.verdict}**" if ours else NONE,
        str(sum(result.games for result in row.results)) if ours else "",
        f"{len(row.results)} of {len(claim.experiment.seeds_at(row.scale))}" if ours else "",
        row.scale,
        claim.time,
        format_seconds(sum(result.seconds for result in row.results)) if ours else "",
        f"`{row.results[0].command if row.results else command(claim, 'minute')}`",
    ]


def _theirs(claim: Claim) -> str:
    if claim.theirs is None:
        return claim.told
    shown = format_interval(claim.unit, claim.theirs)
    return shown if shown.startswith(claim.told) else f"{claim.told}: {shown}"


def format_seconds(seconds: float) -> str:
    """Return a time as one would say it."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


# ---------------------------------------------------------------- pictures


def pictures(rows: Sequence[Row]) -> dict[str, str]:
    """Return the drawings by their file's name: theirs and ours, and the curves of trainings."""
    found = {}
    for paper in TITLES:
        own = [row for row in rows if row.claim.paper == paper and row.results]
        bars = [
            Bar(row.claim.name, row.claim.theirs, row.ours)
            for row in own
            if row.claim.unit == "points" and row.ours is not None
        ]
        if bars:
            found[f"papers-{paper}.svg"] = draw_bars(bars)
        curves = {
            f"{row.claim.name}, seed {result.seed}": result.measured.curve
            for row in own
            for result in row.results
            if len(result.measured.curve) > 1
        }
        for ending in sorted({name.partition(", ")[0] for name in curves}):
            chosen = {k: v for k, v in curves.items() if k.startswith(f"{ending}, ")}
            found[f"papers-{ending}-curves.svg"] = draw_curves(ending, chosen)
    return found


def write_page(results: Sequence[Result], folder: Path) -> Path:
    """Write the page and its pictures to the folder of documents; return the page's file."""
    rows = make_rows(results)
    images = folder / "images"
    images.mkdir(parents=True, exist_ok=True)
    drawn = pictures(rows)
    for old in images.glob("papers-*.svg"):
        if old.name not in drawn:
            old.unlink()
    for name, svg in drawn.items():
        write_atomically(images / name, svg.encode())
    write_atomically(folder / "papers.md", page_text(rows).encode())
    return folder / "papers.md"
