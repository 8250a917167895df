"""`mlp`: a plain perceptron with two hidden layers on the inputs of any game."""

from collections.abc import Mapping, Sequence

from plywise.errors import PlywiseError
from plywise.evaluators.network import Shape, network, pack_layers
from plywise.game import Game
from plywise.model import Array, Evaluator


def mlp(game: Game, hidden: Sequence[int] = (40, 10)) -> Evaluator:
    """Return the network."""
    if len(hidden) != 2:
        raise PlywiseError(f"The evaluator 'mlp' has two hidden layers, not {len(hidden)}.")
    wide, narrow = int(hidden[0]), int(hidden[1])

    def prepare(weights: Mapping[str, Array]) -> Mapping[str, Array]:
        layers = [
            (weights["first"], weights["first_bias"]),
            (weights["second"], weights["second_bias"]),
        ]
        return pack_layers(game, layers, (weights["output"], weights["output_bias"]))

    shapes: dict[str, tuple[int, ...]] = {
        "first": (game.rules.input_count, wide),
        "first_bias": (wide,),
        "second": (narrow, wide),
        "second_bias": (narrow,),
        "output": (narrow,),
        "output_bias": (1,),
    }
    return network("mlp", game, Shape((wide, narrow)), shapes, prepare, {"hidden": [wide, narrow]})
