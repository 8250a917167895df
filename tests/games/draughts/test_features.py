"""The 28 features: the reference's vectors, and the definitions with sets and loops."""

import numpy as np
import pytest

import naive.draughts
import naive.features
from conftest import INTERPRETED, seeded
from naive.minimax import random_record
from plywise.errors import UnknownName
from plywise.games.draughts.features import (
    BITS,
    FEATURES,
    NAMES,
    PRESETS,
    chosen_features,
    feature_counts,
    feature_presence,
    turned,
)
from plywise.games.draughts.rules import bit_of, draughts

pytestmark = pytest.mark.kernels

BOARDS = {  # Black has just moved in all
    "start": "W:W21-32:B1-12",
    "A": "W:W21-32:B1-10,12,15",
    "B": "W:W19,21,22,24-32:B1-7,9-12,15",
    "C": "W:W21,22,25,26,30,K31:B1,3,12,13,14,K18",
    "D": "W:W22,23,24,28,K32:B2,3,7,14,15",
    "E": "W:W29,30,K18:B5,K10,K15",
    "F": "W:W17,21,22,25,26:B1,9,13",
    "G": "W:W7:B6,10,14,19",
}
VECTORS = {  # start, A ... G, before encoding
    "piece_advantage": (0, 0, 0, 0, 0, 1, 0, 6),
    "piece_disadvantage": (0, 0, 0, 0, 1, 0, 4, 0),
    "piece_threat": (0, 0, 0, 1, 0, 1, 0, 0),
    "piece_take": (0, 0, 0, 0, 0, 1, 0, 0),
    "advancement": (-4, -4, -5, -3, -2, 0, -2, -1),
    "double_diagonal": (5, 6, 6, 3, 2, 3, 2, 4),
    "diagonal_moment": (24, 25, 26, 13, 11, 9, 8, 12),
    "back_row_bridge": (1, 1, 1, 0, 0, 0, 0, 0),
    "back_row_control": (1, 1, 1, 0, 0, 0, 0, 0),
    "triangle_of_oreo": (1, 1, 1, 0, 1, 0, 0, 0),
    "centre_control": (2, 2, 3, 1, 2, 0, 0, 3),
    "xcentre_control": (4, 4, 4, 2, 4, 4, 4, 0),
    "king_centre_control": (0, 0, 0, 1, 0, 2, 0, 0),
    "total_mobility": (4, 4, 5, 3, 5, 5, 3, 2),
    "denial_of_occupancy": (0, 0, 1, 1, 2, 3, 0, 0),
    "undenied_mobility": (4, 4, 4, 2, 3, 2, 3, 2),
    "exposure": (0, 1, 0, 1, 2, 1, 1, 3),
    "node": (0, 1, 0, 1, 2, 1, 1, 3),
    "pole": (0, 0, 0, 0, 2, 0, 0, 1),
    "apex": (0, 0, 0, 0, 0, 0, 1, 1),
    "cramp": (0, 0, 0, 0, 0, 0, 2, 0),
    "dyke": (6, 5, 5, 0, 0, 0, 0, 0),
    "exchange": (0, 2, 2, 2, 1, 1, 1, 0),
    "fork": (0, 0, 0, 0, 1, 0, 0, 0),
    "gap": (1, 2, 2, 2, 1, 1, 1, 3),
    "hole": (0, 1, 1, 0, 1, 0, 0, 0),
    "threat": (0, 1, 0, 1, 3, 1, 1, 1),
    "taken": (0, 0, 1, 0, 3, 1, 0, 0),
}


def counts_of(text: str) -> dict[str, int]:
    row = draughts.parse_position(text)
    return dict(zip(NAMES, map(int, feature_counts(row.reshape(1, -1))[0]), strict=True))


def mirrored(text: str) -> str:
    """Return a board turned round with the colours exchanged."""
    state = naive.draughts.parse_position(text)
    board = state.board[::-1].translate(naive.features.SWAPPED)
    return naive.draughts.format_position(state._replace(board=board, side=1 - state.side))


