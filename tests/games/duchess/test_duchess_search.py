"""Duchess is searched, checked and judged as every game is; few pieces keep it short."""

import numpy as np
import pytest

from conftest import INTERPRETED, handmade_model, seeded
from naive.minimax import minimax, random_record
from plywise.conformance import NOTE, check_game
from plywise.game import Game
from plywise.games import load_game
from plywise.search.limits import Limit
from plywise.search.options import PLAIN, Options
from plywise.search.searchers import AlphaBeta

pytestmark = pytest.mark.kernels

FEW_PIECES = "K1c1W1d6P1c6/K2c1R2c6/K4c1B4c6/K5c1P5c6 1 0"
SMOTHERED = "K1a1/K2c1Q1d2R1b4/K4a1/K5c1Q4b2B4c3 2 0"  # player 2 mates the whole team


@pytest.fixture
def game() -> Game:
    return load_game("duchess")


def test_all_that_a_game_owes_holds_in_the_first_positions(game: Game) -> None:
    report = check_game(game, games=1, seed=1, plies=6 if INTERPRETED else 60)
    faults = {finding.rule for finding in report.findings if finding.level != NOTE}
    assert faults == {"endless"}  # for it was not played to its end


def test_alpha_beta_finds_the_value_of_plain_minimax(game: Game) -> None:
    model = handmade_model(game)
    for seed in range(1 if INTERPRETED else 4):
        record = random_record(game, seeded(seed), 2 * seed, FEW_PIECES)
        expected = minimax(model, record, 2, quiet=False)
        for options in (PLAIN, Options(quiescence=False, extensions=False, null_move=False)):
            search = AlphaBeta(model, options, table_bits=10)
            search.search(record, Limit(depth=2))
            assert int(search.memory.best_score) == expected


def test_the_mate_of_a_team_is_found(game: Game) -> None:
    search = AlphaBeta(handmade_model(game), table_bits=10)
    record = random_record(game, seeded(0), 0, SMOTHERED)
    found = search.search(record, Limit(depth=2))
    after = game.apply(record.position, np.uint64(found.move))
    assert game.result(after) == -1


def test_who_is_to_move_is_told_by_team_and_number(game: Game) -> None:
    position = game.initial()
    assert game.mover(position) == "odd player 1"
    assert game.player(position) == 0
    assert game.mover(game.apply(position, game.legal_moves(position)[0])) == "even player 2"


def test_more_material_is_better_for_who_has_it(game: Game) -> None:
    model = handmade_model(game)
    mine = game.parse_position("K1c1Q1c3/K2c1/K4c1/K5c1 1 0")
    theirs = game.parse_position("K1c1/K2c1Q2c3/K4c1/K5c1 1 0")
    assert model.value(mine) > 0.1 > -0.1 > model.value(theirs)


def test_the_picture_turns_so_that_a_seat_is_at_the_bottom(game: Game) -> None:
    assert game.picture is not None
    for player, section in enumerate((1, 2, 4, 5)):
        cells = game.picture.seen_from(player).cells
        lowest = max(cells, key=lambda cell: cell.middle[1])
        assert lowest.name[0] + lowest.name[2] == f"{section}1"
