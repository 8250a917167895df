"""The stages of a run, one after the other; each is some epochs of training one network.

pretraining   an autoencoder for each layer of the large features        on positions
siamese       the large network                                          on pairs
control       the small network from scratch                             on pairs
mimicking     the small features learn the large codes                   on positions
distilling    the small network learns the large one's answers           on pairs
scalar        one number for each position                               on pairs
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from plywise.game import Rows
from plywise.learners.deepchess.networks import Comparator, Extractor, Scalar
from plywise.learners.deepchess.pairs import Coder, Numbers, Sides, Truths
from plywise.learners.deepchess.settings import DeepchessSettings

LAST_SHARE = 0.01  # of the learning rate, at the end of a stage, where it has no factor
PAPER_PRETRAINING = (0.005, 0.98)  # rate, and factor after each epoch


class Stage(NamedTuple):
    """Some epochs of the same kind."""

    name: str
    epochs: int
    layer: int = 0  # of pretraining


def stages_of(settings: DeepchessSettings, layers: int) -> list[Stage]:
    """Return the stages of a run with settled settings."""
    if settings.kind == "scalar":
        return [Stage("scalar", settings.epochs)]
    return [
        *(Stage("pretraining", settings.pretraining, layer) for layer in range(layers)),
        Stage("siamese", settings.epochs),
        Stage("control", settings.control),
        Stage("mimicking", settings.mimicking),
        Stage("distilling", settings.distilling),
    ]


class Place(NamedTuple):
    """Where in a run a step is."""

    stage: Stage
    epoch: int  # of the stage

    @property
    def is_first(self) -> bool:
        return self.epoch == 0


def place_of(stages: list[Stage], number: int) -> Place:
    """Return the stage and epoch of a step."""
    for stage in stages:
        if number < stage.epochs:
            return Place(stage, number)
        number -= stage.epochs
    raise IndexError(number)


@dataclass(frozen=True)
class Feed:
    """What networks are fed with."""

    coder: Coder
    positions: Rows
    training: Sides
    settings: DeepchessSettings
    device: torch.device
    odds: NDArray[np.float32] | None = None  # by teachers, for side 0; NaN where none was asked

    def indices(self, rows: Rows, views: Numbers, is_reflected: Truths | None = None) -> Tensor:
        """Return the bits of positions, each as a side sees it."""
        found = self.coder.indices(rows, views, is_reflected)
        return torch.from_numpy(found).to(self.device)

    def batches(self, generator: np.random.Generator) -> Iterator["Pairs"]:
        """Yield the pairs of an epoch; all positions of a batch are seen by the same side."""
        for begin in range(0, self.settings.pairs, self.settings.batch):
            count = min(self.settings.batch, self.settings.pairs - begin)
            won, lost = self.training.draw(count, generator)
            view = int(generator.integers(2))
            better, worse = (won, lost) if view == 0 else (lost, won)
            is_swapped = torch.from_numpy(generator.integers(2, size=count) == 1)
            views = np.full(count, view, np.int64)
            rows = self.positions[better], self.positions[worse]
            reflected = (None, None)
            if self.settings.reflect:
                reflected = generator.integers(2, size=(2, count)) == 1
            taught = None
            if self.odds is not None:
                sign = np.float32(1 - 2 * view)
                odds = (torch.from_numpy(sign * self.odds[one]) for one in (better, worse))
                taught = Odds(*(one.to(self.device) for one in odds))
            yield Pairs(*rows, views, is_swapped.to(self.device), *reflected, taught)


class Odds(NamedTuple):
    """What teachers say of the positions of pairs, for the side that sees them."""

    better: Tensor
    worse: Tensor


class Pairs(NamedTuple):
    """Pairs of positions as a side sees them, the better ones first."""

    better: Rows
    worse: Rows
    views: Numbers
    is_swapped: Tensor  # whether a network is shown the worse one first
    better_reflected: Truths | None  # whether left and right are exchanged, if that may be
    worse_reflected: Truths | None
    taught: Odds | None

    @property
    def both(self) -> list[tuple[Rows, Truths | None]]:
        """Return the better and the worse positions, and which of them are reflected."""
        return [(self.better, self.better_reflected), (self.worse, self.worse_reflected)]


Loss = Callable[[Pairs], Tensor]
Lead = Callable[[Tensor, Tensor], Tensor]  # of codes, or of whatever stands for positions


# ---------------------------------------------------------------- what is learned


def autoencoding(extractor: Extractor, decoder: nn.Linear, layer: int, feed: Feed) -> Loss:
    """Return the loss of an autoencoder: bits by cross entropy, units of a layer by squares."""
    inputs = extractor.inputs

    def bits(indices: Tensor) -> Tensor:
        dense = torch.zeros(len(indices), inputs + 1, device=feed.device)
        return dense.scatter_(1, indices.long(), 1.0)[:, :inputs]

    def loss(pairs: Pairs) -> Tensor:
        indices = feed.indices(pairs.better, pairs.views, pairs.better_reflected)
        units = extractor.first(indices)
        if layer == 0:
            return functional.binary_cross_entropy_with_logits(decoder(units), bits(indices))
        for below in list(extractor.layers)[: layer - 1]:
            units = functional.relu(below(units))
        goal = units.detach()
        code = functional.relu(extractor.layers[layer - 1](goal))
        return functional.mse_loss(functional.relu(decoder(code)), goal)

    return loss


def comparing(network: Comparator, feed: Feed, is_antisymmetric: bool) -> Loss:
    """Return the loss of a network that says which position was won."""

    def loss(pairs: Pairs) -> Tensor:
        better, worse = (network.extractor(indices) for indices in _both(pairs, feed))
        return _loss_of(
            lambda one, other: _lead(network, one, other, pairs, is_antisymmetric),
            (better, worse),
            pairs.taught,
            feed,
        )

    return loss


def _loss_of(lead: Lead, units: tuple[Tensor, Tensor], taught: Odds | None, feed: Feed) -> Tensor:
    """Return the loss of the leads of won positions over lost ones.

    Where teachers were asked, a lead shall be as likely as they and the results together say; and
    of two won positions, or two lost ones, they alone say which one is better.
    """
    better, worse = units
    leads = torch.stack([lead(better, other) for other in _paired(worse, feed)])
    if taught is None:
        return functional.softplus(-leads).mean()
    said = torch.sigmoid(
        torch.stack([taught.better - odds for odds in _paired(taught.worse, feed)])
    )
    goals = 1 - feed.settings.taught * (1 - torch.where(said.isnan(), 1.0, said))
    further = torch.stack([lead(one, one.roll(1, 0)) for one in units])
    said = torch.sigmoid(torch.stack([odds - odds.roll(1, 0) for odds in taught]))
    is_said = torch.cat([torch.ones_like(goals, dtype=torch.bool), ~said.isnan()])
    leads, goals = torch.cat([leads, further]), torch.cat([goals, said])
    return functional.binary_cross_entropy_with_logits(leads[is_said], goals[is_said])


def _paired(codes: Tensor, feed: Feed) -> list[Tensor]:
    """Return the codes in the orders in which they are compared with those of the others."""
    return [codes.roll(shift, 0) for shift in range(feed.settings.pairings)]


def _lead(
    network: Comparator, better: Tensor, worse: Tensor, pairs: Pairs, is_antisymmetric: bool
) -> Tensor:
    """Return the leads of the better over the worse: of both orders, or of a random one."""
    if is_antisymmetric:
        return network.lead(better, worse)
    is_swapped = pairs.is_swapped[:, None]
    first, second = torch.where(is_swapped, worse, better), torch.where(is_swapped, better, worse)
    leads = network.one_way(first, second)
    return torch.where(pairs.is_swapped, -leads, leads)


def mimicking(small: Extractor, bridge: nn.Linear, large: Extractor, feed: Feed) -> Loss:
    """Return the loss of small features that should tell, by a linear map, what large ones say."""
    large.eval()

    def loss(pairs: Pairs) -> Tensor:
        indices = feed.indices(pairs.better, pairs.views, pairs.better_reflected)
        with torch.no_grad():
            goal = large(indices)
        return functional.mse_loss(bridge(small(indices)), goal)

    return loss


def distilling(small: Comparator, large: Comparator, feed: Feed, is_antisymmetric: bool) -> Loss:
    """Return the loss of a small network that should answer as the large one does."""
    large.eval()

    def loss(pairs: Pairs) -> Tensor:
        both = _both(pairs, feed)
        better, worse = (small.extractor(indices) for indices in both)
        with torch.no_grad():
            sure, unsure = (large.extractor(indices) for indices in both)
        shown = [
            ((better, other), (sure, known))
            for other, known in zip(_paired(worse, feed), _paired(unsure, feed), strict=True)
        ]
        if is_antisymmetric:  # the paper shows no two won positions
            shown += [
                ((one, one.roll(1, 0)), (known, known.roll(1, 0)))
                for one, known in ((better, sure), (worse, unsure))
            ]
        losses = []
        for codes, known_codes in shown:
            with torch.no_grad():
                goal = torch.sigmoid(large.lead(*known_codes))
            answer = _lead(small, *codes, pairs, is_antisymmetric)
            losses.append(functional.binary_cross_entropy_with_logits(answer, goal))
        return torch.stack(losses).mean()

    return loss


def ranking(network: Scalar, feed: Feed) -> Loss:
    """Return the loss of Bradley and Terry: p = sigmoid(f(a) - f(b)), f for one side."""

    def loss(pairs: Pairs) -> Tensor:
        better, worse = (
            scalar_leads(network, feed, rows, pairs.views, is_reflected)
            for rows, is_reflected in pairs.both
        )
        return _loss_of(torch.sub, (better, worse), pairs.taught, feed)

    return loss


def scalar_leads(
    network: Scalar, feed: Feed, rows: Rows, views: Numbers, is_reflected: Truths | None = None
) -> Tensor:
    """Return the logarithm of the odds of positions for a side, by what its mover sees."""
    sides = feed.coder.game.sides_to_move(rows)
    signs = torch.from_numpy(np.where(sides == views, 2.0, -2.0).astype(np.float32))
    indices = feed.indices(rows, sides, is_reflected)
    indices = indices.clamp(max=network.inputs)  # whose turn it is, is known
    answer: Tensor = network(indices) * signs.to(feed.device)
    return answer


def _both(pairs: Pairs, feed: Feed) -> tuple[Tensor, Tensor]:
    better, worse = (
        feed.indices(rows, pairs.views, is_reflected) for rows, is_reflected in pairs.both
    )
    return better, worse


# ---------------------------------------------------------------- how


def rate_at(settings: DeepchessSettings, place: Place, share: float) -> float:
    """Return the learning rate where a share of an epoch is done."""
    if settings.preset == "paper" and place.stage.name == "pretraining":
        rate, factor = PAPER_PRETRAINING
        return rate * factor**place.epoch
    if settings.decay > 0:
        return settings.rate * settings.decay**place.epoch
    done = (place.epoch + share) / place.stage.epochs
    return float(settings.rate * max(LAST_SHARE, 0.5 * (1 + np.cos(np.pi * done))))


def train_epoch(
    loss_of: Loss,
    optimizer: torch.optim.Optimizer,
    feed: Feed,
    place: Place,
    generator: np.random.Generator,
) -> float:
    """Do an epoch; return the mean loss."""
    total, done = 0.0, 0
    for pairs in feed.batches(generator):
        for group in optimizer.param_groups:
            group["lr"] = rate_at(feed.settings, place, done / feed.settings.pairs)
        loss = loss_of(pairs)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += float(loss.detach()) * len(pairs.views)
        done += len(pairs.views)
    return total / done
