"""All papers on one page: what is missing is made once, and the page says what results say."""

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import all as everything
import claims
import nguyen
import page
import pytest
import typer
import visiondraughts
from experiment import SCALES, Claim, Experiment, Job, format_interval, format_number
from page import NONE, choose_results, make_rows, page_text, pictures, write_page
from results import FILE, ROOT, Measured, Result, read_results

from plywise.arena.seeds import Interval
from plywise.learners.evolve.settings import EvolveSettings

CLAIM = claims.CLAIMS["001-mp-vision"]


def result_of(claim: Claim, **changes: Any) -> Result:
    """Return a result as the claim's experiment would make it at the scale of a minute."""
    measured = Measured(0.57, 0.55, 0.59, 400, (80, 184, 136), text="136-184-80")
    made = Result(
        claim.name,
        claim.experiment.name,
        "minute",
        claim.experiment.configuration("minute"),
        1,
        "0.1",
        "old",
        page.command(claim, "minute"),
        60.0,
        400,
        0.57,
        0.02,
        measured,
    )
    return dataclasses.replace(made, **changes)


# ---------------------------------------------------------------- the claims


def test_every_paper_has_its_claims() -> None:
    papers = [claim.paper for claim in claims.CLAIMS.values()]
    assert set(papers) == set(claims.TITLES) == set(claims.ABOUT)
    assert papers.count("003") == 3 * 10 + 10 + 2 + 1
    assert {name for name in claims.CLAIMS if name.startswith("001-")} >= {
        "001-vision-neuro",
        "001-mp-neuro",
        "001-mp-vision",
        "001-ls-neuro",
        "001-loops",
        "001-saving",
    }


@pytest.mark.parametrize("scale", SCALES)
def test_every_experiment_has_settings_and_three_seeds_at_every_scale(scale: str) -> None:
    for claim in claims.CLAIMS.values():
        settings = claim.experiment.configuration(scale)
        assert settings == json.loads(json.dumps(settings))
        assert len(claim.experiment.seeds_at(scale)) >= 3


def test_the_code_of_every_experiment_is_there() -> None:
    known = {claim.experiment.name: claim.experiment for claim in claims.CLAIMS.values()}
    assert all(re.fullmatch(r"[a-z0-9.-]+", name) for name in known)
    assert len({experiment.digest() for experiment in known.values()}) > 5


def test_a_claim_without_figure_and_effect_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a figure"):
        Claim("001-x", "what", CLAIM.experiment)
    with pytest.raises(ValueError, match="unknown unit"):
        Claim("001-x", "what", CLAIM.experiment, even=0.5, unit="metres")


# ---------------------------------------------------------------- the page


def test_the_committed_page_is_what_the_committed_results_say(tmp_path: Path) -> None:
    written = write_page(read_results(FILE), tmp_path)
    assert written.read_text() == (ROOT / "docs" / "papers.md").read_text(), "all.py --write"
    for image in (tmp_path / "images").iterdir():
        assert image.read_bytes() == (ROOT / "docs" / "images" / image.name).read_bytes()
    kept = {image.name for image in (ROOT / "docs" / "images").glob("papers-*.svg")}
    assert kept == {image.name for image in (tmp_path / "images").iterdir()}


def test_a_claim_without_a_result_says_so() -> None:
    rows = make_rows([])
    assert {row.verdict for row in rows} == {NONE}
    text = page_text(rows)
    assert text.count(f"| {NONE} |") >= len(claims.CLAIMS)
    assert "`python papers/all.py --scale minute --only 001-mp-vision`" in text


def test_a_row_shows_theirs_and_ours_and_the_verdict() -> None:
    results = [result_of(CLAIM, seed=seed) for seed in (1, 2, 3)]
    (line,) = [one for one in page_text(make_rows(results)).splitlines() if "136-184-80" in one]
    for part in ("10-4-6: 60.0 %", "57.0 % [", "**reproduced with more games**", "1200", "3 min"):
        assert part in line


def test_fewer_than_three_seeds_have_no_verdict_and_shares_stay_shares() -> None:
    apart = [Measured(value, value - 0.05, value + 0.05, 40, (5, 5, 30)) for value in (0.7, 0.9)]
    results = [result_of(CLAIM, seed=seed, measured=one) for seed, one in enumerate(apart, 1)]
    row = page.Row(CLAIM, tuple(results))
    assert row.verdict == "too early to say"
    assert row.ours is not None
    assert (row.ours.low, row.ours.high) == (0.0, 1.0)
    agreed = [result_of(CLAIM, seed=seed) for seed in (1, 2)]
    assert page.Row(CLAIM, tuple(agreed)).verdict == "too early to say"


def test_the_largest_scale_and_the_last_code_are_shown() -> None:
    old = result_of(CLAIM)
    new = [result_of(CLAIM, digest="new", seed=seed) for seed in (1, 2)]
    assert choose_results(CLAIM, [old, *new]) == tuple(new)
    assert choose_results(CLAIM, [*new, old]) == (old,)
    hour = result_of(CLAIM, scale="hour", configuration=CLAIM.experiment.configuration("hour"))
    assert choose_results(CLAIM, [hour, *new]) == (hour,)


