"""The features `board`: what stands where, as an unbroken row of bits, after DeepChess.

    owner 0's first kind on all cells | its second kind | ... | owner 1's ... | more | to move

`more` is what a game adds, as chess does castling. There are two ways of looking:

    as each side sees it   rows change places by a mirror; whose turn it is goes without saying
    fixed                  in fixed colours, with one more bit if side 0 is to move

In fixed colours chess has 773 bits, draughts 129 and Reversi 129.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from plywise.errors import PlywiseError
from plywise.evaluators.features import Features, Function, difference_of
from plywise.game import Game
from plywise.kernel import head
from plywise.kernel.bits import Position, Whole, Word


def board(game: Game, fixed: bool = False) -> Features:
    """Return a bit for every piece on every cell."""
    return board_on(game, range(game.rules.cell_count), fixed)


def board_on(game: Game, used: Sequence[int], fixed: bool) -> Features:
    """Return the same on some cells: those on which a piece can stand."""
    require_mirror(game)
    assert game.picture is not None  # a game with a mirror of its cells has one
    write, places, cells = game.rules.cells, game.rules.cell_count, len(used)
    kinds = max(abs(code) for code in game.picture.pieces)
    numbers = np.full(places, -1, np.int64)
    numbers[list(used)] = np.arange(cells)
    opposite = np.array([numbers[game.cell_mirror[cell]] for cell in used], np.int64)

    def active(position: Position, out: Any) -> Whole:
        write(position, head(out, places))
        count = 0
        for cell in range(places):  # count <= cell: codes are read before they are overwritten
            code = out[cell]
            if code != 0 and numbers[cell] >= 0:
                kind = min(abs(code), kinds) - 1
                owner = 0 if code > 0 else 1
                out[count] = (owner * kinds + kind) * cells + numbers[cell]
                count += 1
        return count

    def mirror(row: Whole) -> Whole:
        kind, cell = row // cells, row % cells
        return (kind + kinds) % (2 * kinds) * cells + opposite[cell]

    parts = (active, difference_of(active), mirror)
    return board_features(game, 2 * kinds * cells, places, parts, fixed)


def require_mirror(game: Game) -> None:
    """Raise unless the board of a game looks the same to both sides."""
    if game.picture is None or not game.cell_mirror:
        raise PlywiseError(
            f"The features 'board' need a game with a picture and a `cell_mirror`, so that both "
            f"sides see the same; {game.name} lacks them."
        )


def board_features(
    game: Game,
    count: int,
    most: int,
    parts: tuple[Function, Function, Function],
    fixed: bool,
    reflect: Function | None = None,
) -> Features:
    """Return features of `active`, `changed` and `mirror`, or these in fixed colours."""
    active, changed, mirror = parts
    if not fixed:
        return Features("board", game, count, most, active, changed, mirror, reflect=reflect)
    side = game.rules.side

    def fixed_active(position: Position, out: Any) -> Whole:
        found = active(position, out)
        if side(position) == 0:
            out[found] = count
            found += 1
        return found

    def fixed_changed(
        before: Position, move: Word, after: Position, removed: Any, added: Any
    ) -> tuple[Whole, Whole]:
        gone, come = changed(before, move, after, removed, added)
        if side(before) != side(after):
            if side(before) == 0:
                removed[gone] = count
                gone += 1
            else:
                added[come] = count
                come += 1
        return gone, come

    given = {"fixed": True}
    return Features("board", game, count + 1, most + 1, fixed_active, fixed_changed, settings=given)
