"""The colours of a board and its pieces, on a terminal and in pictures."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plywise.game import Game
    from plywise.picture import Cell

Rgb = tuple[int, int, int]

# The sides are painted in the colours that they are named after.
COLOURS: dict[str, Rgb] = {
    "black": (16, 16, 16),
    "white": (255, 255, 255),
    "red": (240, 62, 50),
    "yellow": (255, 214, 64),
    "blue": (52, 116, 235),
    "green": (46, 184, 92),
    "orange": (255, 150, 40),
}
# Others have these, which people who see few colours tell apart as well: they differ in light.
OWNERS: tuple[Rgb, ...] = (
    COLOURS["yellow"],
    COLOURS["red"],
    (86, 180, 233),
    (0, 60, 140),
    (255, 255, 255),
    (16, 16, 16),
)
# Grounds of a plain board; the one is taken from which all owners stand out best.
GROUNDS: tuple[Rgb, ...] = ((44, 122, 78), (30, 66, 122), (196, 160, 108))
LIGHT, DARK = (240, 217, 181), (181, 136, 99)


@dataclass(frozen=True)
class Theme:
    """The colours of a board."""

    owners: tuple[Rgb, ...]
    ground: Rgb


def theme_of(game: "Game") -> Theme:
    """Return the colours that suit a game."""
    owners = OWNERS[: game.about.players]
    if len(owners) == 2:
        named = [COLOURS.get(side, OWNERS[place]) for place, side in enumerate(game.sides)]
        owners = tuple(named) if named[0] != named[1] else owners
    best = max(GROUNDS, key=lambda ground: min(contrast(ground, owner) for owner in owners))
    return Theme(owners, best)


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


def faint(ground: Rgb) -> Rgb:
    """Return a colour that can just be read on a ground."""
    return mixed(ground, (0, 0, 0) if light(ground) > 0.25 else (255, 255, 255), 0.3)


def readable_on(ground: Rgb) -> Rgb:
    """Return black or white, whichever is read better on a ground."""
    return max(((16, 16, 16), (255, 255, 255)), key=lambda colour: contrast(colour, ground))


def light(colour: Rgb) -> float:
    """Return the relative luminance of WCAG 2, with a plain square for the gamma curve."""
    red, green, blue = ((part / 255) ** 2 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Rgb, other: Rgb) -> float:
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)
