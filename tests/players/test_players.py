"""Players by name: what is read, and how mistakes are answered."""

import threading
from pathlib import Path

import pytest

from plywise import kernel
from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model, save_model
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import (
    JudgesNothing,
    Player,
    has_budget,
    judge_of,
    make_player,
    with_seconds,
)
from plywise.players.search_player import best_first
from plywise.search.limits import Analysis, Clock, Found, Limit
from plywise.system.stopping import StopToken


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("alphabta", "did you mean alphabeta"),
        ("alphabeta,dept=3", "no option of alphabeta called 'dept'; did you mean depth"),
        ("alphabeta,depth=three", "depth=three is wrong"),
        ("alphabeta,depth=0", "from 1 to"),
        ("alphabeta,depth=-2", "wrong"),
        ("mcts,depth=3", "no option of mcts called 'depth'"),
        ("blondie,search=alfabeta", "no player called 'alfabeta'; did you mean alphabeta"),
        ("alphabeta,mistakes=2", "a number from 0 to 1"),
        ("alphabeta,level=11", "a whole number from 1 to 10"),
        ("mcts,level=3,nodes=5", "leave out nodes, or the level"),
        ("alphabeta,level=3,mistakes=0.5,depth=2", "leave out depth and mistakes, or the level"),
        ("random,level=3", "has no options"),
        ("alphabeta,depth", "written name=value"),
        ("alphabeta,depth=3,depth=4", "twice"),
        ("alphabeta,pvs=maybe", "on or off"),
        ("random,depth=3", "has no options"),
        ("nothing.safetensors", "no model file"),
        ("alphabeta,eval=material,model=x.safetensors", "one judgement"),
        ("", "no player called ''"),
        ("alphabeta,seconds=nan", "a finite number"),
        ("alphabeta,eval=mpl", "no evaluator called 'mpl'; did you mean mlp"),
        ("alphabeta,eval=mlp:hiden=40", "no setting of mlp called 'hiden'; did you mean hidden"),
        ("alphabeta,eval=mlp:hidden=many", "a list joined by [+], each a whole number"),
        ("alphabeta,eval=mlp:hidden", "written name=value, not 'hidden'"),
        ("alphabeta,eval=mlp:hidden=0", "one or two hidden layers"),
        ("alphabeta,eval=mlp:hidden=1+2+3", "one or two hidden layers"),
        ("alphabeta,eval=elm:hidden=-3", "one hidden unit or more"),
        ("alphabeta,eval=material:hidden=4", "it has no settings"),
        ("alphabeta,eval=experts:parts=4", "no setting of experts called 'parts'"),
    ],
)
def test_a_mistake_is_answered_with_what_is_right(text: str, sentence: str) -> None:
    with pytest.raises(PlywiseError, match=sentence):
        make_player(text, load_game("draughts"))


def test_budgets_are_kept() -> None:
    game = load_game("connect4")
    assert make_player("alphabeta,depth=6,nodes=10_000,seconds=500", game).choose(
        Record(game)
    ).nodes in range(1, 10_001)
    assert has_budget("mcts,nodes=3", game)
    assert not has_budget("mcts,cap=3", game)


def test_a_time_takes_the_place_of_another_budget() -> None:
    game = load_game("draughts")
    timed = with_seconds("alphabeta,depth=6,eval=noise", 0.5, game)
    assert timed == "alphabeta,eval=noise,seconds=0.5"
    with pytest.raises(PlywiseError, match="'random' has no seconds"):
        with_seconds("random", 1, game)
    with pytest.raises(PlywiseError, match="above 0"):
        with_seconds("mcts", -1, game)


@pytest.mark.parametrize(
    ("text", "judge"),
    [
        ("alphabeta,depth=3", "material"),
        ("mcts,eval=mlp:hidden=4", "mlp:hidden=4"),
        ("blondie,seconds=1", "blondie"),
    ],
)
def test_it_is_known_who_judges(text: str, judge: str) -> None:
    assert judge_of(text, load_game("draughts")) == judge


def test_an_evaluator_has_settings_of_its_own() -> None:
    game = load_game("connect4")
    moves = {}
    for settings in ("hidden=4", "hidden=40+10"):
        player = make_player(f"alphabeta,eval=mlp:{settings},depth=3,seed=1", game)
        moves[settings] = player.choose(Record(game))
    assert moves["hidden=4"].value != moves["hidden=40+10"].value


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


def test_a_clock_never_spends_more_than_is_left() -> None:
    for remaining in (0.01, 0.1, 1.0, 60.0, 3600.0):
        for increment in (0.0, 0.1, 5.0):
            for moves in (None, 1, 2, 40):
                limit = Clock(remaining, increment, moves).limit()
                assert limit.planned is not None
                assert limit.seconds is not None
                assert 0 < limit.planned <= limit.seconds < remaining


def test_a_clock_leaves_a_shorter_budget_as_it_is() -> None:
    assert Limit(nodes=5, seconds=0.1).within(Clock(60)) == Limit(nodes=5, seconds=0.1)
    long = Limit(depth=9, seconds=30).within(Clock(60))
    assert long.depth == 9
    assert long.planned is not None
    assert long.seconds is not None
    assert long.planned < long.seconds < 30


