"""Experts: every position is judged by the one that its class, and the handover, call for."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import INTERPRETED, seeded
from naive.minimax import random_record
from plywise.errors import PlywiseError
from plywise.evaluators import load_model, make_evaluator
from plywise.evaluators.classifiers import make_classifier
from plywise.evaluators.experts import HANDOVERS, PATIENCE, experts_of
from plywise.evaluators.model import Evaluator, Model, save_model
from plywise.evaluators.network import random_model
from plywise.game import Rows
from plywise.game.record import Record
from plywise.games import load_game
from plywise.games.draughts.features import NAMES, feature_counts
from plywise.players import make_player
from plywise.search.limits import Limit
from plywise.search.searchers import AlphaBeta, Mcts

pytestmark = pytest.mark.kernels

DRAUGHTS = load_game("draughts")
UNITS = 3


def mixed_experts(handover: str = "leaf", seed: int = 0) -> Model:
    """Return a network for most of the game and experts of two shapes for its end."""
    sorter = make_classifier(DRAUGHTS, "map", units=UNITS)
    small = make_evaluator("featuremap", DRAUGHTS, features="vision", hidden=3)
    parts = [make_evaluator("blondie", DRAUGHTS), small, small, make_evaluator("none", DRAUGHTS)]
    return random_weights(experts_of(sorter, parts, handover), seed)


def random_weights(evaluator: Evaluator, seed: int) -> Model:
    generator = seeded(seed)
    shapes = evaluator.weights
    weights = {k: generator.uniform(0, 1, shape).astype(np.float32) for k, shape in shapes.items()}
    return Model(evaluator, weights)


def expert_values(model: Model, rows: Rows, which: int) -> Any:
    """Return what one expert says, all by itself."""
    name, settings, _ = [
        part for part in model.evaluator.settings["parts"] for _ in range(part[2])
    ][which]
    alone = make_evaluator(name, model.game, **settings)
    weights = {k: model.weights[f"{which}.{k}"] for k in alone.weights}
    return Model(alone, weights).values(rows)


def long_record(seed: int) -> Record:
    """Return a random game that comes to an endgame."""
    while True:
        record = random_record(DRAUGHTS, seeded(seed), 90)
        if pieces(record.positions[-1]) <= 8:
            return record
        seed += 100


def pieces(row: Any) -> int:
    return int(row[0] | row[1]).bit_count()


def naive_class(model: Model, row: Any) -> int:
    """Return the nearest unit, by the book."""
    if pieces(row) > 12:
        return 0
    present = (feature_counts(row[None])[0] > 0).astype(float)
    units = model.weights["classifier.units"]
    return 1 + int(np.argmin([np.sum((present - unit) ** 2) for unit in units]))


@pytest.mark.parametrize("seed", range(1 if INTERPRETED else 4))
def test_the_expert_of_a_position_judges_it(seed: int) -> None:
    model = mixed_experts(seed=seed)
    rows = np.array(long_record(seed).positions)
    classes = [naive_class(model, row) for row in rows]
    assert len(set(classes)) > 1
    said = [expert_values(model, rows, which) for which in range(UNITS + 1)]
    assert np.allclose(model.values(rows), [said[c][i] for i, c in enumerate(classes)], atol=1e-6)


def test_phases_work_for_every_game_with_a_board() -> None:
    reversi = load_game("reversi")
    sorter = make_classifier(reversi, "phases", boundaries=[20, 50])
    rows = np.array(random_record(reversi, seeded(1), 60).positions)
    counts = [int((reversi.cells(row) != 0).sum()) for row in rows]
    wanted = [2 - (count > 20) - (count > 50) for count in counts]
    assert list(sorter.classes(sorter.prepare({}), rows)) == wanted
    parts = [make_evaluator(name, reversi) for name in ("elm", "positional", "pieces")]
    model = random_weights(experts_of(sorter, parts), 3)
    said = [expert_values(model, rows, which) for which in range(3)]
    assert np.allclose(model.values(rows), [said[c][i] for i, c in enumerate(wanted)], atol=1e-6)


def test_a_phase_needs_a_board_and_a_map_needs_draughts() -> None:
    with pytest.raises(PlywiseError, match="is for draughts"):
        make_classifier(load_game("reversi"), "map")
    with pytest.raises(PlywiseError, match="did you mean map"):
        make_classifier(DRAUGHTS, "mapp")
    with pytest.raises(PlywiseError, match="cannot be built"):
        make_classifier(DRAUGHTS, "map", sizes=3)
    with pytest.raises(PlywiseError, match="reading"):
        make_classifier(DRAUGHTS, "map", reading="count")
    sorter = make_classifier(DRAUGHTS, "phases", boundaries=[12])
    one = make_evaluator("material", DRAUGHTS)
    with pytest.raises(PlywiseError, match="1 experts for 2 classes"):
        experts_of(sorter, [one])
    with pytest.raises(PlywiseError, match="handover"):
        experts_of(sorter, [one, one], "later")


def test_counts_can_be_what_a_map_sees() -> None:
    sorter = make_classifier(DRAUGHTS, "map", units=2, pieces=24, reading="counts")
    start = feature_counts(DRAUGHTS.initial()[None])[0].astype(np.float32)
    units = np.stack([np.zeros(len(NAMES), np.float32), start])
    params = sorter.prepare({"units": units})
    assert list(sorter.classes(params, DRAUGHTS.initial()[None])) == [2]


def test_who_judges_a_search_is_settled_by_the_handover() -> None:
    record = long_record(2)
    models = {name: mixed_experts(name) for name in HANDOVERS}
    searches = {name: AlphaBeta(model, table_bits=10) for name, model in models.items()}
    held: dict[int, int] = {}  # by side: who was chosen when its endgame began
    game = Record(DRAUGHTS)
    for move in record.moves:
        if game.ending() is None and pieces(game.position) <= 14:
            row, side = game.position, game.side
            current = naive_class(models["move"], row)
            if current > 0:
                held.setdefault(side, current)
            first = held.get(side, 0)
            wanted = {"leaf": -1, "move": current, "fixed": first, "patient": first}
            if DRAUGHTS.clock(row) >= PATIENCE:
                wanted["patient"] = current
            for name, search in searches.items():
                search.search(game, Limit(depth=1))
                assert search.model.params.chosen[0] == wanted[name]
        game.play(move)
    assert len(held) == 2


def test_patience_ends_when_nothing_happens() -> None:
    model = mixed_experts("patient", seed=1)
    assert model.evaluator.focus is not None
    game = Record(DRAUGHTS, DRAUGHTS.parse_position("B:WK32,K28:BK1,K5"))
    classes = []
    for ply in range(PATIENCE + 4):
        classes.append(naive_class(model, game.position))
        model.evaluator.focus(model.params, game.positions)
        assert DRAUGHTS.clock(game.position) == ply
        assert model.params.chosen[0] == classes[-1 if ply >= PATIENCE else ply % 2]
        game.play(game.legal_moves()[0])
    assert len(set(classes)) > 1


def test_a_search_forgets_what_another_expert_said() -> None:
    model = mixed_experts("move")
    record = long_record(3)
    middle = next(i for i, row in enumerate(record.positions) if pieces(row) <= 12)
    before, after = (Record(DRAUGHTS, moves=record.moves[:end]) for end in (middle - 1, middle + 2))
    used, fresh = AlphaBeta(model, table_bits=12), AlphaBeta(model, table_bits=12)
    used.search(before, Limit(depth=3))
    assert used.search(after, Limit(depth=3)).value == fresh.search(after, Limit(depth=3)).value
    assert model.params.chosen[0] == -1  # a search has parameters of its own
    tree = Mcts(model)
    tree.search(before, Limit(nodes=20))
    tree.search(after, Limit(nodes=20))
    assert tree.model.params.chosen[0] > 0


def test_a_file_of_experts_plays_and_may_hand_over_in_another_way(tmp_path: Path) -> None:
    path = tmp_path / "experts.safetensors"
    model = mixed_experts("fixed")
    save_model(model, path)
    rows = np.array(long_record(1).positions)
    assert np.array_equal(load_model(path, DRAUGHTS).values(rows), model.values(rows))
    record = Record(DRAUGHTS)
    for text in (f"{path},depth=1", f"{path},depth=1,handover=move"):
        assert make_player(text, DRAUGHTS).choose(record).move in record.legal_moves()
    with pytest.raises(PlywiseError, match="handover"):
        make_player(f"{path},handover=never", DRAUGHTS)
    single = tmp_path / "single.safetensors"
    save_model(random_model(make_evaluator("blondie", DRAUGHTS), seeded(1)), single)
    with pytest.raises(PlywiseError, match="is for experts"):
        make_player(f"{single},handover=move", DRAUGHTS)
