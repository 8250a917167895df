"""Numbers and values as people read them."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plywise.game import Game, Row
    from plywise.search.limits import Found


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


def describe(found: "Found", game: "Game", position: "Row") -> dict[str, Any]:
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
    }
