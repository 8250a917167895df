"""Players by name: what is read, and how mistakes are answered."""

from pathlib import Path

import pytest

from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model, save_model
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import default_opponent, make_player, parse_player
from plywise.search.limits import Clock, Limit


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("alphabta", "did you mean alphabeta"),
        ("alphabeta,dept=3", "no option of alphabeta called 'dept'; did you mean depth"),
        ("alphabeta,depth=three", "depth=three is wrong"),
        ("alphabeta,depth=0", "from 1 on"),
        ("alphabeta,depth=-2", "wrong"),
        ("mcts,depth=3", "no option of mcts called 'depth'"),
        ("alphabeta,depth", "written name=value"),
        ("alphabeta,depth=3,depth=4", "twice"),
        ("alphabeta,pvs=maybe", "on or off"),
        ("random,depth=3", "has no options"),
        ("nothing.safetensors", "no model file"),
        ("alphabeta,eval=material,model=x.safetensors", "one judgement"),
        ("", "no player called ''"),
        ("alphabeta,seconds=nan", "wrong"),
    ],
)
def test_a_mistake_is_answered_with_what_is_right(text: str, sentence: str) -> None:
    with pytest.raises(PlywiseError, match=sentence):
        parse_player(text).make(load_game("draughts"))


def test_budgets_are_read() -> None:
    spec = parse_player("alphabeta,depth=6,nodes=10_000,seconds=0.5")
    assert spec.limit() == Limit(6, 10_000, 0.5)
    assert parse_player("mcts").limit() == Limit(seconds=1.0)


@pytest.mark.parametrize(
    "text",
    [
        "random",
        "minimax,depth=2",
        "alphabeta,depth=3,pvs=off,table=off,killers=off,history=off",
        "alphabeta,nodes=500,hash=10",
        "mcts,nodes=200,solver=off,reuse=off,exploration=0.7",
    ],
)
def test_every_player_plays_every_game(game: Game, text: str) -> None:
    player = make_player(text, game)
    record = Record(game)
    for _ in range(4):
        found = player.choose(record)
        assert found.move in record.legal_moves()
        record.play(found.move)


def test_the_same_seed_gives_the_same_moves() -> None:
    game = load_game("connect4")
    games = []
    for _ in range(2):
        player = make_player("mcts,nodes=300", game, seed=5)
        record = Record(game)
        while record.ending() is None:
            record.play(player.choose(record).move)
        games.append(record.moves)
    assert games[0] == games[1]


def test_a_reset_player_is_as_good_as_new() -> None:
    game = load_game("draughts")
    used, fresh = (make_player("alphabeta,nodes=3000", game) for _ in range(2))
    used.choose(Record(game))
    used.new_game(0)
    assert used.choose(Record(game)).nodes == fresh.choose(Record(game)).nodes


def test_the_default_opponent_fits_the_game() -> None:
    assert default_opponent(load_game("draughts")) == "alphabeta,seconds=1"
    assert default_opponent(load_game("tictactoe"), 0.5) == "mcts,seconds=0.5"


def test_a_clock_never_spends_more_than_is_left() -> None:
    for remaining in (0.01, 0.1, 1.0, 60.0, 3600.0):
        for increment in (0.0, 0.1, 5.0):
            share = Clock(remaining, increment).seconds_for_move()
            assert 0 < share < remaining


def test_a_limit_must_be_above_zero() -> None:
    with pytest.raises(PlywiseError, match="above 0"):
        Limit(depth=0)


def test_a_model_plays_with_the_options_of_its_card(tmp_path: Path) -> None:
    game = load_game("draughts")
    model = Model(make_evaluator("material", game), {}, {"options": {"quiescence": False}})
    path = tmp_path / "blind.safetensors"
    save_model(model, path)
    blind = make_player(f"{path},depth=3", game)
    seeing = make_player(f"{path},depth=3,quiescence=on", game)
    assert not blind.search.task.options.quiescence  # type: ignore[attr-defined]
    assert seeing.search.task.options.quiescence  # type: ignore[attr-defined]
