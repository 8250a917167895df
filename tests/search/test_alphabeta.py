"""Alpha-beta says what plain minimax says, and keeps its budgets."""

import itertools
import threading

import numpy as np
import pytest

from conftest import INTERPRETED, handmade_model, seeded
from naive.minimax import minimax, random_record
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.evaluators.network import random_model
from plywise.game import ONGOING, Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.kernel import signatures
from plywise.search.limits import Analysis, Limit
from plywise.search.negamax import negamax
from plywise.search.options import PLAIN, Options
from plywise.search.scores import SCALE, WIN_SCORE
from plywise.search.searchers import AlphaBeta
from plywise.search.table import EXACT, LOWER, UPPER
from plywise.search.trace import FINISHED, make_trace, traced_nodes
from plywise.system.stopping import StopToken

pytestmark = pytest.mark.kernels

SOUND = ("table", "pvs", "killers", "history", "deepening", "pruning")
DEPTH = {"tictactoe": 6, "connect4": 5, "reversi": 4, "draughts": 5, "chess": 3, "kalah": 5}
FEW_PIECES = "4k3/2p5/8/1n6/3PN3/8/4P3/4K3 w - - 0 1"  # without windows, captures explode
STARTS = {"chess": FEW_PIECES}


def score_of(model: Model, record: Record, depth: int, options: Options) -> int:
    search = AlphaBeta(model, options, table_bits=12)
    search.search(record, Limit(depth=depth))
    return int(search.memory.best_score)


def network(game: Game, seed: int) -> Model:
    return random_model(make_evaluator("mlp", game), seeded(seed), reach=0.5)


def test_minimax_agrees_with_the_naive_one(game: Game) -> None:
    model = handmade_model(game)
    depth = 2 if INTERPRETED else DEPTH[game.name] - 2
    for seed in range(2 if INTERPRETED else 8):
        start = STARTS.get(game.name, "start")
        record = random_record(game, seeded(seed), 4 + 3 * seed, start)
        for quiescence in (True, False):
            options = PLAIN._replace(quiescence=quiescence, repetition=True)
            expected = minimax(model, record, depth, quiet=quiescence)
            assert score_of(model, record, depth, options) == expected


@pytest.mark.skipif(INTERPRETED, reason="too slow interpreted; the naive comparison covers it")
def test_sound_enhancements_never_change_the_value(game: Game) -> None:
    model = handmade_model(game)
    for seed in range(6):
        start = STARTS.get(game.name, "start")
        record = random_record(game, seeded(100 + seed), 3 * seed, start)
        for depth in range(1, DEPTH[game.name] + 1):
            base = PLAIN._replace(quiescence=True)
            expected = score_of(model, record, depth, base)
            for chosen in itertools.product((False, True), repeat=len(SOUND)):
                options = base._replace(**dict(zip(SOUND, chosen, strict=True)))
                assert score_of(model, record, depth, options) == expected, (options, depth)


@pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")
def test_a_network_gets_the_same_value_with_and_without_enhancements() -> None:
    game = load_game("draughts")
    for seed in range(6):
        model = network(game, seed)
        record = random_record(game, seeded(seed), 6 * seed)
        for depth in (1, 4, 7):
            plain = score_of(model, record, depth, PLAIN._replace(quiescence=True, pruning=True))
            full = score_of(model, record, depth, Options(repetition=False))
            assert full == plain


def test_a_table_of_two_entries_changes_nothing() -> None:
    game = load_game("connect4")
    model = handmade_model(game)
    record = Record(game)
    depth = 3 if INTERPRETED else 7
    tiny = AlphaBeta(model, Options(), table_bits=1).search(record, Limit(depth=depth))
    large = AlphaBeta(model, Options(), table_bits=16).search(record, Limit(depth=depth))
    assert tiny.value == large.value


@pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")
@pytest.mark.parametrize("repetition", [True, False])
def test_a_table_does_not_carry_values_over_to_a_clock_near_its_limit(repetition: bool) -> None:
    """What was won with time to spare is a draw when the clock has run on to 75 of 80."""
    game = load_game("draughts")
    model = handmade_model(game)
    search = AlphaBeta(model, Options(repetition=repetition), table_bits=14)
    for clock in (10, 75):
        record = Record(game, game.parse_position(f"W:WK12,K9:BK25,K5,K1:H{clock}"))
        search.search(record, Limit(depth=5))
    plain = PLAIN._replace(quiescence=True, repetition=repetition)
    assert int(search.memory.best_score) == score_of(model, record, 5, plain) == 0


@pytest.mark.parametrize(
    ("text", "move", "plies"),
    [
        ("......./......./......./......./ooo..../xxx.... x", "4", 1),
        ("......./......./......./......./...o.../..xx.o. x", "5", 3),
    ],
)
def test_the_quickest_win_is_preferred(text: str, move: str, plies: int) -> None:
    game = load_game("connect4")
    record = Record(game, game.parse_position(text))
    found = AlphaBeta(handmade_model(game)).search(record, Limit(depth=5))
    assert found.value == 1.0
    assert found.end == plies
    if plies == 1:
        assert game.format_move(record.position, found.move) == move


def test_a_lost_position_says_how_soon() -> None:
    game = load_game("connect4")
    text = "......./......./......./......./...o.../o.xxx.. o"  # x threatens on both sides
    record = Record(game, game.parse_position(text))
    found = AlphaBeta(handmade_model(game)).search(record, Limit(depth=6))
    assert (found.value, found.end) == (-1.0, 2)


def test_tictactoe_is_a_draw() -> None:
    game = load_game("tictactoe")
    found = AlphaBeta(handmade_model(game)).search(
        Record(game), Limit(depth=9 if not INTERPRETED else 4)
    )
    assert found.value == 0.0


def test_a_proven_end_stops_the_deepening() -> None:
    game = load_game("connect4")
    text = "......./......./......./......./ooo..../xxx.... x"
    found = AlphaBeta(handmade_model(game)).search(
        Record(game, game.parse_position(text)), Limit(depth=20)
    )
    assert found.depth == 1


def test_quiescence_plays_captures_out() -> None:
    """Black takes one man and loses another at once."""
    game = load_game("draughts")
    model = handmade_model(game)
    record = Record(game, game.parse_position("B:W18,26,30:B5,14"))
    quiet = score_of(model, record, 1, Options())
    blind = score_of(model, record, 1, Options(quiescence=False))
    assert blind == 0
    assert quiet < 0


def test_a_repetition_is_a_draw_in_the_tree() -> None:
    """One king against two: being allowed to repeat is worth more than any loss."""
    game = load_game("draughts")
    record = Record(game, game.parse_position("W:WK29:BK1,K2"))
    for text in ("29-25", "1-5", "25-29", "5-1", "29-25", "1-5", "25-29"):
        record.play(game.parse_move(record.position, text))
    search = AlphaBeta(handmade_model(game))
    search.search(record, Limit(depth=1))
    with_rule = search.search_moves(
        record, np.array([game.parse_move(record.position, "5-1")]), Limit(depth=1)
    )
    assert with_rule.value == 0.0


def test_a_node_budget_is_kept_from_noisy_positions() -> None:
    game = load_game("draughts")
    model = network(game, 5)
    noisy = [random_record(game, seeded(seed), 14 + seed % 9) for seed in range(40)]
    noisy = [record for record in noisy if not game.is_quiet(record.position)]
    assert len(noisy) > 5
    for record in noisy[: 3 if INTERPRETED else 20]:
        for budget in (1, 2, 3, 5, 8, 13, 50):
            assert AlphaBeta(model).search(record, Limit(nodes=budget)).nodes <= budget


