"""The legal moves of a player of Duchess, whether or not it is that player's turn."""

from typing import NamedTuple

import numpy as np

from plywise.game import Row
from plywise.games.duchess.attacks import Attacks, Tables
from plywise.games.duchess.board import Board
from plywise.games.duchess.layout import CODES, END, MATED, OWNED, PAWN, PROMOTION, WIZARD, Layout
from plywise.games.duchess.sets import Function, Squares, set_functions
from plywise.games.duchess.variant import Variant
from plywise.kernel.bits import ONE, ZERO, Position, Whole

PAWN_CODE, WIZARD_CODE = CODES[PAWN], CODES[WIZARD]
PROMOTED_KINDS = range(PAWN + 1, WIZARD + 1)
PROMOTED_CODES = np.array([CODES[kind] for kind in PROMOTED_KINDS], np.int64)
PROMOTED_OWNED = np.array([OWNED[kind] for kind in PROMOTED_KINDS], np.int64)


class Material(NamedTuple):
    """What the functions of a game are made of."""

    variant: Variant
    board: Board
    words: int  # of a set of squares
    layout: Layout
    tables: Tables
    attacks: Attacks


class Checks(NamedTuple):
    """Who threatens whose King."""

    king_square: Function  # (position, player)
    foes: Function  # (position, player): pieces that can threaten a player's King
    is_checked: Function  # (position, player)


class Mobility(NamedTuple):
    """What a player can do; `player` need not be the one to move."""

    moves: Function  # (position, player, out): write the legal moves; there may be none
    count: Function  # (position, player): how many there are
    noisy: Function  # (position, player, out): captures and promotions only
    zone: Function  # (position, player): the squares next to Wizards of the team


def checks_of(material: Material) -> Checks:
    """Return the functions that tell who is in check."""
    sets, layout, variant = set_functions(material.words), material.layout, material.variant
    meet, without, first, is_empty = sets.meet, sets.without, sets.first, sets.is_empty
    kings, owned, team, filled = layout.kings, layout.owned, layout.team, layout.filled
    state, attackers, players = layout.state, material.attacks.attackers, variant.players

    def king_square(position: Position, player: Whole) -> Whole:
        return first(meet(kings(position), owned(position, player)))

    def all_foes(position: Position, player: Whole) -> Squares:
        return team(position, 1 - (player & 1))

    def lively_foes(position: Position, player: Whole) -> Squares:
        found = team(position, 1 - (player & 1))
        for other in range(players):
            if (state(position) >> (MATED + np.uint64(other))) & ONE != ZERO:
                found = without(found, owned(position, other))
        return found

    foes = all_foes if variant.mated_attack else lively_foes

    def is_checked(position: Position, player: Whole) -> bool:
        square = king_square(position, player)
        found = attackers(position, square, filled(position), foes(position, player))
        return not is_empty(found)

    return Checks(king_square, foes, is_checked)


def mobility_of(material: Material, checks: Checks) -> Mobility:
    """Return the functions that find legal moves."""
    words, team = material.words, material.layout.team
    extremes, look_up, zone = (
        material.tables.extremes,
        set_functions(words).look_up,
        _zone(material),
    )
    listing = _generator(material, checks, zone, _writing(words))
    counting = _generator(material, checks, zone, _counting(words))

    def moves(position: Position, player: Whole, out: Row) -> Whole:
        return listing(position, player, out, look_up(extremes, 1))

    def count(position: Position, player: Whole) -> Whole:
        return counting(position, player, None, look_up(extremes, 1))

    def noisy(position: Position, player: Whole, out: Row) -> Whole:
        return listing(position, player, out, team(position, 1 - (player & 1)))

    return Mobility(moves, count, noisy, zone)


# ---------------------------------------------------------------- one move after the other


class _Writer(NamedTuple):
    """What becomes of moves that are found; both return how many there are now."""

    write: Function  # (out, count, start, targets)
    promote: Function  # (out, count, start, end, code)


