"""Saved games."""

import json
from pathlib import Path

import pytest

from plywise.live.saves import FORMAT, BadSave, Save, read_save, write_save

SAVE = Save("draughts", "draughts", "start", ("9-13", "24-20"), ("human", "alphabeta,depth=3"))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    write_save(SAVE, tmp_path / "game.json")
    assert read_save(tmp_path / "game.json") == SAVE


def test_a_saved_game_may_be_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    write_save(Save("reversi", "reversi", "start", (), ("human", "human")), path)
    write_save(SAVE, path)
    assert read_save(path) == SAVE
    assert [found.name for found in tmp_path.iterdir()] == ["game.json"]


def test_another_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "thesis.txt"
    path.write_text("years of work")
    with pytest.raises(BadSave, match="not a saved game; choose another name"):
        write_save(SAVE, path)
    assert path.read_text() == "years of work"


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadSave, match="no such file or directory"):
        write_save(SAVE, tmp_path / "nowhere" / "game.json")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "not JSON"),
        ("[]", "lacks the line"),
        ('{"format": "something-else"}', "lacks the line"),
        (json.dumps({"format": FORMAT, "game": 3}), "`game` must be a text"),
        (
            json.dumps({"format": FORMAT, "game": "x", "source": "x", "start": "y", "moves": "z"}),
            "`moves` must be a list",
        ),
        (
            json.dumps(
                {
                    "format": FORMAT,
                    "game": "x",
                    "source": "x",
                    "start": "y",
                    "moves": [],
                    "players": ["human"],
                }
            ),
            "`players` must name two",
        ),
    ],
)
def test_a_broken_file_gets_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "game.json"
    path.write_text(text)
    with pytest.raises(BadSave, match=sentence):
        read_save(path)
