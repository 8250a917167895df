"""How perfect a player is, measured by a solver."""

import pytest

from conftest import INTERPRETED, seeded
from plywise.arena.perfection import Filter, perfect_share, random_positions
from plywise.errors import PlywiseError
from plywise.game.record import Record
from plywise.game.results import LOSS
from plywise.games.connect4.rules import connect4
from plywise.games.connect4.solver import Solver, parse_moves
from plywise.players import make_player

pytestmark = pytest.mark.skipif(INTERPRETED, reason="too slow")


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(20)


@pytest.fixture(scope="module")
def records(solver: Solver) -> list[Record]:
    return list(random_positions(30, (16, 22), seeded(1), solver))


def test_a_player_that_sees_the_end_is_perfect(solver: Solver) -> None:
    late = list(random_positions(10, (30, 34), seeded(2), solver))
    found = perfect_share(make_player("alphabeta,depth=12", connect4), late, solver)
    assert (found.outcome.successes, found.distance.successes) == (10, 10)


def test_a_random_player_is_far_from_perfect(solver: Solver, records: list[Record]) -> None:
    told: list[int] = []
    player = make_player("random", connect4)
    found = perfect_share(player, records, solver, lambda: told.append(1))
    assert len(told) == found.outcome.trials == 30
    assert found.distance.successes <= found.outcome.successes < 25


def test_random_positions_differ_and_have_better_and_worse_moves(
    solver: Solver, records: list[Record]
) -> None:
    assert len({record.position.tobytes() for record in records}) == 30
    for record in records:
        assert 16 <= len(record.moves) <= 22
        afters = [connect4.apply(record.position, move) for move in record.legal_moves()]
        assert all(connect4.result(after) != LOSS for after in afters)
        assert len(solver.perfect_moves(record)) < len(afters)


def test_the_same_seed_gives_the_same_positions(solver: Solver) -> None:
    twice = [list(random_positions(5, (16, 22), seeded(3), solver)) for _ in range(2)]
    assert [one.moves for one in twice[0]] == [one.moves for one in twice[1]]


def test_easy_positions_come_when_asked_for(solver: Solver) -> None:
    anything = Filter(keeps_quick_wins=True, differing=None)
    found = list(random_positions(200, (20, 24), seeded(4), solver, anything))
    assert any(solver.solve(record).plies == 1 for record in found)


def test_more_positions_than_there_are_is_refused(solver: Solver) -> None:
    anything = Filter(keeps_quick_wins=True, differing=None)
    with pytest.raises(PlywiseError, match="hardly more than 7 such positions of 1 to 1 plies"):
        list(random_positions(8, (1, 1), seeded(0), solver, anything))


def test_plies_beyond_the_board_are_refused(solver: Solver) -> None:
    with pytest.raises(PlywiseError, match="within 0 to 41"):
        list(random_positions(1, (40, 50), seeded(0), solver))


def test_positions_can_be_a_persons_own(solver: Solver) -> None:
    found = perfect_share(
        make_player("alphabeta,depth=3", connect4),
        [parse_moves("54124427275135237171461754536")],
        solver,
    )
    assert found.distance.share == 1
