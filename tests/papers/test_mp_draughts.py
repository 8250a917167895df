"""Paper 001 rerun, at a scale of seconds."""

import json
from pathlib import Path

import endgame_expert
import mp_draughts
import pytest
import typer

from plywise.learners.ls.settings import LsSettings
from plywise.learners.mp.settings import MpSettings

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
    assert mp_draughts.train_all(tiny, folder, 1)  # finds its runs again


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