@pytest.mark.parametrize("place", range(len(BOARDS)), ids=list(BOARDS))
def test_the_reference_boards_have_their_features(place: int) -> None:
    board = list(BOARDS.values())[place]
    expected = {name: VECTORS[name][place] for name in NAMES}
    assert counts_of(board) == expected
    assert counts_of(mirrored(board)) == expected
    assert naive.features.features(naive.draughts.parse_position(board)) == expected


def test_features_equal_their_definitions_in_random_games() -> None:
    rows = []
    for seed in range(2 if INTERPRETED else 30):
        rows += random_record(draughts, seeded(seed), 90).positions
    counts = feature_counts(np.array(rows))
    for row, found in zip(rows, counts, strict=True):
        text = draughts.format_position(row)
        expected = naive.features.features(naive.draughts.parse_position(text))
        assert dict(zip(NAMES, map(int, found), strict=True)) == expected, text


@pytest.mark.parametrize(
    ("board", "name", "count"),
    [
        ("W:WK8,K19:BK20,K26,K27", "fork", 1),  # 19-23 threatens 26 and 27 from behind
        ("W:W8,19:BK20,K26,K27", "fork", 0),  # a man cannot go there
        ("W:WK19:B26,27,K30", "fork", 0),  # one of the landing squares is taken
        ("W:W22,23,24,28,K32:B2,3,7,14,15", "fork", 1),  # from the front any piece can
        ("W:W30:B2,3,7,K18", "back_row_control", 1),  # a king of Black's own changes nothing
        ("W:W30:B2,3,7,K18", "triangle_of_oreo", 0),
        ("W:WK30:B2,3,7", "back_row_control", 0),
        ("W:W30:B1,3,K18", "back_row_control", 1),
    ],
)
def test_forks_and_the_back_row_are_read_as_samuel_words_them(
    board: str, name: str, count: int
) -> None:
    assert counts_of(board)[name] == count
    assert counts_of(mirrored(board))[name] == count


def piece(square: int, is_crowned: bool, generator: np.random.Generator) -> str:
    """Return a piece, a king more often than not, and always on its king row."""
    return f"K{square}" if is_crowned or generator.random() < 0.6 else f"{square}"


def test_features_equal_their_definitions_among_kings() -> None:
    generator = seeded(4)
    for _ in range(20 if INTERPRETED else 2000):
        squares = generator.permutation(np.arange(1, 33))[: generator.integers(3, 12)]
        half = int(generator.integers(1, len(squares)))
        white = ",".join(piece(square, square <= 4, generator) for square in squares[:half])
        black = ",".join(piece(square, square >= 29, generator) for square in squares[half:])
        board = f"W:W{white}:B{black}"
        state = naive.draughts.parse_position(board)
        assert counts_of(board) == naive.features.features(state), board


def test_a_board_turned_round_has_square_33_minus_s_on_s() -> None:
    for square in range(1, 33):
        assert turned(np.uint64(1 << bit_of(square))) == 1 << bit_of(33 - square)


def test_the_bits_add_up_to_the_published_numbers() -> None:
    assert sum(BITS) == 83
    assert sum(FEATURES[name] for name in PRESETS["neuro"]) == 42
    assert sum(FEATURES[name] for name in PRESETS["vision"]) == 38


def test_presence_is_a_count_above_zero() -> None:
    row = draughts.parse_position(BOARDS["F"]).reshape(1, -1)
    present = {name for name, has in zip(NAMES, feature_presence(row)[0], strict=True) if has}
    assert present == {name for name in NAMES if VECTORS[name][6] > 0}


def test_features_are_chosen_by_preset_or_by_name() -> None:
    assert chosen_features("vision") == NAMES[:12]
    assert chosen_features("gap,apex") == ("apex", "gap")
    assert chosen_features(["gap", "apex"]) == ("apex", "gap")
    with pytest.raises(UnknownName, match="did you mean exposure"):
        chosen_features("exposur")
