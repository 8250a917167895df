"""`plywise selfplay`, `dataset` and `judge`: from a player to a measure, without others' games."""

import json
from pathlib import Path

import numpy as np
import pytest

from plywise.cli import run
from plywise.games import load_game


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "own.jsonl"
    assert run(["selfplay", "connect4", "random", "-n", "150", "--save", str(path)]) == 0
    return path


def make_set(games: Path, folder: Path, *options: str) -> int:
    return run(["dataset", "connect4", str(games), "--out", str(folder), "--skip", "4", *options])


def test_every_game_of_self_play_begins_otherwise(games: Path) -> None:
    played = [json.loads(line) for line in games.read_text().splitlines()]
    assert len(played) == 150
    assert len({tuple(game["moves"][:4]) for game in played}) > 50


def test_self_play_is_told_to_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.jsonl"
    assert run(["selfplay", "connect4", "random", "-n", "2", "--save", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    first, second = load_game("connect4").sides
    assert told["games"] == told[first] + told["draws"] + told[second] == 2


def test_ctrl_c_in_a_data_set_says_how_to_go_on(
    games: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("plywise.datasets.build_data_set", interrupted)
        assert make_set(games, tmp_path / "set") == 130
    assert "the same command goes on" in capsys.readouterr().err
    assert make_set(games, tmp_path / "set") == 0


def test_judges_are_measured_on_unseen_games(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "set"
    assert make_set(games, folder, "--json") == 0
    card = json.loads(capsys.readouterr().out)
    assert card["read"] == 150
    assert make_set(games, folder) == 0  # it is there already
    assert f"{card['positions']:,} positions" in capsys.readouterr().out
    judge = ["judge", "connect4", "threats", "none", "--data", str(folder), "--pairs", "400"]
    assert run([*judge, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["threats"]["unseen"] > 0.55
    assert told["none"]["unseen"] == 0.5
    assert told["none"]["intransitive"] == 0
    assert run(judge) == 0
    assert "unseen games" in capsys.readouterr().out


def test_teachers_say_how_likely_positions_are_won(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "taught"
    asked = ("--teacher", "threats", "--teacher", "alphabeta,eval=threats,depth=2")
    assert make_set(games, folder, *asked, "--json") == 0
    card = json.loads(capsys.readouterr().out)
    assert card["teachers"] == [{"name": asked[1]}, {"name": asked[3]}]
    odds = np.load(folder / "odds.npy")
    assert len(odds) == card["positions"]
    assert np.all(np.abs(odds) < 10)
    assert make_set(games, folder, "--teacher", "none") == 2  # what is there had others
    assert "other games or settings" in capsys.readouterr().err
    assert make_set(games, tmp_path / "other", "--teacher", "nobody") == 2
    assert "nobody" in capsys.readouterr().err
    assert make_set(games, tmp_path / "other", "--teacher", "none", "--by-end") == 2
    assert "not both" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()
    assert make_set(games, tmp_path / "ends", "--by-end") == 0
    assert np.all(np.abs(np.load(tmp_path / "ends" / "odds.npy")) > 3)


def test_a_player_with_a_budget_judges_as_well(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set(games, tmp_path / "set")
    capsys.readouterr()
    judge = ["judge", "connect4", "alphabeta,eval=threats,depth=4", "--data", str(tmp_path / "set")]
    assert run([*judge, "--engine-pairs", "40", "--json"]) == 0
    (report,) = json.loads(capsys.readouterr().out).values()
    assert report["pairs"] == 40
    assert report["unseen"] > 0.5


def test_what_cannot_be_judged_is_refused(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["judge", "connect4", "threats", "--data", str(tmp_path)]) == 2
    assert "no finished data set" in capsys.readouterr().err
    make_set(games, tmp_path / "set")
    capsys.readouterr()
    assert run(["judge", "connect4", "mlp", "--data", str(tmp_path / "set")]) == 2
    assert "has learned nothing" in capsys.readouterr().err


def test_too_few_games_are_refused(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = tmp_path / "few.jsonl"
    few.write_text("".join(games.read_text().splitlines(keepends=True)[:12]))
    assert make_set(few, tmp_path / "set") == 0
    assert run(["judge", "connect4", "threats", "--data", str(tmp_path / "set")]) == 2
    assert "too small" in capsys.readouterr().err
