"""Many tasks at once: joblib, with threads by default, for compiled code holds no lock.

Nothing is copied to a thread. Tasks may go to processes or to a Ray cluster instead; then work,
tasks and answers must be picklable.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import joblib

from plywise.errors import PlywiseError, UnknownName

Task = TypeVar("Task")
Answer = TypeVar("Answer")

MOST_JOBS = 1024  # at once; no machine here has more cores, and threads are not free
ATTEMPTS = 5  # at tasks whose worker died
BACKENDS = {"threads": "threading", "processes": "loky", "ray": "ray"}  # and what joblib says


@dataclass(frozen=True)
class Workers:
    """Where tasks are done; has no influence on the outcome."""

    jobs: int = 0  # at once; 0: one for every core
    backend: str = "threads"  # one of BACKENDS
    address: str = ""  # of a Ray cluster; none: one is started on this machine

    def __post_init__(self) -> None:
        if self.backend not in BACKENDS:
            raise UnknownName("backend", self.backend, BACKENDS)
        if self.address and self.backend != "ray":
            raise PlywiseError(f"An address is one of a Ray cluster, not of {self.backend}.")
        worker_count(self.jobs)

    @contextmanager
    def ready(self) -> Iterator[None]:
        """Have a cluster inside the block, if these workers are of one."""
        if self.backend != "ray":
            yield
            return
        with cluster(self.address):
            yield


def worker_count(jobs: int = 0) -> int:
    """Return how many tasks run at once: so many, or for 0 as many as there are cores."""
    if not 0 <= jobs <= MOST_JOBS:
        raise PlywiseError(f"The number of jobs is 0 (all cores) to {MOST_JOBS}, not {jobs}.")
    return jobs or int(joblib.cpu_count())


def run_tasks(
    work: Callable[[Task], Answer], tasks: Iterable[Task], jobs: int = 0
) -> Iterator[Answer]:
    """Yield work(task) for all tasks, on threads, each as soon as it is done.

    Tasks are drawn as needed. To end early, let the tasks end and take what is still under way.
    """
    workers = worker_count(jobs)
    parallel = joblib.Parallel(
        n_jobs=max(2, workers),  # a single worker would be this thread, and deaf to Ctrl-C
        backend="threading",
        batch_size=1,
        pre_dispatch=workers,  # as many as are under way at once
        return_as="generator_unordered",
    )
    yield from parallel(joblib.delayed(work)(task) for task in tasks)


def run_all(
    work: Callable[[Task], Answer], tasks: Sequence[Task], workers: Workers = Workers()
) -> list[Answer]:
    """Return work(task) for all tasks, in their order.

    A worker that dies takes tasks with it; all are then run again, for a task carries
    what it needs and always gives the same answer.
    """
    for attempt in range(1, ATTEMPTS + 1):
        is_threaded = workers.backend == "threads"
        is_cluster = workers.backend == "ray"
        count = _cluster_size(workers.jobs) if is_cluster else worker_count(workers.jobs)
        parallel = joblib.Parallel(
            n_jobs=max(2, count) if is_threaded else count,
            backend=BACKENDS[workers.backend],
            batch_size=1,
            pre_dispatch=_waiting(count) if is_threaded else "all",
        )
        try:
            return list(parallel(joblib.delayed(work)(task) for task in tasks))
        except Exception as error:
            if attempt == ATTEMPTS or not _is_lost_worker(error):
                raise
    raise AssertionError("unreachable")


def _waiting(workers: int) -> int:
    """Return how many tasks threads have at once: a second each, so that none waits for its next.

    A single worker shares its place with an idle one (see `run_tasks`), so it gets one.
    """
    return 1 if workers == 1 else 2 * workers


def _cluster_size(jobs: int) -> int:
    """Return how many workers a cluster has room for now, which may be fewer than asked for."""
    import ray

    room = int(ray.cluster_resources().get("CPU", 1))
    return min(jobs, room) if jobs else room


def _is_lost_worker(error: Exception) -> bool:
    """Return whether an error tells of a dead worker and not of a fault in the work."""
    if isinstance(error, BrokenExecutor):
        return True
    module, name = type(error).__module__, type(error).__name__
    return module.startswith("ray.exceptions") and name != "RayTaskError"


@contextmanager
def cluster(address: str) -> Iterator[None]:
    """Make the backend "ray" usable inside the block: at an address, or on this machine ("")."""
    try:
        import ray
        from ray.util.joblib import register_ray
    except ImportError:
        raise PlywiseError(
            "A cluster needs Ray: install it with pip install 'plywise[cluster]'."
        ) from None
    try:
        ray.init(address=address or None, log_to_driver=False, ignore_reinit_error=True)
    except (ConnectionError, ValueError) as error:
        raise PlywiseError(f"There is no Ray cluster at {address!r}: {error}.") from None
    register_ray()
    try:
        yield
    finally:
        ray.shutdown()
