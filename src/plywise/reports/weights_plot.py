"""A plot of what every feature is worth to a network. Needs matplotlib, `plywise[plots]`."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.model import Model
from plywise.learners.shared.features import features_of
from plywise.reports.plots import pyplot, require_plot, save_figure


def weights_plot(model: Model, path: Path) -> list[str]:
    """Draw what every feature of a network is worth; return the features.

    A feature's bar is the mean over its bits of hidden weights times output weights: what the
    network's output gains, to first order, for the side that has just moved.
    """
    require_plot(path)
    if model.evaluator.name != "featuremap":
        raise PlywiseError(
            f"The weights of features can be drawn of 'featuremap', not {model.evaluator.name!r}."
        )
    names = list(model.evaluator.settings["features"])
    widths = [features_of(model.game).bits[name] for name in names]
    gains: NDArray[Any] = model.weights["hidden"] @ model.weights["output"]
    if "direct" in model.weights:
        gains = gains + model.weights["direct"]
    bits = np.split(gains, np.cumsum(widths)[:-1])
    plt = pyplot()
    figure, axis = plt.subplots(figsize=(8, 0.32 * len(names) + 1.2))
    for row, part in enumerate(bits):
        axis.barh(row, part.mean(), color="#1f4e79" if part.mean() > 0 else "#b5542b", height=0.6)
        axis.plot(part, np.full(len(part), row), "|", color="black", markersize=9)
    axis.set_yticks(range(len(names)), [name.replace("_", " ") for name in names])
    axis.invert_yaxis()
    axis.axvline(0, color="black", linewidth=0.6)
    axis.set_xlabel("worth for who has just moved: mean of the bits (bar), each bit (|)")
    figure.tight_layout()
    save_figure(figure, path)
    return names
