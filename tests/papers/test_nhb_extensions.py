"""The extensions of paper 003 are measured, at a scale of seconds."""

import dataclasses
import json
from pathlib import Path

import nhb_extensions
import pytest
import typer

from plywise.learners.nhb.learner import Nhb
from plywise.learners.nhb.settings import NhbSettings

TINY = NhbSettings(
    cycles=1, matches=2, first_matches=2, nodes=20, hidden=16, backward_nodes=50, max_plies=40
)
SHORT = ("forgetting", "budget")  # of one game, whose search other tests compile as well


def test_an_extension_is_measured_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = nhb_extensions.Scale(TINY, (1,), (20,), 1000, 20, TINY, TINY, 2)
    monkeypatch.setitem(nhb_extensions.SCALES, "minute", tiny)
    monkeypatch.setattr(nhb_extensions, "FORGETTING", (1.0, 0.99))
    for part in SHORT:
        nhb_extensions.main("minute", part, tmp_path)
    numbers = json.loads((tmp_path / "nhb-extensions-minute.json").read_text())
    assert tuple(numbers) == SHORT
    assert all(sum(score) == 2 for part in numbers.values() for score in part.values())
    page = (tmp_path / "nhb-extensions-minute.html").read_text()
    assert "forgetting=0.99" in page
    assert "20 nodes a move" in page
    monkeypatch.delattr(nhb_extensions, "train")  # nothing is trained twice
    nhb_extensions.main("minute", "forgetting", tmp_path)


@pytest.mark.parametrize("name", nhb_extensions.TARGETS)
def test_the_settings_of_every_target_fit_together(name: str) -> None:
    for scale in nhb_extensions.SCALES.values():
        Nhb("reversi", dataclasses.replace(scale.reversi, **nhb_extensions.TARGETS[name]))


def test_an_unknown_part_is_refused(tmp_path: Path) -> None:
    with pytest.raises(typer.BadParameter, match="forgetting, budget"):
        nhb_extensions.main("minute", "fourth", tmp_path)
