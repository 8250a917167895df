"""Data sets: which positions are drawn, and that building one can be broken off."""

import contextlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from conftest import seeded
from fuzz.inputs import Inputs
from naive.minimax import random_record
from plywise.datasets import (
    BadDataSet,
    DataSet,
    Sampling,
    build_data_set,
    open_data_set,
    open_data_sets,
)
from plywise.datasets import sources as source_files
from plywise.datasets.building import Progress
from plywise.datasets.teachers import NEAR, WON, NearEnds, make_judges
from plywise.errors import PlywiseError
from plywise.formats import Transcript, format_games
from plywise.formats.lines import LineFile
from plywise.game import Game
from plywise.games import load_game
from plywise.players.judges import make_judge, values_by

RULES = Sampling(per_game=4, skip=6, seed=3)


def write_games(folder: Path, game: Game, count: int) -> Path:
    """Return a file of random games, won by the one and the other."""
    transcripts = []
    for number in range(count):
        record = random_record(game, seeded(number), 30)
        texts = tuple(game.format_line(record.start, record.moves))
        ending = record.ending()
        score = ending.score if ending is not None else number % 2 * 2 - 1
        transcripts.append(Transcript(game.name, ("a", "b"), texts, score))
    path = folder / "games.jsonl"
    path.write_text(format_games(transcripts, game, ".jsonl"))
    return path


@pytest.fixture
def draughts_games(tmp_path: Path) -> Path:
    return write_games(tmp_path, load_game("draughts"), 30)


def test_positions_are_of_decisive_games_late_and_quiet(
    tmp_path: Path, draughts_games: Path
) -> None:
    game = load_game("draughts")
    data = build_data_set(tmp_path / "set", game, [draughts_games], RULES)
    games = [json.loads(line) for line in draughts_games.read_text().splitlines()]
    assert data.card["read"] == len(games) == 30
    assert min(data.plies) >= RULES.skip
    assert max(np.bincount(data.games)) <= RULES.per_game
    batch = next(source_files.read_source(draughts_games, game))
    for row, number, ply, score in zip(
        data.positions, data.games, data.plies, data.scores, strict=True
    ):
        record = batch.record(int(number))
        assert np.array_equal(record.positions[ply], row)
        assert not game.noisy(row, record.moves[ply])
        assert score == batch.scores[number] != 0


def test_a_set_that_was_broken_off_is_finished_to_the_same(
    tmp_path: Path, draughts_games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_files, "BATCH", 7)
    game = load_game("draughts")
    whole = build_data_set(tmp_path / "whole", game, [draughts_games], RULES)

    def interrupt(progress: Progress) -> None:
        if progress.read >= 14:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_data_set(tmp_path / "part", game, [draughts_games], RULES, interrupt)
    with pytest.raises(BadDataSet, match="no finished data set"):
        open_data_set(tmp_path / "part", game)
    with pytest.raises(BadDataSet, match="other games or settings"):
        build_data_set(tmp_path / "part", game, [draughts_games], Sampling(5))
    with (tmp_path / "part" / "scores.npy").open("ab") as file:
        file.write(b"written, but not counted")
    again = build_data_set(tmp_path / "part", game, [draughts_games], RULES)
    assert again.card == whole.card
    assert np.array_equal(again.positions, whole.positions)
    assert not (tmp_path / "part" / "progress.json").exists()


def test_a_set_of_another_game_or_of_other_settings_is_refused(
    tmp_path: Path, draughts_games: Path
) -> None:
    game, folder = load_game("draughts"), tmp_path / "set"
    build_data_set(folder, game, [draughts_games], RULES)
    with pytest.raises(BadDataSet, match="positions of draughts, not of chess"):
        open_data_set(folder, load_game("chess"))
    with pytest.raises(BadDataSet, match="other games or settings already"):
        build_data_set(folder, game, [draughts_games], Sampling(9))
    with pytest.raises(BadDataSet, match="There is no file"):
        build_data_set(folder, game, [tmp_path / "none.pgn"])


def test_a_file_that_cannot_be_read_leaves_no_folder_behind(tmp_path: Path) -> None:
    path = tmp_path / "games.odd"
    path.write_text("1-0 4 4 5\n")
    with pytest.raises(PlywiseError, match="not named like a file of games"):
        build_data_set(tmp_path / "set", load_game("connect4"), [path])
    assert not (tmp_path / "set").exists()


def test_games_of_chess_may_be_json_lines(tmp_path: Path) -> None:
    game = load_game("chess")
    data = build_data_set(tmp_path / "set", game, [write_games(tmp_path, game, 6)], RULES)
    assert data.card["read"] == 6
    assert data.card["positions"] > 0


