"""What is shown of a level's strength is what the documents say was measured."""

import json
import re

import pytest

from conftest import ROOT
from plywise.players.level_strength import Strength, elo_scale, level_of_elo, level_strengths
from plywise.players.models import MODELS

DOCUMENT = (ROOT / "docs/measuring-strength.md").read_text(encoding="utf-8")
MEASURED = json.loads((MODELS / "levels.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", MEASURED)
def test_the_steps_are_those_of_the_documents(game: str) -> None:
    row = next(line for line in DOCUMENT.splitlines() if re.match(rf"\| {game}\b", line))
    told = [[int(elo), int(error)] for elo, error in re.findall(r"\+(\d+) ± (\d+)", row)]
    assert told == MEASURED[game]["steps"]


def test_the_strength_of_a_level_is_the_sum_of_the_steps_to_it() -> None:
    first, second, *_ = level_strengths("draughts")["patterns"]
    assert first == Strength(1, 164, 75)
    assert second == Strength(2, 164 + 186, 115)


def test_nothing_is_claimed_where_nothing_was_measured() -> None:
    assert level_strengths("tictactoe") == {}


@pytest.mark.parametrize("game", [*MEASURED, "tictactoe"])
def test_the_scale_for_programs_rises_and_finds_its_levels(game: str) -> None:
    scale = elo_scale(game)
    assert list(scale) == list(range(min(scale), max(scale) + 1))
    assert min(scale.values()) > 0
    assert list(scale.values()) == sorted(scale.values())
    assert [level_of_elo(game, elo) for elo in scale.values()] == list(scale)
    assert level_of_elo(game, -9999) == min(scale)


def test_levels_that_met_somebody_rated_have_that_rating() -> None:
    anchors = MEASURED["chess"]["anchors"]
    scale = elo_scale("chess")
    assert {int(level): elo for level, (elo, _) in anchors.items()}.items() <= scale.items()
    lowest = min(int(level) for level in anchors)
    step, _ = MEASURED["chess"]["steps"][lowest - 1]
    assert scale[lowest] - scale[lowest - 1] == step
