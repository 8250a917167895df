"""`plywise analyse`: what a search thinks of a position, step by step."""

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.console import INTERRUPTED, out, print_json
from plywise.cli.looking import find_game, look_at
from plywise.cli.parameters import AsJson, GameName, MovesText, PositionText
from plywise.errors import PlywiseError
from plywise.live.formatting import (
    describe_analysis,
    describe_found,
    format_count,
    format_end,
    format_rate,
    format_score,
    format_seconds,
    format_value,
)
from plywise.system.background import on_interrupt

if TYPE_CHECKING:
    from plywise.game import Game
    from plywise.game.record import Record
    from plywise.search.limits import Analysis, Found, RootMove

DEFAULT_SECONDS = 5.0
SHOWN_MOVES = 5  # of a tree, unless --lines says more


def analyse(
    game: GameName,
    position: PositionText = "start",
    moves: MovesText = "",
    player: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER", help="Who judges: alphabeta,eval=material or mcts,cap=6 or a model."
        ),
    ] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", help="Plies to search.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", help="Nodes for a line.")] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", "-s", help=f"Time for a line; {DEFAULT_SECONDS:g} if no limit."),
    ] = None,
    lines: Annotated[int, typer.Option("--lines", "-l", min=1, help="How many moves.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Show the best lines of a position.

    Ctrl-C ends the search early and keeps what was found. Values are for the side to move: a
    number from -1 to 1, and the points it promises.
    """
    from plywise.game.text import parse_record
    from plywise.live.analysis import LiveAnalysis
    from plywise.players import (
        default_opponent,
        has_budget,
        judge_of,
        make_player,
        require_player,
    )
    from plywise.search.limits import Limit

    asked = Limit(depth, nodes, seconds)
    loaded = find_game(game)
    text = player or default_opponent(loaded)
    require_player(text, loaded)
    require_limits(text, loaded, depth=depth, nodes=nodes)
    look_at(loaded, game, [text])
    judge = make_player(text, loaded)
    record = parse_record(loaded, position, moves)
    if len(record.legal_moves()) == 0:
        raise PlywiseError("There is nothing to analyse: the game is over in this position.")
    default = None if has_budget(text, loaded) else Limit(seconds=DEFAULT_SECONDS)
    shown = _Shown(record, f"{text} (evaluator {judge_of(text, loaded)})", is_silent=as_json)
    live = LiveAnalysis(judge, record, default if asked.is_open else asked, lines)
    with closing(judge), on_interrupt(live.stop.set):
        for step in live:
            shown.add(step)
        found = live.answer()
    if as_json:
        print_json(_report(record, text, shown.steps, found))
    else:
        shown.print_all(found, lines)
    if live.stop.is_set():
        raise typer.Exit(INTERRUPTED)


def require_limits(player: str, game: "Game", **limits: int | None) -> None:
    """Raise for a limit that a player does not know, instead of forgetting it."""
    from plywise.players.naming import has_option

    for name, amount in limits.items():
        if amount is not None and not has_option(player, name, game):
            raise PlywiseError(
                f"{player} has no {name} that could be limited: leave --{name} out, or name a "
                "player that has one, such as alphabeta."
            )


def _report(
    record: "Record", player: str, steps: list["Found"], found: "Analysis"
) -> dict[str, Any]:
    game, position = record.game, record.position
    return {
        "game": game.name,
        "position": game.format_position(position),
        "side": game.sides[record.side],
        "player": player,
        "steps": [describe_found(step, game, position) for step in steps],
        **describe_analysis(found, game, position),
    }


# ---------------------------------------------------------------- what is shown


class _Shown:
    """What a person sees of an analysis: a row for each step, then the best lines."""

    def __init__(self, record: "Record", judge: str, is_silent: bool) -> None:
        self.record, self.judge, self.is_silent = record, judge, is_silent
        self.steps: list[Found] = []

    def add(self, step: "Analysis") -> None:
        """Show a step on the way to the first line; those to others are not shown."""
        if len(step.lines) > 1 and not step.moves:
            return
        self.steps.append(step.lines[0])
        if not self.is_silent:
            if len(self.steps) == 1:
                self._print_head()
                out().print(_row("depth", "value", "score", "nodes", "speed", "line"), style="dim")
            self._print_row(step.lines[0])

    def print_all(self, found: "Analysis", lines: int) -> None:
        """Show the whole analysis."""
        if not self.steps:
            self._print_head()
        _print_lines(self.record, found.lines)
        _print_moves(self.record, found.moves[: lines if lines > 1 else SHOWN_MOVES])

    def _print_head(self) -> None:
        mover = self.record.game.sides[self.record.side]
        out().print(f"{mover} to move, judged by {self.judge}", style="bold")

    def _print_row(self, found: "Found") -> None:
        texts = " ".join(self.record.game.format_line(self.record.position, found.line))
        end = format_end(found)
        row = _row(
            str(found.depth),
            format_value(found.value),
            format_score(found.value),
            format_count(found.nodes),
            format_rate(found.nodes, found.seconds),
            f"{end}: {texts}" if end else texts,
        )
        out().print(fitting(row, out().width), overflow="ignore", no_wrap=True, crop=False)


def fitting(text: str, width: int) -> str:
    """Return as many words of a text as fit into a line, with a mark where some are left out."""
    return text if len(text) <= width else f"{text[: width - 1].rpartition(' ')[0]} …"


def _row(depth: str, value: str, score: str, nodes: str, speed: str, line: str) -> str:
    return f"{depth:>5} {value:>7} {score:>6} {nodes:>14} {speed:>10}  {line}"


def _print_lines(record: "Record", lines: Sequence["Found"]) -> None:
    from rich.padding import Padding

    for rank, found in enumerate(lines, 1):
        best = record.game.format_move(record.position, found.move)
        label = "Best:" if len(lines) == 1 else f"{rank:>4}."
        end = format_end(found)
        judged = ", ".join(
            filter(None, (format_value(found.value), format_score(found.value), end))
        )
        spent = f"{format_count(found.nodes)} nodes, {format_seconds(found.seconds)}"
        out().print(f"{label} {best}  {judged}  (depth {found.depth}, {spent})", style="bold")
        if len(lines) > 1:
            texts = " ".join(record.game.format_line(record.position, found.line))
            out().print(Padding(texts, (0, 0, 0, 6)))


def _print_moves(record: "Record", moves: Sequence["RootMove"]) -> None:
    if not moves:
        return
    total = max(1, sum(one.visits for one in moves))
    out().print(f"{'move':>10} {'visits':>12} {'share':>6} {'value':>7} {'score':>6}", style="dim")
    for one in moves:
        text = record.game.format_move(record.position, one.move)
        share = f"{100 * one.visits / total:.0f} %"
        out().print(
            f"{text:>10} {format_count(one.visits):>12} {share:>6} "
            f"{format_value(one.value):>7} {format_score(one.value):>6}"
        )
