"""The features of Real and Blair's learner (Learning a Multi-Player Chess Game with TreeStrap).

What is present is found once for all players, in terms of owners 0, 1, ... and squares:

    bias          always
    material      a piece, by owner and kind: a number for all players, negative for enemies
    wizards       a team has two Wizards, or three
    pawns         a pawn, by owner and square
    checks        a player is in check
    mates         a player is mated
    attacks       a piece attacks or defends another, by owner and kind of both; not by
                  teleportation
    squares       another piece, by owner, kind and square

Every player sees it in his own way: owners counted from himself, squares from his seat, and one
set of weights for each team. So a player's view of an index is row 2 * (relative index) + (team).
Stage 1 ends after the mates, stage 2 after the attacks; the rows of a stage begin with those of the
stage before. With `modes` an attack also tells how: straight, slanting, like a knight, or by one
step. With `phases` there are weights of their own for many, some and few pieces.

A move changes few of them, the "cumulative evaluation" of the paper: the mover's own pairs on its
old and new square, those of a captured piece, those of steppers and knights around both squares,
and the first piece that sliders see along lines through them.
"""

from typing import Any, NamedTuple

import numpy as np

from plywise.errors import PlywiseError
from plywise.evaluators.features import Features, Function, Spans
from plywise.game import Game
from plywise.games.duchess.layout import (
    END,
    KIND_OF_CODE,
    KING,
    LETTERS,
    PASS,
    PAWN,
    SQUARE_BITS,
    WIZARD,
)
from plywise.games.duchess.mobility import Material
from plywise.games.duchess.rules import Rules
from plywise.games.duchess.sets import Squares, set_functions
from plywise.kernel.bits import Position, Whole, Word

KINDS = len(LETTERS)
COUNTED_KINDS = WIZARD + 1  # all kinds but the King
STRAIGHT, SLANTING, LEAPING, STEPPING = range(4)
MOST_PAIRS = 138  # that the pieces of a player can have
PHASE_PIECES = (40, 20)  # from how many pieces on a game is in its first and second phase


class Places(NamedTuple):
    """Where the groups of indices begin, as owners see the board or as a player does."""

    material: int
    wizards: int
    pawns: int
    checks: int
    mates: int
    attacks: int
    squares: int
    end: int


class Sizes(NamedTuple):
    """What the numbers of features depend on."""

    players: int
    squares: int
    stage: int
    modes: int  # ways of attack that are told apart


def _places(sizes: Sizes, material: int, wizards: int) -> Places:
    """Return where groups begin; behind the end of the stage there is nothing."""
    pieces = KINDS * sizes.players
    attacks = pieces * pieces * sizes.modes if sizes.stage >= 2 else 0
    squares = (KINDS - 1) * sizes.players * sizes.squares if sizes.stage >= 3 else 0
    counts = (1, material, wizards, sizes.players * sizes.squares, sizes.players, sizes.players)
    begins = np.cumsum([*counts, attacks, squares]).tolist()
    return Places(*begins)


