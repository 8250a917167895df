"""Chess: what python-chess says of random games, how games end, and what is refused."""

import random

import chess as reference
import numpy as np
import pytest

from conftest import INTERPRETED
from plywise.errors import BadMove, BadPosition
from plywise.game import DRAW, LOSS, ONGOING, Row
from plywise.game.record import Record
from plywise.games import load_game

pytestmark = pytest.mark.kernels

GAMES = 1 if INTERPRETED else 2
PLIES = 12 if INTERPRETED else 160
STARTS = [  # besides the first position: castling, promotions, en passant, few pieces
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "3k4/pPp3Pp/8/8/8/8/PpP3pP/3K4 w - - 0 1",
    "4k3/2p1p3/8/1P1P1P2/1p1p1p2/8/2P1P3/4K3 w - - 0 1",
    "8/4k3/8/8/Q2R4/8/8/3K1n2 w - - 90 70",
]
game = load_game("chess")


def at(fen: str) -> Row:
    return game.parse_position(fen)


def texts(fen: str) -> list[str]:
    position = at(fen)
    return sorted(game.format_move(position, move) for move in game.legal_moves(position))


def is_over(board: reference.Board) -> bool:
    is_drawn = board.is_insufficient_material() or board.is_fifty_moves()
    return is_drawn or board.is_checkmate() or board.is_stalemate()


@pytest.mark.parametrize("start", [reference.STARTING_FEN, *STARTS])
def test_every_position_of_random_games_agrees_with_python_chess(start: str) -> None:
    for seed in range(GAMES):
        chooser = random.Random(seed)
        board, position = reference.Board(start), at(start)
        for _ in range(PLIES):
            agree_on_position(board, position)
            if is_over(board):
                break
            move = chooser.choice(sorted(board.legal_moves, key=str))
            position = game.apply(position, game.parse_move(position, move.uci()))
            board.push(move)


def agree_on_position(board: reference.Board, position: Row) -> None:
    """Compare FEN, result, check, and all moves with their SAN and UCI."""
    assert game.format_position(position) == board.fen()
    assert np.array_equal(at(board.fen()), position)
    assert game.in_check(position) == board.is_check()
    result = LOSS if board.is_checkmate() else (DRAW if is_over(board) else ONGOING)
    assert game.result(position) == result
    if result != ONGOING:
        return
    moves = {board.san(move): move for move in board.legal_moves}
    found = {game.format_move(position, move): move for move in game.legal_moves(position)}
    assert sorted(found) == sorted(moves)
    assert game.count_moves(position) == len(moves)
    loud = {san for san, move in moves.items() if board.is_capture(move) or move.promotion}
    assert {san for san, move in found.items() if game.noisy(position, move)} == loud
    assert game.is_quiet(position) == (not loud)


# ---------------------------------------------------------------- ends


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", LOSS),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", DRAW),  # stalemate
        ("7k/6Q1/5K2/8/8/8/8/8 b - - 100 90", LOSS),  # mate goes before the fifty moves
        ("7k/6R1/4K3/8/8/8/8/8 b - - 99 90", ONGOING),
        ("7k/6R1/4K3/8/8/8/8/8 b - - 100 90", DRAW),
        ("8/8/3k4/8/8/8/3NK3/8 w - - 0 1", DRAW),
        ("8/8/3k4/8/8/2N5/3NK3/8 w - - 0 1", ONGOING),
        ("8/8/3k4/2n5/8/8/3NK3/8 w - - 0 1", ONGOING),
        ("8/8/3k1b2/8/8/4B3/4K3/8 w - - 0 1", DRAW),  # both bishops on dark squares
        ("8/8/3k2b1/8/8/4B3/4K3/8 w - - 0 1", ONGOING),
    ],
)
def test_how_a_game_ends(fen: str, result: int) -> None:
    assert game.result(at(fen)) == result


def test_the_third_occurrence_is_a_draw_and_the_start_is_the_first() -> None:
    record = Record(game)
    for text in ["Nf3", "Nf6", "Ng1", "Ng8"] * 2:
        assert record.ending() is None
        record.play(game.parse_move(record.position, text))
    ending = record.ending()
    assert ending is not None
    assert (ending.score, ending.reason) == (0, "repetition")


