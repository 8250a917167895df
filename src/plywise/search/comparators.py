"""Comparators in plain calls, and those made of other evaluators: the better score is better."""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators.model import Evaluator, Model
from plywise.game import Rows
from plywise.kernel import Bundle, borrow, compiled
from plywise.kernel.bits import Position, Whole
from plywise.search.scores import score_of_value

ROW_WIDTH = 8


def as_comparator(model: Model) -> Model:
    """Return a model that compares: itself, or one whose leads are differences of its scores."""
    if hasattr(model.evaluator.bundle, "compare"):
        return model
    return dataclasses.replace(model, evaluator=scalar_comparator(model.evaluator))


def scalar_comparator(evaluator: Evaluator) -> Evaluator:
    """Return an evaluator as a comparator; a position's projection is its score for side 0."""
    judge, side = evaluator.bundle, evaluator.game.rules.side
    value_of = judge.value

    def project(params: Any, acc: Any, ply: Whole, position: Position, row: Any) -> None:
        score = score_of_value(value_of(params, acc, ply, position))
        row[0] = score if side(position) == 0 else -score  # millionths fit into a float32

    def compare(params: Any, first: Any, second: Any, scratch: Any) -> Any:
        return first[0] - second[0]

    def compare_even(params: Any, row: Any, scratch: Any) -> Any:
        return row[0] - np.float32(0)

    members = {
        "value": value_of,
        "refresh": judge.refresh,
        "update": judge.update,
        "has_update": judge.has_update,
        "width": judge.width,
        "project": project,
        "compare": compare,
        "compare_even": compare_even,
        "row_width": ROW_WIDTH,
        "lead_unit": 1,
        "is_bent": True,
    }
    bundle = Bundle(f"comparing_{evaluator.name}_of_{evaluator.game.name}", members)
    return dataclasses.replace(evaluator, bundle=bundle)


# ---------------------------------------------------------------- without a search


def project_all(model: Model, positions: Rows) -> NDArray[np.float32]:
    """Return the projections [positions, row_width] of a comparator."""
    bundle = model.evaluator.bundle
    out = np.zeros((len(positions), bundle.row_width), np.float32)
    accumulator = np.zeros((2, max(1, bundle.width)), np.float32)
    _project_all(model.game.rules, bundle, model.params, accumulator, positions, out)
    return out


def leads_of(
    model: Model, rows: NDArray[np.float32], pairs: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the leads of pairs [pairs, 2] of projections, for side 0."""
    out = np.zeros(len(pairs))
    scratch = np.zeros(rows.shape[1], np.float32)
    _compare_all(model.evaluator.bundle, model.params, rows, pairs, scratch, out)
    return out


def one_way_leads(
    model: Model, rows: NDArray[np.float32], pairs: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the leads of a network as its outputs stand, which depend on the order of a pair."""
    out = np.zeros(len(pairs))
    scratch = np.zeros(rows.shape[1], np.float32)
    _compare_one_way(model.evaluator.bundle, model.params, rows, pairs, scratch, out)
    return out


@compiled
def _project_all(
    game: Bundle, evaluator: Bundle, params: Any, accumulator: Any, positions: Any, out: Any
) -> None:
    for index in range(len(positions)):
        position = game.load_at(positions, index)
        evaluator.refresh(params, accumulator, 0, position)
        evaluator.project(params, accumulator, 0, position, borrow(out, index))


@compiled
def _compare_all(
    evaluator: Bundle, params: Any, rows: Any, pairs: Any, scratch: Any, out: Any
) -> None:
    for index in range(len(pairs)):
        first, second = borrow(rows, pairs[index, 0]), borrow(rows, pairs[index, 1])
        out[index] = evaluator.compare(params, first, second, scratch)


@compiled
def _compare_one_way(
    evaluator: Bundle, params: Any, rows: Any, pairs: Any, scratch: Any, out: Any
) -> None:
    for index in range(len(pairs)):
        first, second = borrow(rows, pairs[index, 0]), borrow(rows, pairs[index, 1])
        out[index] = evaluator.one_way(params, first, second, scratch)
