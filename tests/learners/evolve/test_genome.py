"""Genomes, mutation and crossover do what the papers say."""

import numpy as np
import pytest

from conftest import seeded
from plywise.evaluators import make_evaluator
from plywise.games import load_game
from plywise.learners.evolve.genome import (
    DOMINANT,
    cross_over,
    hidden_nodes,
    mutate_adaptively,
    mutate_evenly,
)
from plywise.learners.evolve.sensitivity import archive_inputs, sensitivity
from plywise.learners.shared.layout import Layout

NAMES = ("subsquares", "blondie", "anaconda")


def layout_of(name: str) -> Layout:
    return Layout(make_evaluator(name, load_game("draughts")))


@pytest.mark.parametrize("name", NAMES)
def test_a_genome_and_its_weights_are_inverse(name: str) -> None:
    layout = layout_of(name)
    genome = layout.random(seeded(1), 1.0).astype(np.float32).astype(float)
    assert np.array_equal(layout.vector(layout.weights(genome)), genome)


def test_a_random_genome_has_a_king_of_two() -> None:
    assert layout_of("anaconda").random(seeded(1), 0.2)[-1] == 2.0
    assert np.abs(layout_of("subsquares").random(seeded(1), 1.0)).max() <= 1


def test_even_mutation_stays_within_the_papers_reach() -> None:
    layout = layout_of("subsquares")
    genome = layout.random(seeded(1), 1.0)
    change = mutate_evenly(layout, genome, seeded(2)) - genome
    reach = 1 / np.sqrt(2 * np.sqrt(4101))
    assert np.abs(change).max() <= reach
    assert np.abs(change).max() > 0.99 * reach
    assert abs(change.mean()) < 0.05 * reach


def test_crossover_is_reciprocal_and_swaps_dominant_weights_of_one_node() -> None:
    layout = layout_of("subsquares")
    first, second = (layout.random(seeded(seed), 1.0) for seed in (1, 2))
    one, two = cross_over(layout, first, second, seeded(3))
    changed = np.flatnonzero(one != first)
    assert len(changed) > 0
    assert np.array_equal(changed, np.flatnonzero(two != second))
    assert np.array_equal(one[changed], second[changed])
    assert np.array_equal(two[changed], first[changed])
    assert (np.abs(first[changed]) > DOMINANT).all()
    holders = [node for node in hidden_nodes(layout) if set(changed) <= set(node)]
    assert len(holders) == 1


def test_a_mutation_may_leave_most_weights_alone_and_be_smaller() -> None:
    layout = layout_of("subsquares")
    genome = layout.random(seeded(1), 1.0)
    change = mutate_evenly(layout, genome, seeded(2), share=0.1, size=0.5) - genome
    assert 0.08 < (change != 0).mean() < 0.12
    assert np.abs(change).max() <= 0.5 / np.sqrt(2 * np.sqrt(4101))


@pytest.mark.parametrize(("kind", "least", "most"), [("node", 41, 92), ("uniform", 1900, 2200)])
def test_other_crossovers_exchange_a_node_or_half_of_all(kind: str, least: int, most: int) -> None:
    layout = layout_of("subsquares")
    first, second = (layout.random(seeded(seed), 1.0) for seed in (1, 2))
    one, two = cross_over(layout, first, second, seeded(3), kind)
    changed = np.flatnonzero(one != first)
    assert least <= len(changed) <= most
    assert np.array_equal(one[changed], second[changed])
    assert np.array_equal(two[changed], first[changed])


def test_there_are_fifty_hidden_nodes() -> None:
    nodes = hidden_nodes(layout_of("subsquares"))
    assert len(nodes) == 50
    assert [len(nodes[0]), len(nodes[-1])] == [92, 41]


def test_step_sizes_follow_the_log_normal_law() -> None:
    layout = layout_of("anaconda")
    genome = layout.random(seeded(1), 0.2)
    steps = np.full(layout.size, 0.05)
    child, child_steps = mutate_adaptively(layout, genome, steps, seeded(2), cap=0)
    tau = 1 / np.sqrt(2 * np.sqrt(5046))
    assert tau == pytest.approx(0.0839, abs=1e-4)
    assert np.log(child_steps / 0.05).std() == pytest.approx(tau, rel=0.05)
    assert ((child - genome)[:-1] / child_steps).std() == pytest.approx(1, rel=0.05)
    assert 1 <= child[-1] <= 3


def test_a_cap_bounds_the_step_sizes() -> None:
    layout = layout_of("blondie")
    genome = layout.random(seeded(1), 0.2)
    steps = np.full(layout.size, 0.6)
    _, child_steps = mutate_adaptively(layout, genome, steps, seeded(2), cap=0.5)
    assert child_steps.max() == 0.5


def test_no_weight_has_a_sensitivity_below_the_floor() -> None:
    layout = layout_of("blondie")
    weakness = sensitivity(
        layout, layout.random(seeded(1), 0.2), archive_inputs(load_game("draughts"))
    )
    assert weakness.min() >= 0.01
