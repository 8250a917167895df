"""Features of any board: what pieces there are, who is next to whom, how many moves there are.

They need nothing but a picture, so every game has them. With K kinds of pieces for each side a
code is numbered 0 .. K-1 for side 0 and K .. 2K-1 for side 1, and a board has P = 2K pieces:

    material    every piece by its kind                       row `piece`
    pairs       every two neighbours that both have a piece   row `pair * P * P + piece * P + other`
    mobility    how many moves the side to move has           row `min(moves, MOST_COUNTED)`

Neighbours are the cells around a cell, those at its corners too. Where sides can be exchanged
(`cell_mirror`) these features have a mirror; elsewhere the board is judged in fixed colours, and
`mobility` has rows for each side.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.features import Features, Function, cancel
from plywise.game import Game
from plywise.kernel import head
from plywise.kernel.bits import Position, Whole, Word

AROUND = 1.5  # how far a neighbour's middle is, where 1 is the nearest cell's
MOST_PAIRS = 300_000  # numbers of pairs
MOST_COUNTED = 63  # moves; with more, a side has as good as all


class Pieces(NamedTuple):
    """How the codes of a game's cells are numbered."""

    kinds: int
    number: Function  # number(code): 0 .. 2 * kinds - 1
    swapped: Function  # swapped(number): the same kind of the other side


def pieces_of(game: Game, name: str) -> Pieces:
    """Return the numbers of a game's pieces."""
    if game.picture is None:
        raise PlywiseError(f"The features {name!r} need a picture; {game.name} has none: say bits.")
    kinds = max((abs(code) for code in game.picture.pieces), default=1)

    def number(code: Whole) -> Whole:
        kind = min(abs(code), kinds) - 1  # a code that the picture does not know must not do harm
        return kind if code > 0 else kinds + kind

    def swapped(piece: Whole) -> Whole:
        return piece - kinds if piece >= kinds else piece + kinds

    return Pieces(kinds, number, swapped)


# ---------------------------------------------------------------- material


def material(game: Game) -> Features:
    """Return an index for every kind of piece, active once for each that is on the board."""
    kinds, number, swapped = pieces_of(game, "material")
    write, places = game.rules.cells, game.rules.cell_count

    def active(position: Position, out: Any) -> Whole:
        write(position, head(out, places))
        count = 0
        for cell in range(places):  # count <= cell: codes are read before they are overwritten
            code = out[cell]
            if code != 0:
                out[count] = number(code)
                count += 1
        return count

    def changed(
        before: Position, move: Word, after: Position, removed: Any, added: Any
    ) -> tuple[Whole, Whole]:
        write(before, head(removed, places))
        write(after, head(added, places))
        gone = come = 0
        for cell in range(places):
            old, new = removed[cell], added[cell]
            if old != new:
                if old != 0:
                    removed[gone] = number(old)
                    gone += 1
                if new != 0:
                    added[come] = number(new)
                    come += 1
        return cancel(removed, gone, added, come)

    mirror = swapped if game.cell_mirror else None
    return Features("material", game, 2 * kinds, places, active, changed, mirror)


# ---------------------------------------------------------------- neighbours


class Neighbours(NamedTuple):
    """Pairs of neighbours, and the pairs that a cell is in: pairs[begins[c] : begins[c + 1]]."""

    ends: NDArray[np.int64]  # [pairs, 2]: the lower cell first
    begins: NDArray[np.int64]
    pairs: NDArray[np.int64]

    @classmethod
    def of(cls, game: Game) -> "Neighbours":
        """Return the neighbours on a game's board."""
        assert game.picture is not None
        middles = np.array([cell.middle for cell in game.picture.cells])
        apart = np.hypot(*np.moveaxis(middles[:, None] - middles[None], 2, 0))
        nearest = apart[apart > 0].min() if len(middles) > 1 else 0.0
        ends = np.argwhere(np.triu((apart > 0) & (apart < AROUND * nearest)))
        cells = np.concatenate([ends[:, 0], ends[:, 1]])
        order = np.argsort(cells, kind="stable")
        counts = np.bincount(cells, minlength=len(middles))
        return cls(ends, np.append(0, np.cumsum(counts)), order % max(1, len(ends)))


