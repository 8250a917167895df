"""Plots of runs: every number of the metrics over the steps. Needs matplotlib, `plywise[plots]`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plywise.errors import PlywiseError
from plywise.runs import Run

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


def plot_run(run: Run, path: Path) -> list[str]:
    """Draw all numbers of a run's metrics into a PNG or SVG file; return their names."""
    rows = run.metrics()
    names = [
        name
        for name in (rows[-1] if rows else {})
        if name not in LEFT_OUT and any(isinstance(row.get(name), int | float) for row in rows)
    ]
    if not names:
        raise PlywiseError(f"{run.folder} has no metrics to draw yet.")
    if path.suffix not in (".png", ".svg", ".pdf"):
        raise PlywiseError(f"A plot is written to a .png, .svg or .pdf file, not to {path.name!r}.")
    plt = pyplot()
    columns = 2
    lines = -(-len(names) // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(10, 2.4 * lines), squeeze=False)
    for axis, name in zip(axes.flat, names, strict=False):
        points = [(row["step"], row[name]) for row in rows if row.get(name) is not None]
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
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return names
