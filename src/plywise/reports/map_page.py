"""The page of a map: a typical board of every unit, drawn as SVG."""

import html
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.learners import learner_of
from plywise.learners.mp.kohonen import members, nearest
from plywise.learners.mp.learner import Mp
from plywise.picture.svg import board_svg
from plywise.runs import Run
from plywise.system.atomic import require_writable, write_atomically

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
    require_writable(path)
    learner = learner_of(run)
    if not isinstance(learner, Mp):
        raise PlywiseError(f"{run.folder} has no map: it is a run of {run.config()['learner']}.")
    steps = run.champions()
    champion = run.champion(steps[-1]) if steps else {}
    if len(champion.get("units", ())) == 0:
        raise PlywiseError(f"{run.folder} has no map yet.")
    boards, units = champion["boards"], champion["units"]
    names = learner.map_features(champion["genes"])
    data = learner.seen(boards, champion["genes"])
    sizes = np.bincount(nearest(units, data), minlength=len(units))
    game = learner.game
    cards = []
    for unit, own in enumerate(members(units, data, 1)):  # the nearest first
        typical = boards[own[0]]
        telling = _telling(data[own].mean(axis=0), data.mean(axis=0), names)
        cards.append(
            f"<figure>{board_svg(game, typical)}<figcaption><b>Unit {unit + 1}</b> "
            f"<small>{sizes[unit]} boards; {game.sides[game.side(typical)]} to move</small>"
            f'<div class="bar"><i style="width:{100 * sizes[unit] / max(1, sizes.max()):.0f}%">'
            f"</i></div>{telling}</figcaption></figure>"
        )
    summary = (
        f"{len(boards)} positions with {learner.settings.pieces} pieces, sorted by "
        f"{len(names)} features into {len(units)} units; {int((sizes == 0).sum())} are empty. "
        "Each is shown by the board nearest to it, with the features that are there more (+) or "
        "less (-) often than on all boards."
    )
    page = (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Map of {html.escape(run.name)}</title><style>{STYLE}</style>"
        f"<h1>Map of {html.escape(run.name)}</h1><p>{summary}</p>"
        f"<main>{''.join(cards)}</main></html>\n"
    )
    write_atomically(path, page.encode())
    return len(units)


def _telling(own: NDArray[np.float64], common: NDArray[np.float64], names: Sequence[str]) -> str:
    """Return the features in which a cluster differs most from all boards, as HTML."""
    lead = own - common
    chosen = np.argsort(-np.abs(lead), kind="stable")[:TELLING]
    signs = ["+" if lead[place] > 0 else "-" for place in chosen]
    words = [names[place].replace("_", " ") for place in chosen]
    return " ".join(f"<span>{s} {word}</span>" for s, word in zip(signs, words, strict=True))
