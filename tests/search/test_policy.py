"""The policy of MCTS: priors and first values of moves by a look of one ply."""

import numpy as np
import pytest
from numpy.typing import NDArray

from conftest import INTERPRETED, handmade_model, seeded
from naive.minimax import random_record
from plywise.evaluators.model import Model
from plywise.evaluators.noise import noise_model
from plywise.game import Record
from plywise.games import load_game
from plywise.players import make_player
from plywise.search.limits import Limit
from plywise.search.mcts import LOST_MOVE, MctsOptions, make_tree, set_priors
from plywise.search.searchers import Mcts
from toys.again import again

pytestmark = pytest.mark.kernels

TEMPERATURE = 0.3
POLICY = MctsOptions(cap=0, policy=TEMPERATURE)
WIN_IN_ONE = "......./......./......./......./ooo..../xxx.... x"


def children(search: Mcts) -> NDArray[np.void]:
    """Return the nodes of the root's moves."""
    first, count = int(search.tree[0].first), int(search.tree[0].count)
    nodes: NDArray[np.void] = search.tree[first : first + count]
    return nodes


def judged_moves(model: Model, record: Record) -> NDArray[np.float64]:
    """Return the value of every move for who plays it, one move after the other."""
    values = []
    for move in record.legal_moves():
        after = record.game.apply(record.position, move)
        sign = 1 if record.game.side(after) == record.side else -1
        values.append(sign * model.value(after))
    return np.array(values)


def shares(values: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.exp(values / TEMPERATURE)
    return np.asarray(weights / weights.sum())


def heap(stones: int) -> Record:
    return Record(again, again.parse_position(f"{stones} 0"))


@pytest.mark.parametrize("game", ["connect4", "again"])
def test_priors_are_shares_of_the_values_one_ply_deeper(game: str) -> None:
    record = heap(20) if game == "again" else Record(load_game(game))
    model = noise_model(record.game, 4)
    search = Mcts(model, POLICY)
    search.search(record, Limit(nodes=1))
    nodes, values = children(search), judged_moves(model, record)
    assert nodes["spread"] * (1 + nodes["visits"]) == pytest.approx(shares(values), rel=1e-5)
    assert nodes["average"] == pytest.approx(values, rel=1e-5)
    assert nodes["visits"].tolist() == (values == values.max()).tolist()


def test_updated_accumulators_give_the_same_values() -> None:
    game = load_game("reversi")
    record = random_record(game, seeded(3), 9)
    player = make_player("mcts,eval=mlp:hidden=4,seed=5,cap=0,policy=0.3,nodes=1", game)
    search = player._search  # type: ignore[attr-defined]
    player.choose(record)
    assert search.model.evaluator.bundle.has_update
    values = judged_moves(search.model, record)
    assert len(set(values)) > 3
    assert children(search)["average"] == pytest.approx(values, abs=1e-5)


def test_a_prior_shrinks_with_the_visits() -> None:
    record = Record(load_game("connect4"))
    model = noise_model(record.game, 4)
    search = Mcts(model, POLICY)
    search.search(record, Limit(nodes=200))
    nodes = children(search)
    assert nodes["visits"].sum() == 200
    priors = shares(judged_moves(model, record))
    assert nodes["spread"] * (1 + nodes["visits"]) == pytest.approx(priors, rel=1e-3)


def test_a_win_in_one_is_the_first_move_that_is_tried() -> None:
    game = load_game("connect4")
    record = Record(game, game.parse_position(WIN_IN_ONE))
    found = Mcts(handmade_model(game), POLICY).search(record, Limit(nodes=100))
    assert game.format_move(record.position, found.move) == "4"
    assert (found.nodes, found.value, found.extras["is_proven"]) == (1, 1.0, True)


def test_a_move_that_loses_at_once_is_known_without_a_visit() -> None:
    """Who takes the last two stones is still to move, and so has lost."""
    search = Mcts(noise_model(again, 1), POLICY)
    search.search(heap(2), Limit(nodes=1))
    one, two = children(search)
    assert two["average"] == LOST_MOVE
    assert (two["visits"], two["proven"], two["spread"]) == (0, -1, 0)
    assert one["spread"] * (1 + one["visits"]) == 1


def test_where_all_moves_lose_at_once_they_are_equal() -> None:
    tree = make_tree(3)
    tree["average"] = LOST_MOVE
    set_priors(tree, TEMPERATURE, 0, 3)
    assert tree["spread"] == pytest.approx([1 / 3] * 3)


@pytest.mark.skipif(INTERPRETED, reason="needs many simulations")
def test_a_tree_without_a_policy_is_that_of_uct() -> None:
    game = load_game("tictactoe")
    search = Mcts(handmade_model(game))
    search.search(Record(game), Limit(nodes=3000))
    nodes = search.tree[1 : int(search.memory.used)]
    visited = nodes[nodes["visits"] > 0]
    assert visited["spread"] == pytest.approx(1 / np.sqrt(visited["visits"]), rel=1e-6)
    assert set(nodes[nodes["visits"] == 0]["average"]) == {0}
    assert max(one.visits for one in search.moves()) == 1143  # as `plywise bench` counts it
