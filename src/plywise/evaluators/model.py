"""A model: an evaluator with its parameters, and the card that says where they come from.

On disk it is a safetensors file whose metadata holds the card; loading one runs no code.
"""

import functools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.packing import pack
from plywise.game import Game, Row, Rows
from plywise.kernel import Bundle, compiled
from plywise.system.atomic import write_atomically

Array = NDArray[Any]
FORMAT = "plywise-model-1"
CARD = {  # what stands in a card, and of which kind it is
    "game": str,
    "game_version": int,
    "evaluator": str,
    "settings": dict,
    "options": dict,
    "packed": dict,
    "search": str,
    "rules": str,
}
NEEDED = {"game", "evaluator"}
ALIGNMENT = 8  # of the fields of a record, in bytes


class BadModel(PlywiseError):
    """A file that holds no model, or not one for this game."""


@dataclass(frozen=True)
class Range:
    """Where a learned number begins, and how learners that draw numbers at random may change it."""

    start: float
    low: float
    high: float
    step: float  # how far it goes where others go their own steps


@dataclass(frozen=True)
class Evaluator:
    """A way of judging positions of one game, without its numbers.

    Its bundle has, each with the accumulator `acc` as a 2-D array of which row `ply` is used:

        value(params, acc, ply, position)                 in [-1, 1] for the side to move
        refresh(params, acc, ply, position)               fill row `ply`
        update(params, acc, ply, before, move, after)     row `ply + 1` from row `ply`
        has_update, width                                 whether, and how many numbers a row has

    A differentiable one also has, with all learned numbers as one float64 vector `vector` in
    the order of `weights`:

        gradient(vector, acc, ply, position, runs, amounts)
                                  the value, and how many runs of derivatives there are: run i has
                                  the places runs[i, 0] <= place < runs[i, 1] of the vector, and
                                  amounts stand one after the other; all others are 0
        most_runs, most_amounts   the room that these arrays need
        unpack(vector, params)    make these numbers the parameters
        unpack_runs(vector, params, runs, count)
                                  only those in some runs

    Two runs of whatever positions are the same, or they do not overlap. A run that occurs twice
    in a gradient counts twice.

    One that judges a whole search in the light of the game so far has `focus(params, positions)`.
    It is called with the game's positions before the search from the last of them, and says
    whether its judgements have changed.

    One whose weights are bred may have `slopes(weights, inputs)`: the derivatives of its output by
    its weights, [boards, ...] each, for boards given as the game's inputs.
    """

    name: str
    game: Game
    bundle: Bundle
    weights: dict[str, tuple[int, ...]] = field(default_factory=dict)  # shapes of what is learned
    prepare: Callable[[Mapping[str, Array]], Mapping[str, Array]] = dict  # weights to params
    settings: dict[str, Any] = field(default_factory=dict)  # what its builder was given
    fans: dict[str, int] = field(default_factory=dict)  # how many inputs the units of weights have
    focus: Callable[[Any, Sequence[Row]], bool] | None = None
    ranges: dict[str, Range] = field(default_factory=dict)  # of weights that must stay in one
    slopes: Callable[[Mapping[str, Array], Array], dict[str, Array]] | None = None
    # by name: which places of the vector belong together, for learners that add them in stages
    groups: dict[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)

    @property
    def is_differentiable(self) -> bool:
        return hasattr(self.bundle, "gradient")


@dataclass(frozen=True)
class Model:
    """An evaluator and its learned numbers."""

    evaluator: Evaluator
    weights: dict[str, Array] = field(default_factory=dict)
    card: dict[str, Any] = field(default_factory=dict)
    params: Any = field(init=False, compare=False, repr=False)  # a record, see `as_record`

    def __post_init__(self) -> None:
        expected = self.evaluator.weights
        shapes = {name: array.shape for name, array in self.weights.items()}
        if shapes != expected:
            raise BadModel(
                f"The evaluator {self.evaluator.name!r} needs weights {expected}, not {shapes}."
            )
        for name, array in self.weights.items():
            if array.dtype.kind != "f":
                raise BadModel(f"The weights {name!r} are not numbers with a decimal point.")
        object.__setattr__(self, "params", as_record(self.evaluator.prepare(self.weights)))

    @property
    def game(self) -> Game:
        return self.evaluator.game

    def value(self, position: Row) -> float:
        """Return the value of one position for the side to move, without search."""
        return float(self.values(position.reshape(1, -1))[0])

    def values(self, positions: Rows) -> NDArray[np.float64]:
        """Return the values of many positions."""
        out = np.zeros(len(positions))
        accumulator = np.zeros((2, max(1, self.evaluator.bundle.width)), np.float32)
        _values(self.game.rules, self.evaluator.bundle, self.params, accumulator, positions, out)
        return out


