"""VisionDraughts rerun: the searches agree, and each addition saves nodes."""

import visiondraughts

from conftest import handmade_model
from plywise.games import load_game


def test_all_searches_find_the_values_of_minimax_with_fewer_nodes() -> None:
    model = handmade_model(load_game("draughts"))
    costs = visiondraughts.savings(model, visiondraughts.positions(5), 5)
    nodes = [cost.nodes for cost in costs.values()]
    assert nodes[1] < nodes[0] / 2
    assert nodes[3] < nodes[2] < nodes[1]
