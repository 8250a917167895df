"""What is forced within a few plies agrees with a search in depth."""

import numpy as np
import pytest

from conftest import seeded
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.game import ONGOING
from plywise.game.record import Record
from plywise.games import load_game
from plywise.search.forced import is_decided
from plywise.search.limits import Limit
from plywise.search.searchers import AlphaBeta

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_a_position_is_decided_where_a_search_proves_it(depth: int) -> None:
    game = load_game("tictactoe")
    search = AlphaBeta(Model(make_evaluator("none", game)), table_bits=10)
    for seed in range(40):
        record, generator = Record(game), seeded(seed)
        for _ in range(int(generator.integers(0, 6))):
            if record.result() == ONGOING:
                record.play(generator.choice(record.legal_moves()))
        if record.result() == ONGOING:
            search.forget()
            value = search.search(record, Limit(depth=depth)).value
            assert is_decided(game, record.position, depth) == bool(np.abs(value) == 1)
