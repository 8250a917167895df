"""The games in examples: the rules that they state, and the same as their naive twins."""

import random
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive.ataxx
import naive.clobber
import naive.hex
import naive.isola
import naive.oware
from conftest import EXAMPLES, INTERPRETED, seeded
from plywise.errors import BadPosition
from plywise.game import DRAW, LOSS, ONGOING, WIN, Game
from plywise.game.perft import perft, split
from plywise.games import load_game

pytestmark = pytest.mark.kernels

NAIVE: dict[str, ModuleType] = {
    "ataxx": naive.ataxx,
    "clobber": naive.clobber,
    "hex": naive.hex,
    "isola": naive.isola,
    "oware": naive.oware,
}
GAMES = 2 if INTERPRETED else 20
LARGEST = 5_000 if INTERPRETED else 10_000_000
LARGEST_NAIVE = 6_000
PLIES = 400  # that no random game exceeds

# Counted by the naive twins, but for millions of leaves.
PERFT: dict[str, dict[str, tuple[int, ...]]] = {
    "ataxx": {
        "start": (16, 256, 5884, 131140),
        "xooo../oooo../oooo../....../....../...... x": (1, 68, 68),
        "....oo/x.x..o/xx...o/x.x.oo/xx..oo/xxoo.. x": (53, 2423, 114506),
    },
    "clobber": {
        "start": (49, 2116, 80063, 2630382),
        "xoxoxo/oxoxxo/ox.x../..oxox/xoxoxo o": (26, 589, 11459, 194424),
        "xx.xxo/.o...x/.oxxoo/o.o..x/xx.ooo x": (10, 86, 634, 3918, 20227),
    },
    "hex": {
        "start": (49, 2352, 110544, 5085024),
        "oxxoxxx/xxxoo.x/..o.o.o/o...o../xox.xo./oooxxxx/oox..o. x": (15, 210, 2730, 32448),
    },
    "isola": {
        "start": (170, 27225, 5570560),
        "o.X.../.XX.../x.X.../.X..../....../...... x": (87, 3920, 355023),
        "..Xo../.Xx.X./.XXX../..X.../....../...... o": (54, 3380, 266875),
    },
    "oware": {
        "start": (6, 36, 190, 1014, 5219, 27332, 139157),
        "1,2,4,0,9,3,2/6,0,1,0,0,4,16 S 0": (5, 18, 79, 329, 1458, 6548),
        "1,0,0,3,0,1,20/0,0,0,0,0,0,23 S 0": (2, 2, 5, 6, 15, 22),
        "0,3,0,1,0,0,21/0,0,2,0,1,0,20 N 97": (2, 4, 8, 0, 0),
    },
}


def example(name: str) -> Game:
    return load_game(str(EXAMPLES / f"{name}.py"))


def moves_in(name: str, text: str) -> list[str]:
    """Return the texts of all legal moves, which are those of the naive twin."""
    game, reference = example(name), NAIVE[name]
    position = game.parse_position(text)
    texts = sorted(game.format_move(position, move) for move in game.legal_moves(position))
    assert texts == sorted(reference.moves(reference.parse_position(text)))
    return texts


def after(name: str, text: str, move: str) -> str:
    """Return the text after a move, which is that of the naive twin."""
    game, reference = example(name), NAIVE[name]
    position = game.parse_position(text)
    found = game.format_position(game.apply(position, game.parse_move(position, move)))
    state = reference.apply(reference.parse_position(text), move)
    assert found == reference.format_position(state)
    return found


def result_of(name: str, text: str) -> int:
    """Return the result for the side to move, which is that of the naive twin."""
    game, reference = example(name), NAIVE[name]
    result = game.result(game.parse_position(text))
    expected = reference.result(reference.parse_position(text))
    assert result == (ONGOING if expected is None else expected)
    return result


# ---------------------------------------------------------------- all of them


@pytest.mark.parametrize("name", NAIVE)
@settings(max_examples=GAMES)
@given(seed=st.integers(0, 2**32))
def test_every_position_of_a_random_game_is_that_of_the_naive_twin(name: str, seed: int) -> None:
    game, reference = example(name), NAIVE[name]
    chooser = random.Random(seed)
    state, position = reference.initial(), game.initial()
    for _ in range(PLIES):
        text = game.format_position(position)
        assert text == reference.format_position(state)
        assert reference.parse_position(text) == state
        assert game.parse_position(text).tolist() == position.tolist()
        assert game.side(position) == reference.side(state)
        result = reference.result(state)
        assert game.result(position) == (ONGOING if result is None else result)
        texts = reference.moves(state)
        legal = game.legal_moves(position)
        assert sorted(game.format_move(position, move) for move in legal) == sorted(texts)
        if not texts:
            return
        chosen = chooser.choice(texts)
        state = reference.apply(state, chosen)
        position = game.apply(position, game.parse_move(position, chosen))
    pytest.fail(f"the game did not end within {PLIES} plies")


