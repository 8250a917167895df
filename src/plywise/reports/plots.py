"""Plots of runs: every number of the metrics over the steps. Needs matplotlib, `plywise[plots]`."""

import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plywise.errors import PlywiseError
from plywise.runs import Run
from plywise.system.atomic import require_writable, write_atomically

WINDOW = 15  # steps of the running mean that is drawn over the noisy numbers of a long run
LEFT_OUT = ("step", "seconds")


def pyplot() -> Any:
    """Return matplotlib's pyplot, drawing to files only."""
    try:
        import matplotlib
    except ImportError:
        raise PlywiseError(
            "Plots need matplotlib: install it with pip install 'plywise[plots]'."
        ) from None
    matplotlib.use("Agg")
    import matplotlib.pyplot

    return matplotlib.pyplot


def running_mean(values: Sequence[float], window: int = WINDOW) -> list[float]:
    """Return the mean of each value and those around it."""
    half = window // 2
    return [
        sum(values[max(0, i - half) : i + half + 1]) / len(values[max(0, i - half) : i + half + 1])
        for i in range(len(values))
    ]


def is_drawn(value: Any) -> bool:
    """Return whether a value of the metrics is a number that can be drawn."""
    return isinstance(value, int | float) and abs(value) < 1e300 and math.isfinite(value)


def plot_run(run: Run, path: Path) -> list[str]:
    """Draw all numbers of a run's metrics into a PNG or SVG file; return their names."""
    rows = run.metrics()
    names = [
        name
        for name in (rows[-1] if rows else {})
        if name not in LEFT_OUT and any(is_drawn(row.get(name)) for row in rows)
    ]
    if not names:
        raise PlywiseError(f"{run.folder} has no metrics to draw yet.")
    require_plot(path)
    plt = pyplot()
    columns = 2
    lines = -(-len(names) // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(10, 2.4 * lines), squeeze=False)
    for axis, name in zip(axes.flat, names, strict=False):
        points = [(row["step"], row[name]) for row in rows if is_drawn(row.get(name))]
        steps, values = zip(*points, strict=True)
        is_long = len(values) > 2 * WINDOW
        axis.plot(steps, values, color="#9db4c8" if is_long else "#1f4e79", linewidth=0.8)
        if is_long:
            axis.plot(steps, running_mean(values), color="#1f4e79", linewidth=1.6)
        axis.set_title(name.replace("_", " "), loc="left", fontsize=10)
        axis.grid(alpha=0.25)
    for axis in list(axes.flat)[len(names) :]:
        axis.axis("off")
    figure.suptitle(run.name)
    figure.tight_layout()
    save_figure(figure, path)
    return names


def require_plot(path: Path) -> None:
    """Raise unless a plot can be written to a file."""
    if path.suffix not in (".png", ".svg", ".pdf"):
        raise PlywiseError(f"A plot is written to a .png, .svg or .pdf file, not to {path.name!r}.")
    require_writable(path)


def save_figure(figure: Any, path: Path) -> None:
    """Write a figure to a file, whole or not at all, and close it."""
    data = io.BytesIO()
    figure.savefig(data, dpi=120, format=path.suffix[1:])
    pyplot().close(figure)
    write_atomically(path, data.getvalue())
