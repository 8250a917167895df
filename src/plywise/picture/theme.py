"""The colours of a board and its pieces, on a terminal and in pictures."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plywise.game import Game
    from plywise.picture import Cell

Rgb = tuple[int, int, int]

# The sides are painted in the colours that they are named after, others in yellow and red.
COLOURS: dict[str, Rgb] = {
    "black": (16, 16, 16),
    "white": (255, 255, 255),
    "red": (240, 62, 50),
    "yellow": (255, 214, 64),
    "blue": (52, 116, 235),
    "green": (46, 184, 92),
    "orange": (255, 150, 40),
}
OTHERS = (COLOURS["yellow"], COLOURS["red"])
# Grounds of a plain board; the one is taken from which both sides stand out best.
GROUNDS: tuple[Rgb, ...] = ((44, 122, 78), (30, 66, 122), (196, 160, 108))
LIGHT, DARK = (240, 217, 181), (181, 136, 99)


@dataclass(frozen=True)
class Theme:
    """The colours of a board."""

    sides: tuple[Rgb, Rgb]
    ground: Rgb


def theme_of(game: "Game") -> Theme:
    """Return the colours that suit a game."""
    sides = (COLOURS.get(game.sides[0], OTHERS[0]), COLOURS.get(game.sides[1], OTHERS[1]))
    if sides[0] == sides[1]:
        sides = OTHERS
    return Theme(sides, max(GROUNDS, key=lambda ground: min(contrast(ground, s) for s in sides)))


def ground_of(cell: "Cell", theme: Theme) -> Rgb:
    """Return what a cell is painted with."""
    if cell.shade == "light":
        return LIGHT
    return DARK if cell.shade == "dark" else theme.ground


def hex_of(colour: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def light(colour: Rgb) -> float:
    """Return the relative luminance of WCAG 2, with a plain square for the gamma curve."""
    red, green, blue = ((part / 255) ** 2 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Rgb, other: Rgb) -> float:
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)