@pytest.mark.parametrize("name", NAIVE)
def test_perft_is_that_of_the_naive_twin(name: str) -> None:
    game, reference = example(name), NAIVE[name]
    for text, counts in PERFT[name].items():
        position = game.parse_position(text)
        state = reference.initial() if text == "start" else reference.parse_position(text)
        for depth, count in enumerate(counts, start=1):
            if count <= LARGEST:
                assert perft(game, position, depth) == count, split(game, position, depth)
            if count <= LARGEST_NAIVE:
                assert reference.perft(state, depth) == count


@pytest.mark.parametrize("name", NAIVE)
def test_a_game_is_told_by_its_cells_and_the_side_to_move(name: str) -> None:
    game, generator = example(name), seeded(1)
    position = game.initial()
    while game.result(position) == ONGOING:
        codes = [int(code) for code in game.cells(position)]
        assert game._from_cells is not None
        again = game._from_cells(codes, game.side(position))
        assert tuple(position.tolist())[:3] == again[:3]
        position = game.apply(position, generator.choice(game.legal_moves(position)))


# ---------------------------------------------------------------- Hex


def hex_board(*rows: str) -> str:
    """Return the text of a board with these rows at its top, and empty ones below."""
    return "/".join([*rows, *["......."] * (7 - len(rows))])


def test_hex_every_order_of_the_first_stones_is_possible() -> None:
    game = example("hex")
    counts = [perft(game, game.initial(), depth) for depth in (1, 2)]
    assert counts == [49, 49 * 48]


def test_hex_red_joins_top_and_bottom() -> None:
    bent = hex_board("...x...", "..x....", "..x....", ".xx....", ".x.....", "x......", "x......")
    assert result_of("hex", f"{bent} o") == LOSS


def test_hex_blue_joins_left_and_right() -> None:
    row = hex_board(".......", "....ooo", "..oo...", "oo.....")
    assert result_of("hex", f"{row} x") == LOSS


def test_hex_a_chain_between_the_other_sides_edges_wins_nothing() -> None:
    column, row = "/".join(["...o..."] * 7), hex_board("xxxxxxx")
    assert result_of("hex", f"{column} x") == ONGOING
    assert result_of("hex", f"{row} o") == ONGOING


def test_hex_cells_on_a_falling_diagonal_do_not_touch() -> None:
    falling = "/".join("." * column + "x" + "." * (6 - column) for column in range(7))
    rising = "/".join("." * column + "x" + "." * (6 - column) for column in reversed(range(7)))
    assert result_of("hex", f"{falling} o") == ONGOING
    assert result_of("hex", f"{rising} o") == LOSS


def test_hex_the_edges_of_the_board_do_not_touch() -> None:
    assert result_of("hex", "/".join(["o.....o"] * 7) + " x") == ONGOING
    assert result_of("hex", "/".join(["xxxxxxx", *["......."] * 5, "xxxxxxx"]) + " o") == ONGOING


def test_hex_a_full_board_has_one_chain_and_not_two() -> None:
    generator = seeded(3)
    for _ in range(10 if INTERPRETED else 200):
        stones = generator.permutation(list("x" * 25 + "o" * 24))
        board = "/".join("".join(stones[i : i + 7]) for i in range(0, 49, 7))
        results = {result_of("hex", f"{board} x"), result_of("hex", f"{board} o")}
        assert results == {LOSS, ONGOING}


# ---------------------------------------------------------------- Ataxx

ATAXX_START = "x....o/....../....../....../....../o....x x"


def test_ataxx_a_clone_leaves_its_parent_where_it_is() -> None:
    assert after("ataxx", ATAXX_START, "b5") == "x....o/.x..../....../....../....../o....x o"


def test_ataxx_a_jump_leaves_an_empty_cell() -> None:
    assert after("ataxx", ATAXX_START, "a6c4") == ".....o/....../..x.../....../....../o....x o"


