"""Boards reflected from left to right, so that each game of chess teaches more."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import seeded
from driving import do_steps, finish, start_run
from naive.minimax import random_record
from plywise.datasets import Sampling, build_data_set
from plywise.formats import Transcript, format_games
from plywise.game import Row
from plywise.games import load_game
from plywise.learners.deepchess.learner import Deepchess
from plywise.learners.deepchess.pairs import Coder
from plywise.learners.deepchess.settings import DeepchessSettings

game = load_game("chess")
coder = Coder(game)
ROWS = np.array([random_record(game, seeded(seed), 10 + seed).position for seed in range(80)])
NOBODY_CASTLES = [game.format_position(row).split()[2] == "-" for row in ROWS]


def indices(rows: Any, is_reflected: bool, view: int = 0) -> list[set[int]]:
    """Return the indices of positions as a side sees them, reflected or not."""
    views, told = np.full(len(rows), view), np.full(len(rows), is_reflected)
    return [set(row.tolist()) for row in coder.indices(rows, views, told)]


def reflected(position: Row) -> Row:
    """Return the position from left to right, by its text; nobody may castle in it."""
    board, mover, _, passing, *counts = game.format_position(position).split()
    rows = "/".join(row[::-1] for row in board.split("/"))
    if passing != "-":
        passing = "hgfedcba"["abcdefgh".index(passing[0])] + passing[1]
    return game.parse_position(" ".join([rows, mover, "-", passing, *counts]))


def test_some_positions_have_castling_and_some_do_not() -> None:
    assert 10 < sum(NOBODY_CASTLES) < 70


@pytest.mark.parametrize("view", [0, 1])
def test_a_reflected_row_is_that_of_the_reflected_board(view: int) -> None:
    rows = ROWS[NOBODY_CASTLES]
    boards = np.array([reflected(row) for row in rows])
    assert indices(rows, True, view) == indices(boards, False, view)


def test_a_reflected_board_has_as_many_moves() -> None:
    for row in ROWS[NOBODY_CASTLES]:
        assert len(game.legal_moves(reflected(row))) == len(game.legal_moves(row))


def test_who_may_castle_is_never_reflected() -> None:
    rows = ROWS[~np.array(NOBODY_CASTLES)]
    assert indices(rows, True) == indices(rows, False)


def test_reflecting_twice_changes_nothing() -> None:
    pieces = range(12 * 64)
    reflect = coder.features.reflect
    assert reflect is not None
    assert all(reflect(reflect(row)) == row != reflect(row) for row in pieces)


def test_only_the_rows_that_are_told_are_reflected() -> None:
    rows = ROWS[NOBODY_CASTLES][:2]
    some = coder.indices(rows, np.zeros(2, np.int64), np.array([False, True]))
    none, every = indices(rows, False), indices(rows, True)
    assert [set(row.tolist()) for row in some] == [none[0], every[1]]


# ---------------------------------------------------------------- runs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of random games, won by who has more pieces in the end."""
    where, transcripts = tmp_path_factory.mktemp("data"), []
    for number in range(60):
        record = random_record(game, seeded(number), 60)
        lead = int(np.sign(np.sign(game.cells(record.position)).sum()))
        if lead and record.ending() is None:
            texts = tuple(game.format_line(record.start, record.moves))
            transcripts.append(Transcript(game.name, ("a", "b"), texts, lead))
    (where / "games.jsonl").write_text(format_games(transcripts, game, ".jsonl"))
    build_data_set(where / "set", game, [where / "games.jsonl"], Sampling(per_game=20))
    return where / "set"


def settings(folder: Path, **given: Any) -> DeepchessSettings:
    sizes = {"features": "12 8", "head": "8", "small_features": "8 6", "small_head": "6"}
    stages = {"pretraining": 1, "epochs": 2, "control": 1, "mimicking": 1, "distilling": 1}
    amounts = {"pairs": 400, "batch": 50, "tested": 50, "held_out": 0.2}
    chosen = {**sizes, "hidden": "8 4", **stages, **amounts, "reflect": True, **given}
    return DeepchessSettings(data=str(folder), **chosen)


@pytest.mark.parametrize("kind", ["comparator", "scalar"])
def test_a_run_with_reflection_that_is_stopped_anywhere_ends_the_same(
    folder: Path, tmp_path: Path, kind: str
) -> None:
    chosen = settings(folder, kind=kind)
    whole = finish(start_run(tmp_path / "whole", "deepchess", "chess", chosen))
    parts = start_run(tmp_path / "parts", "deepchess", "chess", chosen)
    while do_steps(parts, 1):
        pass
    for step in whole.champions():
        one, other = whole.champion(step), parts.champion(step)
        assert all(np.array_equal(one[name], other[name]) for name in one)


def test_half_of_the_positions_are_reflected_where_it_is_wished(folder: Path) -> None:
    for is_wished in (False, True):
        feed = Deepchess("chess", settings(folder, reflect=is_wished)).feed
        batches = list(feed.batches(seeded(1)))
        if not is_wished:
            assert all(batch.better_reflected is None for batch in batches)
            continue
        told = np.concatenate([told for batch in batches for _, told in batch.both])
        assert 0.4 < told.mean() < 0.6


def test_games_that_do_not_tell_how_are_not_reflected() -> None:
    assert Coder(load_game("draughts")).features.reflect is None


def test_the_paper_does_not_reflect() -> None:
    assert not DeepchessSettings(preset="paper").settled().reflect
