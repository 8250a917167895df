"""Pictures that are looked at: the clusters of a map, and the weights of features."""

import html
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.model import Model
from plywise.games.draughts.features import FEATURES, NAMES
from plywise.learners.configs import MpConfig
from plywise.learners.kohonen import members, nearest
from plywise.learners.mp import Academy
from plywise.picture.svg import board_svg
from plywise.reports.plots import pyplot
from plywise.runs import Run
from plywise.settings import build

TELLING = 4  # features that are named for a cluster
STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5rem auto; max-width: 70rem;
       padding: 0 1rem; color: #222; background: #fff }
main { display: grid; gap: 1.2rem 1rem;
       grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)) }
figure { margin: 0 } svg { width: 100%; height: auto; display: block; border-radius: 4px }
figcaption b { font-size: 1.05rem } figcaption { margin-top: .35rem; overflow-wrap: anywhere }
.bar { background: #e4e9ee; height: .4rem; border-radius: .2rem; margin: .25rem 0 }
.bar i { display: block; background: #1f4e79; height: 100%; border-radius: .2rem }
small { color: #555 } span { margin-right: .6em; white-space: nowrap }
"""


# ---------------------------------------------------------------- clusters


def clusters_page(run: Run, path: Path) -> int:
    """Write a page with a typical board of every unit of a run's map; return how many there are."""
    if run.config()["learner"] != "mp":
        raise PlywiseError(f"{run.folder} has no map: it is a run of {run.config()['learner']}.")
    steps = run.champions()
    champion = run.champion(steps[-1]) if steps else {}
    if len(champion.get("units", ())) == 0:
        raise PlywiseError(f"{run.folder} has no map yet.")
    academy = Academy(build(MpConfig, run.settings()))
    boards, units = champion["boards"], champion["units"]
    names = [name for name, gene in zip(NAMES, champion["genes"], strict=True) if gene]
    data = academy.seen(boards, champion["genes"])
    sizes = np.bincount(nearest(units, data), minlength=len(units))
    cards = []
    for unit, own in enumerate(members(units, data, 1)):  # the nearest first
        typical = boards[own[0]]
        telling = _telling(data[own].mean(axis=0), data.mean(axis=0), names)
        cards.append(
            f"<figure>{board_svg(academy.game, typical)}<figcaption><b>Unit {unit + 1}</b> "
            f"<small>{sizes[unit]} boards; {academy.game.sides[academy.game.side(typical)]} "
            "to move</small>"
            f'<div class="bar"><i style="width:{100 * sizes[unit] / max(1, sizes.max()):.0f}%">'
            f"</i></div>{telling}</figcaption></figure>"
        )
    summary = (
        f"{len(boards)} positions with {academy.config.pieces} pieces, sorted by "
        f"{len(names)} features into {len(units)} units; {int((sizes == 0).sum())} are empty. "
        "Each is shown by the board nearest to it, with the features that are there more (+) or "
        "less (-) often than on all boards."
    )
    path.write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Map of {html.escape(run.name)}</title><style>{STYLE}</style>"
        f"<h1>Map of {html.escape(run.name)}</h1><p>{summary}</p>"
        f"<main>{''.join(cards)}</main></html>\n"
    )
    return len(units)


def _telling(own: NDArray[np.float64], common: NDArray[np.float64], names: Sequence[str]) -> str:
    """Return the features in which a cluster differs most from all boards, as HTML."""
    lead = own - common
    chosen = np.argsort(-np.abs(lead), kind="stable")[:TELLING]
    signs = ["+" if lead[place] > 0 else "-" for place in chosen]
    words = [names[place].replace("_", " ") for place in chosen]
    return " ".join(f"<span>{s} {word}</span>" for s, word in zip(signs, words, strict=True))


# ---------------------------------------------------------------- weights


def weights_plot(model: Model, path: Path) -> list[str]:
    """Draw what every feature of a network is worth; return the features.

    A feature's bar is the mean over its bits of hidden weights times output weights: what the
    network's output gains, to first order, for the side that has just moved.
    """
    if model.evaluator.name != "featuremap":
        raise PlywiseError(
            f"The weights of features can be drawn of 'featuremap', not {model.evaluator.name!r}."
        )
    names = list(model.evaluator.settings["features"])
    gains: NDArray[Any] = model.weights["hidden"] @ model.weights["output"]
    if "direct" in model.weights:
        gains = gains + model.weights["direct"]
    ends = np.cumsum([FEATURES[name] for name in names])
    bits = [gains[end - FEATURES[name] : end] for name, end in zip(names, ends, strict=True)]
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
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return names
