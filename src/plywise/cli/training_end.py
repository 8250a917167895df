"""What `plywise train` says in the end: what there is, how strong it is, what to do next."""

import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from plywise.cli.console import out

if TYPE_CHECKING:
    from plywise.reports.closing import Closing
    from plywise.runs import Run, Status

TOO_WEAK = (
    "Nothing shows that it is stronger than a search that knows only the rules, so that one plays. "
    "In a small game both may be perfect; else go on with --resume, or give the game an evaluator."
)


def print_ending(
    run: "Run", game: str, status: "Status", closing: "Closing | None", save: Path | None
) -> None:
    """Print what a training has come to."""
    for line in ending_lines(run, game, status, closing, save):
        out().print(line, soft_wrap=True)


def ending_lines(
    run: "Run", game: str, status: "Status", closing: "Closing | None", save: Path | None
) -> list[str]:
    """Return what a training has come to, line by line."""
    steps = "1 step" if status.step == 1 else f"{status.step} steps"
    state = "it is over" if status.state == "finished" else "it can go on"
    lines = [f"{run.folder}: {steps}, {state}."]
    if run.fault:
        lines.append(f"It went on from the checkpoint before the last: {run.fault}")
    if not run.model_path.is_file():
        return [*lines, "There is no model yet: it needs at least one step.", *_next(run, game)]
    kept = f"Model: {save or run.model_path}"
    lines.append(f"{kept} ({_manner(closing)})" if closing is not None else kept)
    return [*lines, *_strength(closing), *_next(run, game, has_model=True)]


def _manner(closing: "Closing") -> str:
    """Return how a model plays from now on."""
    from plywise.reports.closing import WITHOUT_MODEL

    if closing.search == WITHOUT_MODEL:
        return "for now plain mcts plays in its place"
    return f"plays by {closing.search}"


def _strength(closing: "Closing | None") -> list[str]:
    """Return how strong a model is, with error bars."""
    if closing is None:
        return []
    from plywise.arena.statistics import format_estimate
    from plywise.cli.standings import format_games

    seconds = closing.tests[0].seconds
    lines = [f"Strength at {seconds:g} s a move, with 95 % intervals:"]
    for test in closing.tests:
        score = test.result.score
        lines.append(
            f"  {test.first} against {test.second}: {100 * score.mean:.0f} % of {score.games} "
            f"games ({format_games(score)}), Elo {format_estimate(test.result.estimate)}"
        )
    return lines if closing.is_ahead else [*lines, TOO_WEAK]


def _plotting() -> str:
    """Return what a plot is for, and what it needs if that is not there."""
    has_plots = find_spec("matplotlib") is not None
    return "see how it learned" if has_plots else "see how it learned (needs plywise[plots])"


def _next(run: "Run", game: str, has_model: bool = False) -> list[str]:
    """Return the commands that a person may want to type now."""
    name, folder = shlex.quote(game), shlex.quote(str(run.folder))
    learner = run.config()["learner"]
    resume = f"plywise train {name} {shlex.quote(learner)} --run {folder} --resume"
    commands = [(resume, "go on learning")]
    if has_model:
        commands = [
            (f"plywise play {name}", "play against it"),
            (f"plywise match {name} {folder} mcts --games 100", "measure it"),
            (f"plywise plot {folder}", _plotting()),
            *commands,
        ]
    width = max(len(command) for command, _ in commands)
    return ["Next:", *(f"  {command:<{width}}   {what}" for command, what in commands)]
