"""`plywise suite`: how many positions of a test suite a player solves, and how soon."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.console import INTERRUPTED, out, print_json, progress
from plywise.cli.looking import find_game, look_at
from plywise.cli.parameters import AsJson, announce_opponent, complete_game
from plywise.live.formatting import format_count, format_seconds

if TYPE_CHECKING:
    from plywise.arena.suite import Attempt
    from plywise.formats import EpdPosition
    from plywise.game import Game
    from plywise.search.limits import Found, Limit

DEFAULT_SECONDS = 1.0


def suite(
    file: Annotated[Path, typer.Argument(metavar="FILE.epd", help="Positions with bm or am.")],
    player: Annotated[
        str | None,
        typer.Argument(
            metavar="PLAYER", help="A player. Default: the best one at hand, as in play."
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game", "-g", metavar="GAME", help="Default: chess.", autocompletion=complete_game
        ),
    ] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", help="Plies to search.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", help="For a position.")] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds", "-s", help=f"For a position; {DEFAULT_SECONDS:g} if there is no limit."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let a player find the moves of a test suite, a file in EPD, plain or compressed.

    A position is solved by one of its best moves (bm), or by any move but those to avoid (am).
    Time, depth and nodes are those from which on the player kept to a right move. Ctrl-C ends the
    suite and keeps what was found.
    """
    from plywise.arena.suite import run_suite
    from plywise.cli.analyse import require_limits
    from plywise.formats.epd import read_suite
    from plywise.games import built_in_games
    from plywise.players import default_opponent, has_budget, make_player, require_player
    from plywise.search.limits import Limit
    from plywise.system.background import on_interrupt
    from plywise.system.stopping import StopToken

    asked = Limit(depth, nodes, seconds)  # refuses nonsense before anything is loaded
    name = game or next(known.name for known in built_in_games() if known.about.epd)
    loaded = find_game(name)
    text = player or default_opponent(loaded)
    require_player(text, loaded)
    require_limits(text, loaded, depth=depth, nodes=nodes)
    look_at(loaded, name, [text])
    solver = make_player(text, loaded)
    tasks = read_suite(file, loaded)
    if player is None:
        announce_opponent(text)
    if asked.is_open and not has_budget(text, loaded):
        asked = Limit(seconds=DEFAULT_SECONDS)
    stop, attempts = StopToken(), []
    with closing(solver), on_interrupt(stop.set), progress(len(tasks)) as show:
        for attempt in run_suite(solver, loaded, tasks, _limit_or_none(asked), stop):
            attempts.append(attempt)
            show(f"{sum(one.is_right for one in attempts)} right")
    if as_json:
        print_json(_report(loaded, text, tasks, attempts))
    else:
        _print_table(loaded, text, tasks, attempts)
    if stop.is_set():
        raise typer.Exit(INTERRUPTED)


def _limit_or_none(limit: "Limit") -> "Limit | None":
    return None if limit.is_open else limit


def _report(
    game: "Game", player: str, tasks: Sequence["EpdPosition"], attempts: Sequence["Attempt"]
) -> dict[str, Any]:
    right = sum(one.is_right for one in attempts)
    counts = {"positions": len(tasks), "tried": len(attempts), "right": right}
    told = [_describe(one, game) for one in attempts]
    return {"game": game.name, "player": player, **counts, "attempts": told}


def _describe(attempt: "Attempt", game: "Game") -> dict[str, Any]:
    task = attempt.task
    return {
        "id": task.name,
        "line": task.line,
        "position": game.format_position(task.position),
        "best": _texts(task, task.best, game),
        "avoid": _texts(task, task.avoid, game),
        "played": game.format_move(task.position, attempt.played.move),
        "is_right": attempt.is_right,
        "spent": _effort(attempt.played),
        "to_solution": _effort(attempt.found_at) if attempt.found_at else None,
    }


def _effort(found: "Found") -> dict[str, float]:
    return {"seconds": found.seconds, "depth": found.depth, "nodes": found.nodes}


def _texts(task: "EpdPosition", moves: Sequence[int], game: "Game") -> list[str]:
    return [game.format_move(task.position, move) for move in moves]


def _expected(task: "EpdPosition", game: "Game") -> str:
    best, avoid = _texts(task, task.best, game), _texts(task, task.avoid, game)
    return " ".join([*best, *(f"not {text}" for text in avoid)])


def _print_table(
    game: "Game", player: str, tasks: Sequence["EpdPosition"], attempts: Sequence["Attempt"]
) -> None:
    from rich import box
    from rich.table import Table

    table = Table(title=f"{player}, move by move", box=box.SIMPLE_HEAD)
    for heading in ("position", "expected", "played", ""):
        table.add_column(heading)
    for heading in ("seconds", "depth", "nodes"):
        table.add_column(heading, justify="right")
    for one in attempts:
        effort = ("", "", "")
        if one.found_at is not None:
            spent = one.found_at
            effort = (f"{spent.seconds:.2f}", str(spent.depth), format_count(spent.nodes))
        played = game.format_move(one.task.position, one.played.move)
        verdict = "right" if one.is_right else "wrong"
        table.add_row(one.task.name, _expected(one.task, game), played, verdict, *effort)
    out().print(table)
    out().print(_total(tasks, attempts), style="bold")


def _total(tasks: Sequence["EpdPosition"], attempts: Sequence["Attempt"]) -> str:
    right = sum(one.is_right for one in attempts)
    seconds = format_seconds(sum(one.played.seconds for one in attempts))
    tried = "" if len(attempts) == len(tasks) else f" tried, of {len(tasks)} in the suite"
    return f"{right} right of {len(attempts)}{tried}; {seconds} in all"
