"""The comparison search: with a comparator made of scores it is alpha-beta, move for move."""

import numpy as np
import pytest

from conftest import INTERPRETED, handmade_model, seeded
from naive.minimax import random_record
from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.evaluators.network import random_model
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import make_player
from plywise.search.comparators import as_comparator, leads_of, project_all
from plywise.search.comparison import comparison
from plywise.search.limits import Limit
from plywise.search.options import SELECTIVE, Options
from plywise.search.searchers import AlphaBeta
from plywise.system.stopping import StopToken
from toys.minichess import minichess

pytestmark = pytest.mark.kernels

DEPTHS = {"connect4": 6, "draughts": 6, "chess": 4, "minichess": 5}
EXACT = Options(null_move=False)
GUESSING = SELECTIVE._replace(singular=False, aspiration=False, staged=False)


def named(name: str) -> Game:
    return minichess if name == "minichess" else load_game(name)


def model_of(game: Game) -> Model:
    if game.name == "minichess":
        return Model(make_evaluator("material", game))
    return handmade_model(game)


def network_of(game: Game) -> Model:
    """Return a comparator that has learned nothing."""
    evaluator = make_evaluator("comparator", game, features=[16, 8], head=[8, 8])
    return random_model(evaluator, seeded(5), 0.5)


def both(game: Game, options: Options) -> tuple[AlphaBeta, AlphaBeta]:
    """Return alpha-beta, and the comparison search with the same judgement."""
    model = model_of(game)
    compared = AlphaBeta(as_comparator(model), options, 14, tree=comparison(12))
    return AlphaBeta(model, options, 14), compared


@pytest.mark.parametrize("name", DEPTHS)
def test_it_finds_what_alpha_beta_finds_at_every_depth(name: str) -> None:
    game = named(name)
    if INTERPRETED and name not in ("connect4", "minichess"):
        pytest.skip("too slow interpreted")
    plain, compared = both(game, EXACT)
    for seed in range(1 if INTERPRETED else 4):
        record = random_record(game, seeded(seed), 3 * seed)
        if record.ending() is not None:
            continue
        for depth in range(1, 3 if INTERPRETED else DEPTHS[name] + 1):
            expected = plain.search(record, Limit(depth=depth))
            found = compared.search(record, Limit(depth=depth))
            assert (found.line, found.value, found.end) == (
                expected.line,
                expected.value,
                expected.end,
            )


@pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")
@pytest.mark.parametrize("name", ["connect4", "chess"])
def test_its_guesses_are_those_of_alpha_beta(name: str) -> None:
    game = load_game(name)
    plain, compared = both(game, GUESSING)
    for seed in range(3):
        record = random_record(game, seeded(seed), 4 * seed)
        expected = plain.search(record, Limit(depth=7))
        found = compared.search(record, Limit(depth=7))
        assert (found.line, found.value) == (expected.line, expected.value)


@pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")
def test_a_small_window_changes_no_value() -> None:
    game = load_game("chess")
    _, whole = both(game, EXACT)
    _, small = both(game, EXACT._replace(aspiration=True))
    for seed in range(3):
        record = random_record(game, seeded(seed), 5 * seed)
        limit = Limit(depth=6 if seed else 5)
        assert small.search(record, limit).value == whole.search(record, limit).value


@pytest.mark.parametrize("moves", ["4 5 4 5 4 5", "1 5 2 5 2 5 3"])
def test_a_win_is_found_whatever_a_comparator_thinks(moves: str) -> None:
    game = load_game("connect4")
    record = Record(game)
    for text in moves.split():
        record.play(game.parse_move(record.position, text))
    search = AlphaBeta(network_of(game), GUESSING, 12, tree=comparison(10))
    found = search.search(record, Limit(depth=3))
    assert (found.end, found.value) == (1, 1.0)


def test_at_depth_one_the_best_move_beats_all_others() -> None:
    game = load_game("connect4")
    model = network_of(game)
    search = AlphaBeta(model, EXACT, 12, tree=comparison(10))
    for seed in range(4):
        record = random_record(game, seeded(seed), seed)
        found = search.search(record, Limit(depth=1))
        moves = [int(move) for move in record.legal_moves()]
        rows = np.array([game.apply(record.position, move) for move in moves])
        best = moves.index(found.move)
        pairs = np.array([(best, other) for other in range(len(moves))])
        leads = leads_of(model, project_all(model, rows), pairs)
        assert min(leads if record.side == 0 else -leads) >= -1e-6


def test_positions_that_come_again_are_looked_up() -> None:
    game = load_game("connect4")
    _, compared = both(game, EXACT)
    extras = compared.search(Record(game), Limit(depth=3 if INTERPRETED else 6)).extras
    assert 0 < extras["known"] < extras["looked_at"]
    compared.forget()
    assert not compared.task.features.entries["key"].any()


def test_a_token_that_is_set_is_answered_with_a_legal_move() -> None:
    game = load_game("connect4")
    _, compared = both(game, EXACT)
    stop = StopToken()
    stop.set()
    assert compared.search(Record(game), Limit(depth=4), stop).move in game.legal_moves(
        game.initial()
    )


def test_what_needs_scores_is_refused() -> None:
    model = as_comparator(handmade_model(load_game("connect4")))
    for options in (Options(singular=True), Options(value_ordering=2), Options(pruning=False)):
        with pytest.raises(PlywiseError, match="no scores for"):
            AlphaBeta(model, options, 10, tree=comparison(10))
    with pytest.raises(PlywiseError, match="several threads"):
        AlphaBeta(model, Options(), 10, threads=2, tree=comparison(10))


def test_a_text_names_it_as_a_player() -> None:
    game = load_game("connect4")
    player = make_player("comparison,depth=2,features=10,hash=10", game)
    player.new_game(1)
    analysis = player.analyse(Record(game), Limit(depth=2), lines=2)
    assert len({line.move for line in analysis.lines}) == 2
