"""The learner deepchess: it learns, its model is PyTorch's, and it survives being stopped."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from conftest import seeded
from driving import do_steps, finish, start_run
from naive.minimax import random_record
from plywise.datasets import DataSet, Sampling, build_data_set, open_data_set
from plywise.datasets.teachers import make_judges
from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.formats import Transcript, format_games
from plywise.games import load_game
from plywise.learners import champion_model
from plywise.learners.deepchess.judging import leads
from plywise.learners.deepchess.learner import Deepchess
from plywise.learners.deepchess.networks import Comparator, Scalar
from plywise.learners.deepchess.pairs import split
from plywise.learners.deepchess.settings import PRESETS, DeepchessSettings
from plywise.learners.deepchess.summing import clip_units, sum_rows
from plywise.learners.deepchess.weights import (
    comparator_shape,
    comparator_weights,
    scalar_weights,
)
from plywise.search.comparators import as_comparator, leads_of, project_all

GAME = "connect4"
TINY: dict[str, Any] = {
    "features": "12 8",
    "head": "8",
    "small_features": "8 6",
    "small_head": "6",
    "hidden": "8 4",
    "pretraining": 1,
    "epochs": 2,
    "control": 1,
    "mimicking": 1,
    "distilling": 1,
    "pairs": 600,
    "batch": 50,
    "tested": 200,
    "held_out": 0.2,
}
STAGES = ["pretraining", "pretraining", "siamese", "siamese", "control", "mimicking", "distilling"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of some dozen games, in which whoever holds the middle wins."""
    where, game = tmp_path_factory.mktemp("data"), load_game(GAME)
    transcripts = []
    for number in range(80):
        record = random_record(game, seeded(number), 30)
        middle = int(np.sign(sum(game.cells(record.position)[3::7])))
        if middle:
            texts = tuple(game.format_line(record.start, record.moves))
            if record.ending() is not None:
                texts = texts[:-1]
            transcripts.append(Transcript(game.name, ("a", "b"), texts, middle))
    (where / "games.jsonl").write_text(format_games(transcripts, game, ".jsonl"))
    build_data_set(where / "set", game, [where / "games.jsonl"], Sampling(per_game=10, skip=4))
    return where / "set"


def learner(folder: Path, **settings: Any) -> Deepchess:
    return Deepchess(GAME, DeepchessSettings(data=str(folder), **{**TINY, **settings}))


def odds_of(data: DataSet) -> NDArray[np.float32]:
    assert data.odds is not None
    return data.odds


def rows_of(made: Deepchess, count: int) -> Any:
    return made.feed.positions[seeded(1).integers(len(made.feed.positions), size=count)]


# ---------------------------------------------------------------- data


def test_no_game_is_on_both_sides_of_the_split(folder: Path) -> None:
    data = open_data_set(folder, load_game(GAME))
    parts = split(data, 0.2)
    games = [set(data.games[np.concatenate(part)].tolist()) for part in parts]
    assert not games[0] & games[1]
    assert not games[2] & games[1]
    assert games[2] <= games[0]  # the leak: its games are known
    positions = [set(np.concatenate(part).tolist()) for part in parts]
    assert not positions[0] & positions[2]
    assert all(np.all(data.scores[part.won] == 1) for part in parts)


def test_both_sides_see_a_position_as_their_own(folder: Path) -> None:
    coder = learner(folder).feed.coder
    game = load_game(GAME)
    row = random_record(game, seeded(3), 7).position
    one, other = (coder.indices(row[None], np.array([view])) for view in (0, 1))
    cells = coder.features.mirrored_rows()
    mine = {int(i) for i in one[0] if i < coder.inputs - 1}
    assert {int(cells[i]) for i in mine} == {int(i) for i in other[0] if i < coder.inputs - 1}
    assert (coder.inputs - 1 in one[0]) != (coder.inputs - 1 in other[0])  # whose turn it is


def test_sums_of_rows_and_their_gradients_are_those_of_pytorch() -> None:
    indices = torch.from_numpy(seeded(1).integers(6, size=(9, 4)).astype(np.int32))
    torch.manual_seed(2)
    table, weights = torch.randn(6, 5), torch.randn(9, 5)
    ours, theirs = table.clone().requires_grad_(), table.clone().requires_grad_()
    sums = sum_rows(indices, ours)
    bags = torch.nn.functional.embedding_bag(indices, theirs, mode="sum", padding_idx=5)
    assert torch.allclose(sums, bags, atol=1e-6)
    (sums * weights).sum().backward()
    (bags * weights).sum().backward()
    assert torch.allclose(ours.grad, theirs.grad, atol=1e-6)


def test_clipped_units_and_their_gradients_are_those_of_pytorch() -> None:
    torch.manual_seed(2)
    sums, weights = torch.randn(9, 5), torch.randn(9, 5)
    ours, theirs = sums.clone().requires_grad_(), sums.clone().requires_grad_()
    units = clip_units(ours, 0.0)
    assert torch.equal(units, theirs.clamp(0, 1))
    (units * weights).sum().backward()
    (theirs.clamp(0, 1) * weights).sum().backward()
    assert torch.equal(ours.grad, theirs.grad)


