"""The arrays of trained networks as the weights of evaluators."""

from collections.abc import Mapping
from typing import Any

from plywise.evaluators.model import Array


def comparator_weights(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Return the weights of the evaluator `comparator`."""
    weights = {
        "first": arrays["extractor.table"][:-1],
        "first_bias": arrays["extractor.bias"],
    }
    for begin, name in (("extractor.layers", "feature"), ("layers", "head")):
        number = 0
        while f"{begin}.{number}.weight" in arrays:
            weights[f"{name}{number}"] = arrays[f"{begin}.{number}.weight"]
            weights[f"{name}{number}_bias"] = arrays[f"{begin}.{number}.bias"]
            number += 1
    return weights


def comparator_shape(weights: Mapping[str, Array]) -> dict[str, Any]:
    """Return the settings of the evaluator that has these weights."""
    features = [weights["first"].shape[1], *_layer_units(weights, "feature")]
    return {"features": features, "head": _layer_units(weights, "head")[:-1]}


def _layer_units(weights: Mapping[str, Array], begin: str) -> list[int]:
    """Return the units of layers from the lowest up; files keep weights in an order of theirs."""
    units: list[int] = []
    while f"{begin}{len(units)}" in weights:
        units.append(weights[f"{begin}{len(units)}"].shape[0])
    return units


def scalar_weights(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Return the weights of the evaluator `nnue`."""
    weights = {"first": arrays["table"][:-1], "first_bias": arrays["bias"]}
    if "second.weight" in arrays:
        weights |= {"second": arrays["second.weight"], "second_bias": arrays["second.bias"]}
    return weights | {"output": arrays["output.weight"][0], "output_bias": arrays["output.bias"]}
