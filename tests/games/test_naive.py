"""The naive games against published counts and the corner cases of the rule books."""

from types import ModuleType

import pytest

from conftest import TESTS
from naive import connect4, draughts, duchess, duchess6, kalah, reversi, tictactoe

GAMES = {
    "tictactoe": tictactoe,
    "connect4": connect4,
    "reversi": reversi,
    "draughts": draughts,
    "kalah": kalah,
    "duchess": duchess,
    "duchess6": duchess6,
}
MOST_LEAVES = {
    "tictactoe": 3024,
    "connect4": 1200,
    "reversi": 600,
    "draughts": 8000,
    "kalah": 5000,
    "duchess": 300,
    "duchess6": 300,
}


def perft_lines(name: str) -> list[tuple[str, list[int]]]:
    """Return the positions of a perft file with their counts."""
    lines = (TESTS / "perft" / f"{name}.txt").read_text().splitlines()
    cases = []
    for line in lines:
        if line and not line.startswith("#"):
            position, *counts = line.split(" ; ")
            cases.append((position, [int(count) for count in counts]))
    return cases


def perft_cases() -> list[tuple[str, str, int, int]]:
    """Return game, position, depth and count of everything cheap in the perft files."""
    return [
        (name, position, depth, count)
        for name in GAMES
        for position, counts in perft_lines(name)
        for depth, count in enumerate(counts, start=1)
        if max(counts[:depth]) <= MOST_LEAVES[name]
    ]


def split(game: ModuleType, position: str, depth: int) -> dict[str, int]:
    """Return the perft of every move."""
    state = game.initial() if position == "start" else game.parse_position(position)
    return {text: game.perft(game.apply(state, text), depth - 1) for text in game.moves(state)}


@pytest.mark.parametrize(("name", "position", "depth", "count"), perft_cases())
def test_perft_is_the_count_in_the_file(name: str, position: str, depth: int, count: int) -> None:
    by_move = split(GAMES[name], position, depth)
    assert sum(by_move.values()) == count, by_move


@pytest.mark.parametrize("name", GAMES)
def test_positions_in_the_perft_file_are_written_as_they_are_read(name: str) -> None:
    positions = [position for position, _ in perft_lines(name) if position != "start"]
    game = GAMES[name]
    assert [game.format_position(game.parse_position(text)) for text in positions] == positions


@pytest.mark.parametrize("name", GAMES)
def test_side_0_begins(name: str) -> None:
    assert GAMES[name].side(GAMES[name].initial()) == 0


@pytest.mark.parametrize("name", GAMES)
def test_an_illegal_move_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="illegal move 'z9'"):
        GAMES[name].apply(GAMES[name].initial(), "z9")


@pytest.mark.parametrize("name", GAMES)
def test_a_broken_position_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="nonsense"):
        GAMES[name].parse_position("nonsense")


# Tic-tac-toe


def test_tictactoe_rank_1_is_at_the_bottom() -> None:
    state = tictactoe.apply(tictactoe.initial(), "c1")
    assert tictactoe.format_position(state) == ".../.../..x o"


def test_tictactoe_three_in_a_row_lose_for_the_side_to_move() -> None:
    assert tictactoe.result(tictactoe.parse_position("x.o/.xo/..x o")) == -1


def test_tictactoe_a_won_game_has_no_moves() -> None:
    assert tictactoe.moves(tictactoe.parse_position("x.o/.xo/..x o")) == []


def test_tictactoe_a_full_board_is_a_draw() -> None:
    assert tictactoe.result(tictactoe.parse_position("xox/xoo/oxx o")) == 0


def test_tictactoe_a_line_on_a_full_board_is_no_draw() -> None:
    assert tictactoe.result(tictactoe.parse_position("xox/oxo/xox o")) == -1


# Connect Four


def test_connect4_a_stone_falls_on_the_lowest_empty_cell() -> None:
    state = connect4.apply(connect4.apply(connect4.initial(), "3"), "3")
    assert connect4.format_position(state) == ("......./......./......./......./..o..../..x.... x")


def test_connect4_a_full_column_is_illegal() -> None:
    state = connect4.parse_position("o....../x....../o....../x....../o....../x...... x")
    assert connect4.moves(state) == ["2", "3", "4", "5", "6", "7"]


@pytest.mark.parametrize(
    "text",
    [
        "......./......./......./......./ooo..../xxxx... o",
        "......./......./x....../xo...../xo...../xo..... o",
        "......./......./...x.../..xo.../.xoo.../xoox... o",
        "......./......./...x.../...ox../...oox./...xoox o",
    ],
    ids=["row", "column", "rising diagonal", "falling diagonal"],
)
def test_connect4_four_in_a_line_lose_for_the_side_to_move(text: str) -> None:
    assert connect4.result(connect4.parse_position(text)) == -1


