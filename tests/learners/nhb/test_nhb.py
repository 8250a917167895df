"""The general game player: it learns, for any game, and an interrupted run loses nothing."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from driving import do_steps, finish, start_run
from plywise.errors import PlywiseError
from plywise.games import load_game
from plywise.learners import champion_model
from plywise.learners.nhb.examples import PLAYED, Examples
from plywise.learners.nhb.games import (
    TrainingGame,
    play_training_game,
    untrained_model,
    view_of,
)
from plywise.learners.nhb.learner import Nhb
from plywise.learners.nhb.settings import NhbSettings
from plywise.runs import Run, read_status
from plywise.system.parallel import Workers

SMALL = NhbSettings(
    cycles=3, matches=3, first_matches=3, nodes=100, backward_nodes=500, hidden=20, max_plies=60
)


def outputs(run: Run) -> list[np.ndarray]:
    return [run.champion(step)["output"] for step in run.champions()]


def new_run(folder: Path, game: str, settings: NhbSettings) -> Run:
    return start_run(folder, "nhb", game, settings)


def test_an_interrupted_run_goes_on_to_the_bit(tmp_path: Path) -> None:
    whole = finish(new_run(tmp_path / "whole", "connect4", SMALL), Workers(1))
    assert [line["step"] for line in whole.metrics()] == [0, 1, 2, 3]
    parts = new_run(tmp_path / "parts", "connect4", SMALL)
    assert do_steps(parts, 2, Workers(2)) == [0, 1]
    parts.save_champion(9, {"output": np.zeros(1)})  # what a killed run may leave behind
    assert do_steps(parts, 99, Workers(1)) == [2, 3]
    assert all(np.array_equal(a, b) for a, b in zip(outputs(whole), outputs(parts), strict=True))


def test_it_trains_for_another_game(tmp_path: Path) -> None:
    run = finish(new_run(tmp_path / "run", "tictactoe", SMALL), Workers(2))
    assert run.metrics()[-1]["games"] == 3
    model = champion_model(run)
    assert model.card["learner"] == "nhb"
    assert -1 <= model.value(load_game("tictactoe").initial()) <= 1


def test_games_with_repeated_positions_end() -> None:
    played = play_training_game(TrainingGame("draughts", SMALL, None, False, 0, 1, None))
    assert played.plies <= SMALL.max_plies


def test_random_plies_are_not_learned_from() -> None:
    settings = dataclasses.replace(SMALL, random_plies=4, examples=1)
    tasks = [TrainingGame("connect4", settings, None, False, 0, s, None) for s in range(9)]
    games = [play_training_game(task) for task in tasks]
    counts = [game.plies + 1 - int(np.sum(game.examples.kinds == PLAYED)) for game in games]
    assert (
        0 <= min(counts) < max(counts) <= 4 + 2
    )  # an example that is proven takes another's place


def test_games_against_itself_differ_by_their_random_plies(tmp_path: Path) -> None:
    settings = dataclasses.replace(
        SMALL, cycles=1, opponent="itself", random_plies=6, fading=0.0, bootstrap=0.5
    )
    run = finish(new_run(tmp_path / "run", "connect4", settings))
    last = run.metrics()[-1]
    assert last["wins"] == last["draws"] == last["losses"] == 0
    assert "untrained" not in read_status(run).words
    assert last["examples"] > 3


def test_phases_learn_only_from_their_own_positions(tmp_path: Path) -> None:
    learner = Nhb("connect4", dataclasses.replace(SMALL, phases=3))
    state = learner.advance(learner.begin(), 0).state
    assert state["output"].shape == (3, 20)
    some = Examples(learner.game.initial().reshape(1, -1), np.ones(1), np.zeros(1, np.uint8))
    learner.play = lambda *_: (some, {})  # type: ignore[method-assign]
    after, _ = learner.cycle(state, 1)
    changed = [bool(np.any(a != b)) for a, b in zip(state["output"], after["output"], strict=True)]
    assert changed == [True, False, False]


def test_the_size_of_the_hidden_layer_is_found(tmp_path: Path) -> None:
    settings = NhbSettings(cycles=0, first_matches=4, nodes=100, backward_nodes=300, largest=40)
    run = finish(new_run(tmp_path / "run", "connect4", settings))
    (metrics,) = run.metrics()
    assert 1 <= metrics["hidden"] <= 40
    assert len(run.champion(0)["output"]) == metrics["hidden"]


def test_a_game_with_a_mirror_is_seen_by_the_mover() -> None:
    assert view_of(load_game("draughts"), NhbSettings()) == "mover"
    assert view_of(load_game("draughts"), NhbSettings(view="fixed")) == "fixed"


def test_untrained_networks_differ_and_are_not_saturated() -> None:
    game = load_game("connect4")
    values = [untrained_model(game, 50, "mover", seed).value(game.initial()) for seed in range(20)]
    assert len(set(values)) == 20
    assert max(map(abs, values)) < 0.95


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (NhbSettings(nodes=0), "needs a budget"),
        (NhbSettings(forgetting=0), "forgetting factor"),
        (NhbSettings(matches=0), "needs a match"),
        (NhbSettings(opponent="itself"), "all alike without random_plies"),
        (NhbSettings(fading=-1), "fading is 0 or more"),
        (NhbSettings(bootstrap=2), "bootstrap is in"),
        (NhbSettings(phases=0), "phases is 1 or more"),
        (NhbSettings(largest=0), "largest is 1 or more"),
    ],
)
def test_impossible_settings_are_refused(
    tmp_path: Path, settings: NhbSettings, message: str
) -> None:
    with pytest.raises(PlywiseError, match=message):
        Nhb("connect4", settings)
