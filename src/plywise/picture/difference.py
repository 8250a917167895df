"""What moved: the difference of two pictures of one board."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from plywise.picture.picture import Picture, Piece

Kind = Literal["moved", "removed", "placed", "turned", "counted"]


class Change(NamedTuple):
    """One piece that a move touched.

    moved     from start to end        removed   from start
    placed    on end                   turned    into this piece, on end
    counted   to this number, on end
    """

    kind: Kind
    start: int | None
    end: int | None
    piece: Piece


def changes(picture: Picture, before: Sequence[int], after: Sequence[int]) -> list[Change]:
    """Return what happened between two lists of codes, in the order of the cells.

    A new piece comes from the nearest vanished one that equals it, else from the nearest one of
    the same owner, which was promoted. Pieces on cells that were empty are asked first: a piece
    that only turned where it stands comes from nowhere.
    """
    places = [i for i, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    if picture.has_counts:
        return [Change("counted", None, i, picture.piece_of(after[i])) for i in places]
    left = [i for i in places if before[i] != 0]
    entered = [i for i in places if after[i] != 0]
    origins = _origins(picture, before, after, left, entered)
    found = []
    for end in entered:
        piece = picture.piece_of(after[end])
        if end in origins:
            found.append(Change("moved", origins[end], end, piece))
        elif before[end] != 0:
            found.append(Change("turned", None, end, piece))
        else:
            found.append(Change("placed", None, end, piece))
    gone = set(left) - set(origins.values())
    gone -= {change.end for change in found if change.kind == "turned" and change.end is not None}
    found += [Change("removed", start, None, picture.piece_of(before[start])) for start in gone]
    return sorted(found, key=lambda change: (change.start or 0, change.end or 0))


def touched_cells(found: Iterable[Change]) -> set[int]:
    """Return the cells that tell a move; those that only turned if there are no others."""
    listed = list(found)
    telling = [change for change in listed if change.kind != "turned"] or listed
    return {cell for change in telling for cell in (change.start, change.end) if cell is not None}


def _origins(
    picture: Picture,
    before: Sequence[int],
    after: Sequence[int],
    left: list[int],
    entered: list[int],
) -> dict[int, int]:
    """Return where new pieces came from: for cells that were entered, those that were left."""

    def is_equal(start: int, end: int) -> bool:
        return before[start] == after[end]

    def is_promoted(start: int, end: int) -> bool:
        old, new = picture.piece_of(before[start]), picture.piece_of(after[end])
        return old.owner == new.owner

    empty = [end for end in entered if before[end] == 0]
    taken = [end for end in entered if before[end] != 0]
    origins: dict[int, int] = {}
    for fits in (is_equal, is_promoted):
        for ends in (empty, taken):
            _match(picture, fits, left, ends, origins)
    return origins


def _match(
    picture: Picture,
    fits: Callable[[int, int], bool],
    left: list[int],
    ends: list[int],
    origins: dict[int, int],
) -> None:
    """Add fitting pairs of cells to the origins, the nearest first."""
    pairs = [(start, end) for start in left for end in ends if start != end and fits(start, end)]
    for start, end in sorted(pairs, key=lambda pair: (_distance(picture, *pair), pair)):
        if end not in origins and start not in origins.values():
            origins[end] = start


def _distance(picture: Picture, one: int, other: int) -> float:
    (x, y), (u, v) = picture.cells[one].middle, picture.cells[other].middle
    return (x - u) ** 2 + (y - v) ** 2
