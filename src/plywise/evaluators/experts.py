"""`experts`: a classifier of positions over any evaluators, one for each class.

Who judges is settled by `handover`:

    leaf     every position that is judged, by itself
    move     the position at the root of the search, for the whole search
    fixed    the first own position of the phase that the game is in, until the phase ends
    patient  as fixed; after PATIENCE plies without progress (the game's clock), as move

In its parameters, `chosen` is the class that judges everything, or -1 if every position
settles it by itself. Neighbouring experts of the same shape are an array of records.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from plywise.errors import PlywiseError, UnknownName
from plywise.evaluators import make_evaluator
from plywise.evaluators.classifiers import Classifier, make_classifier
from plywise.evaluators.model import Array, Evaluator, as_record
from plywise.evaluators.stateless import stateless_members
from plywise.game import Game, Row
from plywise.kernel import Bundle
from plywise.kernel.bits import Position, Whole

HANDOVERS = ("leaf", "move", "fixed", "patient")
PATIENCE = 12
EACH = -1  # `chosen`: every position settles it by itself


def experts(
    game: Game,
    classifier: Mapping[str, Any],
    parts: Sequence[Sequence[Any]],
    handover: str = "leaf",
) -> Evaluator:
    """Return the evaluator.

    `classifier` has a `name` and its settings; `parts` are (evaluator, settings, how often)
    in the order of the classes.
    """
    if handover not in HANDOVERS:
        raise UnknownName("handover", handover, HANDOVERS)
    sorter = make_classifier(game, **classifier)
    made = [(make_evaluator(name, game, **dict(given)), int(times)) for name, given, times in parts]
    total = sum(times for _, times in made)
    if total != sorter.count:
        raise PlywiseError(f"There are {total} experts for {sorter.count} classes of positions.")
    return _Experts(game, sorter, made, handover).evaluator()


def experts_of(
    classifier: Classifier, parts: Sequence[Evaluator], handover: str = "leaf"
) -> Evaluator:
    """Return the evaluator of a classifier and one expert for every class."""
    shapes = [(part.name, part.settings) for part in parts]
    counted = [[*shape, len(list(same))] for shape, same in groupby(shapes)]
    given = {"name": classifier.name, **classifier.settings}
    return experts(classifier.game, given, counted, handover)


class _Experts:
    """What it takes to build the evaluator."""

    def __init__(
        self, game: Game, sorter: Classifier, made: list[tuple[Evaluator, int]], handover: str
    ) -> None:
        self.game = game
        self.sorter = sorter
        self.made = made
        self.handover = handover
        self.all = [part for part, times in made for _ in range(times)]

    def evaluator(self) -> Evaluator:
        shapes = {f"classifier.{name}": shape for name, shape in self.sorter.weights.items()}
        for place, part in enumerate(self.all):
            shapes |= {f"{place}.{name}": shape for name, shape in part.weights.items()}
        names = [part.name for part in self.all]
        settings = {
            "classifier": {"name": self.sorter.name, **self.sorter.settings},
            "parts": [[part.name, part.settings, times] for part, times in self.made],
            "handover": self.handover,
        }
        name = f"experts_{self.sorter.name}_{len(names)}_{names[0]}"
        bundle = Bundle(name, self._members(), fastmath=True)
        return Evaluator(
            "experts", self.game, bundle, shapes, self.prepare, settings, focus=self.focus
        )

    def prepare(self, weights: Mapping[str, Array]) -> Mapping[str, Array]:
        """Return the parameters: those of the first group of experts, and the rest."""
        records = [
            as_record(part.prepare(_below(weights, f"{place}.")))
            for place, part in enumerate(self.all)
        ]
        rest: dict[str, Array] = {}
        ends = np.cumsum([times for _, times in self.made])
        for (_, times), end in reversed(list(zip(self.made, ends, strict=True))):
            group = np.array(records[end - times : end])
            rest = {"first": group} | ({"rest": np.array(as_record(rest))} if rest else {})
        classifier = self.sorter.prepare(_below(weights, "classifier."))
        return {"chosen": np.full(1, EACH), "classifier": np.array(classifier), **rest}

    def focus(self, params: Any, positions: Sequence[Row]) -> bool:
        """Settle who judges in a search from the last of a game's positions, see `Evaluator`."""
        before = int(params.chosen[0])
        params.chosen[0] = self._chosen(params, positions)
        return bool(params.chosen[0] != before)

    def _chosen(self, params: Any, positions: Sequence[Row]) -> int:
        if self.handover == "leaf":
            return EACH
        settling = positions[-1]
        is_patient = self.handover == "patient" and self.game.clock(settling) < PATIENCE
        if is_patient or self.handover == "fixed":
            side = self.game.side(positions[-1])
            phases = self.sorter.phases(np.array(positions))
            for position, phase in zip(positions[::-1], phases[::-1], strict=True):
                if phase != phases[-1]:
                    break
                if self.game.side(position) == side:
                    settling = position
        return int(self.sorter.classes(params.classifier, settling[None])[0])

    def _members(self) -> dict[str, Any]:
        choose = self.sorter.bundle.choose
        judge = _judge_of([(part.bundle, times) for part, times in self.made])

        def value(params: Any, acc: Any, ply: Whole, position: Position) -> float:
            which = params.chosen[0]
            if which < 0:
                which = choose(params.classifier, acc, ply, position)
            return float(judge(params, which, acc, ply, position))

        width = max(self.sorter.bundle.width, *(part.bundle.width for part, _ in self.made))
        return stateless_members(value, width)


def _below(weights: Mapping[str, Array], prefix: str) -> dict[str, Array]:
    return {k.removeprefix(prefix): array for k, array in weights.items() if k.startswith(prefix)}


def _judge_of(groups: list[tuple[Bundle, int]]) -> Any:
    """Return a function that lets an expert judge, given by its place."""
    (bundle, times), *others = groups
    value, refresh = bundle.value, bundle.refresh

    if not others:

        def judge_all(params: Any, which: Whole, acc: Any, ply: Whole, position: Position) -> float:
            refresh(params.first[which], acc, ply, position)
            return float(value(params.first[which], acc, ply, position))

        return judge_all

    judge_others = _judge_of(others)

    def judge(params: Any, which: Whole, acc: Any, ply: Whole, position: Position) -> float:
        if which < times:
            refresh(params.first[which], acc, ply, position)
            return float(value(params.first[which], acc, ply, position))
        return float(judge_others(params.rest, which - times, acc, ply, position))

    return judge