def _writing(words: int) -> _Writer:
    """Return functions that write moves behind those that are there."""
    sets = set_functions(words)
    first, rest, is_empty = sets.first, sets.rest, sets.is_empty

    def write(out: Row, count: Whole, start: Whole, targets: Squares) -> Whole:
        while not is_empty(targets):
            out[count] = np.uint64(start) | (np.uint64(first(targets)) << END)
            targets = rest(targets)
            count += 1
        return count

    def promote(out: Row, count: Whole, start: Whole, end: Whole, code: Whole) -> Whole:
        squares = np.uint64(start) | (np.uint64(end) << END)
        out[count] = squares | (np.uint64(code) << PROMOTION)
        return count + 1

    return _Writer(write, promote)


def _counting(words: int) -> _Writer:
    """Return functions that only count."""
    size = set_functions(words).size

    def write(out: None, count: Whole, start: Whole, targets: Squares) -> Whole:
        return count + size(targets)

    def promote(out: None, count: Whole, start: Whole, end: Whole, code: Whole) -> Whole:
        return count + 1

    return _Writer(write, promote)


# ---------------------------------------------------------------- all moves


def _zone(material: Material) -> Function:
    """Return a function that tells between which squares a player's team teleports."""
    sets, layout, near = set_functions(material.words), material.layout, material.tables.near
    meet, join, is_empty = sets.meet, sets.join, sets.is_empty
    first, rest, look_up = sets.first, sets.rest, sets.look_up
    wizards, team, extremes = layout.wizards, layout.team, material.tables.extremes

    def zone(position: Position, player: Whole) -> Squares:
        found = look_up(extremes, 0)
        left = meet(wizards(position), team(position, player & 1))
        while not is_empty(left):
            found = join(found, look_up(near, first(left)))
            left = rest(left)
        return found

    return zone


def _targets(material: Material) -> Function:
    """Return a function that tells where a piece but a King goes, if nothing forbids it."""
    sets, tables, variant = set_functions(material.words), material.tables, material.variant
    meet, join, without, holds = sets.meet, sets.join, sets.without, sets.holds
    look_up, reach = sets.look_up, material.attacks.reach
    orthogonal, diagonal, near = tables.orthogonal, tables.diagonal, tables.near
    captures, pawn_captures = variant.teleport_captures, variant.pawn_teleport_captures

    def targets(square: Whole, code: Whole, filled: Squares, zone: Squares) -> Squares:
        if code == PAWN_CODE:
            steps = without(look_up(orthogonal, square), filled)
            found = join(steps, meet(look_up(diagonal, square), filled))
        elif code == WIZARD_CODE:
            found = look_up(near, square)
        else:
            found = reach(square, code, filled)
        if code == WIZARD_CODE or holds(zone, square):
            if captures and (pawn_captures or code != PAWN_CODE):
                found = join(found, zone)
            else:
                found = join(found, without(zone, filled))
        return found

    return targets


def _pins(material: Material) -> tuple[Function, Function]:
    """Return functions that tell which pieces screen a King, and where such a piece may go."""
    sets, attacks = set_functions(material.words), material.attacks
    meet, join, is_empty, holds = sets.meet, sets.join, sets.is_empty, sets.holds
    single, first, rest = sets.single, sets.first, sets.rest
    size, look_up, extremes = sets.size, sets.look_up, material.tables.extremes
    lined_up, between = attacks.lined_up, attacks.between

    def screens(position: Position, king: Whole, filled: Squares, foes: Squares) -> Squares:
        found = look_up(extremes, 0)
        left = lined_up(position, king, foes)
        while not is_empty(left):
            inside = meet(between(king, first(left)), filled)
            if size(inside) == 1:
                found = join(found, inside)
            left = rest(left)
        return found

    def screen_line(
        position: Position, king: Whole, filled: Squares, foes: Squares, square: Whole
    ) -> Squares:
        left = lined_up(position, king, foes)
        while not is_empty(left):
            path = between(king, first(left))
            if holds(path, square) and size(meet(path, filled)) == 1:
                return join(path, single(first(left)))
            left = rest(left)
        return look_up(extremes, 0)

    return screens, screen_line


