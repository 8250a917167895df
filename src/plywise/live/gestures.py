"""Gestures: how legal moves are shown with a finger, from the picture and the moves' texts alone.

A move has one or several paths, and a path is a list of steps. A step is a list of cells, any of
which will do: one cell for most games, a whole column where the move's text is the label of one.

    22x15x8    [[22], [15], [8]]     the cells that the text names, one after the other
    22x8       [[22], [15], [8]]     and where jumps over all that is taken land between
    Nf3        [[g1], [f3]]          from where to where a piece has moved
    d3         [[d3]]                where one was placed
    O-O        [[e1], [g1]]          of two that moved, the one that no other move moves so
    4          [[d6, d5, ... d1]]    any cell of column 4
    pass       none: it is a word
"""

import functools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from plywise.game import Game, Row
from plywise.picture import Change, Picture, changes

Path = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Gesture:
    """How a legal move is written and shown, and what it does to the board."""

    text: str
    paths: tuple[Path, ...]  # none: it can only be chosen by its text
    removed: tuple[int, ...] = ()  # cells whose pieces it takes away
    arriving: int = 0  # code of the piece at the end, which tells promotions apart
    marks: tuple[int, ...] = field(default=(), compare=False)  # cells that the move touches


def gestures(game: Game, position: Row, moves: Sequence[int]) -> list[Gesture]:
    """Return how each of some legal moves is shown."""
    texts = [game.format_move(position, move) for move in moves]
    picture = game.picture
    if picture is None:
        return [Gesture(text, ()) for text in texts]
    before = [int(code) for code in game.cells(position)]
    found = []
    for move, text in zip(moves, texts, strict=True):
        after = [int(code) for code in game.cells(game.apply(position, move))]
        found.append(_gesture(picture, text, before, after))
    return _told_apart(found)


def _gesture(picture: Picture, text: str, before: list[int], after: list[int]) -> Gesture:
    told = changes(picture, before, after)
    paths = _paths(picture, text, told)
    removed = tuple(one.start for one in told if one.kind == "removed" and one.start is not None)
    if len(removed) > 1:
        paths = tuple(_by_jumps(picture, path, removed) for path in paths)
    end = paths[0][-1][0] if paths and len(paths[0][-1]) == 1 else None
    main = next((one for one in told if one.end == end and one.kind != "counted"), None)
    arriving = after[end] if main is not None and end is not None else 0
    return Gesture(text, paths, removed, arriving, _marks(told, paths))


def _by_jumps(picture: Picture, path: Path, removed: tuple[int, ...]) -> Path:
    """Return a path from cell to cell with the landings between, if jumps over all taken lead so.

    A text may leave out what is clear without; a hand that goes step by step wants it back.
    """
    if len(path) != 2 or len(path[0]) != 1 or len(path[1]) != 1:
        return path
    by_place = {_rounded(*cell.middle): index for index, cell in enumerate(picture.cells)}

    def jump(here: int, left: frozenset[int]) -> list[int] | None:
        if not left:
            return [here] if (here,) == path[1] else None
        x, y = picture.cells[here].middle
        for over in sorted(left):
            u, v = picture.cells[over].middle
            landing = by_place.get(_rounded(2 * u - x, 2 * v - y))
            rest = None if landing is None else jump(landing, left - {over})
            if rest is not None:
                return [here, *rest]
        return None

    found = jump(path[0][0], frozenset(removed))
    return path if found is None else tuple((cell,) for cell in found)


def _rounded(x: float, y: float) -> tuple[float, float]:
    return round(x, 3), round(y, 3)


def _marks(told: list[Change], paths: tuple[Path, ...]) -> tuple[int, ...]:
    """Return the cells that show a move: its path, and what it moved or placed."""
    cells = {step[0] for path in paths for step in path if len(step) == 1}
    for one in told:
        if one.kind in ("moved", "placed"):
            cells |= {cell for cell in (one.start, one.end) if cell is not None}
    return tuple(sorted(cells))


def _paths(picture: Picture, text: str, told: list[Change]) -> tuple[Path, ...]:
    """Return the ways to show a move, none if neither its text nor the board tells any."""
    moved = [one for one in told if one.kind == "moved"]
    ends = {one.end for one in told}
    named = _named_cells(picture, text)
    shown: list[Path] = [
        ((one.start,), (one.end,)) for one in moved if one.start is not None and one.end is not None
    ]
    fits = named and (named[-1] in ends or not ends or picture.has_counts)
    if fits and (not moved or len(named) > 1):
        return (tuple((cell,) for cell in named),)
    if shown:
        chosen = [path for path in shown if named and path[-1] == (named[-1],)]
        return tuple(chosen or shown)
    column = _column(picture, text)
    if column:
        return ((column,),)
    placed = [one.end for one in told if one.kind == "placed" and one.end is not None]
    return (((placed[0],),),) if len(placed) == 1 else ()


def _named_cells(picture: Picture, text: str) -> list[int]:
    """Return the cells whose names stand in a text, in their order."""
    names, pattern, other = _reading(tuple(cell.name for cell in picture.cells))
    if not names:
        return []
    parts = pattern.split(text)
    is_clean = not any(other.search(part) for part in parts[::2])
    return [names[name] for name in parts[1::2]] if is_clean else []


@functools.lru_cache(maxsize=64)
def _reading(cells: tuple[str, ...]) -> tuple[dict[str, int], re.Pattern[str], re.Pattern[str]]:
    """Return cells by names that no other has, what finds a name, and what may not be beside it."""
    counted = Counter(cells)
    names = {name: index for index, name in enumerate(cells) if name and counted[name] == 1}
    listed = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    other = r"[0-9]" if re.search(r"[0-9]", listed) else r"\w"  # it would be another word
    return names, re.compile(f"({listed})"), re.compile(other)


def _column(picture: Picture, text: str) -> tuple[int, ...]:
    """Return the cells of the column that a text is the label of."""
    if text not in picture.column_labels or not picture.columns:
        return ()
    first = picture.column_labels.index(text)
    return tuple(range(first, len(picture.cells), picture.columns))


def _told_apart(found: list[Gesture]) -> list[Gesture]:
    """Return gestures without those of several paths that belong to a move with only one."""
    single = {one.paths[0] for one in found if len(one.paths) == 1}
    kept = []
    for one in found:
        own = tuple(path for path in one.paths if len(one.paths) == 1 or path not in single)
        kept.append(replace(one, paths=own or one.paths))
    return kept