def test_ataxx_a_clone_that_two_pieces_could_make_is_one_move() -> None:
    assert moves_in("ataxx", "xx..../....../....../....../....../.....o x").count("a5") == 1


def test_ataxx_pieces_next_to_the_end_of_a_move_change_sides() -> None:
    start = "x...../o.o.../.o..o./....../....../...... x"
    assert after("ataxx", start, "b5") == "x...../xxx.../.x..o./....../....../...... o"


def test_ataxx_who_has_no_move_passes() -> None:
    walled = "xooo../oooo../oooo../....../....../...... x"
    assert moves_in("ataxx", walled) == ["pass"]
    assert after("ataxx", walled, "pass") == walled.replace(" x", " o")


def test_ataxx_passing_is_no_choice() -> None:
    assert "pass" not in moves_in("ataxx", ATAXX_START)


def test_ataxx_a_side_without_pieces_has_lost() -> None:
    assert result_of("ataxx", "....../..xx../....../....../....../...... o") == LOSS
    assert result_of("ataxx", "....../..xx../....../....../....../...... x") == WIN


@pytest.mark.parametrize(("red_rows", "result"), [(2, LOSS), (3, DRAW), (4, WIN)])
def test_ataxx_on_a_full_board_the_larger_side_wins(red_rows: int, result: int) -> None:
    board = "/".join(["xxxxxx"] * red_rows + ["oooooo"] * (6 - red_rows))
    assert result_of("ataxx", f"{board} x") == result
    assert result_of("ataxx", f"{board[:-1]}. x") == ONGOING


@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_ataxx_on_7_x_7_counts_as_libataxx_does(tmp_path: Path) -> None:
    text = (EXAMPLES / "ataxx.py").read_text("utf-8")
    assert text.count("SIZE = 6") == 1
    path = tmp_path / "ataxx7.py"
    path.write_text(text.replace("SIZE = 6", "SIZE = 7"))
    game = load_game(str(path))
    walled_in = "......./......./......./......./ooooooo/ooooooo/xxxxxxx x"
    published = {"start": (16, 256, 6460, 155888, 4752668), walled_in: (1, 75, 249, 14270, 452980)}
    for start, counts in published.items():
        position = game.parse_position(start)
        assert tuple(perft(game, position, depth) for depth in range(1, 6)) == counts


# ---------------------------------------------------------------- Clobber


def test_clobber_begins_with_a_move_for_every_pair_of_neighbours() -> None:
    game = example("clobber")
    assert perft(game, game.initial(), 1) == 5 * 5 + 6 * 4


def test_clobber_a_stone_takes_beside_above_and_below() -> None:
    board = "....../..o.../.oxo../..o.../...... x"
    assert moves_in("clobber", board) == ["c3b3", "c3c2", "c3c4", "c3d3"]
    assert after("clobber", board, "c3c4") == "....../..x.../.o.o../..o.../...... o"


def test_clobber_a_stone_does_not_take_across_corners_edges_and_gaps() -> None:
    assert result_of("clobber", "x...../.o..../....../.....o/x.o... x") == LOSS


def test_clobber_who_cannot_move_has_lost() -> None:
    pair = "xo..../....../....../....../...... x"
    assert result_of("clobber", pair) == ONGOING
    assert result_of("clobber", after("clobber", pair, "a5b5")) == LOSS


def test_clobber_both_sides_have_as_many_moves() -> None:
    game, generator = example("clobber"), seeded(5)
    for _ in range(20):
        cells = generator.choice(list(".xo"), 30)
        board = "/".join("".join(cells[i : i + 6]) for i in range(0, 30, 6))
        numbers = {len(game.legal_moves(game.parse_position(f"{board} {side}"))) for side in "xo"}
        assert len(numbers) == 1


# ---------------------------------------------------------------- Isola


def test_isola_a_piece_steps_to_all_eight_sides_but_not_onto_what_is_taken() -> None:
    board = "o...../....../..XX../..xX../..XX../...... x"
    ends = {text.split("-")[0] for text in moves_in("isola", board)}
    assert ends == {"b4", "b3", "b2"}


def test_isola_the_cell_that_was_left_may_be_taken() -> None:
    board = "o...../....../....../....../....../.....x x"
    assert after("isola", board, "e1-f1") == "o...../....../....../....../....../....xX o"


