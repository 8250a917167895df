"""Features: what a move changes is the difference of what is there, and both sides are served."""

from typing import Any

import numpy as np
import pytest

from conftest import INTERPRETED, seeded
from found_features import active_in, changed_by
from naive.minimax import random_record
from plywise.errors import PlywiseError, UnknownName
from plywise.evaluators import make_evaluator
from plywise.evaluators.features import (
    BUILDERS,
    Features,
    bits,
    cells,
    difference_of,
    make_features,
)
from plywise.evaluators.gradients import gradients_of
from plywise.evaluators.linear import linear_on
from plywise.evaluators.model import Model
from plywise.evaluators.network import random_model
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.games.tictactoe import rules
from plywise.kernel import popcount
from plywise.kernel.bits import Position, Whole

pytestmark = pytest.mark.kernels

GAMES = 1 if INTERPRETED else 10
ELSEWHERE = ("patterns", "joined", "board")  # where these are tested
SETS = [name for name in BUILDERS if name not in ELSEWHERE]


def records_of(game: Game) -> list[Record]:
    return [random_record(game, seeded(seed), 60) for seed in range(GAMES)]


def without_changed(features: Features) -> Features:
    """Return features that leave what a move changes to the comparison of positions."""
    return Features(
        "compared",
        features.game,
        features.count,
        features.most,
        features.active,
        mirror=features.mirror,
        rows=features.rows,
    )


def shuffled(game: Game) -> Features:
    """Return cells in no order, those of the first column twice."""
    write, count = game.rules.cells, game.rules.cell_count

    def active(position: Position, out: Any) -> Whole:
        codes = np.zeros(count, np.int8)
        write(position, codes)
        found = 0
        for cell in range(count):
            other = (cell * 5 + 3) % count
            if codes[other] != 0:
                for _ in range(2 if other % 7 == 0 else 1):
                    out[found] = 2 * other + (1 if codes[other] < 0 else 0)
                    found += 1
        return found

    return Features("shuffled", game, 2 * count, 2 * count, active)


