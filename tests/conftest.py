"""What many tests share: the games, and small random models."""

import importlib.util
import os
import signal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from plywise.evaluators import default_evaluator, make_evaluator
from plywise.evaluators.model import Model
from plywise.game import Game
from plywise.games import BUILT_IN, load_game

ROOT = Path(__file__).parent.parent
TESTS = ROOT / "tests"
EXAMPLES = ROOT / "examples"
SMALLEST_GAME = ROOT / "src/plywise/games/tictactoe.py"
collect_ignore_glob = [] if importlib.util.find_spec("torch") else ["learners/deepchess/*"]
INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT") == "1"

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell script
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "plywise", deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
settings.load_profile("plywise")


# Duchess compiles long and is played long; its own tests do the same with few pieces.
GAMES_IN_TURN = [name for name in BUILT_IN if not name.startswith("duchess")]


# Files that take longest come first, so that no worker is left alone with one in the end.
LONG_FILES = (
    "test_docs.py",
    "test_cluster.py",
    "test_mp_draughts.py",
    "test_evaluators.py",
    "test_general_player.py",
    "test_pages.py",
    "test_games.py",
    "test_comparison.py",
    "test_kernel.py",
    "test_ls.py",
    "test_duchess_search.py",
    "test_selfplay.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of long files first, else keep the order."""
    ranks = {name: rank for rank, name in enumerate(LONG_FILES)}
    items.sort(key=lambda item: ranks.get(item.path.name, len(ranks)))


@pytest.fixture(params=GAMES_IN_TURN)
def game(request: pytest.FixtureRequest) -> Game:
    """The built-in games in turn."""
    return load_game(request.param)


def handmade_model(game: Game) -> Model:
    """Return the default evaluator of a game as a model."""
    return Model(make_evaluator(default_evaluator(game), game))


def seeded(seed: int) -> np.random.Generator:
    """Return a generator of random numbers for a test."""
    return np.random.default_rng(seed)
