"""Moves are read by bitboards: every way of writing one that files have, and what is refused."""

import random

import chess as reference
import numpy as np
import pytest

from conftest import INTERPRETED
from plywise.game.reading import AMBIGUOUS, ILLEGAL, PASS, UNREADABLE
from plywise.games import load_game
from plywise.games.chess.game import format_uci

pytestmark = pytest.mark.kernels

GAMES, PLIES = (1, 6) if INTERPRETED else (3, 120)
STARTS = [  # besides the first position: castling, promotions, en passant, many queens
    reference.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "3k4/pPp3Pp/8/8/8/8/PpP3pP/3K4 w - - 0 1",
    "4k3/2p1p3/8/1P1P1P2/1p1p1p2/8/2P1P3/4K3 w - - 0 1",
    "1k6/8/8/8/Q6Q/8/1K6/7Q w - - 0 1",
]
game = load_game("chess")


def spellings(board: reference.Board, move: reference.Move) -> list[str]:
    """Return ways in which files write a move."""
    san, uci = board.san(move), move.uci()
    bare = san.rstrip("+#")
    if board.is_castling(move):
        return [san, bare, bare.replace("O", "0"), uci]
    letter = bare[0] if bare[0] in "NBRQK" else ""
    end = uci[2:4]
    promotion = uci[4:].upper()
    takes = "x" if board.is_capture(move) else ""
    long = f"{letter}{uci[:2]}{takes or '-'}{end}"
    told = [f"={promotion}", promotion, f"({promotion})"] if promotion else [""]
    texts = [san, bare, f"{bare}!?", bare.replace("x", ""), bare.replace("x", ":"), uci]
    return [*texts, *(long + suffix for suffix in told), *(f"{long}{told[0]}{s}" for s in "+#")]


@pytest.mark.parametrize("start", STARTS)
def test_every_spelling_of_every_legal_move_is_read(start: str) -> None:
    for seed in range(GAMES):
        chooser, board = random.Random(seed), reference.Board(start)
        for _ in range(PLIES):
            position = game.parse_position(board.fen())
            legal = sorted(board.legal_moves, key=str)
            for move in legal:
                for text in spellings(board, move):
                    read = game.read_move(position, text)
                    assert format_uci(int(read)) == move.uci(), (board.fen(), text)
                    assert read in game.legal_moves(position)
            if board.is_game_over() or not legal:
                break
            board.push(chooser.choice(legal))


@pytest.mark.skipif(INTERPRETED, reason="too slow")
@pytest.mark.parametrize("start", STARTS)
def test_what_is_not_legal_is_not_read(start: str) -> None:
    """Every piece to every square: python-chess and Plywise find the same legal."""
    board = reference.Board(start)
    position = game.parse_position(start)
    for square in reference.SQUARE_NAMES:
        for letter in ("", "N", "B", "R", "Q", "K", *(f"{file}x" for file in "abcdefgh")):
            text = f"{letter}{square}"
            try:
                expected = board.parse_san(text).uci()
            except ValueError:
                expected = ""
            read = game.read_move(position, text)
            found = "" if read >= PASS else format_uci(int(read))
            assert found == expected, text


@pytest.mark.parametrize(
    ("fen", "text", "answer"),
    [
        ("start", "Nf6", ILLEGAL),
        ("start", "e5", ILLEGAL),
        ("start", "O-O", ILLEGAL),
        ("start", "Kg1", ILLEGAL),
        ("start", "e4Q", ILLEGAL),
        ("start", "--", PASS),
        ("start", "Z0", PASS),
        ("start", "", UNREADABLE),
        ("start", "N", UNREADABLE),
        ("start", "Bb", UNREADABLE),
        ("start", "e9", UNREADABLE),
        ("start", "Nxxf3", UNREADABLE),
        ("start", "O-O-O-O", UNREADABLE),
        ("start", "O-0", UNREADABLE),
        ("start", "hello", UNREADABLE),
        ("start", "Nf3é", UNREADABLE),
        ("6k1/8/8/8/8/1K6/8/R6R w - - 0 1", "Rd1", AMBIGUOUS),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Kc1", ILLEGAL),
        ("4k3/8/8/8/3r4/8/8/R3K3 w Q - 0 1", "O-O-O", ILLEGAL),  # over an attacked square
        ("4k3/8/8/8/8/2p5/1P6/4K3 w - - 0 1", "c3", ILLEGAL),  # a capture tells its file
        ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", ILLEGAL),  # pinned
    ],
)
def test_what_is_answered_where_there_is_no_move(fen: str, text: str, answer: np.uint64) -> None:
    assert game.read_move(game.parse_position(fen), text) == answer


def test_castling_may_pass_the_rook_over_an_attacked_square() -> None:
    position = game.parse_position("4k3/8/8/8/1r6/8/8/R3K3 w Q - 0 1")
    assert format_uci(int(game.read_move(position, "O-O-O"))) == "e1c1"


def test_a_pinned_rival_leaves_one_move() -> None:
    """The knight on d2 is pinned, so Nf3 is the move of the other one."""
    position = game.parse_position("4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1")
    assert format_uci(int(game.read_move(position, "Nf3"))) == "g1f3"


def test_play_goes_on_after_a_draw_that_nobody_claimed() -> None:
    position = game.parse_position("7k/6R1/4K3/8/8/8/8/8 w - - 100 90")
    assert len(game.legal_moves(position)) == 0
    assert format_uci(int(game.read_move(position, "Ra7"))) == "g7a7"
