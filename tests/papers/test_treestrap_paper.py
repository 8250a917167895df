"""The comparison of Veness et al. is made at a scale of seconds, and kept."""

import json
from pathlib import Path

import pytest
import treestrap
from experiment import Job

from plywise.system.parallel import Workers

TINY = treestrap.Scale(("tictactoe",), (1, 2), 1, 2, 4)


def test_all_methods_are_rated_together_and_nothing_is_done_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(treestrap.SCALES, "minute", TINY)
    treestrap.main("minute", "", tmp_path, 1)
    numbers = json.loads((tmp_path / "treestrap-minute.json").read_text())
    assert set(numbers["tictactoe"]) == {"1", "2"}
    assert all(set(found) == set(treestrap.PUBLISHED) for found in numbers["tictactoe"].values())
    assert numbers["tictactoe"]["1"]["untrained"][0] == 0
    page = (tmp_path / "treestrap-minute.html").read_text()
    assert "1907" in page  # what the paper has for treestrap
    found = treestrap.measure(Job("minute", 1, tmp_path, Workers(1)))
    assert found["treestrap-untrained"].result == numbers["tictactoe"]["1"]["treestrap"][0]
    monkeypatch.delattr(treestrap, "train")
    treestrap.main("minute", "", tmp_path, 1)