def pairs(game: Game) -> Features:
    """Return an index for every two neighbours and the pieces on both."""
    kinds, number, swapped = pieces_of(game, "pairs")
    write, places = game.rules.cells, game.rules.cell_count
    ends, begins, of_cell = Neighbours.of(game)
    total, codes = len(ends), 2 * kinds
    if total * codes * codes > MOST_PAIRS:
        raise PlywiseError(
            f"The features 'pairs' are for boards with fewer kinds of pieces than {game.name} has:"
            f" it would need {total * codes * codes:,} numbers, and {MOST_PAIRS:,} is the limit."
        )
    images, is_turned = _mirrored_pairs(ends, game)

    def index_of(pair: Whole, first: Whole, second: Whole) -> Whole:
        return (pair * codes + number(np.int64(first))) * codes + number(np.int64(second))

    def active(position: Position, out: Any) -> Whole:
        board = np.empty(places, np.int8)
        write(position, board)
        count = 0
        for pair in range(total):
            first, second = board[ends[pair, 0]], board[ends[pair, 1]]
            if first != 0 and second != 0:
                out[count] = index_of(pair, first, second)
                count += 1
        return count

    def changed(
        before: Position, move: Word, after: Position, removed: Any, added: Any
    ) -> tuple[Whole, Whole]:
        old, new = np.empty(places, np.int8), np.empty(places, np.int8)
        write(before, old)
        write(after, new)
        gone = come = 0
        for cell in range(places):
            if old[cell] == new[cell]:
                continue
            for place in range(begins[cell], begins[cell + 1]):
                pair = of_cell[place]
                first, second = ends[pair, 0], ends[pair, 1]
                if cell == second and old[first] != new[first]:
                    continue  # it was looked at from its first cell
                if old[first] != 0 and old[second] != 0:
                    removed[gone] = index_of(pair, old[first], old[second])
                    gone += 1
                if new[first] != 0 and new[second] != 0:
                    added[come] = index_of(pair, new[first], new[second])
                    come += 1
        return gone, come

    def mirror(row: Whole) -> Whole:
        pair = row // (codes * codes)
        first, second = swapped(row // codes % codes), swapped(row % codes)
        if is_turned[pair]:
            first, second = second, first
        return (images[pair] * codes + first) * codes + second

    rows, most = max(1, total) * codes * codes, max(1, total)
    has_mirror = bool(game.cell_mirror)
    return Features("pairs", game, rows, most, active, changed, mirror if has_mirror else None)


def _mirrored_pairs(
    ends: NDArray[np.int64], game: Game
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return which pair takes a pair's place when sides are exchanged, and whether it is turned."""
    if not game.cell_mirror:
        return np.zeros(len(ends), np.int64), np.zeros(len(ends), np.bool_)
    numbers = {(int(first), int(second)): pair for pair, (first, second) in enumerate(ends)}
    there = np.array(game.cell_mirror, np.int64)[ends]
    found = [numbers.get((int(min(pair)), int(max(pair))), -1) for pair in there]
    if -1 in found:
        raise PlywiseError(f"The cell_mirror of {game.name} does not keep neighbours together.")
    return np.array(found, np.int64), there[:, 0] > there[:, 1]


# ---------------------------------------------------------------- mobility


def mobility(game: Game) -> Features:
    """Return an index for every number of moves that the side to move can have."""
    rules, buckets = game.rules, MOST_COUNTED + 1
    moves, count_moves, side = rules.moves, rules.count, rules.side
    has_count, room = rules.has_count, game.max_moves
    has_mirror = bool(game.cell_mirror)

    def index_of(position: Position) -> Whole:
        out = np.empty(room, np.uint64)
        found = count_moves(position, out) if has_count else moves(position, out)
        return min(found, MOST_COUNTED) + (0 if has_mirror else buckets * side(position))

    def active(position: Position, out: Any) -> Whole:
        out[0] = index_of(position)
        return 1

    def changed(
        before: Position, move: Word, after: Position, removed: Any, added: Any
    ) -> tuple[Whole, Whole]:
        removed[0], added[0] = index_of(before), index_of(after)
        return (0, 0) if removed[0] == added[0] else (1, 1)

    def mirror(row: Whole) -> Whole:
        return row  # the moves of whoever is to move are its own

    count = buckets if has_mirror else 2 * buckets
    return Features("mobility", game, count, 1, active, changed, mirror if has_mirror else None)
