"""What is shown of a level's strength is what the documents say was measured."""

import json
import re

import pytest

from conftest import ROOT
from plywise.players.level_strength import Strength, level_strengths
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
    assert first == Strength(1, 168, 83)
    assert second == Strength(2, 168 + 156, 110)


def test_nothing_is_claimed_where_nothing_was_measured() -> None:
    assert level_strengths("tictactoe") == {}