def by_pieces(game: Game) -> Features:
    """Return the bits of Connect Four with another table from every seventh stone on."""
    plain = bits(game)

    def table(position: Position) -> Whole:
        return min(popcount(position[1]) // 7, 2)

    return Features(
        "by_pieces",
        game,
        plain.count,
        plain.most,
        plain.active,
        plain.changed,
        plain.mirror,
        plain.rows,
        table,
        tables=3,
    )


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("is_compared", [False, True])
def test_what_a_move_changes_is_the_difference_of_what_is_there(
    game: Game, name: str, is_compared: bool
) -> None:
    features = make_features(name, game)
    if is_compared:
        features = without_changed(features)
    for record in records_of(game):
        for row, move in zip(record.positions, record.moves, strict=False):
            before, after = active_in(features, row), active_in(features, game.apply(row, move))
            assert changed_by(features, row, move) == (before - after, after - before)


def test_features_in_no_order_and_twice_are_compared_as_well() -> None:
    features = shuffled(load_game("connect4"))
    twice = 0
    for record in records_of(features.game):
        for row, move in zip(record.positions, record.moves, strict=False):
            before = active_in(features, row)
            after = active_in(features, features.game.apply(row, move))
            assert changed_by(features, row, move) == (before - after, after - before)
            twice += max(after.values()) > 1
    assert twice > 0


@pytest.mark.parametrize("name", SETS)
def test_features_keep_to_their_counts(game: Game, name: str) -> None:
    features = make_features(name, game)
    for record in records_of(game):
        for row in record.positions:
            found = active_in(features, row)
            assert sum(found.values()) <= features.most
            assert all(0 <= index < features.count for index in found)


def test_the_cells_of_tic_tac_toe_are_numbered_by_cell_and_side() -> None:
    game = load_game("tictactoe")
    row = game.parse_position("x../.o./... x")
    assert set(active_in(cells(game), row)) == {0, 2 * 4 + 1, 18}
    row = game.parse_position("x../.o./..x o")
    assert set(active_in(cells(game), row)) == {0, 2 * 4 + 1, 2 * 8, 19}


def test_the_cells_of_draughts_are_numbered_by_cell_side_and_kind() -> None:
    game = load_game("draughts")
    row = game.parse_position("B:WK32,31:B1")
    man, white_man, white_king = 0, 2, 3
    cell_of = {1: 1, 31: 60, 32: 62}
    expected = {4 * cell_of[1] + man, 4 * cell_of[31] + white_man, 4 * cell_of[32] + white_king}
    assert set(active_in(cells(game), row)) == expected


@pytest.mark.parametrize("head", ["linear", "nnue"])
def test_both_sides_see_the_board_as_their_own(head: str) -> None:
    game = load_game("draughts")
    model = random_model(make_evaluator(head, game), seeded(1), reach=0.5)
    black = game.parse_position("B:W21,22,K30:B1,2,K11")
    white = game.parse_position("W:W32,31,K22:B12,11,K3")  # the board turned round
    assert model.value(black) == pytest.approx(model.value(white), abs=1e-6)
    assert model.value(black) != pytest.approx(0, abs=1e-3)


def test_with_signs_what_is_good_for_one_side_is_as_bad_for_the_other() -> None:
    game = load_game("draughts")
    evaluator = make_evaluator("linear", game, features=["cells", "material"], signed=True)
    model = random_model(evaluator, seeded(1), reach=0.5)
    weights = {**model.weights, "bias": np.zeros(1)}
    model = Model(evaluator, weights)
    board = "W21,22,K30:B1,2,K11"
    black, white = game.parse_position(f"B:{board}"), game.parse_position(f"W:{board}")
    assert model.value(black) == pytest.approx(-model.value(white), abs=1e-6)
    assert abs(model.value(black)) > 1e-3


def test_signs_and_two_sets_of_weights_exclude_each_other() -> None:
    with pytest.raises(PlywiseError, match="signs or sets=2, not both"):
        make_evaluator("linear", load_game("draughts"), sets=2, signed=True)


def test_without_a_mirror_the_value_is_that_of_side_0() -> None:
    game = load_game("tictactoe")
    features = make_features(None, game)
    assert features.views == 1
    weights = np.zeros(features.rows)
    weights[0] = 0.5  # an x in the first cell
    model = Model(linear_on(features), {"weights": weights, "bias": np.zeros(1)})
    assert model.value(game.parse_position("x../.o./..x o")) == pytest.approx(
        -np.tanh(0.5), abs=1e-5
    )
    assert model.value(game.parse_position("x../.o./... x")) == pytest.approx(
        np.tanh(0.5), abs=1e-5
    )


def test_each_side_has_rows_of_its_own_for_bits() -> None:
    game = load_game("connect4")
    features = bits(game)
    weights = np.zeros(features.rows)
    weights[64 : 2 * 64], weights[features.count + 64 :] = 0.1, -0.2  # filled cells
    model = Model(linear_on(features), {"weights": weights, "bias": np.zeros(1)})
    row = game.initial()
    for stones in range(6):
        factor = 0.1 if stones % 2 == 0 else -0.2
        assert model.value(row) == pytest.approx(np.tanh(factor * stones), abs=1e-5)
        row = game.apply(row, 3)


def test_every_table_has_weights_of_its_own() -> None:
    features = by_pieces(load_game("connect4"))
    model = random_model(linear_on(features), seeded(2), reach=0.3)
    tables = model.weights["weights"].reshape(3, -1)
    seen = set()
    for record in records_of(features.game):
        for row in record.positions:
            table = min(int(row[1]).bit_count() // 7, 2)
            side = features.game.side(row) * features.count
            total = sum(tables[table, index + side] for index in active_in(features, row))
            expected = np.tanh(total + model.weights["bias"][0])
            assert model.value(row) == pytest.approx(expected, abs=2e-5)
            seen.add(table)
    assert len(seen) >= 2


def test_a_feature_that_is_there_twice_counts_twice() -> None:
    features = shuffled(load_game("connect4"))
    evaluator = linear_on(features)
    row = random_record(features.game, seeded(3), 12).position
    found = active_in(features, row)
    assert max(found.values()) == 2
    vector = np.append(seeded(4).uniform(-0.2, 0.2, features.rows), 0.0)
    values, slopes = gradients_of(evaluator, vector, row[None])
    sign = 1 if features.game.side(row) == 0 else -1
    total = sum(times * vector[index] for index, times in found.items())
    assert values[0] == pytest.approx(sign * np.tanh(total), abs=1e-5)
    for index, times in found.items():
        assert slopes[0, index] == pytest.approx(sign * times * (1 - values[0] ** 2))


def test_a_game_without_a_picture_has_bits_only() -> None:
    functions: dict[str, Any] = dict(rules)
    bare = Game("bare", words=3, max_moves=10, **functions)
    assert make_features(None, bare).name == "bits"
    with pytest.raises(PlywiseError, match="bare has none: say bits"):
        make_features("cells", bare)
    with pytest.raises(UnknownName, match="did you mean cells"):
        make_features("cels", bare)


def test_a_mirror_that_does_not_lead_back_is_refused() -> None:
    game = load_game("tictactoe")

    def active(position: Position, out: Any) -> Whole:
        return 0

    def mirror(row: Whole) -> Whole:
        return (row + 1) % 3

    features = Features("wrong", game, 3, 3, active, difference_of(active), mirror)
    with pytest.raises(PlywiseError, match="must lead back"):
        random_model(linear_on(features), seeded(1))


def test_pairs_are_refused_where_pieces_are_of_too_many_kinds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plywise.evaluators.board_features.MOST_PAIRS", 10)
    with pytest.raises(PlywiseError, match="fewer kinds of pieces than tictactoe has"):
        make_features("pairs", load_game("tictactoe"))
