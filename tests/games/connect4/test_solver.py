"""The solver of Connect Four knows the truth, and says so in every form."""

import threading

import numpy as np
import pytest

from conftest import INTERPRETED, TESTS, handmade_model
from naive import connect4 as naive
from naive.connect4_scores import score as naive_score
from plywise.errors import PlywiseError
from plywise.game.record import Record
from plywise.game.solving import Unsolved
from plywise.games import load_game
from plywise.games.connect4.proof_search import (
    CELLS,
    bound,
    high_of,
    key_of,
    low_of,
    pack,
    score_of_row,
)
from plywise.games.connect4.rules import connect4
from plywise.games.connect4.solver import Solver, parse_moves, plies_of
from plywise.kernel import signatures
from plywise.search.limits import Limit
from plywise.search.searchers import AlphaBeta
from plywise.system.stopping import StopToken

pytestmark = pytest.mark.kernels

DATA = TESTS / "data" / "connect4"
HARD = "2135"  # takes seconds
LATE = "2252576253462244111563365343671351441"
SMALL = 12  # bits


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(SMALL if INTERPRETED else 22)


def known(name: str) -> list[tuple[str, int]]:
    lines = (DATA / name).read_text().splitlines()
    return [(moves, int(score)) for moves, score in (line.split() for line in lines)]


def late_records(count: int, plies: int) -> list[Record]:
    """Return games of at least so many plies that go on."""
    games = [moves for moves, _ in known("end-easy") if len(moves) >= plies]
    return [parse_moves(moves) for moves in games[:count]]


# ---------------------------------------------------------------- scores


@pytest.mark.parametrize("name", ["end-easy", "middle-medium", "begin-easy"])
@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_all_known_scores_are_found(name: str, solver: Solver) -> None:
    positions = known(name)
    assert len(positions) == 1000
    wrong = [moves for moves, score in positions if solver.solve(moves).score != score]
    assert wrong == []


def test_known_scores_near_the_end_are_found(solver: Solver) -> None:
    for moves, score in known("end-easy")[:40]:
        assert solver.solve(moves).score == score


def test_plain_minimax_finds_the_same_scores(solver: Solver) -> None:
    for record in late_records(5 if INTERPRETED else 20, 35):
        state = naive.initial()
        for text in record.texts():
            state = naive.apply(state, text)
        assert solver.solve(record).score == naive_score(state)
        moves = {text: -naive_score(naive.apply(state, text)) for text in naive.moves(state)}
        found = solver.analyse(record)
        assert {str(move + 1): score for move, score in found} == moves


@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_alphabeta_to_the_end_finds_the_same_value_and_distance(solver: Solver) -> None:
    search = AlphaBeta(handmade_model(connect4))
    for record in late_records(15, 28):
        solution = solver.solve(record)
        left = CELLS - len(record.moves)
        found = search.search(record, Limit(depth=left))
        assert found.value == solution.value
        if solution.value:
            assert found.end == solution.plies


def test_mirror_images_have_the_same_score(solver: Solver) -> None:
    count = 5 if INTERPRETED else 50
    for moves, _ in known("end-easy" if INTERPRETED else "middle-medium")[:count]:
        image = "".join(str(8 - int(column)) for column in moves)
        there, here = solver.analyse(image), solver.analyse(moves)
        assert [(6 - move, score) for move, score in reversed(there)] == here


@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_the_size_of_the_table_changes_no_score() -> None:
    tiny = Solver(8)
    for moves, score in known("end-easy"):
        assert tiny.solve(moves).score == score


@pytest.mark.parametrize(
    ("moves", "value", "plies"),
    [
        ("121212", 1, 1),  # x completes four in column 1
        ("1212127", 1, 1),  # x missed it, and o completes four in column 2
        (LATE, -1, 4),
        ("23163416124767223154467471272416755633", 0, 4),
    ],
)
def test_the_end_is_as_far_as_the_score_says(
    moves: str, value: int, plies: int, solver: Solver
) -> None:
    solution = solver.solve(moves)
    assert (solution.value, solution.plies) == (value, plies)


