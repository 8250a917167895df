"""Report pages of the papers: tables and plots in one HTML file."""

import base64
import html
import io
from pathlib import Path
from typing import Any

from plywise.arena import TournamentResult
from plywise.reports.plots import pyplot, running_mean
from plywise.runs import Run

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem;
       color: #222 }
table { border-collapse: collapse; display: block; margin: 1rem 0; overflow-x: auto }
th, td { border-bottom: 1px solid #ccc; padding: .3rem .8rem; text-align: left }
td:nth-child(n+2) { white-space: nowrap }
img { max-width: 100% }
code { background: #f3f3f3; padding: .1rem .3rem }
"""


def table(header: list[str], rows: list[list[str]]) -> str:
    """Return an HTML table."""
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def picture(figure: Any) -> str:
    """Return a matplotlib figure as an image inside the page."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    pyplot().close(figure)
    data = base64.b64encode(buffer.getvalue()).decode()
    return f'<img alt="" src="data:image/png;base64,{data}">'


def ancestors_plot(run: Run) -> str:
    """Return the mean of means of every champion against the previous five."""
    name = "against_ancestors"
    points = [(m["step"], m[name]) for m in run.metrics() if m.get(name) is not None]
    figure, axis = pyplot().subplots(figsize=(8, 3))
    if points:
        steps, values = zip(*points, strict=True)
        axis.plot(steps, values, ".", color="#9db4c8", markersize=3)
        axis.plot(steps, running_mean(values, 41), color="#1f4e79")
    axis.axhline(0, color="black", linewidth=0.6)
    axis.set_xlabel("generation")
    axis.set_ylabel("mean of means")
    figure.tight_layout()
    return picture(figure)


def rating_plot(result: TournamentResult) -> str:
    """Return the ratings of champions over generations with error bars."""
    rated = sorted((int(r.name), r.elo, r.error) for r in result.ratings if r.name.isdigit())
    figure, axis = pyplot().subplots(figsize=(8, 3.2))
    steps, elos, errors = zip(*rated, strict=True)
    axis.errorbar(steps, elos, yerr=errors, fmt="o-", color="#1f4e79", capsize=3)
    for other in result.ratings:
        if not other.name.isdigit() and other.name != result.anchor:
            axis.axhline(other.elo, color="#b5542b", linestyle="--")
            axis.annotate(other.name, (steps[0], other.elo), va="bottom", color="#b5542b")
    axis.set_xlabel("generation")
    axis.set_ylabel(f"Elo above {result.anchor}")
    figure.tight_layout()
    return picture(figure)


def write_page(path: Path, title: str, parts: list[str]) -> None:
    """Write the page."""
    body = "\n".join(parts)
    path.write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title)}</title><style>{STYLE}</style>"
        f"<h1>{html.escape(title)}</h1>\n{body}\n</html>\n"
    )