def relative_places(sizes: Sizes) -> Places:
    """Return where groups begin as a player sees them; their rows are twice as far."""
    return _places(sizes, COUNTED_KINDS, sizes.players // 2 - 1)


def duchess_features(
    rules: Rules, game: Game, stage: int = 3, modes: bool = False, phases: bool = False
) -> Features:
    """Return the features of a stage of the paper."""
    if stage not in (1, 2, 3):
        raise PlywiseError(f"The features of Duchess have the stages 1, 2 and 3, not {stage}.")
    material = rules.material
    players, board = material.variant.players, material.board
    sizes = Sizes(players, len(board.squares), stage, 4 if modes else 1)
    more = players // 2 - 1
    at, relative = _places(sizes, players * COUNTED_KINDS, 2 * more), relative_places(sizes)
    active, changed = _finding(rules, sizes, at)
    most = players * (15 * 2 + 2) + 1 + 2 * more + (players * MOST_PAIRS if stage >= 2 else 0)
    return Features(
        "duchess",
        game,
        count=at.end,
        most=most,
        active=active,
        changed=changed,
        seen=_seeing(material, sizes, at, relative),
        viewer=material.layout.player,
        viewers=players,
        rows=2 * relative.end,
        table=_phase(material) if phases else None,
        tables=len(PHASE_PIECES) + 1 if phases else 1,
        settings={"stage": stage, "modes": modes, "phases": phases},
        groups=groups_of(relative, stage),
    )


def groups_of(relative: Places, stage: int) -> dict[str, Spans]:
    """Return the rows of the groups that join stage by stage."""
    spans = {
        "basics": (0, 2 * relative.attacks),
        "attacks": (2 * relative.attacks, 2 * relative.squares),
        "squares": (2 * relative.squares, 2 * relative.end),
    }
    return {name: (span,) for name, span in list(spans.items())[:stage]}


# ---------------------------------------------------------------- what is there


def _finding(rules: Rules, sizes: Sizes, at: Places) -> tuple[Function, Function]:
    """Return `active` and `changed`."""
    write_pieces, write_piece = _pieces(rules.material, sizes, at)
    write_status = _status(rules, sizes, at)
    has_pairs = sizes.stage >= 2
    write_pairs, write_changed_pairs = _pairs(rules.material, sizes, at)
    compare = _comparing(write_status)

    def active(position: Position, out: Any) -> Whole:
        out[0] = 0
        count = write_pieces(position, out, 1)
        count = write_status(position, out, count)
        if has_pairs:
            count = write_pairs(position, out, count)
        return count

    def changed(
        before: Position, move: Word, after: Position, removed: Any, added: Any
    ) -> tuple[Whole, Whole]:
        gone, come = compare(before, after, removed, added)
        if move == PASS:
            return gone, come
        start, end = np.int64(move & SQUARE_BITS), np.int64((move >> END) & SQUARE_BITS)
        gone = write_piece(before, start, removed, gone)
        gone = write_piece(before, end, removed, gone)
        come = write_piece(after, end, added, come)
        if has_pairs:
            gone, come = write_changed_pairs(
                before, after, (start, end), (removed, gone), (added, come)
            )
        return gone, come

    return active, changed


def _pieces(material: Material, sizes: Sizes, at: Places) -> tuple[Function, Function]:
    """Return functions that write material and squares, of all pieces and of one."""
    sets, layout = set_functions(material.words), material.layout
    first, rest, is_empty = sets.first, sets.rest, sets.is_empty
    filled, code_at, owner_at = layout.filled, layout.code_at, layout.owner_at
    squares, players, has_squares = sizes.squares, sizes.players, sizes.stage >= 3

    def write_piece(position: Position, square: Whole, out: Any, count: Whole) -> Whole:
        code = code_at(position, square)
        if code == 0:
            return count
        kind, owner = np.int64(KIND_OF_CODE[code]), owner_at(position, square)
        if kind != KING:
            out[count] = at.material + owner * COUNTED_KINDS + kind
            count += 1
        if kind == PAWN:
            out[count] = at.pawns + owner * squares + square
            count += 1
        elif has_squares:
            out[count] = at.squares + ((kind - 1) * players + owner) * squares + square
            count += 1
        return count

    def write_pieces(position: Position, out: Any, count: Whole) -> Whole:
        left = filled(position)
        while not is_empty(left):
            count = write_piece(position, first(left), out, count)
            left = rest(left)
        return count

    return write_pieces, write_piece


def _status(rules: Rules, sizes: Sizes, at: Places) -> Function:
    """Return a function that writes Wizards of teams, checks and mates."""
    layout, sets = rules.material.layout, set_functions(rules.material.words)
    meet, size, wizards, team = sets.meet, sets.size, layout.wizards, layout.team
    is_checked, count_moves = rules.checks.is_checked, rules.mobility.count
    players, more = sizes.players, sizes.players // 2 - 1

    def write_status(position: Position, out: Any, count: Whole) -> Whole:
        for side in range(2):
            for number in range(size(meet(wizards(position), team(position, side))) - 1):
                out[count] = at.wizards + side * more + number
                count += 1
        for player in range(players):
            if is_checked(position, player):
                out[count] = at.checks + player
                count += 1
                if count_moves(position, player) == 0:
                    out[count] = at.mates + player
                    count += 1
        return count

    return write_status


def _comparing(write_status: Function) -> Function:
    """Return a function that writes the Wizards, checks and mates that are gone or have come."""

    def compare(before: Position, after: Position, removed: Any, added: Any) -> tuple[Whole, Whole]:
        old, new = write_status(before, removed, 0), write_status(after, added, 0)
        gone = 0
        for place in range(old):
            index, is_kept = removed[place], False
            for other in range(new):
                if added[other] == index:
                    added[other] = -1
                    is_kept = True
            if not is_kept:
                removed[gone] = index
                gone += 1
        come = 0
        for place in range(new):
            if added[place] >= 0:
                added[come] = added[place]
                come += 1
        return gone, come

    return compare


# ---------------------------------------------------------------- attack and defence


def _pairs(material: Material, sizes: Sizes, at: Places) -> tuple[Function, Function]:
    """Return functions that write who attacks or defends whom, and what a move changes of it."""
    sets, layout, tables = set_functions(material.words), material.layout, material.tables
    meet, join, without, holds = sets.meet, sets.join, sets.without, sets.holds
    single, first, rest, is_empty = sets.single, sets.first, sets.rest, sets.is_empty
    look_up, filled_of, code_at, owner_at = (
        sets.look_up,
        layout.filled,
        layout.code_at,
        layout.owner_at,
    )
    knight_like, steppers, pawns = layout.knight_like, layout.steppers, layout.pawns
    reach, lined_up = material.attacks.reach, material.attacks.lined_up
    near, diagonal, knight = tables.near, tables.diagonal, tables.knight
    walk, skip, rays, begin = tables.walk, tables.skip, tables.rays, tables.begin
    pieces, has_modes = KINDS * sizes.players, sizes.modes > 1

    def piece_at(position: Position, square: Whole) -> Whole:
        kind = np.int64(KIND_OF_CODE[code_at(position, square)])
        return owner_at(position, square) * KINDS + kind

    def mode_of(position: Position, start: Whole, end: Whole) -> Whole:
        if holds(look_up(knight, start), end):
            return LEAPING
        code = code_at(position, start)
        if code >= 8:
            return STEPPING
        return STRAIGHT if rays[start, end] < begin[2 * start + 1] else SLANTING

    def pair(position: Position, start: Whole, end: Whole) -> Whole:
        index = piece_at(position, start) * pieces + piece_at(position, end)
        if has_modes:
            index = 4 * index + mode_of(position, start, end)
        return at.attacks + index

    def targets(position: Position, square: Whole, filled: Squares) -> Squares:
        code = code_at(position, square)
        if code < 8:
            return meet(reach(square, code, filled), filled)
        if code == 8:
            return meet(look_up(diagonal, square), filled)
        return meet(look_up(near, square), filled)

    def write_from(position: Position, square: Whole, out: Any, count: Whole) -> Whole:
        left = targets(position, square, filled_of(position))
        while not is_empty(left):
            out[count] = pair(position, square, first(left))
            count += 1
            left = rest(left)
        return count

    def write_pairs(position: Position, out: Any, count: Whole) -> Whole:
        left = filled_of(position)
        while not is_empty(left):
            count = write_from(position, first(left), out, count)
            left = rest(left)
        return count

    def write_leaps(
        position: Position, square: Whole, barred: Squares, out: Any, count: Whole
    ) -> Whole:
        """Write what knights, steppers and pawns do to a piece, but for those on barred squares."""
        found = meet(look_up(knight, square), knight_like(position))
        found = join(found, meet(look_up(near, square), steppers(position)))
        found = join(found, meet(look_up(diagonal, square), pawns(position)))
        left = without(found, barred)
        while not is_empty(left):
            out[count] = pair(position, first(left), square)
            count += 1
            left = rest(left)
        return count

    def seen_along(ray: Whole, filled: Squares) -> Whole:
        """Return the first piece on a ray, -1 if there is none."""
        stop = skip[ray]
        for place in range(ray, stop):
            if holds(filled, np.int64(walk[place])):
                return np.int64(walk[place])
        return np.int64(-1)

    def write_lines(
        before: Position, after: Position, squares: Any, old: Any, new: Any
    ) -> tuple[Whole, Whole]:
        """Write what sliders see otherwise along lines through both squares of a move."""
        start, end = squares
        (removed, gone), (added, come) = old, new
        was, now = filled_of(before), filled_of(after)
        both = join(single(start), single(end))
        others = without(was, both)
        through_start = lined_up(before, start, others)
        left = join(through_start, lined_up(before, end, others))
        while not is_empty(left):
            slider = first(left)
            left = rest(left)
            for turn in range(2):
                square = start if turn == 0 else end
                if rays[slider, square] < 0 or not serves(before, slider, square):
                    continue
                if turn == 1 and rays[slider, start] == rays[slider, end]:
                    continue
                ray = np.int64(rays[slider, square])
                seen, sees = seen_along(ray, was), seen_along(ray, now)
                if seen == sees and seen != end:
                    continue
                if seen >= 0:
                    removed[gone] = pair(before, slider, seen)
                    gone += 1
                if sees >= 0:
                    added[come] = pair(after, slider, sees)
                    come += 1
        return gone, come

    def serves(position: Position, slider: Whole, square: Whole) -> bool:
        """Return whether a slider moves along the line on which a square lies."""
        is_straight = rays[slider, square] < begin[2 * slider + 1]
        return bool(code_at(position, slider) & (1 if is_straight else 2))

    def write_changed_pairs(
        before: Position, after: Position, squares: Any, old: Any, new: Any
    ) -> tuple[Whole, Whole]:
        start, end = squares
        (removed, gone), (added, come) = old, new
        both = join(single(start), single(end))
        gone = write_from(before, start, removed, gone)
        gone = write_leaps(before, start, both, removed, gone)
        if code_at(before, end) != 0:
            gone = write_from(before, end, removed, gone)
            gone = write_leaps(before, end, both, removed, gone)
        come = write_from(after, end, added, come)
        come = write_leaps(after, end, both, added, come)
        return write_lines(before, after, squares, (removed, gone), (added, come))

    return write_pairs, write_changed_pairs


# ---------------------------------------------------------------- how players see it


def _seeing(material: Material, sizes: Sizes, at: Places, relative: Places) -> Function:
    """Return a function that tells the row of an index for a player: ~row counts against him."""
    players, squares, modes = sizes.players, sizes.squares, sizes.modes
    pieces, more = KINDS * players, players // 2 - 1
    sections = 12 // players  # from a seat to the next of the team
    turned = np.array(
        [material.board.turned(-sections * seat) for seat in range(players // 2)], np.int16
    )

    def owner_seen(owner: Whole, player: Whole) -> Whole:
        return (owner - player) % players

    def piece_seen(piece: Whole, player: Whole) -> Whole:
        return owner_seen(piece // KINDS, player) * KINDS + piece % KINDS

    def relative_index(index: Whole, player: Whole) -> Whole:
        seat = player >> 1
        if index == 0:
            return 0
        if index < at.checks:
            owner, square = divmod(index - at.pawns, squares)
            return relative.pawns + owner_seen(owner, player) * squares + turned[seat, square]
        if index < at.mates:
            return relative.checks + owner_seen(index - at.checks, player)
        if index < at.attacks:
            return relative.mates + owner_seen(index - at.mates, player)
        if index < at.squares:
            pair, mode = divmod(index - at.attacks, modes)
            one, other = piece_seen(pair // pieces, player), piece_seen(pair % pieces, player)
            return relative.attacks + (one * pieces + other) * modes + mode
        group, square = divmod(index - at.squares, squares)
        kind, owner = divmod(group, players)
        group = kind * players + owner_seen(owner, player)
        return relative.squares + group * squares + turned[seat, square]

    def seen(index: Whole, player: Whole) -> Whole:
        if at.material <= index < at.wizards:
            owner, kind = divmod(index - at.material, COUNTED_KINDS)
            row = 2 * (relative.material + kind) + (player & 1)
            return row if (owner - player) % 2 == 0 else ~row
        if at.wizards <= index < at.pawns:
            side, number = divmod(index - at.wizards, more)
            row = 2 * (relative.wizards + number) + (player & 1)
            return row if side == player & 1 else ~row
        return 2 * relative_index(index, player) + (player & 1)

    return seen


def _phase(material: Material) -> Function:
    """Return a function that tells a position's phase by its number of pieces."""
    size, filled = set_functions(material.words).size, material.layout.filled
    many, some = PHASE_PIECES

    def phase(position: Position) -> Whole:
        count = size(filled(position))
        return 0 if count >= many else 1 if count >= some else 2

    return phase
