"""Paper 003 rerun, at a scale of seconds."""

import json
from pathlib import Path

import nhb
import pytest
import typer
from experiment import Job

from plywise.learners.nhb.settings import NhbSettings

SETTINGS = NhbSettings(first_matches=2, hidden=16, backward_nodes=100, value_ordering=1)


def test_both_tables_are_rerun_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(nhb.SCALES, "minute", nhb.Scale(20, 1, 2, 2, 2, 2, SETTINGS))
    nhb.main("minute", "both", tmp_path)
    page = (tmp_path / "nhb-minute.html").read_text()
    for part in ("Table 1", "Table 2", "110-11-79", "positional", "data:image/png"):
        assert part in page
    numbers = json.loads((tmp_path / "nhb-minute.json").read_text())
    assert set(numbers["table 1"]) == {"0.25 s", "0.5 s", "1 s"}
    assert sum(numbers["table 2"]["positional"]) == 2
    nhb.main("minute", "reversi", tmp_path)  # finds its run and tests again
    monkeypatch.setitem(nhb.ROWS, "minute", nhb.SCALES["minute"])
    found = nhb.measure_reversi(Job("minute", 1, tmp_path))
    names = {"reversi-2", "reversi-pieces", "reversi-positional", "reversi-lead"}
    assert set(found) == names
    assert set(nhb.measure_connect4(0.5, Job("minute", 1, tmp_path))) == {"connect4-0.5s-1"}


def test_the_papers_best_rows_are_those_that_it_names() -> None:
    assert max(wins for rows in nhb.TABLE_1.values() for _, _, wins in rows) == 148
    assert max(wins for _, _, wins in nhb.TABLE_2) == 72
    assert all(sum(row) == 200 for rows in nhb.TABLE_1.values() for row in rows)
    assert all(sum(row) == 100 for row in nhb.TABLE_2)


def test_an_unknown_scale_is_refused(tmp_path: Path) -> None:
    with pytest.raises(typer.BadParameter, match="minute, hour or paper"):
        nhb.main("day", "both", tmp_path)