def test_isola_who_cannot_step_has_lost() -> None:
    board = "o...../....../....../....X./....../....x. o"
    assert result_of("isola", "....../....../....../....../XX..../xX...o x") == LOSS
    assert result_of("isola", board) == ONGOING


# ---------------------------------------------------------------- Oware


def test_oware_seeds_are_sown_to_the_right_and_on_into_the_other_row() -> None:
    start = "4,4,4,4,4,4,0/4,4,4,4,4,4,0 S 0"
    assert after("oware", start, "D") == "4,4,4,0,5,5,0/5,5,4,4,4,4,0 N 1"


@pytest.mark.parametrize(("seeds", "taken"), [(0, 0), (1, 2), (2, 3), (3, 0)])
def test_oware_a_last_seed_that_makes_two_or_three_takes_them(seeds: int, taken: int) -> None:
    start = f"0,0,0,0,0,1,20/{seeds},0,0,0,0,9,{18 - seeds} S 7"
    left = seeds + 1 - taken
    quiet = 0 if taken else 8
    expected = f"0,0,0,0,0,0,{20 + taken}/{left},0,0,0,0,9,{18 - seeds} N {quiet}"
    assert after("oware", start, "F") == expected


def test_oware_twos_and_threes_before_the_last_are_taken_as_far_as_they_reach() -> None:
    start = "0,0,0,0,0,4,10/1,4,2,1,9,0,17 S 0"
    assert after("oware", start, "F") == "0,0,0,0,0,0,15/2,5,0,0,9,0,17 N 0"


def test_oware_nothing_is_taken_in_the_own_row() -> None:
    start = "1,1,0,0,0,0,22/0,0,0,0,0,4,20 S 3"
    assert after("oware", start, "A") == "0,2,0,0,0,0,22/0,0,0,0,0,4,20 N 4"


def test_oware_a_move_that_would_take_the_whole_row_takes_nothing() -> None:
    start = "0,0,0,0,3,2,20/1,1,0,0,0,0,21 S 3"
    assert after("oware", start, "F") == "0,0,0,0,3,0,20/2,2,0,0,0,0,21 N 4"


def test_oware_a_lap_leaves_out_the_house_that_it_starts_from() -> None:
    start = "0,0,12,0,0,0,14/2,2,2,2,2,2,10 S 0"
    assert after("oware", start, "C") == "1,1,0,2,1,1,14/3,3,3,3,3,3,10 N 1"


def test_oware_who_can_must_feed() -> None:
    assert moves_in("oware", "1,0,0,3,0,1,20/0,0,0,0,0,0,23 S 0") == ["D", "F"]
    assert moves_in("oware", "1,0,0,3,0,1,20/0,0,1,0,0,0,22 S 0") == ["A", "D", "F"]


@pytest.mark.parametrize(("mine", "result"), [(22, WIN), (21, DRAW), (20, LOSS)])
def test_oware_who_cannot_feed_keeps_what_is_left(mine: int, result: int) -> None:
    assert result_of("oware", f"1,0,2,0,0,0,{mine}/0,0,0,0,0,0,{45 - mine} S 0") == result


def test_oware_more_than_half_of_the_seeds_wins_at_once() -> None:
    assert result_of("oware", "4,0,0,0,0,0,24/0,0,0,0,4,0,16 S 0") == ONGOING
    assert result_of("oware", "4,0,0,0,0,0,25/0,0,0,0,3,0,16 S 0") == WIN
    assert result_of("oware", "4,0,0,0,0,0,25/0,0,0,0,3,0,16 N 0") == LOSS


def test_oware_100_plies_without_a_capture_end_the_game() -> None:
    assert result_of("oware", "4,0,0,0,0,0,21/0,0,0,0,3,0,20 N 99") == ONGOING
    assert result_of("oware", "4,0,0,0,0,0,21/0,0,0,0,3,0,20 N 100") == LOSS


def test_oware_captures_are_played_out() -> None:
    game = example("oware")
    position = game.parse_position("0,0,0,2,0,1,20/1,0,0,0,0,9,15 S 7")
    noisy = {game.format_move(position, m): game.noisy(position, m) for m in (3, 5)}
    assert noisy == {"D": False, "F": True}


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "4,4,4/4,4,4 S 0",
        "4,4,4,4,4,4,1/4,4,4,4,4,4,0 S 0",
        "4,4,4,4,4,4,0/4,4,4,4,4,4,0",
    ],
)
def test_oware_a_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(BadPosition, match="with 48 seeds"):
        example("oware").parse_position(text)