def test_connect4_four_stones_across_the_edge_are_no_line() -> None:
    state = connect4.parse_position("......./......./......./......./x....../o...xxx o")
    assert connect4.result(state) is None


def test_connect4_a_full_board_without_a_line_is_a_draw() -> None:
    rows = "ooxxoox/xxooxxo/ooxxoox/xxooxxo/ooxxoox/xxooxxo"
    assert connect4.result(connect4.parse_position(f"{rows} x")) == 0


# Reversi


def test_reversi_black_begins_at_d3_c4_f5_or_e6() -> None:
    assert reversi.moves(reversi.initial()) == ["c4", "d3", "e6", "f5"]


def test_reversi_row_1_is_at_the_top() -> None:
    state = reversi.apply(reversi.initial(), "d3")
    assert reversi.format_position(state) == (
        "......../......../...x..../...xx.../...xo.../......../......../........ o"
    )


def test_reversi_a_side_without_a_placement_passes() -> None:
    state = reversi.parse_position("xo....../" + "/".join(["........"] * 7) + " o")
    assert reversi.moves(state) == ["pass"]


def test_reversi_a_pass_changes_only_the_side() -> None:
    state = reversi.parse_position("xo....../" + "/".join(["........"] * 7) + " o")
    assert reversi.apply(state, "pass") == state._replace(side=0)


def test_reversi_passing_is_illegal_with_a_placement() -> None:
    assert "pass" not in reversi.moves(reversi.initial())


def test_reversi_a_side_without_discs_has_lost() -> None:
    state = reversi.initial()
    for text in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]:
        state = reversi.apply(state, text)
    assert reversi.result(state) == -1


def test_reversi_more_discs_win_for_the_side_to_move() -> None:
    state = reversi.parse_position("/".join(["xxxxxxxx"] * 5 + ["oooooooo"] * 3) + " x")
    assert reversi.result(state) == 1


def test_reversi_equal_discs_are_a_draw() -> None:
    state = reversi.parse_position("/".join(["xxxxxxxx"] * 4 + ["oooooooo"] * 4) + " x")
    assert reversi.result(state) == 0


def test_reversi_a_finished_game_has_no_pass() -> None:
    assert reversi.moves(reversi.parse_position("/".join(["xxxxxxxx"] * 8) + " o")) == []


# English draughts


def draughts_moves(text: str) -> list[str]:
    """Return the moves of the position in that FEN."""
    return draughts.moves(draughts.parse_position(text))


def draughts_after(text: str, move: str) -> str:
    """Return the FEN after the move."""
    return draughts.format_position(draughts.apply(draughts.parse_position(text), move))


def test_draughts_distinct_positions_after_each_ply() -> None:
    states, counts = {draughts.initial()}, []
    for _ in range(5):
        states = {draughts.apply(state, text) for state in states for text in draughts.moves(state)}
        counts.append(len(states))
    assert counts == [7, 49, 216, 805, 2733]


def test_draughts_a_man_crowned_by_a_jump_stops() -> None:
    assert draughts_moves("W:W11:B6,7") == ["11x2"]


def test_draughts_a_man_on_the_king_row_becomes_a_king() -> None:
    assert draughts_after("W:W11:B6,7", "11x2") == "B:WK2:B6"


def test_draughts_a_man_steps_forward_only() -> None:
    assert draughts_moves("B:W32:B14") == ["14-17", "14-18"]


def test_draughts_a_man_jumps_forward_only() -> None:
    assert draughts_moves("B:W9,10:B14") == ["14-17", "14-18"]


def test_draughts_a_king_steps_one_square_in_four_directions() -> None:
    assert draughts_moves("B:W32:BK14") == ["14-10", "14-17", "14-18", "14-9"]


def test_draughts_a_king_jumps_backward() -> None:
    assert draughts_moves("B:W10:BK14") == ["14x7"]


def test_draughts_a_king_does_not_jump_from_afar() -> None:
    assert draughts_moves("B:W18:BK9") == ["9-13", "9-14", "9-5", "9-6"]


def test_draughts_a_man_takes_a_king() -> None:
    assert draughts_moves("B:WK18:B14") == ["14x23"]


def test_draughts_a_capture_is_compulsory() -> None:
    assert draughts_moves("B:W18:B1,14") == ["14x23"]


def test_draughts_a_shorter_capture_may_be_chosen() -> None:
    assert draughts_moves("B:W6,15,24:B1,20") == ["1x28", "20x27"]


def test_draughts_a_jump_is_played_to_its_end() -> None:
    assert draughts_moves("B:W6,15:B1") == ["1x19"]


def test_draughts_a_king_may_end_where_it_began() -> None:
    assert draughts_moves("B:WK14,K15,K22,K23:BK10") == ["10x10"]


def test_draughts_a_king_that_ends_where_it_began_has_taken_the_pieces() -> None:
    assert draughts_after("B:WK14,K15,K22,K23:BK10", "10x10") == "W:W:BK10"