def test_a_file_without_games_is_told(tmp_path: Path) -> None:
    for name in ("games.jsonl", "games.pgn"):
        path = tmp_path / name
        path.write_text("")
        with pytest.raises(BadDataSet, match="There is no game of chess in"):
            build_data_set(tmp_path / "set", load_game("chess"), [path])
    assert not (tmp_path / "set").exists()


def test_games_that_one_side_won_make_no_set(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("1-0 e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5\n" * 2)
    with pytest.raises(BadDataSet, match="Both sides must win"):
        build_data_set(tmp_path / "set", load_game("chess"), [path])


def test_a_file_of_lines_is_read_as_movetext_of_the_same_length(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    text = b"1-0 e2e4 e7e5\n0-1 d2d4 d7d5 c2c4\n1/2-1/2 c2c4"
    path.write_bytes(text)
    for size in (1, 7, 100):
        with LineFile(path) as file:
            parts = []
            while part := file.read(size):
                parts.append(part)
        assert all(len(part) == size for part in parts[:-1])
        assert b"".join(parts) == b"e2e4 e7e5 1-0\nd2d4 d7d5 c2c4 0-1\nc2c4 1/2-1/2"


def test_lines_of_chess_become_positions(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    spanish = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5"
    path.write_text(f"1-0 {spanish}\n0-1 {spanish} a4b3 d7d6\n1/2-1/2 {spanish}\n0-1 e2e5\n")
    game = load_game("chess")
    data = build_data_set(tmp_path / "set", game, [path])
    assert (data.card["read"], data.card["won"], data.card["lost"]) == (3, 1, 1)
    assert data.card["faults"] == 1
    assert data.plies.tolist() == [10, 11, 10, 11, 12, 13]
    assert data.scores.tolist() == [1, 1, -1, -1, -1, -1]


JUNK = {  # what a file of games holds, and words of what is said of it
    "this is no game at all\n": "line 1, where 'this' is no move",
    "\x00\x01\x02\n": "There is no game of chess in",
    '[Event "x"]\n\n1. e4 e5 2. Ke3 1-0\n': "'Ke3' is not a legal move after 2 plies",
    "1. e4 e5 2. Ke3 1-0\n\n1. d5 1-0\n": "all 2 are broken",
}


@pytest.mark.parametrize("text", JUNK)
def test_a_file_of_junk_is_told_with_the_first_reason(text: str, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(text)
    with pytest.raises(BadDataSet) as caught:
        build_data_set(tmp_path / "set", load_game("chess"), [path])
    assert str(caught.value).startswith(f"There is no game of chess in {path}")
    assert JUNK[text] in str(caught.value)
    assert not (tmp_path / "set").exists()


def test_games_that_one_side_wins_are_told_by_the_names_of_the_sides(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("1. f3 e5 2. g4 Qh4# 0-1\n")
    with pytest.raises(BadDataSet, match="here white won 0 of 1 and black 1"):
        build_data_set(tmp_path / "set", load_game("chess"), [path])


def test_a_set_that_is_damaged_is_refused_in_a_sentence(
    tmp_path: Path, draughts_games: Path
) -> None:
    game, folder, source = load_game("draughts"), tmp_path / "set", Inputs(7)
    build_data_set(folder, game, [draughts_games], RULES)
    for path in sorted(folder.iterdir()):
        whole = path.read_bytes()
        for _ in range(40):
            path.write_bytes(source.spoilt_bytes(whole))
            with contextlib.suppress(PlywiseError):
                open_data_set(folder, game)
        path.write_bytes(whole)
    assert len(open_data_set(folder, game)) > 0


def test_what_was_begun_and_is_damaged_is_refused_in_a_sentence(
    tmp_path: Path, draughts_games: Path
) -> None:
    game, folder, source = load_game("draughts"), tmp_path / "set", Inputs(8)

    def interrupt(progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_data_set(folder, game, [draughts_games], RULES, interrupt)
    path = folder / "progress.json"
    whole = path.read_bytes()
    for _ in range(60):
        path.write_bytes(source.spoilt_bytes(whole))
        with contextlib.suppress(PlywiseError, KeyboardInterrupt):
            build_data_set(folder, game, [draughts_games], RULES, interrupt)


def test_several_sets_are_one_with_games_numbered_on(tmp_path: Path, draughts_games: Path) -> None:
    game = load_game("draughts")
    folders = [tmp_path / "one", tmp_path / "two"]
    one, two = (
        build_data_set(folder, game, [draughts_games], replace(RULES, seed=seed))
        for seed, folder in enumerate(folders)
    )
    joined = open_data_sets("+".join(map(str, folders)), game)
    assert len(joined) == len(one) + len(two)
    assert np.array_equal(joined.positions, np.concatenate([one.positions, two.positions]))
    assert np.array_equal(joined.games[: len(one)], one.games)
    assert np.array_equal(joined.games[len(one) :], two.games + one.games.max() + 1)


# ---------------------------------------------------------------- teachers


def odds_of(data: DataSet) -> NDArray[np.float32]:
    assert data.odds is not None
    return data.odds


def test_a_taught_set_that_was_broken_off_is_finished_to_the_same(
    tmp_path: Path, draughts_games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_files, "BATCH", 7)
    game = load_game("draughts")
    teachers = make_judges(["material", "pieces"], game)
    plain = build_data_set(tmp_path / "plain", game, [draughts_games], RULES)
    whole = build_data_set(tmp_path / "whole", game, [draughts_games], RULES, teachers=teachers)

    def interrupt(progress: Progress) -> None:
        if progress.read >= 14:
            raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        build_data_set(tmp_path / "part", game, [draughts_games], RULES, interrupt, teachers)
    again = build_data_set(tmp_path / "part", game, [draughts_games], RULES, teachers=teachers)
    assert again.card == whole.card
    assert plain.odds is None
    for folder, asked in (("plain", teachers), ("whole", None)):
        with pytest.raises(BadDataSet, match="other games or settings"):
            build_data_set(tmp_path / folder, game, [draughts_games], RULES, teachers=asked)
    assert np.array_equal(odds_of(again), odds_of(whole))
    assert np.array_equal(whole.positions, plain.positions)


def test_odds_are_those_of_side_0(tmp_path: Path, draughts_games: Path) -> None:
    game = load_game("draughts")
    teachers = make_judges(["material"], game)
    data = build_data_set(tmp_path / "set", game, [draughts_games], RULES, teachers=teachers)
    values = values_by(make_judge("material", game), game, data.positions)
    assert np.allclose(np.tanh(odds_of(data) / 2), values, atol=1e-5)
    ahead = [sum(np.sign(game.cells(row).astype(int))) for row in data.positions]
    assert np.corrcoef(ahead, odds_of(data))[0, 1] > 0.8


def test_joined_sets_know_no_odds_where_nobody_was_asked(
    tmp_path: Path, draughts_games: Path
) -> None:
    game = load_game("draughts")
    teachers = make_judges(["material"], game)
    build_data_set(tmp_path / "one", game, [draughts_games], RULES)
    two = build_data_set(tmp_path / "two", game, [draughts_games], RULES, teachers=teachers)
    both = open_data_sets(f"{tmp_path / 'one'}+{tmp_path / 'two'}", game)
    odds = odds_of(both)
    assert np.isnan(odds[: len(two)]).all()
    assert np.array_equal(odds[len(two) :], odds_of(two))


def test_odds_grow_towards_the_end_of_games_that_were_played_to_it(tmp_path: Path) -> None:
    game = load_game("connect4")
    records = [random_record(game, seeded(number), 12) for number in range(40)]
    transcripts = []
    for number, record in enumerate(records):
        while number % 2 and record.ending() is None:
            record.play(seeded(len(record.moves)).choice(record.legal_moves()))
        ending = record.ending()
        texts = tuple(game.format_line(record.start, record.moves))
        score = number % 4 - 1 if ending is None else ending.score
        transcripts.append(Transcript(game.name, ("a", "b"), texts, score))
    source = tmp_path / "games.jsonl"
    source.write_text(format_games(transcripts, game, ".jsonl"))
    data = build_data_set(tmp_path / "set", game, [source], RULES, teachers=NearEnds())
    batch = next(source_files.read_source(source, game))
    odds = odds_of(data)
    ended = np.array([batch.record(int(number)).ending() is not None for number in data.games])
    assert 0 < ended.sum() < len(ended)
    assert np.array_equal(np.isnan(odds), ~ended)
    assert np.array_equal(np.sign(odds[ended]), data.scores[ended])
    left = np.array([len(batch.moves_of(int(number))) for number in data.games]) - data.plies
    order = np.argsort(left[ended])
    assert np.all(np.diff(np.abs(odds[ended])[order]) <= 0)
    assert np.all((np.abs(odds[ended]) > WON) & (np.abs(odds[ended]) < WON + NEAR))


def test_positions_of_a_set_may_count_several_times(tmp_path: Path, draughts_games: Path) -> None:
    game = load_game("draughts")
    for name in ("one", "two"):
        build_data_set(tmp_path / name, game, [draughts_games], RULES)
    data = open_data_sets(f"{tmp_path / 'one'}+{tmp_path / 'two'}*3", game)
    half = len(data) // 2
    assert data.times is not None
    assert data.times.tolist() == [1] * half + [3] * half
    assert open_data_sets(f"{tmp_path / 'one'}+{tmp_path / 'two'}", game).times is None
    with pytest.raises(BadDataSet, match="from once to"):
        open_data_sets(f"{tmp_path / 'one'}*0", game)
