"""The compiled rules agree with the naive ones on every position of random games."""

import random
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive.connect4
import naive.draughts
import naive.kalah
import naive.reversi
import naive.tictactoe
from conftest import INTERPRETED
from plywise.errors import BadMove, BadPosition
from plywise.game import DRAW, LOSS, ONGOING
from plywise.game.record import Record
from plywise.games import load_game

pytestmark = pytest.mark.kernels

NAIVE = {
    "tictactoe": naive.tictactoe,
    "connect4": naive.connect4,
    "reversi": naive.reversi,
    "draughts": naive.draughts,
    "kalah": naive.kalah,
}
GAMES = 3 if INTERPRETED else 40


@pytest.mark.parametrize("name", NAIVE)
@settings(max_examples=GAMES)
@given(seed=st.integers(0, 2**32))
def test_every_position_of_random_games_agrees(name: str, seed: int) -> None:
    reference: ModuleType = NAIVE[name]
    game = load_game(name)
    chooser = random.Random(seed)
    state, position = reference.initial(), game.initial()
    while True:
        assert game.format_position(position) == reference.format_position(state)
        assert game.side(position) == reference.side(state)
        result = reference.result(state)
        assert game.result(position) == (ONGOING if result is None else result)
        texts = reference.moves(state)
        legal = game.legal_moves(position)
        assert sorted(game.format_move(position, move) for move in legal) == sorted(texts)
        if not texts:
            break
        assert game.count_moves(position) == len(texts)
        text = chooser.choice(texts)
        state = reference.apply(state, text)
        position = game.apply(position, game.parse_move(position, text))


def positions_after(plies: int) -> set[tuple[int, ...]]:
    game = load_game("draughts")
    layer = {tuple(game.initial())}
    for _ in range(plies):
        rows = [np.array(words, np.uint64) for words in layer]
        layer = {tuple(game.apply(row, move)) for row in rows for move in game.legal_moves(row)}
    return layer


def test_distinct_draughts_positions_are_told_apart_and_no_more() -> None:
    plies = 3 if INTERPRETED else 6
    known = [7, 49, 216, 805, 2733, 9105]
    game = load_game("draughts")
    for ply in range(1, plies + 1):
        layer = positions_after(ply)
        assert len(layer) == known[ply - 1]
        hashes = {game.hash(np.array(words, np.uint64)) for words in layer}
        assert len(hashes) == known[ply - 1]


def test_no_two_positions_of_tictactoe_have_the_same_hash() -> None:
    game = load_game("tictactoe")
    seen: dict[tuple[int, ...], int] = {}
    pending = [tuple(game.initial())]
    while pending and len(seen) < (500 if INTERPRETED else 6000):
        words = pending.pop()
        if words not in seen:
            row = np.array(words, np.uint64)
            seen[words] = game.hash(row)
            pending += [tuple(game.apply(row, move)) for move in game.legal_moves(row)]
    assert len(seen) == (500 if INTERPRETED else 5478)
    assert len(set(seen.values())) == len(seen)


def draughts_moves(text: str) -> list[str]:
    game = load_game("draughts")
    position = game.parse_position(text)
    return sorted(game.format_move(position, move) for move in game.legal_moves(position))


def test_a_man_that_is_crowned_by_a_jump_stops() -> None:
    assert draughts_moves("W:W11:B6,7") == ["11x2"]


def test_a_king_may_end_where_it_began() -> None:
    assert draughts_moves("B:WK14,K15,K22,K23:BK10") == ["10x10"]


def test_no_move_is_a_loss() -> None:
    game = load_game("draughts")
    assert game.result(game.parse_position("B:W32:B28")) == LOSS


def test_an_ambiguous_jump_is_written_out() -> None:
    assert draughts_moves("B:W10,11,17,18,19:BK14") == ["14x21", "14x7x16x23x14x21"]


def test_a_written_out_jump_is_read_by_any_of_its_routes() -> None:
    game = load_game("draughts")
    position = game.parse_position("B:W10,11,17,18,19:BK14")
    long = game.parse_move(position, "14x7x16x23x14x21")
    assert game.parse_move(position, "14x23x16x7x14x21") == long
    assert game.parse_move(position, "14x21") != long


def test_leading_zeros_and_colons_are_read() -> None:
    game = load_game("draughts")
    assert game.parse_move(game.initial(), "09-13") == game.parse_move(game.initial(), "9-13")
    position = game.parse_position("W:W22:B18")
    assert game.format_move(position, game.parse_move(position, "22:15")) == "22x15"


def test_eighty_quiet_plies_are_a_draw() -> None:
    game = load_game("draughts")
    assert game.result(game.parse_position("B:WK32:BK1:H79")) == ONGOING
    assert game.result(game.parse_position("B:WK32:BK1:H80")) == DRAW


def test_the_clock_counts_king_moves_and_forgets_at_a_man_move() -> None:
    game = load_game("draughts")
    position = game.parse_position("B:WK32,21:BK1,5:H7")
    king_move = game.apply(position, game.parse_move(position, "1-6"))
    man_move = game.apply(position, game.parse_move(position, "5-9"))
    assert game.clock(king_move) == 8
    assert game.clock(man_move) == 0


def test_the_third_occurrence_is_a_draw() -> None:
    game = load_game("draughts")
    record = Record(game, game.parse_position("B:WK32:BK1"))
    shuffle = ["1-5", "32-28", "5-1", "28-32"]
    for text in shuffle * 2:
        assert record.result() == ONGOING
        record.play(game.parse_move(record.position, text))
    ending = record.ending()
    assert ending is not None
    assert (ending.score, ending.reason) == (0, "repetition")


def test_fen_reads_ranges_either_colour_first_and_a_dot() -> None:
    game = load_game("draughts")
    for text in ("B:W21-32:B1-12", "B:B1-12:W21-32.", "b:w21-32:b1-12"):
        assert np.array_equal(game.parse_position(text), game.initial())


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("draughts", "B:W21:B1,1", "twice"),
        ("draughts", "B:W33:B1", "1-32"),
        ("draughts", "X:W21:B1", "written like"),
        ("draughts", "B:W3:B1", "K3"),
        ("draughts", "B:W21:Bx", "no square"),
        ("connect4", "......./......./......./......./...x.../....... o", "below"),
        ("connect4", "......./......./......./......./......./xx..... o", "turn"),
        ("connect4", "x/x x", "6 rows"),
        ("reversi", "start2", "8 rows"),
        ("tictactoe", "..z/.../... x", "'z'"),
        ("tictactoe", ".../.../...", "side to move"),
        ("kalah", "4,4,4/4,4,4 S", "written like"),
        ("kalah", "4,4,4,4,4,4,1/4,4,4,4,4,4,0 S", "48 seeds"),
    ],
)
def test_a_broken_position_gets_one_sentence(name: str, text: str, word: str) -> None:
    with pytest.raises(BadPosition, match=word):
        load_game(name).parse_position(text)


def test_a_wrong_move_is_answered_with_the_legal_ones() -> None:
    game = load_game("connect4")
    with pytest.raises(BadMove, match="legal: 1 2 3 4 5 6 7"):
        game.parse_move(game.initial(), "8")


def test_a_full_column_is_illegal() -> None:
    game = load_game("connect4")
    record = Record(game)
    for _ in range(6):
        record.play(3)
    assert 3 not in record.legal_moves()


def test_a_pass_is_a_move_in_reversi() -> None:
    game = load_game("reversi")
    rows = ["xo......", *["........"] * 7]
    position = game.parse_position("/".join(rows) + " o")
    assert [game.format_move(position, m) for m in game.legal_moves(position)] == ["pass"]