def _king_moves(material: Material, write: Function) -> Function:
    """Return a function that writes the moves of a King to some squares."""
    sets, near = set_functions(material.words), material.tables.near
    meet, join, without, is_empty = sets.meet, sets.join, sets.without, sets.is_empty
    single, first, rest, holds = sets.single, sets.first, sets.rest, sets.holds
    look_up, attackers, captures = (
        sets.look_up,
        material.attacks.attackers,
        material.variant.teleport_captures,
    )

    def king_moves(
        position: Position, out: Row, king: Whole, zone: Squares, facts: Squares
    ) -> Whole:
        filled, foes, aims = facts
        targets = look_up(near, king)
        if holds(zone, king):
            targets = join(targets, zone if captures else without(zone, filled))
        targets = meet(targets, aims)
        others, count = without(filled, single(king)), 0
        while not is_empty(targets):
            end = first(targets)
            if is_empty(attackers(position, end, others, foes)):
                count = write(out, count, king, single(end))
            targets = rest(targets)
        return count

    return king_moves


def _promotions(material: Material, promote: Function) -> Function:
    """Return a function that writes what a pawn may become on the Vortex."""
    sets, layout, vortex = set_functions(material.words), material.layout, material.board.vortex
    meet, size, of_code, owned = sets.meet, sets.size, layout.of_code, layout.owned

    def promotions(
        position: Position, player: Whole, out: Row, count: Whole, start: Whole
    ) -> Whole:
        own = owned(position, player)
        for kind in range(len(PROMOTED_CODES)):
            code = PROMOTED_CODES[kind]
            if size(meet(of_code(position, code), own)) < PROMOTED_OWNED[kind]:
                count = promote(out, count, start, vortex, code)
        return count

    return promotions


def _generator(material: Material, checks: Checks, zone_of: Function, writer: _Writer) -> Function:
    """Return a function that hands all legal moves to a writer: those to `aims`, and promotions."""
    sets, layout, vortex = set_functions(material.words), material.layout, material.board.vortex
    meet, join, without, is_empty = sets.meet, sets.join, sets.without, sets.is_empty
    single, first, rest, holds = sets.single, sets.first, sets.rest, sets.holds
    filled_of, owned, team, kings = layout.filled, layout.owned, layout.team, layout.kings
    code_at, king_square, foes_of = layout.code_at, checks.king_square, checks.foes
    attackers, between = material.attacks.attackers, material.attacks.between
    targets_of, (screens, screen_line) = _targets(material), _pins(material)
    king_moves, write = _king_moves(material, writer.write), writer.write
    promotions, must_promote = _promotions(material, writer.promote), material.variant.must_promote
    look_up, extremes = sets.look_up, material.tables.extremes

    def answers(king: Whole, checkers: Squares, squares: Squares) -> Squares:
        while not is_empty(checkers):
            checker = first(checkers)
            squares = meet(squares, join(between(king, checker), single(checker)))
            checkers = rest(checkers)
        return squares

    def piece_moves(
        position: Position, player: Whole, out: Row, count: Whole, facts: Squares
    ) -> Whole:
        filled, foes, aims, goals, zone, king = facts
        screening = screens(position, king, filled, foes)
        left = without(owned(position, player), single(king))
        while not is_empty(left):
            square = first(left)
            left = rest(left)
            code = code_at(position, square)
            targets = meet(targets_of(square, code, filled, zone), goals)
            if holds(screening, square):
                line = screen_line(position, king, filled, foes, square)
                targets = meet(targets, line)
            if code == PAWN_CODE and holds(targets, vortex):
                before = count
                count = promotions(position, player, out, count, square)
                if must_promote and count > before:
                    targets = without(targets, single(vortex))
            count = write(out, count, square, meet(targets, aims))
        return count

    def generate(position: Position, player: Whole, out: Row, aims: Squares) -> Whole:
        filled, foes = filled_of(position), foes_of(position, player)
        king, zone = king_square(position, player), zone_of(position, player)
        barred = join(team(position, player & 1), kings(position))
        count = king_moves(position, out, king, zone, (filled, foes, without(aims, barred)))
        checkers = attackers(position, king, filled, foes)
        goals = answers(king, checkers, without(look_up(extremes, 1), barred))
        if is_empty(goals):
            return count
        facts = (filled, foes, aims, goals, zone, king)
        return piece_moves(position, player, out, count, facts)

    return generate
