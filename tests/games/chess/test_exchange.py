"""Exchanges: what captures win, against a recursion over python-chess boards."""

import chess
import numpy as np
import pytest

from conftest import INTERPRETED, seeded
from naive.minimax import random_record
from plywise.conformance.functions import (
    raw_exchange,
    raw_gain,
    raw_may_pass,
    raw_noisy_moves,
    raw_theme,
)
from plywise.game import Game
from plywise.game.functions import THEMES
from plywise.games import load_game
from plywise.games.chess.game import format_uci

pytestmark = pytest.mark.kernels

WORTH = {1: 100, 2: 320, 3: 330, 4: 500, 5: 950, 6: 20_000}
LEAST = (-950, -300, -100, -1, 0, 1, 100, 220, 330, 500, 950)


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("chess")


def retaken(board: chess.Board, square: int) -> int:
    """Return what the side to move wins at least by taking on a square, or 0 if it declines."""
    takers = board.attackers(board.turn, square)
    if not takers:
        return 0
    start = min(takers, key=lambda s: WORTH[board.piece_type_at(s) or 6])
    piece, victim = board.piece_at(start), board.piece_type_at(square)
    assert piece is not None
    assert victim is not None
    if piece.piece_type == chess.KING and board.attackers(not board.turn, square):
        return 0
    after = board.copy(stack=False)
    after.remove_piece_at(start)
    after.set_piece_at(square, piece)
    after.turn = not board.turn
    return max(0, WORTH[victim] - retaken(after, square))


def won(board: chess.Board, move: chess.Move) -> int:
    """Return what a move wins when all have taken back on its square."""
    gain = WORTH.get(board.piece_type_at(move.to_square) or 0, 0)
    if board.is_castling(move):
        return 0
    if board.is_en_passant(move):
        gain = WORTH[1]
    if move.promotion:
        gain += WORTH[move.promotion] - WORTH[1]
    after = board.copy(stack=False)
    after.push(move)
    return gain - retaken(after, move.to_square)


def test_exchanges_agree_with_a_recursion(game: Game) -> None:
    for seed in range(2 if INTERPRETED else 30):
        row = random_record(game, seeded(seed), 5 + 4 * seed).position
        board = chess.Board(game.format_position(row))
        for move in game.legal_moves(row):
            theirs = won(board, chess.Move.from_uci(format_uci(int(move))))
            for least in LEAST:
                found = raw_exchange(game.rules, row, move, least)
                assert found == (theirs >= least), (board.fen(), format_uci(int(move)), least)


def test_noisy_moves_are_those_that_are_noisy(game: Game) -> None:
    out = np.zeros(game.max_moves, np.uint64)
    for seed in range(3 if INTERPRETED else 40):
        row = random_record(game, seeded(seed), 3 + 3 * seed).position
        count = int(raw_noisy_moves(game.rules, row, out))
        expected = {int(m) for m in game.legal_moves(row) if game.noisy(row, m)}
        assert {int(move) for move in out[:count]} == expected
        assert count == len(expected)


@pytest.mark.parametrize(
    ("text", "move", "gain"),
    [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ("3qk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 950 + 850),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
    ],
)
def test_a_gain_counts_what_is_taken_and_promoted(
    game: Game, text: str, move: str, gain: int
) -> None:
    row = game.parse_position(text)
    assert raw_gain(game.rules, row, np.uint64(game.parse_move(row, move))) == gain


def test_who_has_only_pawns_may_not_pass(game: Game) -> None:
    for turn, may in (("w", True), ("b", False)):
        row = game.parse_position(f"4k3/p7/8/8/8/8/8/3RK3 {turn} - - 0 1")
        assert bool(raw_may_pass(game.rules, row)) == may


def test_themes_tell_pieces_and_squares_apart(game: Game) -> None:
    row = game.initial()
    themes = [int(raw_theme(game.rules, row, move)) for move in game.legal_moves(row)]
    assert len(set(themes)) == len(themes)
    assert all(0 <= theme < THEMES - 1 for theme in themes)
