"""Small drawings as SVG, written by hand so that the same data give the same file to the byte."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plywise.arena.seeds import Interval

WIDTH, LABELS, LINE = 720, 230, 18  # of the picture, of what stands at its left, of a row
THEIRS, OURS, GREY = "#b5542b", "#1f4e79", "#bbb"
COLOURS = ("#1f4e79", "#b5542b", "#4d7c0f", "#7c3aed", "#0e7490")
HEIGHT, EDGE = 200, 40  # of a picture of curves, and around it

Curve = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Bar:
    """Two intervals of a share, theirs and ours."""

    name: str
    theirs: Interval | None
    ours: Interval


def draw_bars(bars: Sequence[Bar]) -> str:
    """Return shares of the points from 0 to 100 %, theirs above ours, with their intervals."""
    height = LINE * (len(bars) + 2)
    parts = []
    for percent in (0, 25, 50, 75, 100):
        x = _x(percent / 100)
        parts.append(_line((x, LINE), (x, height - LINE), GREY, 1 if percent == 50 else 0.5))
        parts.append(_text(x, height - 4, f"{percent} %", "middle"))
    parts.append(_text(LABELS, 12, "theirs", "start", THEIRS))
    parts.append(_text(LABELS + 50, 12, "ours", "start", OURS))
    for place, bar in enumerate(bars):
        y = LINE * (place + 1.5)
        parts.append(_text(LABELS - 8, y + 4, bar.name, "end"))
        for interval, colour, shift in ((bar.theirs, THEIRS, -3), (bar.ours, OURS, 3)):
            if interval is not None:
                parts += _whisker(interval, y + shift, colour)
    return _svg(height, parts)


def draw_curves(title: str, curves: Mapping[str, Curve]) -> str:
    """Return curves over the steps of a training, one for each seed."""
    steps = [step for curve in curves.values() for step, _ in curve]
    values = [value for curve in curves.values() for _, value in curve]
    left, right = min(steps), max(steps)
    low, high = min(0.0, *values), max(0.0, *values)
    room = (WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE)

    def place(step: float, value: float) -> tuple[float, float]:
        x = EDGE + room[0] * (step - left) / ((right - left) or 1)
        return x, HEIGHT - EDGE - room[1] * (value - low) / ((high - low) or 1)

    parts = [_text(EDGE, 16, title, "start")]
    parts.append(_line(place(left, 0), place(right, 0), GREY, 1))
    for value in (low, high):
        parts.append(_text(EDGE - 4, place(left, value)[1] + 4, f"{value:g}", "end"))
    for step in (left, right):
        parts.append(_text(place(step, low)[0], HEIGHT - EDGE + 14, f"{step:g}", "middle"))
    for colour, curve in zip(COLOURS * len(curves), curves.values(), strict=False):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in curve))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
    return _svg(HEIGHT, parts)


def _x(share: float) -> float:
    return LABELS + (WIDTH - LABELS - 30) * min(1.0, max(0.0, share))


def _whisker(interval: Interval, y: float, colour: str) -> list[str]:
    line = _line((_x(interval.low), y), (_x(interval.high), y), colour, 2)
    return [line, f'<circle cx="{_x(interval.value):.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>']


def _line(start: tuple[float, float], end: tuple[float, float], colour: str, width: float) -> str:
    (x1, y1), (x2, y2) = start, end
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{colour}" stroke-width="{width}"/>'
    )


def _text(x: float, y: float, text: str, anchor: str, colour: str = "#444") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">'
        f"{html.escape(text)}</text>"
    )


def _svg(height: float, parts: Sequence[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" '
        f'font-family="system-ui, sans-serif" font-size="11">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
    )