def test_a_clock_ends_a_search_between_two_depths_when_nothing_changes() -> None:
    game = load_game("draughts")
    player = make_player("alphabeta", game)
    player.new_game(0)
    steps: list[Found] = []
    found = player.choose(Record(game), Clock(3), tell=steps.append)
    limit = Clock(3).limit()
    assert steps[-1] == found  # the last depth was completed
    assert limit.seconds is not None
    assert found.seconds < limit.seconds


def test_the_only_move_takes_no_time_of_a_clock() -> None:
    game = load_game("draughts")
    record = Record(game, game.parse_position("W:W22:B18,1"))
    player = make_player("alphabeta", game)
    player.new_game(0)
    assert player.choose(record, Clock(1000)).depth == 1


def test_threads_share_the_work() -> None:
    game = load_game("draughts")
    player = make_player("alphabeta,threads=2,nodes=40000", game)
    player.new_game(0)
    record = Record(game)
    for _ in range(4):
        found = player.choose(record)
        assert found.nodes <= 40_000
        record.play(found.move)
    assert threading.active_count() < 8


def test_a_limit_must_be_above_zero() -> None:
    with pytest.raises(PlywiseError, match="above 0"):
        Limit(depth=0)


def test_a_model_plays_with_the_options_of_its_card(tmp_path: Path) -> None:
    game = load_game("draughts")
    record = Record(game, game.parse_position("W:W22,25,K7,29,30:B13,14,K26,5,12"))

    def nodes(text: str) -> int:
        return make_player(f"{text},depth=5", game).choose(record).nodes

    model = Model(make_evaluator("material", game), {}, {"options": {"quiescence": False}})
    path = tmp_path / "blind.safetensors"
    save_model(model, path)
    blind, seeing = nodes("alphabeta,quiescence=off"), nodes("alphabeta")
    assert blind != seeing
    assert nodes(str(path)) == blind
    assert nodes(f"{path},quiescence=on") == seeing


# ---------------------------------------------------------------- one life


PLAYERS = ["random", "alphabeta,depth=3", "mcts,nodes=200"]


@pytest.mark.parametrize("text", PLAYERS)
def test_a_twin_has_memory_of_its_own(text: str) -> None:
    game = load_game("connect4")
    player = make_player(text, game)
    twin = player.twin()
    assert twin.name == player.name == text
    for one in (player, twin):
        one.new_game(3)
    record = Record(game)
    first = player.choose(record)
    player.choose(record)
    assert twin.choose(record).move == first.move
    player.close()
    twin.close()


@pytest.mark.parametrize("text", PLAYERS)
def test_a_request_that_is_stopped_beforehand_is_answered_with_a_legal_move(text: str) -> None:
    game = load_game("connect4")
    player, stop, record = make_player(text, game), StopToken(), Record(game)
    stop.set()
    for _ in range(2):
        assert player.choose(record, stop=stop).move in record.legal_moves()
    assert stop.is_set()


@pytest.mark.parametrize("text", PLAYERS[1:])
def test_an_analysis_spends_its_own_limit_or_that_of_a_move(text: str) -> None:
    game = load_game("connect4")
    player = make_player(text, game)
    best = player.analyse(Record(game), Limit(nodes=50), lines=2)
    assert len(best.lines) == 2
    assert best.lines[0].nodes <= 50
    player.new_game(0)
    own = player.analyse(Record(game)).lines[0]
    player.new_game(0)
    assert own.move == player.choose(Record(game)).move


def test_who_plays_at_random_refuses_to_judge() -> None:
    game = load_game("connect4")
    with pytest.raises(JudgesNothing, match="'random' judges nothing"):
        make_player("random", game).analyse(Record(game))


def test_a_clock_shortens_a_search() -> None:
    game = load_game("draughts")
    player = make_player("alphabeta,seconds=1000", game)
    player.new_game(0)
    assert player.choose(Record(game), Clock(0.5)).seconds < 60


def test_a_new_game_has_everything_compiled() -> None:
    game = load_game("connect4")
    for text in PLAYERS:
        player: Player = make_player(text, game)
        player.new_game(1)
        before = len(kernel.compiled_here())
        record = Record(game)
        for _ in range(4):
            record.play(player.choose(record).move)
        assert len(kernel.compiled_here()) == before


def test_lines_of_an_analysis_come_by_value_however_deep_they_are() -> None:
    lines = (
        Found(1, -0.402, (1,), 8, 10, 1.0),
        Found(2, -0.365, (2,), 9, 10, 1.0),
        Found(3, 1.0, (3,), 9, 10, 1.0, end=5),
        Found(4, 1.0, (4,), 9, 10, 1.0, end=3),
        Found(5, -1.0, (5,), 9, 10, 1.0, end=2),
        Found(6, -1.0, (6,), 9, 10, 1.0, end=4),
    )
    assert [line.move for line in best_first(Analysis(lines)).lines] == [4, 3, 2, 1, 6, 5]


def test_what_a_tree_has_proven_of_a_move_stands_beside_its_visits_too() -> None:
    game = load_game("tictactoe")
    record = Record(game, game.parse_position("xx./oo./... x"))
    found = make_player("mcts,nodes=300", game).analyse(record)
    best = found.lines[0]
    assert best.extras["is_proven"]
    assert {one.move: one.value for one in found.moves}[best.move] == best.value == 1
