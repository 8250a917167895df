"""Pairs that differ in one thing that chess players know."""

import numpy as np
import pytest

from plywise.games.chess.game import chess
from plywise.games.chess.understanding import (
    CASTLING,
    CONCEPTS,
    KING,
    ROOK,
    board_of,
    pairs_of,
    position_of,
)

BASES = (
    "r2q1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 3 9",
    "r1bq1rk1/1p3ppp/p1nb1n2/3p4/1P1P4/P1NBPN2/5PPP/R1BQ1RK1 w - - 0 12",
    "2r2rk1/pp3ppp/2n1bq2/3p4/3P1P2/1BN2Q2/PP4PP/2R2RK1 w - - 0 20",
    "r3k2r/pppq1ppp/2nbbn2/3pp3/3PP3/2NBBN2/PPPQ1PPP/R3K2R w KQkq - 0 9",
    "4r1k1/1p3p2/p5p1/1P1P3p/P6P/1B6/5PP1/3R2K1 w - - 0 34",
)
ROWS = np.array([chess.parse_position(text) for text in BASES])
REPEATED = np.concatenate([ROWS] * 8)


@pytest.mark.parametrize("concept", [*CONCEPTS, CASTLING])
def test_both_positions_of_a_pair_are_legal_and_differ(concept: str) -> None:
    pairs = list(pairs_of(concept, REPEATED, 5))
    assert pairs
    for better, worse in pairs:
        assert not np.array_equal(better, worse)
        assert chess.side(better) == chess.side(worse)
        for row in (better, worse):
            assert np.array_equal(chess.parse_position(chess.format_position(row)), row)


def test_a_missing_piece_is_all_that_differs() -> None:
    for better, worse in pairs_of("a rook", ROWS, 5):
        differing = [
            one
            for one, other in zip(board_of(better), board_of(worse), strict=True)
            if one != other
        ]
        assert differing == [ROOK]


def test_a_board_without_a_king_is_no_position() -> None:
    board = [0] * 64
    assert position_of(board, 0) is None
    board[0], board[63] = KING, -KING
    assert position_of(board, 0) is not None