def test_a_node_budget_is_kept_exactly_and_repeats(game: Game) -> None:
    record = Record(game)
    budget = 100 if INTERPRETED else 2000
    first = AlphaBeta(handmade_model(game)).search(record, Limit(nodes=budget))
    again = AlphaBeta(handmade_model(game)).search(record, Limit(nodes=budget))
    assert first.nodes <= budget
    assert (first.move, first.value, first.nodes) == (again.move, again.value, again.nodes)


@pytest.mark.skipif(INTERPRETED, reason="about threads in compiled code")
def test_searches_in_threads_find_the_same() -> None:
    game = load_game("draughts")
    model = handmade_model(game)
    alone = AlphaBeta(model).search(Record(game), Limit(nodes=50_000))
    found = {}

    def work(index: int) -> None:
        found[index] = AlphaBeta(model).search(Record(game), Limit(nodes=50_000))

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for other in found.values():
        assert (other.move, other.value, other.nodes) == (alone.move, alone.value, alone.nodes)


def test_a_stop_token_ends_a_search_with_a_legal_move() -> None:
    game = load_game("reversi")
    search = AlphaBeta(handmade_model(game))
    record, stop = Record(game), StopToken()
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    assert search.search(record, Limit(depth=60), stop).move in record.legal_moves()
    assert stop.is_set()
    timer.join()


def test_a_search_that_is_stopped_before_it_begins_answers_at_once() -> None:
    game = load_game("reversi")
    search = AlphaBeta(handmade_model(game))
    stop = StopToken()
    stop.set()
    record = Record(game)
    found = search.search(record, Limit(depth=60), stop)
    assert found.move in record.legal_moves()
    assert (found.depth, found.nodes) == (0, 1)
    assert search.search(record, Limit(depth=2)).depth == 2  # a request has a token of its own


def test_an_analysis_that_is_stopped_looks_for_no_other_line() -> None:
    game = load_game("connect4")
    stop = StopToken()
    stop.set()
    found = AlphaBeta(handmade_model(game)).analyse(Record(game), Limit(depth=60), 3, stop)
    assert len(found.lines) == 1


