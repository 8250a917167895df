"""Paper 001 rerun, at a scale of seconds."""

import json
from pathlib import Path

import endgame_expert
import faults
import mp_draughts
import procedure
import pytest
import typer
from experiment import Job

from plywise.learners.ls.settings import LsSettings
from plywise.learners.mp.settings import MpSettings
from plywise.learners.patterns.settings import PatternsSettings
from plywise.learners.td.settings import TdSettings
from plywise.system.parallel import Workers

LS = LsSettings(generations=1, population=3, opponents=1, openings=1, sets=1, games=2, depth=1)
MP = MpSettings(boards=20, units=3, max_plies=60)


def test_the_tournament_is_played_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = mp_draughts.Scale(1, 4, 1, 2, 4, time_games=0, ls=LS, mp=MP, neuro="vision")
    monkeypatch.setitem(mp_draughts.SCALES, "minute", tiny)
    mp_draughts.main("minute", tmp_path, 1)
    folder = tmp_path / "mp-draughts-minute"
    tables = json.loads((folder / "tables.json").read_text())
    assert [len(rows) for rows in tables.values()] == [4, 4, 4, 4]
    page = (folder / "report.html").read_text()
    for part in ("MP-Draughts x VisionDraughts", "14-3-3", "clusters.html", "mp-curves.svg"):
        assert part in page
    for name in mp_draughts.TITLES:
        assert (folder / f"{name}.safetensors").is_file()
    assert (folder / "clusters.html").read_text().count("<svg") == 3
    found = mp_draughts.measure(Job("minute", 1, folder, Workers(1)))  # finds its runs again
    assert set(found) == {"vision-neuro", "mp-neuro", "mp-vision", "ls-neuro", "loops"}
    assert found["mp-vision"].games == 4


def test_the_published_faults_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = TdSettings(sets=1, games=2, depth=1, final_games=2)
    monkeypatch.setitem(faults.SCALES, "minute", faults.Scale(tiny, 2))
    monkeypatch.setattr(faults, "FAULTS", {"both": "both faults"})
    faults.main("minute", 1, tmp_path, 1)
    found = faults.measure(Job("minute", 1, tmp_path / "faults-minute-1", Workers(1)))
    assert {name: one.games for name, one in found.items()} == {"faults-both": 2}


def test_a_network_learns_both_ways_and_meets_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    td = TdSettings(sets=1, games=2, depth=1, final_games=2)
    ours = PatternsSettings("featuremap", rounds=1, games=2, test_games=2, anchor_games=0)
    tiny = {"minute": procedure.Scale("td", td, ours, 1, 2)}
    monkeypatch.setitem(procedure.SCALES, "vision", tiny)
    procedure.main("vision", "minute", 1, tmp_path, 1)
    folder = tmp_path / "procedure-vision-minute-1"
    found = procedure.measure("vision", Job("minute", 1, folder, Workers(1)))
    assert found["procedure-vision"].games == 2


def test_the_papers_table_is_complete() -> None:
    assert [sum(row[:3]) for row in mp_draughts.TABLE_1.values()] == [20, 20, 20, 7]


def test_an_unknown_scale_is_refused(tmp_path: Path) -> None:
    with pytest.raises(typer.BadParameter, match="minute, hour or paper"):
        mp_draughts.main("day", tmp_path)


def test_an_expert_for_all_endgames_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    endgame_expert.main(sets=1, games=2, depth=1, boards=25)
    assert capsys.readouterr().out.count("points a game") == 2
    with pytest.raises(typer.BadParameter, match="base or random"):
        endgame_expert.main(first="nothing")
