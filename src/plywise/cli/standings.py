"""The tables of matches and tournaments."""

from collections.abc import Mapping

from rich import box
from rich.table import Table

from plywise.arena.match import MatchResult, Scoreboard
from plywise.arena.statistics import (
    FEWEST,
    Score,
    Sprt,
    elo_with_error,
    format_estimate,
    p_value,
)
from plywise.arena.tournament import TournamentResult

SMALLEST = 0.0001  # the smallest p-value that is written out
DECISIONS = {
    "accept": "worth {elo1:g} Elo rather than {elo0:g}",
    "reject": "worth {elo0:g} Elo rather than {elo1:g}",
    "continue": "not decided",
}


def score_line(board: Scoreboard) -> str:
    """Return the state of a match in a few words."""
    estimate = elo_with_error(board.pentanomial)
    return f"{format_games(board.score)}   Elo {format_estimate(estimate)}"


def format_games(score: Score) -> str:
    """Return wins, draws and losses."""
    return f"+{score.wins} ={score.draws} -{score.losses}"


def match_table(result: MatchResult) -> Table:
    """Return what a match proves."""
    score, estimate = result.score, result.estimate
    table = Table(title=f"{result.players[0]}  v  {result.players[1]}", box=box.SIMPLE_HEAD)
    table.add_column("", style="bold")
    table.add_column("from the first player's view")
    table.add_row("games", f"{score.games}: {format_games(score)}")
    table.add_row("points", f"{score.points:g} ({100 * score.mean:.1f} %)")
    if estimate.is_too_few:
        table.add_row("Elo", f"too few games: {_pairs(result)}, and {FEWEST} can prove something")
    else:
        table.add_row("Elo", f"{format_estimate(estimate)}, 95 %, from {_pairs(result)}")
        table.add_row("stronger", f"with probability {_sure(result.los)} (LOS)")
        chance = p_value(result.pentanomial)
        told = f"{chance:.4f}" if chance >= SMALLEST else f"< {SMALLEST}"
        table.add_row("p-value", f"{told} if both were equally strong")
    counts = "  ".join(str(count) for count in result.pentanomial.counts)
    table.add_row("pairs", f"{counts}   (0, ½, 1, 1½, 2 points)")
    if result.sprt is not None:
        table.add_row("SPRT", format_test(result, result.sprt))
    table.add_row("ended by", format_reasons(result.reasons))
    if sum(result.loops):
        ahead, behind = result.loops
        table.add_row(
            "loops", f"drawn by leading nowhere: {ahead} when ahead, {behind} when behind"
        )
    table.add_row("played in", _speed(score.games, result.seconds))
    return table


def _sure(share: float) -> str:
    """Return a probability that is not called certain."""
    if 0.0005 <= share < 0.9995:
        return f"{share:.3f}"
    return "< 0.001" if share < 0.5 else "> 0.999"


def _pairs(result: MatchResult) -> str:
    pairs = result.pentanomial.samples
    return f"{pairs} pair" if pairs == 1 else f"{pairs} pairs"


def format_test(result: MatchResult, sprt: Sprt) -> str:
    """Return what the sequential test says, and how near it is to its bounds."""
    low, high = sprt.bounds
    answer = DECISIONS[result.decision].format(elo0=sprt.elo0, elo1=sprt.elo1)
    return f"{answer}: LLR {sprt.llr(result.pentanomial):.2f} in {low:.2f} ... {high:.2f}"


def format_reasons(reasons: Mapping[str, int]) -> str:
    """Return how often games ended for each reason."""
    return ", ".join(f"{reason} {count}" for reason, count in reasons.items()) or "-"


def _speed(games: int, seconds: float) -> str:
    return f"{seconds:.1f} s, {games / max(seconds, 1e-9):.3g} games/s"


def rating_table(result: TournamentResult) -> Table:
    """Return the players by strength."""
    table = Table(title=f"Ratings, {result.anchor} = 0", box=box.SIMPLE_HEAD)
    for heading in ("", "Elo", "± 95 %", "points", "games"):
        table.add_column(heading, justify="right")
    table.add_column("player")
    for place, rating in enumerate(result.ratings, 1):
        error = "anchor" if rating.name == result.anchor else f"{rating.error:.0f}"
        row = (str(place), f"{rating.elo:+.0f}", error, f"{rating.points:g}", str(rating.games))
        table.add_row(*row, rating.name)
    reasons = format_reasons(result.reasons)
    table.caption = f"{reasons}; {_speed(len(result.records), result.seconds)}"
    return table


def cross_table(result: TournamentResult) -> Table:
    """Return the points of everybody against everybody, rows against columns."""
    names, points, games = result.table.names, result.table.points, result.table.games
    table = Table(title="Points", box=box.SIMPLE_HEAD)
    table.add_column("", justify="right")
    table.add_column("player")
    for column in range(len(names)):
        table.add_column(str(column + 1), justify="right")
    for row, name in enumerate(names):
        cells = [
            f"{points[row, column]:g}/{games[row, column]}" if games[row, column] else "-"
            for column in range(len(names))
        ]
        table.add_row(str(row + 1), name, *cells)
    return table
