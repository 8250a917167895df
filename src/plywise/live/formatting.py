"""Numbers, values and endings as people read them, and as programs do."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plywise.game import Game, Row
    from plywise.game.record import Ending, Record
    from plywise.search.limits import Analysis, Found

SHOWN_PLIES = 8  # of a line


def format_count(number: float) -> str:
    """Return a whole number with its thousands apart."""
    return f"{round(number):,}"


def format_rate(amount: float, seconds: float, unit: str = "") -> str:
    """Return amounts per second with three digits: 4.21 M/s."""
    rate = amount / max(seconds, 1e-9)
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g} {letter} {unit}".rstrip() + "/s"
    return f"{rate:.3g} {unit}".rstrip() + "/s"


def format_bytes(size: int) -> str:
    """Return a size in the unit that fits."""
    for limit, unit in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB")):
        if size >= limit:
            return f"{size / limit:.1f} {unit}"
    return f"{size} B"


def format_seconds(seconds: float) -> str:
    """Return a duration with as many digits as matter."""
    return f"{seconds:.3f} s" if seconds < 10 else f"{seconds:.1f} s"


def expected_score(value: float) -> float:
    """Return the points that a value in [-1, 1] promises: 1 for a win, a half for a draw."""
    return (value + 1) / 2


def format_value(value: float) -> str:
    """Return a value with its sign."""
    return f"{value:+.3f}" if abs(value) < 1 else f"{value:+.0f}"


def format_score(value: float) -> str:
    """Return the expected score of a value in per cent."""
    return f"{100 * expected_score(value):.0f} %"


def format_end(found: "Found") -> str:
    """Return how the game ends by force: `wins in 7 plies`, or nothing if that is not proven."""
    is_proven = found.end is not None or found.extras.get("is_proven", False)
    if not is_proven:
        return ""
    verb = "wins" if found.value > 0 else ("loses" if found.value < 0 else "draws")
    if found.end is None:
        return verb
    return f"{verb} in {found.end} {'ply' if found.end == 1 else 'plies'}"


def format_judgement(found: "Found", record: "Record") -> str:
    """Return what a player thinks of the move that it found, nothing if it did not think."""
    if found.nodes <= 1:
        return ""
    texts = record.game.format_line(record.position, found.line[:SHOWN_PLIES])
    parts = [
        format_end(found) or f"{format_value(found.value)}, {format_score(found.value)}",
        f"depth {found.depth}",
        f"{format_count(found.nodes)} nodes at {format_rate(found.nodes, found.seconds)}",
        " ".join(texts),
    ]
    return "; ".join(parts)


# ---------------------------------------------------------------- how a game ended


def format_ending(record: "Record", ending: "Ending") -> str:
    """Return who won and why, in a sentence that suits sides of one and of many: "won"."""
    game, plies = record.game, len(record.moves)
    after = f"after {plies} {'move' if plies == 1 else 'moves'}"
    if ending.score == 0:
        return f"Game over {after}: a draw, {_draw_reason(record)}."
    winner, loser = (0, 1) if ending.score > 0 else (1, 0)
    if ending.reason == "resignation":
        return f"Game over {after}: {game.sides[loser]} resigned, {game.sides[winner]} won."
    return f"Game over {after}: {game.sides[winner]} won."


def _draw_reason(record: "Record") -> str:
    game = record.game
    if record.is_repeated():
        return f"the position has occurred {game.repetitions} times"
    limit = game.rules.clock_limit
    if limit and game.clock(record.position) >= limit:
        return f"nothing irreversible has happened for {limit} plies"
    return "by the rules"


# ---------------------------------------------------------------- for programs


def describe_found(found: "Found", game: "Game", position: "Row") -> dict[str, Any]:
    """Return what a search found, for JSON."""
    return {
        "move": game.format_move(position, found.move),
        "value": found.value,
        "expected_score": expected_score(found.value),
        "end": found.end,
        "is_proven": found.end is not None or found.extras.get("is_proven", False),
        "depth": found.depth,
        "nodes": found.nodes,
        "seconds": found.seconds,
        "line": game.format_line(position, found.line),
        "extras": found.extras,
    }


def describe_analysis(analysis: "Analysis", game: "Game", position: "Row") -> dict[str, Any]:
    """Return an analysis, for JSON; `moves` are there if a tree tells of them."""
    described: dict[str, Any] = {
        "lines": [describe_found(found, game, position) for found in analysis.lines]
    }
    if analysis.moves:
        described["moves"] = [
            {
                "move": game.format_move(position, one.move),
                "visits": one.visits,
                "value": one.value,
            }
            for one in analysis.moves
        ]
    return described
