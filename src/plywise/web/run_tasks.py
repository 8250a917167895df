"""What workers tell the server of runs, and of the pages of reports in them."""

import math
from pathlib import Path
from typing import Any

from plywise.errors import PlywiseError
from plywise.runs import Run, list_runs, read_status, request_stop
from plywise.web.plans import require_name

MOST_POINTS = 1000  # of a curve


def list_all(folder: Path) -> dict[str, Any]:
    """Return all runs, the newest first."""
    found = [describe_run(run) for run in list_runs(folder)]
    return {"runs": sorted(found, key=lambda one: -one["changed"])}


def describe_run(run: Run) -> dict[str, Any]:
    """Return what a list says of a run."""
    config, status = run.config(), read_status(run)
    return {
        "name": run.name,
        "learner": config["learner"],
        "game": Path(config["game"].partition(":")[0]).stem,
        "state": status.state,
        "steps": status.step,
        "of": status.of,
        "words": status.words,
        "error": status.error,
        "has_model": bool(run.champions()) or run.model_path.is_file(),
        "changed": run.folder.stat().st_mtime,  # of its files each step replaces some
    }


def whole_run(name: str, folder: Path) -> dict[str, Any]:
    """Return a run with its settings and curves."""
    run = Run(folder / require_name(name))
    metrics = run.metrics()
    log = run.folder / "log.txt"
    return {
        **describe_run(run),
        "settings": run.settings(),
        "seconds": sum(line.get("seconds", 0.0) for line in metrics),
        "curves": curves_of(metrics),
        "log": log.read_text(errors="replace")[-2000:] if log.is_file() else "",
    }


def curves_of(metrics: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return every number that steps measured as points over the steps; long curves are thinned."""
    names = dict.fromkeys(name for line in metrics for name in line if name != "step")
    curves = []
    for name in names:
        points = [[line["step"], line[name]] for line in metrics if _is_number(line.get(name))]
        if points:
            stride = -(-len(points) // MOST_POINTS)
            curves.append({"name": name, "points": points[::stride]})
    return curves


def _is_number(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(value)


def stop_run(name: str, folder: Path) -> dict[str, Any]:
    """Ask a run to stop after its step."""
    request_stop(Run(folder / require_name(name)))
    return {}


def resumable(name: str, folder: Path) -> dict[str, Any]:
    """Return the game and the learner of a run that can go on."""
    run = Run(folder / require_name(name))
    status = read_status(run)
    if status.state == "running":
        raise PlywiseError(f"The run {name} is running already.")
    if status.state == "finished":
        raise PlywiseError(f"The run {name} is finished: there is nothing to go on with.")
    config = run.config()
    return {"game": config["game"], "learner": config["learner"]}
