"""`plywise solve`: the exact worth of positions of a game with a solver."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.console import out, print_json, progress, waiting
from plywise.cli.looking import open_game
from plywise.cli.parameters import AsJson
from plywise.errors import PlywiseError
from plywise.live.formatting import format_count, format_rate, format_seconds

if TYPE_CHECKING:
    from plywise.game.record import Record
    from plywise.game.solving import Solution, Solver

SHOWN_FAULTS = 5


def solve(
    moves: Annotated[
        str | None,
        typer.Argument(
            metavar="MOVES", help="The columns played so far, 44453, or a position in quotes."
        ),
    ] = None,
    each: Annotated[bool, typer.Option("--each", help="Score every column.")] = False,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file", "-f", metavar="FILE", help="Solve every line: moves, and a score if known."
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", "-g", metavar="NAME", help="A game with a solver: connect4."),
    ] = None,
    table_bits: Annotated[
        int, typer.Option("--table", metavar="BITS", help="Size of the table: 2 to this power.")
    ] = 22,
    as_json: AsJson = False,
) -> None:
    """Solve positions exactly, of Connect Four unless told otherwise.

    A score counts the stones that the winner has left when he wins, and one more; it is for the
    side to move, negative for a loss, and 0 for a draw. The empty board takes minutes.
    """
    from plywise.game.solving import make_solver
    from plywise.games import built_in_games

    if (file is None) == (moves is None):
        raise PlywiseError("Say what to solve: the moves played, 44453, or --file FILE, not both.")
    if file is not None and each:
        raise PlywiseError("--each is for one position, not for a file.")
    name = game or next(known.name for known in built_in_games() if known.about.solver)
    solver = make_solver(open_game(name), table_bits=table_bits)
    if file is not None:
        _solve_file(solver, file, as_json)
    elif moves is not None:
        _solve_one(solver, solver.read(moves), each, as_json)


# ---------------------------------------------------------------- one position


def _solve_one(solver: "Solver", record: "Record", wants_each: bool, as_json: bool) -> None:
    from plywise.kernel import compile_seconds

    game, position = record.game, record.position
    solver.check(record)
    started = time.perf_counter() - compile_seconds()
    with waiting("solving; positions with few stones take minutes"):
        solution = solver.solve(record)
        each = solver.analyse(record) if wants_each else []
    seconds = time.perf_counter() - compile_seconds() - started
    scores = {game.format_move(position, move): score for move, score in each}
    if as_json:
        report: dict[str, Any] = {
            "position": game.format_position(position),
            "side": game.sides[record.side],
            **_as_dict(solution),
            "seconds": seconds,
        }
        print_json({**report, "moves": scores} if wants_each else report)
        return
    out().print(f"{game.sides[record.side]} {_ending(solution)}: score {solution.score:+d}")
    best = max(scores.values(), default=0)
    for text, score in scores.items():
        out().print(f"  {text}  {score:+3d}{'  best' if score == best else ''}")
    out().print(f"{format_count(solution.nodes)} nodes in {format_seconds(seconds)}", style="dim")


def _as_dict(solution: "Solution") -> dict[str, Any]:
    return {name: getattr(solution, name) for name in ("score", "value", "plies", "nodes")}


def _ending(solution: "Solution") -> str:
    verb = ("draws", "wins", "loses")[solution.value]
    return f"{verb} in {solution.plies} {'ply' if solution.plies == 1 else 'plies'}"


# ---------------------------------------------------------------- many positions


def _solve_file(solver: "Solver", path: Path, as_json: bool) -> None:
    """Solve the lines of a file, and say how fast that was and which scores differ."""
    tasks = _read_file(solver, path)
    solver.solve(tasks[0][1])  # compiles, before the clock runs
    solver.forget()
    rows = []
    with progress(len(tasks)) as step:
        for text, record, expected in tasks:
            started = time.process_time()
            solution = solver.solve(record)
            seconds = time.process_time() - started
            rows.append({"moves": text, **_as_dict(solution), "seconds": seconds})
            if expected is not None:
                rows[-1]["expected"] = expected
            step("")
    if as_json:
        print_json(rows)
        return
    nodes, seconds = sum(row["nodes"] for row in rows), sum(row["seconds"] for row in rows)
    out().print(
        f"{format_count(len(rows))} positions: {1000 * seconds / len(rows):.3g} ms and "
        f"{format_count(nodes / len(rows))} nodes each, {format_rate(nodes, seconds, 'nodes')}"
    )
    known = [row for row in rows if "expected" in row]
    wrong = [row for row in known if row["score"] != row["expected"]]
    if known:
        out().print(f"{len(known) - len(wrong)} of {len(known)} scores agree with the file")
    for row in wrong[:SHOWN_FAULTS]:
        out().print(f"  {row['moves']}: {row['score']:+d}, in the file {row['expected']:+d}")


def _read_file(solver: "Solver", path: Path) -> list[tuple[str, "Record", int | None]]:
    """Return (moves, game, score if there is one) of every line; one fault refuses the file."""
    from plywise.system.source_files import read_text

    tasks = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            try:
                moves, *scores = line.split()
                record = solver.read(moves)
                solver.check(record)
                tasks.append((moves, record, int(scores[0]) if scores else None))
            except PlywiseError as error:
                raise PlywiseError(f"{path}, line {number}: {error}") from None
            except ValueError:
                sentence = f"{path}, line {number}: {scores[0]!r} is not a score."
                raise PlywiseError(sentence) from None
    if not tasks:
        raise PlywiseError(f"There is no position in {path}.")
    return tasks
