"""Monte-Carlo tree search finds what is forced, repeats itself, and keeps its tree."""

import numpy as np
import pytest

from conftest import INTERPRETED, handmade_model, seeded
from naive.minimax import random_record
from plywise.errors import PlywiseError
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import make_player
from plywise.search.limits import Analysis, Limit
from plywise.search.mcts import MctsOptions, keep_subtree
from plywise.search.searchers import AlphaBeta, Mcts
from plywise.system.stopping import StopToken

pytestmark = pytest.mark.kernels

SIMULATIONS = 300 if INTERPRETED else 3000
WIN_IN_ONE = "......./......./......./......./ooo..../xxx.... x"
LOSS_IN_TWO = "......./......./......./......./...o.../o.xxx.. o"
POLICY = MctsOptions(cap=0, policy=0.2)


def searched(game: Game, text: str, options: MctsOptions = MctsOptions()) -> Mcts:
    search = Mcts(handmade_model(game), options)
    search.search(Record(game, game.parse_position(text)), Limit(nodes=SIMULATIONS))
    return search


def test_a_win_in_one_is_found_and_proven() -> None:
    game = load_game("connect4")
    search = Mcts(handmade_model(game))
    found = search.search(Record(game, game.parse_position(WIN_IN_ONE)), Limit(nodes=SIMULATIONS))
    assert game.format_move(game.parse_position(WIN_IN_ONE), found.move) == "4"
    assert (found.value, found.extras["is_proven"]) == (1.0, True)
    assert found.nodes < SIMULATIONS  # a proven root needs no more


def test_a_forced_loss_is_proven() -> None:
    game = load_game("connect4")
    search = Mcts(handmade_model(game))
    found = search.search(Record(game, game.parse_position(LOSS_IN_TWO)), Limit(nodes=SIMULATIONS))
    assert (found.value, found.extras["is_proven"]) == (-1.0, True)


def test_without_the_solver_nothing_beyond_the_end_is_proven() -> None:
    game = load_game("connect4")
    search = searched(game, LOSS_IN_TWO, MctsOptions(solver=False))
    assert search.tree[0].proven == 2
    assert search.tree[0].visits == SIMULATIONS


@pytest.mark.skipif(INTERPRETED, reason="needs many simulations")
@pytest.mark.parametrize("options", [MctsOptions(), POLICY])
def test_proven_results_agree_with_alpha_beta(options: MctsOptions) -> None:
    game = load_game("tictactoe")
    model = handmade_model(game)
    proven = 0
    for seed in range(40):
        record = random_record(game, seeded(seed), seed % 6)
        found = Mcts(model, options).search(record, Limit(nodes=20_000))
        exact = AlphaBeta(model).search(record, Limit(depth=9))
        if found.extras["is_proven"]:
            proven += 1
            assert found.value == exact.value
    assert proven >= 20


@pytest.mark.parametrize(
    "options",
    [
        MctsOptions(),
        MctsOptions(cap=0),
        MctsOptions(cap=6),
        MctsOptions(cap=4, mixing=0.3),
        MctsOptions(solver=False, exploration=0.5),
        POLICY,
        MctsOptions(policy=1.0, mixing=0.3),
    ],
)
def test_every_variant_gives_a_legal_move_and_repeats(game: Game, options: MctsOptions) -> None:
    budget = Limit(nodes=40 if INTERPRETED else 500)
    record = random_record(game, seeded(1), 4)
    found = []
    for _ in range(2):
        search = Mcts(handmade_model(game), options)
        search.reseed(7)
        found.append(search.search(record, budget))
    assert found[0].move in record.legal_moves()
    assert (found[0].move, found[0].value, found[0].line) == (
        found[1].move,
        found[1].value,
        found[1].line,
    )
    assert -1 <= found[0].value <= 1


def test_visits_of_the_children_sum_up_to_those_of_the_root() -> None:
    game = load_game("reversi")
    search = searched(game, "start")
    assert sum(one.visits for one in search.moves()) == SIMULATIONS
    assert int(search.tree[0].visits) == SIMULATIONS


def test_a_kept_subtree_has_the_same_numbers() -> None:
    game = load_game("connect4")
    search = searched(game, "start")
    tree, child = search.tree, int(search.tree[0].first) + 3

    def numbers(node: int, depth: int) -> list[tuple[int, int, float, int]]:
        first, count = int(tree[node].first), int(tree[node].count)
        below = [numbers(first + i, depth + 1) for i in range(count)] if first >= 0 else []
        here = (depth, int(tree[node].visits), float(tree[node].average), int(tree[node].move))
        return [here, *(item for items in below for item in items)]

    before = numbers(child, 0)
    used = int(search.memory.used)
    keep_subtree(tree, search.memory, child)
    assert numbers(0, 0) == before
    assert int(search.memory.used) == len(before) < used