@pytest.mark.parametrize("left", range(1, CELLS + 1))
def test_a_distance_belongs_to_one_score(left: int) -> None:
    scores = range(-(left // 2), (left + 1) // 2 + 1)
    distances = [plies_of(score, left) for score in scores if score]
    wins = [plies_of(score, left) for score in scores if score > 0]
    assert len(set(distances)) == len(distances)
    assert all(1 <= plies <= left for plies in distances)
    assert all(plies % 2 == 1 for plies in wins)


# ---------------------------------------------------------------- moves


def test_perfect_moves_keep_the_outcome_or_also_the_distance(solver: Solver) -> None:
    moves = "2252576253462244111563365343671"
    scores = dict(solver.analyse(moves))
    best = max(scores.values())
    outcome = solver.perfect_moves(moves)
    distance = solver.perfect_moves(moves, keep="distance")
    assert set(distance) == {move for move, score in scores.items() if score == best}
    assert set(outcome) == {m for m, s in scores.items() if np.sign(s) == np.sign(best)}
    assert solver.solve(moves).score == best


def test_a_kept_sense_that_does_not_exist_is_refused(solver: Solver) -> None:
    with pytest.raises(PlywiseError, match="did you mean outcome"):
        solver.perfect_moves(LATE, keep="outcom")  # type: ignore[arg-type]


def test_rows_records_and_moves_are_the_same(solver: Solver) -> None:
    moves = LATE
    record = parse_moves(moves)
    assert solver.solve(record).score == solver.solve(record.position).score
    assert solver.solve(record).score == solver.solve(moves).score == -1


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ("4444444", "After 444444: '4' is not a legal move here; legal: 1 2 3 5 6 7."),
        ("8", "'8' is not a legal move here"),
        ("44x", "After 44: 'x' is not a legal move here"),
        ("12121212", "After 1212121: '2' cannot be played: the game is over."),
        ("1212121", "nothing to solve"),
    ],
)
def test_what_cannot_be_played_cannot_be_solved(moves: str, sentence: str, solver: Solver) -> None:
    with pytest.raises(PlywiseError, match=sentence):
        solver.solve(moves)


def test_a_position_that_no_game_leads_to_is_refused(solver: Solver) -> None:
    row = connect4.parse_position("......./......./......./......./ooo..../xxxx..o x")
    with pytest.raises(PlywiseError, match="yellow has four in a row already"):
        solver.solve(row)


def test_another_game_is_refused(solver: Solver) -> None:
    with pytest.raises(PlywiseError, match="Only connect4 can be solved, not tictactoe"):
        solver.solve(Record(load_game("tictactoe")))


@pytest.mark.parametrize("bits", [0, 7, 31])
def test_a_table_of_senseless_size_is_refused(bits: int) -> None:
    with pytest.raises(PlywiseError, match="8 to 30 bits"):
        Solver(bits)


# ---------------------------------------------------------------- how it works


@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_a_stopped_solver_says_so_and_goes_on_rightly_later() -> None:
    solver = Solver(16)
    stop = StopToken()
    timer = threading.Timer(0.2, stop.set)
    solver.solve(LATE)  # compiled before the time runs
    timer.start()
    with pytest.raises(Unsolved):
        solver.solve(HARD, stop)
    for moves, score in known("middle-medium")[:20]:
        assert solver.solve(moves).score == score


def test_an_entry_holds_its_key_and_bounds() -> None:
    key = np.uint64((1 << 49) - 1)
    for low, high in ((-21, 21), (0, 0), (-3, 17)):
        entry = pack(key, low, high)
        assert (entry >> np.uint64(12), low_of(entry), high_of(entry)) == (key, low, high)


def test_keys_of_different_positions_differ() -> None:
    rows = [record.position for record in late_records(50, 29)]
    keys = {int(key_of(row[0], row[1], np.int64(12))) for row in rows}
    assert len(keys) == len({row.tobytes() for row in rows})


def test_in_the_opening_mirror_images_share_a_key() -> None:
    left, right = parse_moves("1123").position, parse_moves("7765").position
    keys = {int(key_of(row[0], row[1], np.int64(CELLS - 4))) for row in (left, right)}
    assert len(keys) == 1


@pytest.mark.skipif(INTERPRETED, reason="about compiled code")
def test_the_search_is_compiled_once(solver: Solver) -> None:
    solver.analyse(LATE)
    assert len(signatures(score_of_row)) == 1
    assert len(signatures(bound)) <= 1  # none if it came out of the cache
