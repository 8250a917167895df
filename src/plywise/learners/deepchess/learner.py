"""`deepchess`: which of two positions is better, learned from decisive games alone.

After David, Netanyahu & Wolf (2016). A step of a run is an epoch of one of its stages, see
`stages`. Networks are in PyTorch while they learn; a champion is plain arrays, and its model is
compiled.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from plywise.datasets import open_data_sets
from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Array, Model
from plywise.learners.deepchess.judging import accuracy
from plywise.learners.deepchess.networks import Comparator, Extractor, Scalar
from plywise.learners.deepchess.pairs import Coder, split
from plywise.learners.deepchess.settings import DeepchessSettings
from plywise.learners.deepchess.stages import (
    Feed,
    Loss,
    Place,
    autoencoding,
    comparing,
    distilling,
    mimicking,
    place_of,
    ranking,
    stages_of,
    train_epoch,
)
from plywise.learners.deepchess.weights import (
    comparator_shape,
    comparator_weights,
    scalar_weights,
)
from plywise.runs import Learner, Step

State = dict[str, Array]  # by name of a network or an optimizer, a dot, and the name in it
TRAINED = {  # by stage: the network that learns and is kept
    "pretraining": "large",
    "siamese": "large",
    "control": "control",
    "mimicking": "small",
    "distilling": "small",
    "scalar": "scalar",
}
HELPERS = {"pretraining": "decoder", "mimicking": "bridge"}  # what learns along, and is dropped
SALT = 1  # no other use of a seed draws the same numbers
REMEMBERED = ("step", "exp_avg", "exp_avg_sq")  # by Adam of every parameter


def sizes(text: str, name: str) -> tuple[int, ...]:
    """Return the units of layers, given as a text."""
    words = text.replace("+", " ").split()
    if not words or not all(word.isdigit() and int(word) > 0 for word in words):
        raise PlywiseError(f"{name} are sizes of layers such as '256 32', not {text!r}.")
    return tuple(int(word) for word in words)


class Deepchess(Learner[DeepchessSettings, State]):
    """Stacked autoencoders, a siamese network, its compression; or a scalar."""

    settings_type = DeepchessSettings

    def prepare(self) -> None:
        if not self.settings.data:
            raise PlywiseError(
                "deepchess learns from a data set, so say data=FOLDER; plywise dataset makes one."
            )
        chosen = self.chosen = self.settings.settled()
        for name in ("epochs", "pairs", "batch", "pairings", "threads", "tested"):
            if getattr(chosen, name) < 1:
                raise PlywiseError(f"{name} is 1 or more, not {getattr(chosen, name)}.")
        if not 0 <= chosen.taught <= 1:
            raise PlywiseError(f"taught is from 0 to 1, not {chosen.taught}.")
        for name in ("dropout", "held_out"):
            if not 0 <= getattr(chosen, name) < 1:
                raise PlywiseError(f"{name} is from 0 to below 1, not {getattr(chosen, name)}.")
        self.shapes = {
            name: sizes(getattr(chosen, name), name)
            for name in ("features", "head", "small_features", "small_head", "hidden")
        }
        if len(self.shapes["hidden"]) > 2:
            raise PlywiseError(f"A scalar has one or two hidden layers, not {chosen.hidden!r}.")
        data = open_data_sets(chosen.data, self.game)
        self.split = split(data, chosen.held_out)
        training = self.split.training
        if data.times is not None:
            training = training.repeated(data.times)
        has_gpu = chosen.device == "auto" and torch.cuda.is_available()
        device = torch.device("cuda" if has_gpu else "cpu")
        self.feed = Feed(
            Coder(self.game),
            np.asarray(data.positions),
            training,
            chosen,
            device,
            None if data.odds is None or chosen.taught == 0 else np.asarray(data.odds),
        )
        if chosen.reflect and self.feed.coder.features.reflect is None:
            raise PlywiseError(
                f"{self.game.name} does not say how its left and right are exchanged: leave out "
                "reflect."
            )
        self.stages = stages_of(chosen, len(self.shapes["features"]))

    @property
    def steps(self) -> int:
        return sum(stage.epochs for stage in self.stages)

    @property
    def is_antisymmetric(self) -> bool:
        """Whether networks learn the mean of both orders of a pair, which the paper did not."""
        return self.chosen.preset == "modern"

    def begin(self) -> State:
        return {}

    def advance(self, state: State, number: int) -> Step[State]:
        torch.set_num_threads(self.chosen.threads)
        place = place_of(self.stages, number)
        name = TRAINED[place.stage.name]
        networks = self._networks(state, place, number)
        trained = [networks[name], *(networks[h] for h in self._helpers(place))]
        optimizer = self._optimizer(trained, state if not place.is_first else {})
        loss_of = self._loss(place, networks)
        for network in trained:
            network.train()
        generator = np.random.default_rng([self.chosen.seed, SALT, number])
        torch.manual_seed(int(generator.integers(1 << 62)))
        loss = train_epoch(loss_of, optimizer, self.feed, place, generator)
        metrics = {"stage": place.stage.name, "epoch": place.epoch, "loss": loss}
        metrics |= self._measure(place, networks[name])
        after = _arrays_of({**networks, "optimizer": optimizer}, trained)
        is_kept = place.stage.name in ("siamese", "distilling", "scalar")
        champion = self._champion(networks[name]) if is_kept else None
        return Step(after, metrics, champion)

    # ------------------------------------------------------------ networks

    def _make(self, name: str) -> nn.Module:
        """Return a network with random weights."""
        inputs, shapes, dropout = self.feed.coder.inputs, self.shapes, self.chosen.dropout
        if name == "scalar":
            return Scalar(inputs - 1, shapes["hidden"], dropout)
        if name == "large":
            return Comparator(inputs, shapes["features"], shapes["head"], dropout)
        small = 0.0 if name == "small" else dropout / 2  # soft targets need no dropout
        return Comparator(inputs, shapes["small_features"], shapes["small_head"], small)

    def _make_helper(self, place: Place) -> nn.Linear:
        large = self.shapes["features"]
        if place.stage.name == "mimicking":
            return nn.Linear(self.shapes["small_features"][-1], large[-1])
        below = (self.feed.coder.inputs, *large)[place.stage.layer]
        return nn.Linear(large[place.stage.layer], below)

    def _helpers(self, place: Place) -> list[str]:
        return [HELPERS[place.stage.name]] if place.stage.name in HELPERS else []

    def _networks(self, state: State, place: Place, number: int) -> dict[str, nn.Module]:
        """Return all networks of a state, and those with which a stage begins."""
        torch.manual_seed(self.chosen.seed * 1000 + number)
        names = {key.partition(".")[0] for key in state} - {"optimizer", *HELPERS.values()}
        networks = {name: self._make(name) for name in sorted({*names, *self._needed(place)})}
        helpers = {name: self._make_helper(place) for name in self._helpers(place)}
        for name, network in [*networks.items(), *helpers.items()]:
            own = {
                key.partition(".")[2]: torch.from_numpy(value.copy())
                for key, value in state.items()
                if key.partition(".")[0] == name
            }
            if own and not (name in helpers and place.is_first):
                network.load_state_dict(own)
            network.to(self.feed.device)
        return {**networks, **helpers}

    def _needed(self, place: Place) -> set[str]:
        """Return the names of the networks that a stage works with."""
        teachers = {"large"} if place.stage.name in ("mimicking", "distilling") else set()
        return {TRAINED[place.stage.name], *teachers}

    def _optimizer(self, networks: list[nn.Module], state: State) -> torch.optim.Optimizer:
        """Return what moves the weights; Adam with what it remembers, or the paper's plain SGD."""
        parameters = [weights for network in networks for weights in network.parameters()]
        if self.chosen.preset == "paper":
            return torch.optim.SGD(parameters, lr=self.chosen.rate)
        optimizer = torch.optim.Adam(parameters, lr=self.chosen.rate)
        for index, weights in enumerate(parameters):
            kept = {key: state.get(f"optimizer.{index}.{key}") for key in REMEMBERED}
            found = {k: torch.from_numpy(a.copy()) for k, a in kept.items() if a is not None}
            if found:
                optimizer.state[weights] = {
                    key: value if key == "step" else value.to(self.feed.device)
                    for key, value in found.items()
                }
        return optimizer

    def _loss(self, place: Place, networks: Mapping[str, Any]) -> Loss:
        feed, name = self.feed, place.stage.name
        if name == "scalar":
            return ranking(networks["scalar"], feed)
        if name == "pretraining":
            extractor: Extractor = networks["large"].extractor
            return autoencoding(extractor, networks["decoder"], place.stage.layer, feed)
        if name == "mimicking":
            small, large = networks["small"].extractor, networks["large"].extractor
            return mimicking(small, networks["bridge"], large, feed)
        if name == "distilling":
            return distilling(networks["small"], networks["large"], feed, self.is_antisymmetric)
        return comparing(networks[TRAINED[name]], feed, self.is_antisymmetric)

    def _measure(self, place: Place, network: nn.Module) -> dict[str, float]:
        """Return accuracies on unseen games and by the leaky split."""
        if place.stage.name in HELPERS:
            return {}
        network.eval()
        count = self.chosen.tested
        return {
            name: accuracy(network, self.feed, getattr(self.split, name), count)
            for name in ("unseen", "leaky")
        }

    # ------------------------------------------------------------ states and models

    def to_arrays(self, state: State) -> State:
        return state

    def from_arrays(self, arrays: Mapping[str, Array]) -> State:
        return dict(arrays)

    def _champion(self, network: nn.Module) -> State:
        arrays = {name: value.cpu().numpy() for name, value in network.state_dict().items()}
        return scalar_weights(arrays) if isinstance(network, Scalar) else comparator_weights(arrays)

    def model(self, champion: Mapping[str, Array]) -> Model:
        if self.chosen.kind == "scalar":
            hidden = list(self.shapes["hidden"])
            evaluator = make_evaluator("nnue", self.game, features="board", hidden=hidden)
            return Model(evaluator, dict(champion))
        evaluator = make_evaluator("comparator", self.game, **comparator_shape(champion))
        return Model(evaluator, dict(champion))

    def describe(self, metrics: Mapping[str, Any]) -> str:
        words = f"{metrics['stage']} {metrics['epoch'] + 1}, loss {metrics['loss']:.4f}"
        if "unseen" in metrics:
            words += f", {metrics['unseen']:.1%} of unseen games, {metrics['leaky']:.1%} leaky"
        return words


def _arrays_of(parts: Mapping[str, Any], trained: list[nn.Module]) -> State:
    """Return networks and what their optimizer remembers as arrays."""
    arrays: State = {}
    for name, part in parts.items():
        if isinstance(part, nn.Module):
            for key, value in part.state_dict().items():
                arrays[f"{name}.{key}"] = value.detach().cpu().numpy().copy()
    parameters = [weights for network in trained for weights in network.parameters()]
    for index, weights in enumerate(parameters):
        for key, value in parts["optimizer"].state.get(weights, {}).items():
            if value is not None:
                arrays[f"optimizer.{index}.{key}"] = torch.as_tensor(value).cpu().numpy().copy()
    return arrays