def as_record(arrays: Mapping[str, Array]) -> Any:
    """Return arrays as the fields of one record.

    In kernels it is a single pointer with all shapes known; a tuple of arrays would be
    copied word by word at every call of a recursive search.
    """
    fields = tuple((name, array.dtype, array.shape) for name, array in arrays.items())
    record = np.zeros(1, _record_type(fields or (("nothing", np.dtype(np.int64), ()),)))
    for name, array in arrays.items():
        record[name][0] = array
    return record[0]


@functools.cache
def _record_type(fields: tuple[tuple[str, np.dtype[Any], tuple[int, ...]], ...]) -> np.dtype[Any]:
    """Return the type of a record with aligned fields; NumPy would not align records in it."""
    offsets, end = [], 0
    for _, dtype, shape in fields:
        offsets.append(end)
        end += -(-dtype.itemsize * math.prod(shape) // ALIGNMENT) * ALIGNMENT
    names, formats = [name for name, _, _ in fields], [(dtype, s) for _, dtype, s in fields]
    layout = {"names": names, "formats": formats, "offsets": offsets, "itemsize": end}
    return np.dtype((np.record, np.dtype(layout, align=True)))  # type: ignore[call-overload]


@compiled
def _values(
    game: Bundle, evaluator: Bundle, params: Any, accumulator: Any, rows: Any, out: Any
) -> None:
    for index in range(len(rows)):
        position = game.load_at(rows, index)
        evaluator.refresh(params, accumulator, 0, position)
        out[index] = evaluator.value(params, accumulator, 0, position)


# ---------------------------------------------------------------- files


def save_model(model: Model, path: Path) -> None:
    """Write a model and its card to a file, all or nothing.

    A card with `packed` names weights that are packed, and the steps to which they are rounded.
    """
    from safetensors.numpy import save

    card = {
        **model.card,
        "format": FORMAT,
        "game": model.game.name,
        "game_version": model.game.about.version,
        "rules": model.game.rules.meaning,
        "evaluator": model.evaluator.name,
        "settings": model.evaluator.settings,
    }
    steps: dict[str, float] = card.get("packed", {})
    tensors = {
        name: pack(array, steps[name]) if name in steps else np.ascontiguousarray(array)
        for name, array in model.weights.items()
    }
    if not tensors:  # the format wants at least one tensor
        tensors = {"none": np.zeros(1, np.float32)}
    data = save(tensors, metadata={"plywise": json.dumps(card, sort_keys=True)})
    write_atomically(path, data)


def read_card(path: Path) -> dict[str, Any]:
    """Return the card of a model file."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            text = (file.metadata() or {}).get("plywise")
    except (SafetensorError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "damaged"
        raise BadModel(f"{path} is not a model file: {reason}.") from None
    if text is None:
        raise BadModel(f"{path} is a safetensors file, but not a model of Plywise: it has no card.")
    card = _parse_card(text, path)
    if card.get("format") != FORMAT:
        raise BadModel(
            f"{path} has the format {card.get('format')!r}; this version reads {FORMAT}."
        )
    for name, kind in CARD.items():
        if not isinstance(card.get(name, kind()), kind) or name in NEEDED - card.keys():
            raise BadModel(f"The card of {path} is damaged: it has no right `{name}`.")
    return card


def _parse_card(text: str, path: Path) -> dict[str, Any]:
    try:
        card = json.loads(text)
    except (ValueError, RecursionError):
        raise BadModel(f"The card of {path} is damaged: it is not JSON.") from None
    if not isinstance(card, dict):
        raise BadModel(f"The card of {path} is damaged: it does not name anything.")
    return card


def read_weights(path: Path) -> dict[str, Array]:
    """Return the arrays of a model file, whose numbers are finite."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        arrays = dict(load_file(path))
    except (SafetensorError, OSError, KeyError, TypeError, ValueError):
        raise BadModel(f"{path} is damaged: its weights cannot be read.") from None
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            raise BadModel(f"{path} is damaged: its weights {name!r} are not all finite numbers.")
    return arrays
