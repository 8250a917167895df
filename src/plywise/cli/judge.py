"""`plywise judge`: who tells positions of won games from positions of lost ones."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.console import err, out, print_json
from plywise.cli.looking import open_game
from plywise.cli.parameters import AsJson, GameName

if TYPE_CHECKING:
    from rich.table import Table

    from plywise.reports.pair_report import PairReport


def judge(
    game: GameName,
    judges: Annotated[
        list[str],
        typer.Argument(
            metavar="JUDGES",
            help="Evaluators and models, without search (material, deepchess, a file), or players "
            "with a budget (deepchess-scalar,nodes=1000; uci:stockfish,nodes=3000).",
        ),
    ],
    data: Annotated[Path, typer.Option(metavar="FOLDER", help="A data set.")],
    pairs: Annotated[int, typer.Option(min=10, help="Pairs of positions.")] = 20000,
    engine_pairs: Annotated[
        int, typer.Option(min=10, help="Pairs for each player with a budget.")
    ] = 300,
    as_json: AsJson = False,
) -> None:
    """Show positions of won and of lost games in pairs, and count who orders them rightly.

    The games are those that no run of deepchess learns from.
    """
    from plywise.datasets import open_data_set
    from plywise.evaluators.model import Model
    from plywise.players.judges import make_judge
    from plywise.reports.pair_report import leads_by, report_pairs, turned_pairs

    loaded = open_game(game)
    opened = open_data_set(data, loaded)
    reports = {}
    with err().status("") as line:
        for text in judges:
            line.update(text)
            asked = make_judge(text, loaded)
            is_model = isinstance(asked, Model)
            count, leads = pairs if is_model else engine_pairs, leads_by(asked, opened)
            try:
                shown = report_pairs(leads, opened, count, is_thorough=is_model)
                if isinstance(asked, Model):
                    shown = replace(shown, turned=turned_pairs(asked, opened, count))
                reports[text] = shown
            finally:
                if not isinstance(asked, Model):
                    asked.close()
    if as_json:
        print_json({text: report.as_values() for text, report in reports.items()})
        return
    out().print(_table_of(reports))


def _table_of(reports: "dict[str, PairReport]") -> "Table":
    """Return a column for every judge: beside each other, measures would not fit a terminal."""
    from rich.table import Table

    shown = {text: _measures_of(report) for text, report in reports.items()}
    table = Table("", *shown)
    for name in dict.fromkeys(name for measures in shown.values() for name in measures):
        table.add_row(name, *(measures.get(name, "") for measures in shown.values()))
    return table


def _measures_of(report: "PairReport") -> dict[str, str]:
    """Return what is known of a judge, by its name in the table."""
    measures = {
        "pairs": f"{report.pairs:,}",
        "unseen games": f"{report.unseen:.1%} ± {report.error:.1%}",
        "leaky split": f"{report.leaky:.1%}",
    }
    measures |= {f"plies {band}": f"{share:.1%}" for band, share in report.by_ply.items()}
    for name, share in (("intransitive", report.intransitive), ("turned", report.turned)):
        if share is not None:
            measures[name] = f"{share:.2%}"
    return measures
