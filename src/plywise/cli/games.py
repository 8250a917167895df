"""`plywise games`: the games that are built in."""

from typing import Any

from plywise.cli.console import out, print_json
from plywise.cli.parameters import AsJson


def games(as_json: AsJson = False) -> None:
    """List the built-in games."""
    rows = _rows()
    if as_json:
        print_json(rows)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("name", "game", "first", "second", "evaluator"):
        table.add_column(heading)
    for row in rows:
        table.add_row(row["name"], row["title"], *row["sides"], row["evaluator"])
    out().print(table)
    out().print()
    out().print("Your own game is a Python file, given in place of a name: plywise play mygame.py")


def _rows() -> list[dict[str, Any]]:
    from plywise.evaluators import default_evaluator
    from plywise.games import BUILT_IN, load_game

    rows = []
    for name, title in BUILT_IN.items():
        game = load_game(name)
        evaluator = default_evaluator(game)
        about = {"players": game.about.players, "version": game.about.version}
        sides = list(game.sides)
        rows.append({"name": name, "title": title, "sides": sides, "evaluator": evaluator, **about})
    return rows
