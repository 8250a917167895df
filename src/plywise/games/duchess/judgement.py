"""Duchess judged by hand: material, two Wizards, pawns near the Vortex and pieces near the middle.

What pieces are worth to each other follows the weights that Real and Blair's program learned
(Learning a Multi-Player Chess Game with TreeStrap, Table I), in hundredths of a pawn.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from plywise.games.duchess.layout import CODES, KING, PAWN, WIZARD
from plywise.games.duchess.mobility import Material
from plywise.games.duchess.sets import as_table, set_functions
from plywise.kernel.bits import Position, Whole

WORTH = np.array([100, 85, 115, 150, 185, 200, 215, 100, 0], np.int64)  # by kind
MORE_WIZARDS = 85  # for each beyond the first: one alone only carries its neighbours about
NEARER = 17  # for each King's move that a pawn is nearer to the Vortex
FORWARD = 4  # the same for other pieces
TEMPO = 20
EVEN = 1000.0  # a lead of so much is worth 0.7 of a game
PAWN_CODE, WIZARD_CODE = CODES[PAWN], CODES[WIZARD]
KIND_CODES = np.array(CODES[:KING], np.int64)


def judge_of(material: Material) -> Callable[..., Any]:
    """Return the evaluator of a variant."""
    sets, layout, squares = set_functions(material.words), material.layout, material.board.squares
    meet, without, size, look_up = sets.meet, sets.without, sets.size, sets.look_up
    team, of_code, player, kings = layout.team, layout.of_code, layout.player, layout.kings
    steps = range(max(square.distance for square in squares) + 1)
    rings = as_table(
        ([n for n, square in enumerate(squares) if square.distance == step] for step in steps),
        material.words,
    )

    def worth_of(position: Position, side: Whole) -> Whole:
        own, pawns = team(position, side), of_code(position, PAWN_CODE)
        total = MORE_WIZARDS * max(0, size(meet(of_code(position, WIZARD_CODE), own)) - 1)
        for kind in range(len(KIND_CODES)):
            total += WORTH[kind] * size(meet(of_code(position, KIND_CODES[kind]), own))
        own_pawns = meet(own, pawns)
        others = without(without(own, pawns), kings(position))
        for step in range(len(rings)):
            ring = look_up(rings, step)
            total -= NEARER * step * size(meet(ring, own_pawns))
            total -= FORWARD * step * size(meet(ring, others))
        return total

    def classic(position: Position) -> float:
        mover = player(position) & 1
        lead = float(worth_of(position, mover) - worth_of(position, 1 - mover) + TEMPO)
        return float(lead / np.sqrt(lead * lead + EVEN * EVEN))

    return classic
