"""The models that ship: each loads by its name, has a card, and plays."""

import pytest

from plywise.errors import PlywiseError
from plywise.evaluators.model import read_card
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import find_model, make_player, shipped_models
from plywise.players.models import MODELS

EXPECTED = {
    ("draughts", "anaconda"): "evolve",
    ("draughts", "blondie"): "evolve",
    ("draughts", "nguyen"): "evolve",
    ("connect4", "nhb"): "nhb",
    ("reversi", "nhb"): "nhb",
}


def test_all_models_are_there() -> None:
    assert {(path.parent.name, path.stem) for path in shipped_models()} >= set(EXPECTED)


@pytest.mark.parametrize(("game", "name"), sorted(EXPECTED))
def test_a_shipped_model_has_a_card_and_plays(game: str, name: str) -> None:
    card = read_card(MODELS / game / f"{name}.safetensors")
    assert (card["game"], card["name"]) == (game, name)
    assert card["config"]["learner"] == EXPECTED[game, name]
    assert card["tests"]["random"]["games"] >= 100
    loaded = load_game(game)
    record = Record(loaded)
    assert make_player(f"{name},depth=2", loaded).choose(record).move in record.legal_moves()


def test_a_model_for_other_games_is_refused() -> None:
    with pytest.raises(PlywiseError, match="'nhb' is for connect4 and reversi, not for draughts"):
        find_model("nhb", load_game("draughts"))