def test_the_tree_is_reused_after_both_have_moved() -> None:
    game = load_game("connect4")
    search = Mcts(handmade_model(game))
    record = Record(game)
    first = search.search(record, Limit(nodes=SIMULATIONS))
    record.play(first.move)
    reply = first.line[1]
    record.play(reply)
    search.search(record, Limit(nodes=SIMULATIONS))
    assert int(search.tree[0].visits) > SIMULATIONS


def test_an_analysis_has_the_lines_of_the_best_moves_and_the_visits_of_all() -> None:
    game = load_game("connect4")
    steps: list[Analysis] = []
    search = Mcts(handmade_model(game))
    search.SLICE = SIMULATIONS // 3
    found = search.analyse(Record(game), Limit(nodes=SIMULATIONS), lines=3, tell=steps.append)
    best = search.search(Record(game), Limit(nodes=1))
    assert found.lines[0].move == best.move
    assert len({line.move for line in found.lines}) == 3
    assert sum(one.visits for one in found.moves) == SIMULATIONS
    assert [one.visits for one in found.moves] == sorted(
        (one.visits for one in found.moves), reverse=True
    )
    assert [step.lines[0].nodes for step in steps] == [SIMULATIONS * k // 3 for k in (1, 2, 3)]


def test_a_search_that_is_stopped_before_it_begins_answers_at_once() -> None:
    game = load_game("reversi")
    stop = StopToken()
    stop.set()
    record = Record(game)
    found = Mcts(handmade_model(game)).search(record, Limit(seconds=1000), stop)
    assert found.move in record.legal_moves()
    assert found.nodes == 0
    assert stop.is_set()


def test_a_tree_of_another_game_is_not_reused() -> None:
    game = load_game("connect4")
    search = searched(game, "start")
    elsewhere = Record(game, game.parse_position(WIN_IN_ONE))
    found = search.search(elsewhere, Limit(nodes=SIMULATIONS))
    assert found.move in elsewhere.legal_moves()
    assert int(search.tree[0].visits) <= SIMULATIONS


def test_a_full_tree_still_plays() -> None:
    game = load_game("connect4")
    search = Mcts(handmade_model(game))
    search.CAPACITY = 64
    found = search.search(Record(game), Limit(nodes=SIMULATIONS))
    assert found.move in game.legal_moves(game.initial())
    assert int(search.memory.used) <= len(search.tree)


def test_no_path_of_the_tree_goes_on_after_a_repetition() -> None:
    game = load_game("draughts")
    search = Mcts(handmade_model(game))
    start = game.parse_position("B:WK32:BK1")
    search.search(Record(game, start), Limit(nodes=SIMULATIONS))
    tree = search.tree
    expanded = 0

    def walk(node: int, record: Record) -> None:
        nonlocal expanded
        first, count = int(tree[node].first), int(tree[node].count)
        if first < 0:
            return
        expanded += 1
        assert record.keys.count(record.keys[-1]) == 1
        for child in range(first, first + count):
            record.play(tree[child].move)
            walk(child, record)
            record.undo()

    walk(0, Record(game, start))
    assert expanded > 50


def test_a_search_without_limits_is_refused() -> None:
    game = load_game("connect4")
    with pytest.raises(PlywiseError, match="nodes or seconds"):
        Mcts(handmade_model(game)).search(Record(game), Limit(depth=3))


@pytest.mark.skipif(INTERPRETED, reason="needs many simulations")
def test_more_simulations_are_stronger() -> None:
    game = load_game("connect4")
    strong, weak = make_player("mcts,nodes=2000", game), make_player("mcts,nodes=20", game)
    points = 0.0
    for number in range(20):
        record = random_record(game, seeded(number // 2), 2)
        sides = (strong, weak) if number % 2 == 0 else (weak, strong)
        for player in sides:
            player.new_game(number)
        while (ending := record.ending()) is None:
            record.play(sides[record.side].choose(record).move)
        points += (1 + (ending.score if number % 2 == 0 else -ending.score)) / 2
    assert points >= 16


def test_random_numbers_are_even() -> None:
    from plywise.kernel.random import below, random_word
    from plywise.search.mcts import memory_type

    memory = np.zeros(1, memory_type(1, 0))[0]
    memory.random = random_word(seeded(0))
    draws = 2000 if INTERPRETED else 20_000
    counts = np.bincount([int(below(memory, 7)) for _ in range(draws)], minlength=7)
    expected = draws / 7
    assert ((counts - expected) ** 2 / expected).sum() < 22.5  # chi square, 6 degrees, p = .001
