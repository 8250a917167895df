"""Evolution: the published schemes, and runs that survive being killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from driving import do_steps, finish, start_run
from plywise.errors import PlywiseError
from plywise.games import load_game
from plywise.learners import champion_model
from plywise.learners.evolve.fitness import (
    Outcome,
    Round,
    all_opponents,
    elite_opponents,
    join_outcomes,
    mirrored_opponents,
    play_round,
    random_opponents,
    split_round,
    tournament_openings,
    with_returns,
)
from plywise.learners.evolve.genome import recombine
from plywise.learners.evolve.learner import Evolve, Generation, depth_at, parse_curriculum
from plywise.learners.evolve.settings import EvolveSettings
from plywise.learners.shared.duels import DuelSetup
from plywise.learners.shared.openings import random_openings
from plywise.runs import BadRun, Run, list_runs
from plywise.search.options import Options
from plywise.system.parallel import Workers

GAME = "draughts"
QUICK = {"generations": 4, "population": 4, "games": 2, "depth": 1, "max_plies": 40}
GA = {**QUICK, "method": "ga", "evaluator": "subsquares", "population": 15, "reach": 1.0}


def test_every_player_meets_others_only() -> None:
    generator = np.random.default_rng(1)
    for player, others in enumerate(random_opponents(30, 5, generator)):
        assert player not in others
        assert len(others) == 5
        assert others.max() < 30
    for player, others in enumerate(all_opponents(6)):
        assert sorted([player, *others]) == list(range(6))


def test_ep_adds_a_child_for_every_parent() -> None:
    evolution = Evolve(GAME, EvolveSettings(evaluator="blondie"))
    parents = evolution.birth()
    players = evolution.breed(parents, 0)
    assert len(players.genomes) == 30
    assert np.array_equal(players.genomes[:15], parents.genomes)
    assert (players.genomes[15:] != parents.genomes).mean() > 0.99


def test_es_plays_mirrored_pairs_and_moves_towards_the_winners() -> None:
    evolution = Evolve(GAME, EvolveSettings(evaluator="blondie", method="es", population=3))
    parent = evolution.birth()
    assert len(parent.genomes) == 1
    players = evolution.breed(parent, 0)
    centre, size = parent.genomes[0], evolution.layout.size
    steps = players.genomes[:, :size] - centre[:size]
    assert len(steps) == 6
    assert np.allclose(steps[0::2], -steps[1::2])
    assert np.allclose(players.genomes[0::2, -1] + players.genomes[1::2, -1], 4.0)  # the king's 2
    assert steps.std() == pytest.approx(0.05, rel=0.05)
    assert [list(others) for others in mirrored_opponents(4, 2)] == [[1, 1], [0, 0], [3, 3], [2, 2]]
    scores = np.array([4, -4, 0, 0, -2, 2])
    moved = evolution._survivors(players, scores, np.argsort(-scores)[:3])
    change = moved.genomes[0, :size] - centre[:size]
    length = np.sqrt((scores**2).mean())
    assert np.allclose(change, (4 * steps[0] - 2 * steps[4]) / length / 3)


def test_a_generation_of_draws_leaves_es_where_it_was() -> None:
    genomes = np.array([[1.0, 2.0], [3.0, 2.0]])
    assert np.array_equal(recombine(genomes, np.zeros(2, np.int64), 1.0), [2.0, 2.0])


def test_the_genetic_algorithm_has_the_papers_five_eight_two() -> None:
    evolution = Evolve(GAME, EvolveSettings(evaluator="subsquares", method="ga", reach=1.0))
    parents = evolution.birth()
    ranked = Generation(parents.genomes, parents.steps, np.arange(15)[::-1])
    young = evolution.breed(ranked, 1).genomes
    old = parents.genomes
    assert len(young) == 15
    assert np.array_equal(young[:5], old[:5])
    crossed = [young[5] == old[0], young[6] == old[1], young[9] == old[1], young[10] == old[2]]
    assert all(0.98 < share.mean() < 1 for share in crossed)
    reach = 1 / np.sqrt(2 * np.sqrt(4101))
    for mutant, parent in ((7, 0), (8, 1), (11, 1), (12, 2), (13, 3), (14, 4)):
        assert 0 < np.abs(young[mutant] - old[parent]).max() <= reach


def test_scores_are_those_of_the_papers() -> None:
    opponents = [np.array([1]), np.array([0])]
    outcomes = [Outcome([1]), Outcome([0])]
    ep = Evolve(GAME, EvolveSettings(evaluator="blondie"))
    ga = Evolve(GAME, EvolveSettings(evaluator="subsquares", method="ga"))
    assert list(ep._scores(2, opponents, outcomes)) == [1, -2]
    assert list(ga._scores(2, opponents, outcomes)) == [2, -1]


@pytest.mark.parametrize("simulations", [0, 8])
def test_a_round_in_parts_has_the_outcome_of_the_whole(simulations: int) -> None:
    evolution = Evolve(GAME, EvolveSettings(evaluator="blondie"))
    genomes = list(evolution.birth().genomes)
    openings = random_openings(evolution.game, 3, 4, np.random.default_rng(1))
    options = Options(quiescence=False, deepening=False)
    setup = DuelSetup(GAME, "blondie", options, 1, 40, simulations=simulations)
    whole = Round(setup, genomes[0], genomes[1:4], openings, seed=7)
    parts = split_round(whole, 2)
    assert [len(part.opponents) for part in parts] == [2, 1]
    assert join_outcomes([play_round(part) for part in parts]) == play_round(whole)


def test_a_curriculum_is_read() -> None:
    curriculum = parse_curriculum("1@2 3@5")
    assert [depth_at(curriculum, number, 4) for number in range(6)] == [1, 1, 3, 3, 3, 4]
    with pytest.raises(PlywiseError, match="written '2@50"):
        parse_curriculum("two")


def new_run(folder: Path, settings: dict[str, object]) -> Run:
    return start_run(folder, "evolve", GAME, EvolveSettings(**settings))  # type: ignore[arg-type]


def genomes_of(run: Run) -> list[np.ndarray]:
    return [run.champion(step)["genome"] for step in run.champions()]


def run_quickly(folder: Path, settings: dict[str, object], jobs: int = 0) -> list[np.ndarray]:
    return genomes_of(finish(new_run(folder, settings), Workers(jobs)))


@pytest.mark.parametrize(
    "settings",
    [
        {**QUICK, "evaluator": "blondie"},
        {**QUICK, "evaluator": "blondie", "mutation": "safe", "tournament": "round_robin"},
        {**QUICK, "evaluator": "blondie", "decision": "mcts", "simulations": 8, "generations": 2},
        {**QUICK, "evaluator": "blondie", "method": "es", "opening_plies": 4},
        GA,
    ],
)
def test_a_run_repeats_itself_whatever_the_number_of_workers(
    tmp_path: Path, settings: dict[str, object]
) -> None:
    one = run_quickly(tmp_path / "one", settings, jobs=1)
    two = run_quickly(tmp_path / "two", settings, jobs=2)
    assert len(one) == settings["generations"]
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_an_interrupted_run_resumes_to_the_same_champions(tmp_path: Path) -> None:
    settings: dict[str, object] = {**QUICK, "evaluator": "blondie"}
    whole = run_quickly(tmp_path / "whole", settings)
    run = new_run(tmp_path / "parts", settings)
    assert do_steps(run, 2) == [0, 1]
    run.save_champion(99, {"genome": whole[0]})  # what a killed run may leave behind
    run.log({"step": 99})
    assert do_steps(run, 99) == [2, 3]
    assert all(np.array_equal(a, b) for a, b in zip(whole, genomes_of(run), strict=True))
    assert [m["step"] for m in run.metrics()] == [0, 1, 2, 3]


CHILD = """
from pathlib import Path
from plywise.learners import learner_of
from plywise.runs import Run, carry_on
run = Run(Path({folder!r}))
carry_on(run, learner_of(run), lambda status: print(status.step, flush=True))
"""


def test_a_run_killed_at_any_moment_ends_with_the_same_champions(tmp_path: Path) -> None:
    settings: dict[str, object] = {**QUICK, "evaluator": "blondie", "generations": 12}
    whole = run_quickly(tmp_path / "whole", settings)
    run = new_run(tmp_path / "killed", settings)
    code = CHILD.format(folder=str(run.folder))
    for pause in (0.02, 0.11, 0.05):
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        assert child.stdout.readline().strip().isdigit()
        assert child.stdout.readline().strip().isdigit()  # a step is done
        time.sleep(pause)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        child.stdout.close()
    finish(run)
    assert all(np.array_equal(a, b) for a, b in zip(whole, genomes_of(run), strict=True))


def test_every_champion_meets_the_previous_five(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: list[list[np.ndarray]] = []

    def remember(self: Evolve, champion: np.ndarray, ancestors: np.ndarray, number: int) -> float:
        met.append(list(ancestors))
        return 0.0

    monkeypatch.setattr(Evolve, "meet_ancestors", remember)
    settings: dict[str, object] = {**QUICK, "evaluator": "blondie", "generations": 8}
    run = new_run(tmp_path / "run", settings)
    do_steps(run, 3)  # what is resumed remembers them
    champions = genomes_of(finish(run))
    for number, ancestors in enumerate(met):
        assert np.array_equal(ancestors, champions[max(0, number - 5) : number])


def test_a_champion_is_a_model(tmp_path: Path) -> None:
    run_quickly(tmp_path / "run", {**QUICK, "evaluator": "blondie", "generations": 1})
    model = champion_model(Run(tmp_path / "run"))
    assert -1 <= model.value(model.game.initial()) <= 1
    assert [run.name for run in list_runs(tmp_path)] == ["run"]


def test_a_folder_with_a_run_is_not_overwritten(tmp_path: Path) -> None:
    new_run(tmp_path / "run", {})
    with pytest.raises(BadRun, match="--resume"):
        new_run(tmp_path / "run", {})
    with pytest.raises(BadRun, match="is not a run"):
        Run(tmp_path / "nothing")


def test_a_population_too_small_is_refused() -> None:
    with pytest.raises(PlywiseError, match="population of 15"):
        Evolve(GAME, EvolveSettings(method="ga", population=20))
    with pytest.raises(PlywiseError, match="too small"):
        Evolve(GAME, EvolveSettings(population=1))


def test_everybody_meets_the_best_few_and_never_itself() -> None:
    for player, others in enumerate(elite_opponents(15, 7, 5)):
        assert len(others) == 7
        assert player not in others
        assert set(others) == set([p for p in range(6) if p != player][:5])


def test_every_game_has_its_return() -> None:
    opponents = with_returns(random_opponents(15, 5, np.random.default_rng(1)))
    met = [(player, int(other)) for player, others in enumerate(opponents) for other in others]
    assert len(met) == 2 * 15 * 5
    assert sorted(met) == sorted((other, player) for player, other in met)


@pytest.mark.parametrize(
    "changes",
    [
        {"colours": "both", "opening_plies": 2},
        {"tournament": "elites"},
        {"crossover": "none", "mutation_share": 0.1},
        {"crossover": "uniform", "mutation_size": 0.2},
    ],
)
def test_a_variation_of_the_genetic_algorithm_runs(changes: dict[str, Any], tmp_path: Path) -> None:
    run = finish(new_run(tmp_path / "run", {**GA, "generations": 2, "games": 1, **changes}))
    assert run.champions() == [0, 1]
    games = [line["games"] for line in run.metrics()]
    assert games == [30, 30] if changes.get("colours") else [15, 15]


def test_a_mutation_of_no_weight_is_refused() -> None:
    with pytest.raises(PlywiseError, match="mutation_share is above 0"):
        Evolve(GAME, EvolveSettings(method="ga", mutation_share=0.0))


def test_openings_are_distinct_as_long_as_there_are_others() -> None:
    generator = np.random.default_rng(1)
    openings = random_openings(load_game("draughts"), 20, 4, generator)
    assert len({tuple(opening) for opening in openings}) == 20
    few = random_openings(load_game("connect4"), 10, 1, generator)  # seven first moves
    assert len(few) == 10
    assert len({tuple(opening) for opening in few}) == 7


def test_two_players_get_the_same_opening_in_both_colours() -> None:
    game = load_game("draughts")
    openings = tournament_openings(game, all_opponents(4), 4, np.random.default_rng(1))
    for player, others in enumerate(all_opponents(4)):
        for place, other in enumerate(others):
            back = list(all_opponents(4)[other]).index(player)
            assert np.array_equal(openings[player][place], openings[other][back])


def test_every_meeting_of_two_players_has_an_opening_of_its_own() -> None:
    game = load_game("draughts")
    opponents = mirrored_opponents(2, 5)
    first, second = tournament_openings(game, opponents, 6, np.random.default_rng(1))
    assert len({tuple(opening) for opening in first}) == 5
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
