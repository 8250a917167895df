"""Learners by name and from files: all are complete, and mistakes get one sentence."""

import dataclasses
import inspect
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pytest

from conftest import EXAMPLES
from driving import do_steps, finish, start_run
from plywise.errors import PlywiseError
from plywise.learners import BUILT_IN, champion_model, load_learner, settings_of
from plywise.runs import Learner
from plywise.settings import list_settings, with_texts
from plywise.system.parallel import Workers

CLIMBER = str(EXAMPLES / "hill_climber.py")


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_learner_is_complete(name: str) -> None:
    kind = load_learner(name)
    assert issubclass(kind, Learner)
    assert not inspect.isabstract(kind)
    assert kind.settings_type is settings_of(name)
    assert dataclasses.is_dataclass(kind.settings_type)
    assert get_type_hints(kind.settings_type)["seed"] is int


def test_the_example_learns_resumes_and_becomes_a_model(tmp_path: Path) -> None:
    settings = settings_of(CLIMBER)(mutants=40)
    whole = finish(start_run(tmp_path / "whole", CLIMBER, "tictactoe", settings), Workers(1))
    parts = start_run(tmp_path / "parts", CLIMBER, "tictactoe", settings)
    assert do_steps(parts, 3, Workers(2)) == [0, 1, 2]
    finish(parts, Workers(2))
    for step in range(40):
        first, second = whole.champion(step), parts.champion(step)
        assert np.array_equal(first["weights"], second["weights"])
    shares = [line["share"] for line in whole.metrics()]
    assert any(share > 0.5 for share in shares)
    assert champion_model(whole).card["learner"] == CLIMBER


HEAD = "from dataclasses import dataclass\nfrom plywise.runs import Learner\n"
SETTINGS = "@dataclass(frozen=True)\nclass S:\n    seed: int = 1\n"
METHODS = (
    "    settings_type = S\n    steps = begin = advance = to_arrays = from_arrays = model = None\n"
)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("x = 1\n", "defines no learner"),
        ("1 / 0\n", "line 1: ZeroDivisionError"),
        (f"{HEAD}class Mine(Learner):\n    steps = 3\n", "Mine in .* lacks: advance, begin, from"),
        (
            f"{HEAD}{SETTINGS}class Mine(Learner):\n{METHODS}".replace(
                "settings_type = S", "x = 1"
            ),
            "lacks a line like `settings_type",
        ),
        (
            f"{HEAD}{SETTINGS}class Mine(Learner):\n{METHODS}".replace(": int = 1", ": int"),
            "seed of S has no default",
        ),
        (
            f"{HEAD}{SETTINGS}class A(Learner):\n{METHODS}class B(Learner):\n{METHODS}",
            "several learners; say .*:A or .*:B",
        ),
    ],
)
def test_a_mistake_in_a_file_gets_one_sentence(code: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(code)
    with pytest.raises(PlywiseError, match=sentence):
        load_learner(str(path))


def test_one_of_several_learners_is_named(tmp_path: Path) -> None:
    path = tmp_path / "both.py"
    path.write_text(f"{HEAD}{SETTINGS}class A(Learner):\n{METHODS}class B(Learner):\n{METHODS}")
    assert load_learner(f"{path}:B").__name__ == "B"
    with pytest.raises(PlywiseError, match="did you mean B"):
        load_learner(f"{path}:Bee")


def test_unknown_learners_are_answered_with_the_nearest() -> None:
    with pytest.raises(PlywiseError, match="did you mean evolve"):
        settings_of("evolv")
    with pytest.raises(PlywiseError, match=r"no file nothing\.py"):
        load_learner("nothing.py")


MAY_BE_NEGATIVE = {("td", "draw")}
NUMBERS = [
    (name, one.name)
    for name in BUILT_IN
    if name != "deepchess"  # which wants data first
    for one in list_settings(settings_of(name))
    if type(one.default) is float and (name, one.name) not in MAY_BE_NEGATIVE
]


@pytest.mark.parametrize(("name", "setting"), NUMBERS)
def test_a_number_below_0_is_refused_before_the_work_starts(name: str, setting: str) -> None:
    settings = with_texts(settings_of(name)(), {setting: "-0.5"})
    with pytest.raises(PlywiseError, match=r"\.$"):
        load_learner(name)("draughts", settings)


COUNTS = {  # of what a run cannot do without
    "nhb": "nodes matches first_matches largest phases max_plies",
    "patterns": "rounds batch max_plies test_every restart phases",
    "treestrap": "depth rounds games batch at_once max_plies",
    "td": "depth sets games max_plies",
    "ls": "generations population opponents openings hidden sets games depth",
    "mp": "sets games depth max_plies boards pieces units map_population least",
    "evolve": "generations population games depth simulations max_plies",
}


@pytest.mark.parametrize(
    ("name", "setting"), [(name, one) for name, many in COUNTS.items() for one in many.split()]
)
def test_none_of_what_a_run_needs_is_refused(name: str, setting: str) -> None:
    settings = with_texts(settings_of(name)(), {setting: "0"})
    with pytest.raises(PlywiseError, match=r"\.$"):
        load_learner(name)("draughts", settings)