def test_units_that_are_left_out_have_no_gradient_and_the_others_make_up_for_them() -> None:
    torch.manual_seed(2)
    sums = torch.full((300, 100), 0.5, requires_grad=True)
    units = clip_units(sums, 0.25)
    assert {round(float(unit), 4) for unit in units.detach().unique()} == {0.0, 0.6667}
    assert abs(float((units == 0).float().mean()) - 0.25) < 0.02
    units.sum().backward()
    assert torch.equal(sums.grad == 0, units == 0)
    assert torch.allclose(sums.grad[units > 0], torch.tensor(4 / 3))


# ---------------------------------------------------------------- compiled equals PyTorch


@pytest.mark.parametrize("kind", ["comparator", "scalar"])
def test_the_model_answers_as_pytorch_does_over_thousands_of_pairs(folder: Path, kind: str) -> None:
    made = learner(folder)
    torch.manual_seed(3)
    network: Any
    if kind == "scalar":
        network = Scalar(made.feed.coder.inputs - 1, (8, 4)).eval()
        weights = scalar_weights(_arrays(network))
        evaluator = make_evaluator("nnue", made.game, features="board", hidden=[8, 4])
    else:
        network = Comparator(made.feed.coder.inputs, (12, 8), (8, 5)).eval()
        weights = comparator_weights(_arrays(network))
        evaluator = make_evaluator("comparator", made.game, **comparator_shape(weights))
    model = Model(evaluator, weights)
    first, second = rows_of(made, 2000), rows_of(made, 2000)[::-1]
    expected = leads(network, made.feed, first, second)
    if kind == "scalar":
        found = odds(model, made, first) - odds(model, made, second)
        assert np.abs(np.tanh(found / 2) - np.tanh(expected / 2)).max() < 2e-5
        return
    judge = as_comparator(model)
    rows = project_all(judge, np.concatenate([first, second]))
    pairs = np.stack([np.arange(2000), np.arange(2000) + 2000], axis=1)
    assert np.abs(leads_of(judge, rows, pairs) - expected).max() < 1e-5


def odds(model: Model, made: Deepchess, rows: Any) -> Any:
    """Return the logarithm of the odds of positions for side 0."""
    signs = np.where(made.feed.coder.game.sides_to_move(rows) == 0, 2, -2)
    return np.arctanh(model.values(rows)) * signs


def _arrays(network: Any) -> dict[str, Any]:
    return {name: value.numpy() for name, value in network.state_dict().items()}


# ---------------------------------------------------------------- runs


def test_a_run_goes_through_all_stages_and_learns(folder: Path, tmp_path: Path) -> None:
    settings = DeepchessSettings(
        data=str(folder), **{**TINY, "pairs": 6000, "epochs": 4, "distilling": 4, "rate": 0.01}
    )
    run = finish(start_run(tmp_path / "run", "deepchess", GAME, settings))
    metrics = run.metrics()
    by_stage = {line["stage"]: line for line in metrics}
    assert list(by_stage) == list(dict.fromkeys(STAGES))
    assert by_stage["siamese"]["unseen"] > 0.6
    assert by_stage["distilling"]["unseen"] > by_stage["siamese"]["unseen"] - 0.1
    model = champion_model(run)
    assert model.evaluator.settings == {"features": [8, 6], "head": [6]}
    assert champion_model(run, 2).evaluator.settings == {"features": [12, 8], "head": [8]}


@pytest.mark.parametrize("settings", [{}, {"preset": "paper"}, {"kind": "scalar"}], ids=str)
def test_a_run_that_is_stopped_anywhere_ends_the_same(
    folder: Path, tmp_path: Path, settings: dict[str, Any]
) -> None:
    chosen = DeepchessSettings(data=str(folder), **{**TINY, **settings, "tested": 50})
    whole = finish(start_run(tmp_path / "whole", "deepchess", GAME, chosen))
    parts = start_run(tmp_path / "parts", "deepchess", GAME, chosen)
    while do_steps(parts, 1):
        pass
    for one, other in zip(whole.metrics(), parts.metrics(), strict=True):
        assert {**one, "seconds": 0} == {**other, "seconds": 0}
    for step in whole.champions():
        one, other = whole.champion(step), parts.champion(step)
        assert all(np.array_equal(one[name], other[name]) for name in one)


