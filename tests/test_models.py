"""The models that ship: each loads by its name, has a card, and plays."""

import pytest

from plywise.games import load_game
from plywise.model import read_card
from plywise.players import make_player, shipped_models
from plywise.record import Record

EXPECTED = {"anaconda", "blondie"}


def test_all_models_are_there() -> None:
    assert {path.stem for path in shipped_models()} >= EXPECTED


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_shipped_model_has_a_card_and_plays(name: str) -> None:
    path = next(path for path in shipped_models() if path.stem == name)
    card = read_card(path)
    assert card["name"] == name
    assert card["config"]["learner"] == "evolve"
    assert card["tests"]["random"]["games"] >= 100
    game = load_game(card["game"])
    record = Record(game)
    assert make_player(f"{name},depth=2", game).choose(record).move in record.legal_moves()
