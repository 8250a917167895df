"""OS-ELM equals least squares on everything at once; cross-validation finds what was put in."""

import numpy as np
import pytest

from conftest import seeded
from plywise.evaluators.elm import hidden_values
from plywise.learners.nhb.oselm import PATIENCE, OnlineRegression, choose_hidden_layer


def random_problem(seed: int, count: int, units: int) -> tuple[np.ndarray, np.ndarray]:
    generator = seeded(seed)
    hidden = 1 / (1 + np.exp(-generator.normal(size=(count, units))))
    return hidden, generator.normal(size=count)


@pytest.mark.parametrize("chunk", [1, 7, 200])
def test_chunks_equal_batch_least_squares(chunk: int) -> None:
    hidden, targets = random_problem(1, 300, 20)
    ridge = 1e-6
    online = OnlineRegression.begin(hidden[:40], targets[:40], ridge)
    online = online.learn(hidden[40:], targets[40:], chunk=chunk)
    batch = np.linalg.solve(hidden.T @ hidden + ridge * np.eye(20), hidden.T @ targets)
    assert np.abs(online.weights - batch).max() < 1e-8
    assert np.array_equal(online.inverse, online.inverse.T)


def test_forgetting_weighs_later_chunks_more() -> None:
    hidden, targets = random_problem(2, 400, 10)
    half, factor, chunk = 200, 0.5, 50
    later = targets.copy()
    later[half:] += 1  # the world has changed
    kept = OnlineRegression.begin(hidden[:half], later[:half], 1e-9)
    lasting = kept.learn(hidden[half:], later[half:], chunk=chunk)
    forgetful = kept.learn(hidden[half:], later[half:], factor, chunk)
    ages = np.concatenate([np.full(half, 4), np.repeat([3, 2, 1, 0], chunk)])
    weight = factor ** ages.astype(float)
    gram = (hidden * weight[:, None]).T @ hidden
    expected = np.linalg.solve(gram, (hidden * weight[:, None]).T @ later)
    assert np.abs(forgetful.weights - expected).max() < 1e-6
    assert np.abs(lasting.weights - expected).max() > 1e-2


def test_cross_validation_is_that_of_the_folds_written_out() -> None:
    generator = seeded(3)
    inputs = generator.normal(size=(60, 4))
    targets = inputs[:, 0] * inputs[:, 1]
    layer = choose_hidden_layer(inputs, targets, seeded(4), ridge=1e-6, largest=6)
    hidden = hidden_values(inputs, layer.weights, layer.bias)
    folds = np.array_split(seeded(4).permutation(60), 10)
    total = 0.0
    for fold in folds:
        rest = np.setdiff1d(np.arange(60), fold)
        gram = hidden[rest].T @ hidden[rest] + 1e-6 * np.eye(layer.size)
        weights = np.linalg.solve(gram, hidden[rest].T @ targets[rest])
        total += float(np.sum((hidden[fold] @ weights - targets[fold]) ** 2))
    assert layer.error == pytest.approx(total / 60, rel=1e-6)
    assert layer.error == min(layer.errors)


def test_sizes_grow_until_ten_in_a_row_bring_nothing() -> None:
    generator = seeded(5)
    inputs = generator.normal(size=(200, 3))
    targets = np.tanh(inputs @ np.array([1.0, -2.0, 0.5])) + 0.3 * generator.normal(size=200)
    layer = choose_hidden_layer(inputs, targets, seeded(6), ridge=1e-6)
    assert len(layer.errors) == layer.size + PATIENCE
    assert layer.error < np.var(targets)
