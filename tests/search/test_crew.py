"""Threads that deepen together: what one completes spares the others, and nothing is lost."""

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from conftest import INTERPRETED, handmade_model
from plywise.game.record import Record
from plywise.games import load_game
from plywise.search.crew import AHEAD_FROM, Crew
from plywise.search.limits import Found, Limit
from plywise.search.options import SELECTIVE, Options
from plywise.search.searchers import AlphaBeta
from plywise.system.stopping import StopToken

pytestmark = pytest.mark.kernels


def memory() -> Any:
    return SimpleNamespace(
        stop=0, nodes=0, node_limit=1000, best_depth=0, settled_depth=0, settled_score=0, move=0
    )


def found_of(memory: Any) -> Found:
    return Found(memory.move, 0.0, (memory.move,), memory.best_depth, 0, 0.0)


def crew_of(
    threads: int, last: int, deepen: Callable[[Crew, Any, int, int], bool], first: int = 1
) -> Crew:
    """Return a crew whose threads do what a function says of a memory, a thread and a depth."""
    crew: Crew

    def work(thread: int, depth: int) -> int:
        memory = crew.memories[thread]
        is_done = deepen(crew, memory, thread, depth)
        if is_done:
            memory.best_depth, memory.settled_score, memory.move = depth, 10 * depth, depth
        return int(is_done)

    crew = Crew([memory() for _ in range(threads)], work, found_of, first, last)
    return crew


def never() -> bool:
    return False


def test_every_second_thread_looks_a_ply_further_from_a_depth_on() -> None:
    seen: dict[int, list[int]] = {0: [], 1: [], 2: []}
    meeting = threading.Barrier(3)

    def deepen(crew: Crew, memory: Any, thread: int, depth: int) -> bool:
        seen[thread].append(depth)
        meeting.wait(timeout=10)  # all have begun
        while thread != 0 and not memory.stop:
            pass
        return thread == 0

    crew_of(3, AHEAD_FROM, deepen).search(never)
    assert seen[0] == seen[2] == [1, 2, 3, 4, 5]
    assert seen[1][:4] == [1, 2, 3, 4]


def test_who_completes_a_depth_sends_on_those_that_are_not_deeper() -> None:
    crew = crew_of(3, 20, lambda *_: True)
    crew._depth = AHEAD_FROM
    assert all(crew._begin(thread) for thread in range(3))
    assert crew._depths == [6, 7, 6]
    crew._complete(0)
    assert [memory.stop for memory in crew.memories] == [0, 0, 1]
    assert crew._begin(0)
    crew._complete(1)
    assert [memory.stop for memory in crew.memories] == [1, 0, 1]


def test_a_depth_that_comes_too_late_changes_nothing() -> None:
    crew = crew_of(2, 20, lambda *_: True)
    assert crew._begin(0)
    assert crew._begin(1)
    crew.memories[0].move = 7
    crew._complete(0)
    crew._complete(1)
    assert crew.completed == found_of(crew.memories[0])


def test_the_score_of_a_depth_is_what_the_next_begins_with() -> None:
    crew = crew_of(2, 20, lambda *_: True, first=3)
    assert crew._begin(0)
    assert (crew.memories[0].settled_depth, crew._depths[0]) == (0, 3)  # nothing is known yet
    crew.memories[0].settled_score = 42
    crew._complete(0)
    assert crew._begin(1)
    assert (crew.memories[1].settled_depth, crew.memories[1].settled_score) == (3, 42)


def test_what_counts_is_the_line_that_is_deepest() -> None:
    crew = crew_of(2, 20, lambda *_: True)
    crew.memories[0].best_depth = 3
    crew.memories[1].best_depth = 4  # of a depth that it did not complete
    assert max(enumerate(crew.memories), key=crew._how_far)[0] == 1


def test_of_equally_deep_lines_that_of_a_completed_search_counts() -> None:
    crew = crew_of(2, 20, lambda *_: True)
    for thread in (0, 1):
        crew._begin(thread)
    crew.memories[0].best_depth = crew.memories[1].best_depth = 1
    crew._complete(1)
    assert max(enumerate(crew.memories), key=crew._how_far)[0] == 1


def test_a_crew_that_was_halted_searches_nothing() -> None:
    crew = crew_of(2, 20, lambda *_: pytest.fail("it searches"))
    crew.halt()
    assert crew.search(never).depth == 0


def test_a_thread_without_nodes_leaves_the_rest_to_the_others() -> None:
    def deepen(crew: Crew, memory: Any, thread: int, depth: int) -> bool:
        if thread == 1:
            memory.nodes = memory.node_limit
        return thread == 0

    assert crew_of(2, 6, deepen).search(never).depth == 6


def test_what_suffices_ends_the_search() -> None:
    crew = crew_of(2, 50, lambda crew, memory, thread, depth: thread == 0)
    assert crew.search(lambda: crew.completed is not None and crew.completed.depth == 4).depth == 4


@pytest.mark.skipif(INTERPRETED, reason="about threads in compiled code")
def test_threads_get_as_deep_as_they_are_told() -> None:
    game = load_game("chess")
    search = AlphaBeta(handmade_model(game), SELECTIVE, 16, threads=3)
    for text in game.about.bench.positions if game.about.bench else ():
        found = search.search(Record(game, game.parse_position(text)), Limit(depth=7))
        assert found.depth == 7


@pytest.mark.skipif(INTERPRETED, reason="about threads in compiled code")
def test_threads_tell_of_lines_that_can_be_played() -> None:
    game = load_game("chess")
    search = AlphaBeta(handmade_model(game), SELECTIVE, 16, threads=2)
    told: list[Found] = []
    last = search.search(Record(game), Limit(depth=8), tell=told.append)
    assert told[-1].depth == last.depth == 8
    assert [step.depth for step in told] == sorted({step.depth for step in told})
    for step in told:
        record = Record(game)
        for move in step.line:
            assert move in record.legal_moves()
            record.play(move)


@pytest.mark.skipif(INTERPRETED, reason="about threads in compiled code")
def test_threads_end_with_a_proven_end() -> None:
    game = load_game("chess")
    record = Record(game, game.parse_position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"))
    found = AlphaBeta(handmade_model(game), SELECTIVE, 16, threads=2).search(record, Limit(depth=9))
    assert (found.end, game.format_move(record.position, found.move)) == (1, "Rd8#")


@pytest.mark.skipif(INTERPRETED, reason="about threads in compiled code")
def test_threads_that_are_stopped_beforehand_answer_with_a_legal_move() -> None:
    game = load_game("chess")
    token = StopToken()
    token.set()
    search = AlphaBeta(handmade_model(game), Options(), 12, threads=2)
    found = search.search(Record(game), Limit(depth=30), token)
    assert found.move in game.legal_moves(game.initial())


@pytest.mark.skipif(INTERPRETED, reason="about threads in compiled code")
def test_threads_share_their_nodes() -> None:
    game = load_game("chess")
    search = AlphaBeta(handmade_model(game), SELECTIVE, 16, threads=2)
    assert search.search(Record(game), Limit(nodes=20_000)).nodes <= 20_002