def test_a_position_with_castling_lost_is_another_one() -> None:
    record = Record(game, at("4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1"))
    for text in ["Rh2", "Rh7", "Rh1", "Rh8"]:
        record.play(game.parse_move(record.position, text))
    assert record.keys[0] != record.keys[-1]


def test_en_passant_counts_only_where_it_can_be_done() -> None:
    """The pawn on e5 is pinned: nobody can take on d6, so the positions are the same."""
    pinned = "4r1k1/8/8/3pP3/8/8/8/4K3 w - {} 0 2"
    assert game.hash(at(pinned.format("d6"))) == game.hash(at(pinned.format("-")))
    free = "6k1/8/8/3pP3/8/8/8/4K3 w - {} 0 2"
    assert game.hash(at(free.format("d6"))) != game.hash(at(free.format("-")))


def test_the_clock_and_the_number_are_no_part_of_the_hash() -> None:
    fen = "4k2r/8/8/8/8/8/8/4K2R w Kk - {}"
    assert game.hash(at(fen.format("0 1"))) == game.hash(at(fen.format("40 61")))
    assert game.clock(at(fen.format("40 61"))) == 40


# ---------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("fen", "sans"),
    [
        ("6k1/8/8/8/8/1K6/8/R6R w - - 0 1", {"Rad1", "Rhd1"}),
        ("7k/8/8/R7/8/8/1K6/R7 w - - 0 1", {"R1a3", "R5a3"}),
        ("1k6/8/8/8/Q6Q/8/1K6/7Q w - - 0 1", {"Qh4e4", "Qae4", "Q1e4"}),
    ],
)
def test_san_says_as_much_of_the_start_as_it_must(fen: str, sans: set[str]) -> None:
    assert sans <= set(texts(fen))


@pytest.mark.parametrize(
    ("fen", "text", "san"),
    [
        ("start", "e2e4", "e4"),
        ("start", "Ng1f3", "Nf3"),
        ("start", "N-f3!?", "Nf3"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0-0", "O-O-O"),
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8n", "e8=N+"),
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8(Q)", "e8=Q"),
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8R+", "e8=R"),
        ("6k1/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "exd6"),
        ("6k1/8/8/8/8/2p5/1P6/B3K3 w - - 0 1", "bxc3", "bxc3"),
        ("6k1/8/8/8/8/2p5/1P6/B3K3 w - - 0 1", "b2:c3", "bxc3"),
    ],
)
def test_moves_are_read_in_san_and_uci(fen: str, text: str, san: str) -> None:
    position = at(fen)
    assert game.format_move(position, game.parse_move(position, text)) == san


def test_capitals_tell_a_bishop_from_a_pawn() -> None:
    position = at("6k1/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1")
    pawn, bishop = (game.parse_move(position, text) for text in ("bxc3", "Bxc3"))
    assert (int(pawn) & 63, int(bishop) & 63) == (9, 11)


@pytest.mark.parametrize("text", ["e8", "e7e8", "e9", "Ke3", "e2e4q", "O-O"])
def test_a_text_that_is_no_legal_move_is_refused(text: str) -> None:
    with pytest.raises(BadMove, match="not a legal move here"):
        game.parse_move(at("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"), text)


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has 2 kings"),
        ("4k3/8/8/8/8/8/8/4K3", "is no FEN; .* written like"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "is no FEN"),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "not 8 rows of 8"),
        ("4k3/8/8/8/8/8/8/4K2X w - - 0 1", "'X' .* is no piece"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "first or the last rank"),
        ("4k3/8/8/8/QQ6/QQQQ4/QQQQ4/4K3 w - - 0 1", "than 8 pawns can become"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "Castling K"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "passed over e6"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 151 1", "151 quiet plies"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "not to move is in check"),
    ],
)
def test_a_broken_position_gets_one_sentence(fen: str, words: str) -> None:
    with pytest.raises(BadPosition, match=words):
        at(fen)


def test_an_epd_without_its_counters_is_read() -> None:
    assert np.array_equal(at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"), at("start"))


def test_cells_and_their_inverse_agree() -> None:
    codes = game.cells(game.initial())
    assert codes[:8].tolist() == [-4, -2, -3, -5, -6, -3, -2, -4]
    assert codes[56:].tolist() == [4, 2, 3, 5, 6, 3, 2, 4]
    assert np.array_equal(game.from_cells(codes.tolist(), 0), game.initial())