@pytest.mark.parametrize("name", ["connect4", "kalah"])
def test_a_traced_search_lists_every_inner_node_with_a_true_bound(name: str) -> None:
    game = load_game(name)
    model = handmade_model(game)
    record = random_record(game, seeded(3), 6)
    depth = 2 if INTERPRETED else 4
    room = 5000
    trace = make_trace(game.words, room)
    options = Options(deepening=False)
    traced = AlphaBeta(model, options, trace=trace).search(record, Limit(depth=depth))
    untraced = AlphaBeta(model, options).search(record, Limit(depth=depth))
    assert (traced.value, traced.nodes) == (untraced.value, untraced.nodes)
    nodes = traced_nodes(trace)
    assert 0 < len(nodes.scores) < room
    assert nodes.plies[-1] == 0
    assert nodes.bounds[-1] == EXACT
    finished = np.flatnonzero(nodes.depths == FINISHED)
    assert all(game.result(nodes.positions[index]) != ONGOING for index in finished)
    inner = np.flatnonzero(nodes.depths > 0)
    for index in inner[:: max(1, len(inner) // 40)]:
        below = Record(game, nodes.positions[index].copy())
        truth = minimax(model, below, int(nodes.depths[index]))
        ply, score = int(nodes.plies[index]), int(nodes.scores[index])
        if abs(truth) > SCALE:  # ends count from the root
            truth -= ply if truth > 0 else -ply
        bound = nodes.bounds[index]
        assert bound in (UPPER, LOWER, EXACT)
        assert truth <= score or not bound & UPPER
        assert truth >= score or not bound & LOWER


def test_a_trace_keeps_the_last_completed_iteration() -> None:
    game = load_game("reversi")
    trace = make_trace(game.words, 20_000)
    search = AlphaBeta(handmade_model(game), trace=trace)
    search.search(Record(game), Limit(depth=2))
    whole = traced_nodes(trace)
    assert (whole.plies[-1], whole.depths[-1]) == (0, 2)
    assert whole.plies.tolist().count(0) == 1
    search.forget()
    depth_two = search.search(Record(game), Limit(depth=2)).nodes
    search.forget()
    search.search(Record(game), Limit(nodes=depth_two + 3))  # stopped in the third iteration
    stopped = traced_nodes(trace)
    assert (stopped.plies[-1], stopped.depths[-1]) == (0, 2)
    assert np.array_equal(stopped.positions, whole.positions)
    search.forget()
    search.search(Record(game), Limit(nodes=1))
    assert len(traced_nodes(trace).scores) == 0


def test_a_trace_without_room_keeps_the_last_nodes() -> None:
    game = load_game("connect4")
    found = []
    for room in (7, 5000):
        trace = make_trace(game.words, room)
        AlphaBeta(handmade_model(game), trace=trace).search(Record(game), Limit(depth=4))
        found.append(traced_nodes(trace))
    small, large = found
    assert len(small.scores) == 7 < len(large.scores)
    for name in small._fields:
        assert np.array_equal(getattr(small, name), getattr(large, name)[-7:])


def test_lines_come_best_first_and_all_differ() -> None:
    game = load_game("draughts")
    search = AlphaBeta(handmade_model(game))
    steps: list[Analysis] = []
    lines = search.analyse(Record(game), Limit(depth=3), 3, tell=steps.append).lines
    assert [(len(step.lines), step.lines[-1].depth) for step in steps] == [
        (rank, depth) for rank in (1, 2, 3) for depth in (1, 2, 3)
    ]
    assert [line.value for line in lines] == sorted((line.value for line in lines), reverse=True)
    assert len({line.move for line in lines}) == 3


def test_the_line_is_playable_and_leads_to_the_value() -> None:
    game = load_game("draughts")
    model = network(game, 1)
    record = Record(game)
    found = AlphaBeta(model).search(record, Limit(depth=3 if INTERPRETED else 7))
    for move in found.line:
        assert move in record.legal_moves()
        record.play(move)
    sign = 1 if len(found.line) % 2 == 0 else -1  # draughts alternates
    assert sign * model.value(record.position) == pytest.approx(found.value, abs=2e-6)


def test_the_evaluators_order_never_changes_the_value(game: Game) -> None:
    model = handmade_model(game)
    depth = 2 if INTERPRETED else 4
    for seed in range(3):
        record = random_record(game, seeded(200 + seed), 5 * seed)
        expected = score_of(model, record, depth, Options())
        for value_ordering in (1, 2, 3):
            assert (
                score_of(model, record, depth, Options(value_ordering=value_ordering)) == expected
            )


def test_the_evaluators_order_saves_nodes_if_the_evaluator_is_good() -> None:
    game = load_game("reversi")
    record = random_record(game, seeded(7), 12)
    nodes = {}
    for value_ordering in (0, 1):
        options = Options(value_ordering=value_ordering, killers=False, history=False, table=False)
        search = AlphaBeta(handmade_model(game), options, table_bits=12)
        nodes[value_ordering] = search.search(record, Limit(depth=2 if INTERPRETED else 6)).nodes
    assert nodes[1] < nodes[0]


@pytest.mark.skipif(INTERPRETED, reason="about compiled signatures")
def test_one_kernel_per_game_and_evaluator() -> None:
    game = load_game("tictactoe")
    AlphaBeta(handmade_model(game)).search(Record(game), Limit(depth=3))
    tasks = [str(signature[0]) for signature in signatures(negamax)]
    assert len(tasks) == len(set(tasks))
    assert all("Literal" not in str(signature) for signature in signatures(negamax))


def test_a_win_is_worth_more_than_any_judgement() -> None:
    assert WIN_SCORE - 1000 > SCALE
