"""What patterns add up to."""

import math

import pytest

from plywise.evaluators.patterns.contributions import contributions
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import find_model


@pytest.mark.parametrize("name", ["connect4", "kalah"])
def test_the_value_is_the_tangent_of_the_sum_of_what_patterns_add(name: str) -> None:
    game = load_game(name)
    model = find_model("patterns", game)
    record = Record(game)
    for _ in range(7):
        told = contributions(model, record.position)
        total = math.tanh(sum(one.amount for one in told))
        assert total == pytest.approx(model.value(record.position), abs=2e-4)
        record.play(record.legal_moves()[-1])
