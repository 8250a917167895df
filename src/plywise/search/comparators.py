"""Comparators made of other evaluators: of two positions, the one with the better score."""

import dataclasses
from typing import Any

import numpy as np

from plywise.evaluators.model import Evaluator, Model
from plywise.kernel import Bundle
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