def test_results_with_other_settings_are_not_shown() -> None:
    assert choose_results(CLAIM, [result_of(CLAIM, configuration={"sets": 1})]) == ()


def test_drawings_show_intervals_and_curves() -> None:
    curve = Measured(50, 10, 90, 40, curve=((0.0, -20.0), (10.0, 30.0)))
    rising = claims.CLAIMS["000-ga-rising"]
    drawn = pictures(make_rows([result_of(CLAIM), result_of(rising, measured=curve)]))
    assert set(drawn) == {"papers-001.svg", "papers-000-ga-rising-curves.svg"}
    assert "001-mp-vision" in drawn["papers-001.svg"]
    assert "<polyline" in drawn["papers-000-ga-rising-curves.svg"]


def test_numbers_are_written_as_their_units_have_them() -> None:
    assert format_number("points", 0.573) == "57.3 %"
    assert format_interval("points", Interval(0.521, 0.573, 0.624)) == "57.3 % [52.1, 62.4]"
    assert format_interval("elo", Interval(-5, 20, 45)) == "+20 [-5, +45]"


# ---------------------------------------------------------------- making what is missing


def count_one(job: Job) -> dict[str, Measured]:
    """Return a figure that tells the seed."""
    (job.folder / "made").touch()
    share = 0.6 + job.seed / 100
    return {"one": Measured(share, share - 0.01, share + 0.01, 10)}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Claim:
    """The only claim there is, made at once."""
    scales = {scale: {"games": 10} for scale in SCALES}
    experiment = Experiment("counting", count_one, scales, ("papers/verdicts.py",))
    claim = Claim("000-one", "one is more than a half", experiment, even=0.5)
    monkeypatch.setattr(claims, "CLAIMS", {claim.name: claim})
    for module in (everything, page):
        monkeypatch.setattr(module, "CLAIMS", {claim.name: claim})
    return claim


def run(folder: Path, **options: Any) -> None:
    """Make all papers in a folder."""
    (folder / "docs").mkdir(exist_ok=True)
    given = {"out": folder / "runs", "results": folder / "results.jsonl", "docs": folder / "docs"}
    everything.main(**{"jobs": 1, **given, **options})


def test_nothing_is_made_twice(tmp_path: Path, small: Claim) -> None:
    run(tmp_path)
    found = read_results(tmp_path / "results.jsonl")
    assert [result.seed for result in found] == [1, 2, 3]
    assert "**reproduced**" in (tmp_path / "docs" / "papers.md").read_text()
    run(tmp_path)
    assert read_results(tmp_path / "results.jsonl") == found


def test_ctrl_c_loses_nothing_and_the_same_command_goes_on(
    tmp_path: Path, small: Claim, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(job: Job) -> dict[str, Measured]:
        if job.seed == 2:
            raise KeyboardInterrupt
        return count_one(job)

    broken = dataclasses.replace(small.experiment, measure=stopped)
    claim = dataclasses.replace(small, experiment=broken)
    for module in (everything, page):
        monkeypatch.setattr(module, "CLAIMS", {claim.name: claim})
    with pytest.raises(typer.Exit) as stop:
        run(tmp_path)
    assert stop.value.exit_code == 130
    assert [result.seed for result in read_results(tmp_path / "results.jsonl")] == [1]
    assert "| 1 of 3 | minute |" in (tmp_path / "docs" / "papers.md").read_text()
    for module in (everything, page):
        monkeypatch.setattr(module, "CLAIMS", {small.name: small})
    run(tmp_path)
    assert [result.seed for result in read_results(tmp_path / "results.jsonl")] == [1, 2, 3]


def test_the_list_and_the_rows_as_json_make_nothing(
    tmp_path: Path, small: Claim, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, listed=True)
    run(tmp_path, write=True, as_json=True)
    printed = capsys.readouterr()
    assert "0 of 3" in printed.err
    assert json.loads(printed.out)[0]["verdict"] == NONE
    assert not (tmp_path / "results.jsonl").exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"scale": "day"}, "minute, hour or paper"),
        ({"only": ["005"]}, "No claim is called '005'"),
        ({"only": ["002-pieces"]}, "needs a data set"),
    ],
)
def test_what_cannot_be_made_is_refused_before_work_begins(
    tmp_path: Path, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(typer.BadParameter, match=sentence):
        run(tmp_path, **options)


def test_claims_of_real_experiments_are_made_in_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = EvolveSettings(
        evaluator="subsquares", method="ga", generations=7, games=1, depth=1, max_plies=20
    )
    monkeypatch.setitem(nguyen.ARCHIVES, "minute", nguyen.Archive(tiny, tiny))
    monkeypatch.setitem(visiondraughts.SCALES, "minute", visiondraughts.Scale(2, 2))
    run(tmp_path, only=["000-archive", "001-saving"])
    found = read_results(tmp_path / "results.jsonl")
    assert {result.claim for result in found} == {
        "000-archive-subsquares",
        "000-archive-inputs",
        "000-archive-sampling",
        "001-saving",
    }
    assert all(result.digest and result.seconds >= 0 for result in found)
    text = (tmp_path / "docs" / "papers.md").read_text()
    assert "images/papers-000-archive-inputs-curves.svg" in text
