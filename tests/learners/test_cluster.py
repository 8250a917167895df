"""Learners on a real Ray cluster of two nodes, one of whose workers is killed in the middle."""

import os
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from driving import finish, start_run
from plywise.learners.evolve.settings import EvolveSettings
from plywise.learners.patterns.settings import PatternsSettings
from plywise.system import parallel
from plywise.system.parallel import Workers, run_all

EVOLVE = EvolveSettings(
    evaluator="blondie", generations=2, population=4, games=3, depth=2, max_plies=60
)
PATTERNS = PatternsSettings(
    rounds=2, games=200, batch=50, test_every=2, test_games=8, anchor_games=2
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ray.cluster_utils import Cluster

        nodes = Cluster(
            initialize_head=True,
            head_node_args={"num_cpus": 1, "include_dashboard": False},
        )
        nodes.add_node(num_cpus=1)
        yield nodes.address
        nodes.shutdown()


def champions(folder: Path, workers: Workers) -> list[np.ndarray]:
    run = finish(start_run(folder, "evolve", "draughts", EVOLVE), workers)
    return [run.champion(step)["genome"] for step in run.champions()]


def tables(folder: Path, workers: Workers) -> list[np.ndarray]:
    run = finish(start_run(folder, "patterns", "tictactoe", PATTERNS), workers)
    return [run.champion(step)["vector"] for step in run.champions()]


def workers_of_pool() -> list[int]:
    """Return the processes that play games for Ray."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes()
        except OSError:
            continue
        if command.startswith(b"ray::PoolActor"):
            found.append(int(path.parent.name))
    return found


def kill_one_soon(killed: list[int]) -> None:
    """Kill the first worker that appears, once it has begun to work."""
    for _ in range(600):
        if pids := workers_of_pool():
            time.sleep(0.2)
            os.kill(pids[0], signal.SIGKILL)
            killed.append(pids[0])
            return
        time.sleep(0.1)


@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_changes_nothing(tmp_path: Path, address: str) -> None:
    alone = champions(tmp_path / "alone", Workers())
    killed: list[int] = []
    killer = threading.Thread(target=kill_one_soon, args=(killed,))
    killer.start()
    together = champions(tmp_path / "together", Workers(backend="ray", address=address))
    killer.join()
    assert len(killed) == 1
    assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))


@pytest.mark.filterwarnings("ignore")
def test_the_default_learner_is_the_same_on_threads_processes_and_two_nodes(
    tmp_path: Path, address: str
) -> None:
    alone = tables(tmp_path / "alone", Workers(1))
    for name, workers in {
        "threads": Workers(2),
        "processes": Workers(2, "processes"),
        "nodes": Workers(backend="ray", address=address),
    }.items():
        found = tables(tmp_path / name, workers)
        assert all(np.array_equal(a, b) for a, b in zip(alone, found, strict=True)), name


def test_processes_give_the_same_champions(tmp_path: Path) -> None:
    alone = champions(tmp_path / "alone", Workers())
    apart = champions(tmp_path / "apart", Workers(jobs=2, backend="processes"))
    assert all(np.array_equal(a, b) for a, b in zip(alone, apart, strict=True))


def faulty(number: int) -> int:
    raise ValueError(f"no {number}")


def test_a_fault_in_the_work_itself_is_raised_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "ATTEMPTS", 10**9)
    with pytest.raises(ValueError, match="no 1"):
        run_all(faulty, [1])
