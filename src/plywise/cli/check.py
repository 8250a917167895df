"""`plywise check`: whether a game keeps what every game owes."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.console import out, print_json, waiting
from plywise.cli.parameters import AsJson, GameName
from plywise.live.formatting import format_count

if TYPE_CHECKING:
    from rich.text import Text

    from plywise.conformance import Finding, Report
    from plywise.game import Game

COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
WRONG = 1


def check(
    game: GameName,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Random games.")] = 20,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed, the same games.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Check the rules of a game on random games.

    The exit code is 1 if something is wrong. Findings come with the position, and with how to
    mend them. Notes suggest optional functions.
    """
    from plywise.conformance import answer_of_rules, check_game
    from plywise.games import load_game

    with waiting(f"loading {game}"):
        loaded = load_game(game)
    with waiting(f"checking {loaded.name}"):
        report = answer_of_rules(lambda: check_game(loaded, games=games, seed=seed))
        found = _symmetries(loaded) if report.is_ok else {}
    if as_json:
        values = {"game": loaded.name, "is_ok": report.is_ok, **asdict(report)}
        print_json({**values, "symmetries": found})
    else:
        _print(loaded.name, report)
        if found:
            out().print(_told(found), soft_wrap=True)
    if not report.is_ok:
        raise typer.Exit(WRONG)


def _symmetries(game: "Game") -> dict[str, Any]:
    """Return what leaves a game the same, as learners see it, and why that cannot be tried."""
    from plywise.conformance import why_no_symmetries
    from plywise.evaluators.patterns.board import board_of
    from plywise.evaluators.patterns.survey import survey_of
    from plywise.evaluators.patterns.symmetry import symmetries_of

    found = symmetries_of(survey_of(board_of(game)))
    told = {"keeping": len(found.keeping) - 1, "can_exchange": found.exchanging is not None}
    return {**told, "not_tried": why_no_symmetries(game)}


def _told(found: dict[str, Any]) -> str:
    """Return symmetries in a sentence."""
    if found["not_tried"]:
        views = "; both sides see it as their own" if found["can_exchange"] else ""
        return f"Symmetries: not looked for, for {found['not_tried']}{views}."
    count = found["keeping"]
    several = (
        "one turn or reflection leaves" if count == 1 else f"{count} turns or reflections leave"
    )
    views = "both sides see it as their own" if found["can_exchange"] else "the sides differ"
    return f"Symmetries: {several if count else 'nothing leaves'} the board the same; {views}."


def _print(name: str, report: "Report") -> None:
    from rich.table import Table

    if report.findings:
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 1, 0))
        table.add_column("")
        table.add_column("what", ratio=3)
        table.add_column("how to mend it", ratio=3)
        for finding in report.findings:
            table.add_row(*_cells(finding))
        out().print(table)
    games = "1 random game" if report.games == 1 else f"{report.games} random games"
    positions = format_count(report.positions)
    played = f"{games}, {positions} {'position' if positions == '1' else 'positions'}"
    if report.is_ok:
        out().print(f"{name} keeps all rules of a game ({played}).", style="green")
    else:
        count = sum(1 for finding in report.findings if finding.level == "error")
        wrong = "one thing is wrong" if count == 1 else f"{count} things are wrong"
        out().print(f"{name}: {wrong} ({played}).", style="red")


def _cells(finding: "Finding") -> list["Text"]:
    from rich.text import Text

    what = Text(finding.what)
    if finding.position:
        what.append(f"\nposition {finding.position}", "dim")
    if finding.move:
        what.append(f"\nmove {finding.move}", "dim")
    return [Text(finding.level, COLOURS[finding.level]), what, Text(finding.hint)]
