"""The general game player: it learns, for any game, and an interrupted run loses nothing."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from plywise.errors import PlywiseError
from plywise.games import load_game
from plywise.learners.configs import NhbConfig
from plywise.learners.examples import PLAYED, Examples
from plywise.learners.nhb import (
    Meeting,
    Training,
    champion_model,
    describe_step,
    learn,
    play_meeting,
    start,
    untrained_model,
    view_of,
)
from plywise.runs import Run
from plywise.system.parallel import Workers

SMALL = NhbConfig(
    cycles=3, matches=3, first_matches=3, nodes=100, backward_nodes=500, hidden=20, max_plies=60
)


def outputs(run: Run) -> list[np.ndarray]:
    return [run.champion(step)["output"] for step in run.champions()]


def finish(run: Run, jobs: int = 1) -> list[dict[str, object]]:
    return list(learn(run, Workers(jobs)))


def test_an_interrupted_run_goes_on_to_the_bit(tmp_path: Path) -> None:
    whole = start(tmp_path / "whole", "connect4", SMALL)
    metrics = finish(whole)
    assert [line["step"] for line in metrics] == [0, 1, 2, 3]
    parts = start(tmp_path / "parts", "connect4", SMALL)
    cycles = learn(parts, Workers(2))
    next(cycles), next(cycles)
    cycles.close()
    parts.save_champion(9, {"output": np.zeros(1)})  # what a killed run may leave behind
    assert [line["step"] for line in finish(Run(parts.folder))] == [2, 3]
    assert all(np.array_equal(a, b) for a, b in zip(outputs(whole), outputs(parts), strict=True))


@pytest.mark.parametrize("game", ["tictactoe", "draughts"])
def test_it_trains_for_every_game(tmp_path: Path, game: str) -> None:
    run = start(tmp_path / "run", game, SMALL)
    last = finish(run, jobs=2)[-1]
    assert last["games"] == 3
    model = champion_model(run)
    assert model.card["learner"] == "nhb"
    assert -1 <= model.value(load_game(game).initial()) <= 1


def test_games_with_repeated_positions_end() -> None:
    lesson = play_meeting(Meeting("draughts", SMALL, None, False, 0, 1, None))
    assert lesson.plies <= SMALL.max_plies


def test_random_plies_are_not_learned_from() -> None:
    config = dataclasses.replace(SMALL, random_plies=4, examples=1)
    lessons = [play_meeting(Meeting("connect4", config, None, False, 0, s, None)) for s in range(9)]
    counts = [lesson.plies + 1 - int(np.sum(lesson.examples.kinds == PLAYED)) for lesson in lessons]
    assert (
        0 <= min(counts) < max(counts) <= 4 + 2
    )  # an example that is proven takes another's place


def test_games_against_itself_differ_by_their_random_plies(tmp_path: Path) -> None:
    config = dataclasses.replace(
        SMALL, cycles=1, opponent="itself", random_plies=6, fading=0.0, bootstrap=0.5
    )
    last = finish(start(tmp_path / "run", "connect4", config))[-1]
    assert last["wins"] == last["draws"] == last["losses"] == 0
    assert "untrained" not in describe_step(last)
    assert last["examples"] > 3  # type: ignore[operator]


def test_phases_learn_only_from_their_own_positions(tmp_path: Path) -> None:
    training = Training("connect4", dataclasses.replace(SMALL, phases=3))
    state, _ = training.begin()
    assert state["output"].shape == (3, 20)
    some = Examples(training.game.initial().reshape(1, -1), np.ones(1), np.zeros(1, np.uint8))
    training.play = lambda *_: (some, {})  # type: ignore[method-assign]
    after, _ = training.cycle(state, 1)
    changed = [bool(np.any(a != b)) for a, b in zip(state["output"], after["output"], strict=True)]
    assert changed == [True, False, False]


def test_the_size_of_the_hidden_layer_is_found(tmp_path: Path) -> None:
    settings = NhbConfig(cycles=0, first_matches=4, nodes=100, backward_nodes=300, largest=40)
    run = start(tmp_path / "run", "connect4", settings)
    (metrics,) = finish(run)
    assert 1 <= metrics["hidden"] <= 40  # type: ignore[operator]
    assert len(run.champion(0)["output"]) == metrics["hidden"]


def test_a_game_with_a_mirror_is_seen_by_the_mover() -> None:
    assert view_of(load_game("draughts"), NhbConfig()) == "mover"
    assert view_of(load_game("draughts"), NhbConfig(view="fixed")) == "fixed"


def test_untrained_networks_differ_and_are_not_saturated() -> None:
    game = load_game("connect4")
    values = [untrained_model(game, 50, "mover", seed).value(game.initial()) for seed in range(20)]
    assert len(set(values)) == 20
    assert max(map(abs, values)) < 0.95


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (NhbConfig(nodes=0), "needs a budget"),
        (NhbConfig(forgetting=0), "forgetting factor"),
        (NhbConfig(matches=0), "needs a match"),
        (NhbConfig(opponent="itself"), "all alike without random_plies"),
        (NhbConfig(fading=-1), "below 0"),
        (NhbConfig(bootstrap=2), "bootstrap is in"),
        (NhbConfig(phases=0), "one phase or more"),
    ],
)
def test_impossible_settings_are_refused(tmp_path: Path, settings: NhbConfig, message: str) -> None:
    with pytest.raises(PlywiseError, match=message):
        Training("connect4", settings)
