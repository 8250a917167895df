"""`mlp`: a plain perceptron with one or two hidden layers on the inputs of any game."""

from collections.abc import Mapping, Sequence

from plywise.errors import PlywiseError
from plywise.evaluators.gradients import learning_members
from plywise.evaluators.model import Array, Evaluator
from plywise.evaluators.network import Shape, network, pack_layers
from plywise.game import Game


def mlp(game: Game, hidden: Sequence[int] = (40, 10)) -> Evaluator:
    """Return the network."""
    if len(hidden) not in (1, 2) or min(hidden) < 1:
        raise PlywiseError(f"The evaluator 'mlp' has one or two hidden layers, not {hidden}.")
    wide = int(hidden[0])
    shapes: dict[str, tuple[int, ...]] = {
        "first": (game.rules.input_count, wide),
        "first_bias": (wide,),
    }
    if len(hidden) == 2:
        shapes |= {"second": (int(hidden[1]), wide), "second_bias": (int(hidden[1]),)}
    shapes |= {"output": (int(hidden[-1]),), "output_bias": (1,)}

    def prepare(weights: Mapping[str, Array]) -> Mapping[str, Array]:
        layers = [
            (weights[name], weights[f"{name}_bias"])
            for name in ("first", "second")
            if name in shapes
        ]
        return pack_layers(game, layers, (weights["output"], weights["output_bias"]))

    sizes = tuple(int(units) for units in hidden)
    shape = Shape(sizes)
    learning = learning_members(game, shape)
    return network("mlp", game, shape, shapes, prepare, {"hidden": list(sizes)}, learning)