def test_draughts_no_move_is_a_loss() -> None:
    assert draughts.result(draughts.parse_position("B:W32:B28")) == -1


def test_draughts_no_pieces_is_a_loss() -> None:
    assert draughts.result(draughts.parse_position("W:W:B1")) == -1


def test_draughts_captures_of_different_pieces_are_written_as_paths() -> None:
    assert draughts_moves("B:W6,7,14,15:B2") == ["2x11x18", "2x9x18"]


def test_draughts_a_path_removes_the_pieces_on_it() -> None:
    assert draughts_after("B:W6,7,14,15:B2", "2x9x18") == "W:W7,15:B18"


def test_draughts_of_two_routes_the_smaller_in_integers_is_written() -> None:
    """The other route is 14x23x16x7x14x21, which is smaller as text."""
    assert draughts_moves("B:W10,11,17,18,19:BK14") == ["14x21", "14x7x16x23x14x21"]


def test_draughts_a_single_jump_keeps_its_text_beside_a_longer_one() -> None:
    assert draughts_after("B:W10,11,17,18,19:BK14", "14x21") == "W:W10,11,18,19:BK21"


def test_draughts_a_king_step_is_quiet() -> None:
    assert draughts_after("B:WK30:BK1", "1-6") == "W:WK30:BK6:H1"


def test_draughts_a_man_step_ends_the_quiet_plies() -> None:
    assert draughts_after("B:WK30:B1:H12", "1-6") == "W:WK30:B6"


def test_draughts_a_capture_by_a_king_ends_the_quiet_plies() -> None:
    assert draughts_after("B:WK6,K30:BK1:H12", "1x10") == "W:WK30:BK10"


def test_draughts_79_quiet_plies_are_no_draw() -> None:
    assert draughts.result(draughts.parse_position("B:WK30:BK1:H79")) is None


def test_draughts_80_quiet_plies_are_a_draw() -> None:
    assert draughts.result(draughts.parse_position("B:WK30:BK1:H80")) == 0


def test_draughts_a_drawn_game_has_no_moves() -> None:
    assert draughts_moves("B:WK30:BK1:H80") == []


def test_draughts_no_move_is_a_loss_even_after_80_quiet_plies() -> None:
    assert draughts.result(draughts.parse_position("B:W32:B28:H80")) == -1


def test_draughts_ranges_are_read() -> None:
    assert draughts.parse_position("B:W21-32:B1-12") == draughts.initial()


def test_draughts_black_may_come_first() -> None:
    assert draughts.parse_position("B:B1-12:W21-32") == draughts.initial()


def test_draughts_a_final_dot_is_read() -> None:
    assert draughts.parse_position("B:W21-32:B1-12.") == draughts.initial()


def test_draughts_an_empty_list_is_its_letter() -> None:
    assert draughts.format_position(draughts.parse_position("B:W:B1")) == "B:W:B1"


def test_draughts_squares_are_written_ascending_as_integers() -> None:
    state = draughts.parse_position("W:W30,K4,21:BK11,2,9")
    assert draughts.format_position(state) == "W:WK4,21,30:B2,9,K11"


def test_draughts_two_pieces_on_a_square_are_refused() -> None:
    with pytest.raises(ValueError, match="two pieces on one square"):
        draughts.parse_position("B:W5:B5")


# Kalah


def test_kalah_who_ends_in_the_own_store_moves_again() -> None:
    assert kalah.side(kalah.apply(kalah.initial(), "C")) == 0
    assert kalah.side(kalah.apply(kalah.initial(), "D")) == 1


def test_kalah_the_other_store_is_left_out() -> None:
    state = kalah.parse_position("0,1,0,0,0,9,0/1,0,0,0,0,0,37 S")
    assert kalah.format_position(kalah.apply(state, "F")) == "1,2,0,0,0,0,1/2,1,1,1,1,1,37 N"


def test_kalah_a_last_seed_in_an_own_empty_pit_takes_what_is_opposite() -> None:
    state = kalah.parse_position("1,0,0,0,0,0,0/0,0,0,0,7,1,39 S")
    assert kalah.format_position(kalah.apply(state, "A")) == "0,0,0,0,0,0,8/0,0,0,0,0,1,39 N"


def test_kalah_nothing_is_taken_where_nothing_is_opposite() -> None:
    state = kalah.parse_position("1,0,0,0,0,0,0/0,0,0,0,0,1,46 S")
    assert kalah.format_position(kalah.apply(state, "A")) == "0,1,0,0,0,0,0/0,0,0,0,0,1,46 N"


def test_kalah_what_is_left_belongs_to_who_has_it() -> None:
    assert kalah.result(kalah.parse_position("0,0,0,0,0,0,24/0,0,0,0,0,1,23 N")) == 0
    assert kalah.result(kalah.parse_position("0,0,0,0,0,0,25/0,0,0,0,0,1,22 N")) == -1
