"""Duchess as a game: its rules with texts, picture, and what it says of itself."""

from collections.abc import Iterable
from functools import partial
from math import sqrt

import numpy as np

from plywise.errors import BadPosition
from plywise.game import LOSS, About, Bench, Game
from plywise.games.duchess.board import Board, Point
from plywise.games.duchess.features import duchess_features
from plywise.games.duchess.judgement import judge_of
from plywise.games.duchess.layout import LETTERS, NAMES, PLAYER_BITS
from plywise.games.duchess.notation import Notation
from plywise.games.duchess.rules import MOST_MOVES, Rules, rules_of
from plywise.games.duchess.variant import Variant
from plywise.picture import Cell, Picture, Piece

TEAMS = ("odd", "even")
LATE = "K1c1W4a2R1d1P1d4P2d5/K2a1R3c6P2e2/K4b1R2c6P4c1/K5a1F6c5W2b4R4e3R5e1B4d1B5d2P4a4P5e2 4 7"


def duchess_game(name: str, variant: Variant) -> Game:
    """Return a variant of Duchess as a game."""
    rules = rules_of(variant)
    notation = Notation(rules.material)

    def parse_position(text: str) -> tuple[int, ...]:
        words = notation.parse_position(text)
        before = (*words[:-1], words[-1] & ~7 | ((words[-1] & 7) - 1) % variant.players)
        if game.result(np.array(before, np.uint64)) == LOSS:
            raise BadPosition(f"The team that is not to move is mated already in {text!r}.")
        return words

    game = Game(
        name,
        words=rules.material.layout.words,
        max_moves=MOST_MOVES,
        clock_limit=variant.quiet_limit,
        sides=TEAMS,
        picture=picture_of(rules.material.board),
        format_move=notation.format_move,
        parse_move=notation.parse_move,
        format_position=notation.format_position,
        parse_position=parse_position,
        about=_about(rules),
        **rules.functions,
    )
    return game


def picture_of(board: Board) -> Picture:
    """Return the picture of a board as the first player sees it: section 1 at the bottom."""
    cells = tuple(
        Cell(square.name, _drawn(square.polygon), "dark" if square.is_dark else "light")
        for square in board.squares
    )
    pieces = {
        (1 - 2 * (owner % 2)) * (1 + kind + len(LETTERS) * (owner // 2)): Piece(letter, name, owner)
        for owner in range(board.players)
        for kind, (letter, name) in enumerate(zip(LETTERS, NAMES, strict=True))
    }
    seats = tuple(60.0 * (1 - section) for section in board.sections)
    return Picture(cells, pieces, seats=seats)


def _drawn(polygon: Iterable[Point]) -> tuple[Point, ...]:
    """Return corners in a picture, where y goes downwards, with section 1 instead of 6 below."""
    half, height = 1 / 2, sqrt(3) / 2
    return tuple((half * x - height * y, -height * x - half * y) for x, y in polygon)


def _player(position: tuple[int, ...]) -> int:
    return position[-1] & int(PLAYER_BITS)


def _about(rules: Rules) -> About:
    variant = rules.material.variant
    return About(
        players=variant.players,
        player=_player,
        evaluators={"classic": judge_of(rules.material)},
        features={
            "duchess": partial(duchess_features, rules),
            **{f"stage{n}": partial(duchess_features, rules, stage=n) for n in (1, 2, 3)},
        },
        search="alphabeta,selective=on,pawn=100",
        bench=Bench(depth=8, positions=("start", LATE)) if variant == Variant() else None,
    )


duchess = duchess_game("duchess", Variant(players=4))
