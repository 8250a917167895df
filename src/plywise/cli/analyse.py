"""`plywise analyse`: what a search thinks of a position, step by step."""

from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.console import INTERRUPTED, out, print_json, stoppable
from plywise.cli.parameters import (
    AsJson,
    GameName,
    MovesText,
    PositionText,
    make_limit,
    make_record,
    open_game,
    warm_up,
)
from plywise.errors import PlywiseError
from plywise.live.wording import (
    describe,
    format_count,
    format_end,
    format_rate,
    format_score,
    format_seconds,
    format_value,
)

if TYPE_CHECKING:
    from plywise.game.record import Record
    from plywise.players import Player
    from plywise.search.limits import Found, Limit
    from plywise.search.searchers import AlphaBeta

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
    from plywise.evaluators import default_evaluator
    from plywise.players import default_opponent, parse_player
    from plywise.search.limits import Limit

    loaded = open_game(game)
    spec = parse_player(player or default_opponent(loaded).partition(",")[0])
    if spec.kind == "random":
        raise PlywiseError(f"{spec.text!r} judges nothing: analyse with alphabeta or mcts.")
    record = make_record(loaded, position, moves)
    if len(record.legal_moves()) == 0:
        raise PlywiseError("There is nothing to analyse: the game is over in this position.")
    judge = spec.make(loaded)
    limit = make_limit(depth, nodes, seconds)
    if limit is None:
        has_own = not {"depth", "nodes", "seconds"}.isdisjoint(spec.options)
        limit = spec.limit() if has_own else Limit(seconds=DEFAULT_SECONDS)
    if spec.kind == "mcts" and limit.nodes is None and limit.seconds is None:
        raise PlywiseError("mcts grows a tree: say --nodes or --seconds, not only --depth.")
    warm_up(judge, record, 0)
    if not as_json:
        knows = spec.options.get("model") or spec.options.get("eval", default_evaluator(loaded))
        mover = loaded.sides[record.side]
        out().print(f"{mover} to move, judged by {judge.name} (evaluator {knows})", style="bold")
    watch = _Watch(record, is_silent=as_json)
    report, was_stopped = _analyse(judge, watch, limit, lines)
    if as_json:
        print_json(report)
    if was_stopped:
        raise typer.Exit(INTERRUPTED)


def _analyse(
    judge: "Player", watch: "_Watch", limit: "Limit", lines: int
) -> tuple[dict[str, Any], bool]:
    """Return the report for JSON, and whether Ctrl-C ended it."""
    from plywise.search.searchers import AlphaBeta, Mcts

    record, search = watch.record, judge.search
    game, position = record.game, record.position
    report: dict[str, Any] = {
        "game": game.name,
        "position": game.format_position(position),
        "side": game.sides[record.side],
        "player": judge.name,
        "steps": watch.steps,
    }
    if isinstance(search, AlphaBeta):
        found, was_stopped = _best_lines(search, watch, limit, lines)
    else:
        assert isinstance(search, Mcts)
        ask = partial(search.search, record, limit, watch.hear)
        best, was_stopped = stoppable(search.stop, ask, watch.show)
        found = [best]
        report["moves"] = [
            {"move": game.format_move(position, move), "visits": visits, "value": value}
            for move, visits, value in search.children()
        ]
    report["lines"] = [describe(one, game, position) for one in found]
    if not watch.is_silent:
        _print_lines(record, found)
        _print_children(report.get("moves", [])[: lines if lines > 1 else SHOWN_MOVES])
    return report, was_stopped


def _best_lines(
    search: "AlphaBeta", watch: "_Watch", limit: "Limit", count: int
) -> tuple[list["Found"], bool]:
    """Return the best moves with their lines; the first one's search is watched."""
    left = watch.record.legal_moves()
    lines: list[Found] = []
    was_stopped = False
    while len(lines) < count and len(left) > 0 and not was_stopped:
        tell = None if lines else watch.hear
        ask = partial(search.search_moves, watch.record, left, limit, tell)
        found, was_stopped = stoppable(search.stop, ask, watch.show)
        lines.append(found)
        left = left[left != found.move]
    return lines, was_stopped


# ---------------------------------------------------------------- what is shown


class _Watch:
    """Hears of a search in its own thread, and shows the steps worth a row in the main one."""

    def __init__(self, record: "Record", is_silent: bool) -> None:
        self.record = record
        self.is_silent = is_silent
        self.steps: list[dict[str, Any]] = []
        self._heard: SimpleQueue[Found] = SimpleQueue()
        self._last: Found | None = None

    def hear(self, found: "Found") -> None:
        self._heard.put(found)

    def show(self) -> None:
        while not self._heard.empty():
            found = self._heard.get()
            if self._is_news(found):
                self._last = found
                self.steps.append(describe(found, self.record.game, self.record.position))
                if not self.is_silent:
                    self._print(found)

    def _is_news(self, found: "Found") -> bool:
        """Return whether a step is worth a row: not every one of a tree, or of a tiny game."""
        if self._last is None:
            return True
        if "visits" in found.extras:
            return found.nodes >= 2 * self._last.nodes
        is_same = (found.value, found.line) == (self._last.value, self._last.line)
        return not is_same or found.nodes >= 1.3 * self._last.nodes

    def _print(self, found: "Found") -> None:
        if len(self.steps) == 1:
            out().print(_row("depth", "value", "score", "nodes", "speed", "line"), style="dim")
        texts = " ".join(self.steps[-1]["line"])
        end = format_end(found)
        row = _row(
            str(found.depth),
            format_value(found.value),
            format_score(found.value),
            format_count(found.nodes),
            format_rate(found.nodes, found.seconds),
            f"{end}: {texts}" if end else texts,
        )
        out().print(row, overflow="ellipsis" if out().is_terminal else "ignore", no_wrap=True)


def _row(depth: str, value: str, score: str, nodes: str, speed: str, line: str) -> str:
    return f"{depth:>5} {value:>7} {score:>6} {nodes:>14} {speed:>10}  {line}"


def _print_lines(record: "Record", lines: list["Found"]) -> None:
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
            out().print(f"      {texts}", soft_wrap=True)


def _print_children(moves: list[dict[str, Any]]) -> None:
    if not moves:
        return
    total = max(1, sum(row["visits"] for row in moves))
    out().print(f"{'move':>10} {'visits':>12} {'share':>6} {'value':>7} {'score':>6}", style="dim")
    for row in moves:
        visits, value = row["visits"], row["value"]
        share = f"{100 * visits / total:.0f} %"
        out().print(
            f"{row['move']:>10} {format_count(visits):>12} {share:>6} "
            f"{format_value(value):>7} {format_score(value):>6}"
        )