def test_a_preset_fills_what_is_left_open() -> None:
    paper = DeepchessSettings(preset="paper", epochs=3).settled()
    assert (paper.features, paper.epochs, paper.rate) == ("600 400 200 100", 3, 0.01)
    assert DeepchessSettings().settled().pairs == PRESETS["modern"]["pairs"]
    assert DeepchessSettings(kind="scalar").settled().distilling == 0


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"data": ""}, "say data=FOLDER"),
        ({"features": "12 x"}, "sizes of layers"),
        ({"dropout": 1.0}, "dropout is from 0"),
        ({"threads": 0}, "threads is 1 or more"),
        ({"hidden": "8 8 8"}, "one or two hidden layers"),
        ({"held_out": 0.0}, "no position for unseen"),
        ({"reflect": True}, "left and right"),
    ],
)
def test_settings_that_cannot_work_are_refused(
    folder: Path, settings: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(PlywiseError, match=complaint):
        Deepchess(GAME, DeepchessSettings(**{"data": str(folder), **TINY, **settings}))


# ---------------------------------------------------------------- teachers


@pytest.fixture(scope="module")
def taught(folder: Path) -> Path:
    """The same positions with the odds of somebody who counts threats."""
    game = load_game(GAME)
    teachers = make_judges(["threats"], game)
    rules = Sampling(per_game=10, skip=4)
    where = folder.parent / "taught"
    build_data_set(where, game, [folder.parent / "games.jsonl"], rules, teachers=teachers)
    return where


@pytest.mark.parametrize("kind", ["scalar", "comparator"])
def test_teachers_alone_are_imitated(taught: Path, kind: str) -> None:
    made = learner(taught, kind=kind, taught=1.0, epochs=60, pretraining=0, dropout=0.0, rate=0.01)
    state = made.begin()
    champion = None
    for number in range(60):
        step = made.advance(state, number)
        state, champion = step.state, step.champion
    assert champion is not None
    model = as_comparator(made.model(champion))
    odds, sides = made.feed.odds, made.split.training
    assert odds is not None
    rows = np.concatenate(sides)[:400]
    pairs = np.array([[i, i + 1] for i in range(0, 400, 2)], np.int64)
    found = leads_of(model, project_all(model, made.feed.positions[rows]), pairs)
    said = odds[rows][pairs[:, 0]] - odds[rows][pairs[:, 1]]
    assert np.corrcoef(np.tanh(found / np.abs(found).max()), np.tanh(said))[0, 1] > 0.7


def test_a_side_that_sees_the_board_from_behind_hears_the_opposite(taught: Path) -> None:
    made = learner(taught, pairs=200)
    odds = made.feed.odds
    assert odds is not None
    by_words = {row.tobytes(): value for row, value in zip(made.feed.positions, odds, strict=True)}
    seen = set()
    for pairs in made.feed.batches(np.random.default_rng(3)):
        view = int(pairs.views[0])
        seen.add(view)
        expected = [by_words[row.tobytes()] * (1 - 2 * view) for row in pairs.better]
        assert pairs.taught is not None
        assert np.allclose(pairs.taught.better.numpy(), expected)
    assert seen == {0, 1}


def test_a_set_without_teachers_learns_from_results(folder: Path, taught: Path) -> None:
    results = [learner(where, taught=0.0).advance({}, 2) for where in (folder, taught)]
    assert learner(folder).feed.odds is None
    assert all(
        np.array_equal(array, results[1].state[name]) for name, array in results[0].state.items()
    )


def test_what_nobody_was_asked_of_counts_as_its_result(folder: Path, taught: Path) -> None:
    plain = learner(folder, kind="scalar").advance({}, 0)
    unknown = learner(taught, kind="scalar")
    nothing = np.full(len(unknown.feed.positions), np.nan, np.float32)
    unknown.feed = replace(unknown.feed, odds=nothing)
    found = unknown.advance({}, 0)
    assert found.metrics["loss"] == pytest.approx(plain.metrics["loss"], rel=1e-4)


def test_of_two_won_positions_teachers_alone_say_which_is_better(taught: Path) -> None:
    settings = {"kind": "scalar", "epochs": 40, "dropout": 0.0, "rate": 0.01}
    found = []
    for share in (0.0, 1.0):
        made = learner(taught, taught=share, **settings)
        step = made.advance({}, 0)
        for number in range(1, 40):
            step = made.advance(step.state, number)
        assert step.champion is not None
        model = as_comparator(made.model(step.champion))
        data = open_data_set(taught, load_game(GAME))
        rows = made.split.training.won
        odds = odds_of(data)[rows]
        leads = project_all(model, data.positions[rows])[:, 0]
        found.append(np.corrcoef(leads, odds)[0, 1])
    assert found[1] > found[0] + 0.1


def test_positions_that_count_twice_are_drawn_twice_as_often(folder: Path) -> None:
    both = learner(folder)
    both.settings = replace(both.settings, data=f"{folder}+{folder}*3")
    both.prepare()
    drawn, _ = both.feed.training.draw(4000, seeded(2))
    assert np.mean(drawn >= len(both.feed.positions) / 2) == pytest.approx(0.75, abs=0.05)


def test_an_impossible_share_of_teachers_is_refused(folder: Path) -> None:
    with pytest.raises(PlywiseError, match="taught is from 0 to 1"):
        learner(folder, taught=1.5)
