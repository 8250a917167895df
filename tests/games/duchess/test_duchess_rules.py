"""The rules of Duchess: agreement with the naive game, and the facts of the rule book."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from conftest import INTERPRETED
from naive import duchess as naive
from plywise.errors import BadMove, BadPosition, PlywiseError
from plywise.game import DRAW, LOSS, ONGOING, Game, Row
from plywise.games import load_game
from plywise.games.duchess import Variant, duchess_game

pytestmark = pytest.mark.kernels

NAMES = ("duchess", "duchess6")


def texts(game: Game, position: Row) -> list[str]:
    return sorted(game.format_move(position, move) for move in game.legal_moves(position))


def legal(text: str, game: Game | None = None) -> list[str]:
    """Return the legal moves of a position."""
    game = game or load_game("duchess")
    return texts(game, game.parse_position(text))


def after(text: str, move: str, game: Game | None = None) -> str:
    game = game or load_game("duchess")
    position = game.parse_position(text)
    return game.format_position(game.apply(position, game.parse_move(position, move)))


def check_agreement(game: Game, position: Row, state: naive.State) -> list[str]:
    """Return the moves of a position on which both games agree in everything."""
    assert game.format_position(position) == naive.format_position(state)
    assert game.side(position) == naive.side(state)
    result = naive.result(state)
    assert game.result(position) == (ONGOING if result is None else result)
    assert game.in_check(position) == naive.is_checked(state, state.mover)
    expected = naive.moves(state)
    assert texts(game, position) == expected
    if expected:
        assert game.count_moves(position) == len(expected)
        noisy = [move for move in game.legal_moves(position) if game.noisy(position, move)]
        found = [game.format_move(position, move) for move in noisy]
        assert sorted(found) == [text for text in expected if "x" in text or "=" in text]
    return expected


def play(game: Game, position: Row, state: naive.State, text: str) -> tuple[Row, naive.State]:
    return game.apply(position, game.parse_move(position, text)), naive.apply(state, text)


# ---------------------------------------------------------------- agreement


@pytest.mark.parametrize("name", NAMES)
def test_positions_of_random_games_agree(name: str) -> None:
    game, chooser = load_game(name), random.Random(7)
    position, state = game.initial(), naive.initial(game.about.players)
    for _ in range(4 if INTERPRETED else 40):
        moves = check_agreement(game, position, state)
        captures = [text for text in moves if "x" in text]
        text = chooser.choice(captures if captures and chooser.random() < 0.5 else moves)
        position, state = play(game, position, state, text)


def scattered(chooser: random.Random, players: int) -> naive.State:
    """Return a position of few pieces, the more of them the even players'."""
    while True:
        squares = chooser.sample(naive.all_names(players), 40)
        pieces: dict[str, tuple[int, str]] = {}
        for player in range(1, players + 1):
            count = 4 if player % 2 == 0 else chooser.choice((0, 1, 1))
            own = chooser.sample("QDFWRPPP", count)
            pieces |= {squares.pop(): (player, letter) for letter in ("K", *own)}
        state = naive.State(pieces, chooser.randint(1, players), 0, players)
        others = [player for player in range(1, players + 1) if (player - state.mover) % 2 == 1]
        if not any(naive.is_checked(state, player) for player in others):
            return state


def choose(game: Game, position: Row, moves: list[str], chooser: random.Random) -> str:
    """Return a move that promotes or gives check, where there is one, else any."""
    promotions = [text for text in moves if "=" in text]
    if promotions or moves == ["pass"]:
        return chooser.choice(promotions or moves)
    checking = [
        game.format_move(position, move)
        for move in game.legal_moves(position)
        if game.in_check(game.apply(position, move))
    ]
    return chooser.choice(checking if checking and chooser.random() < 0.7 else moves)


def note(seen: Counter[str], state: naive.State, moves: list[str], mated: set[int]) -> None:
    """Count what happens to the player to move."""
    if naive.result(state) is not None:
        seen["ends"] += 1
    elif moves == ["pass"]:
        is_mated = naive.is_checked(state, state.mover)
        seen["mates" if is_mated else "stalemates"] += 1
        if is_mated:
            mated.add(state.mover)
    elif state.mover in mated:
        seen["revivals"] += 1
        mated.discard(state.mover)


@pytest.mark.parametrize("name", NAMES)
def test_mates_revivals_promotions_and_ends_agree(name: str) -> None:
    game = load_game(name)
    seen: Counter[str] = Counter()
    for seed in range(2 if INTERPRETED else 24):
        chooser = random.Random(seed)
        state = scattered(chooser, game.about.players)
        position, mated = game.parse_position(naive.format_position(state)), set[int]()
        for _ in range(24):
            moves = check_agreement(game, position, state)
            note(seen, state, moves, mated)
            if not moves:
                break
            text = choose(game, position, moves, chooser)
            seen["promotions"] += "=" in text
            seen["teleports"] += "~" in text
            position, state = play(game, position, state, text)
    if not INTERPRETED:
        assert {"mates", "revivals", "promotions", "teleports"} <= set(seen)


# ---------------------------------------------------------------- moves


def test_a_game_begins_with_eight_moves() -> None:
    game = load_game("duchess")
    first = "N1b2-1a4 N1b2-1c4 D1e2-1d4 1a3-1a4 1b3-1b4 1c3-1c4 1d3-1d4 1e3-1e4"
    assert texts(game, game.initial()) == sorted(first.split())


def test_a_pawn_steps_to_all_sides_and_takes_on_all_corners() -> None:
    board = "K6c5P1d3/K2c1B1c3B1e4N1c2R1e2/K4c1/K5c1"
    pawn = [text for text in legal(f"{board} 1 0") if text.startswith("1d3")]
    assert pawn == ["1d3-1d2", "1d3-1d4", "1d3-1e3", "1d3x1c2", "1d3x1e2", "1d3x1e4"]


def test_pieces_next_to_wizards_of_a_team_teleport_between_them() -> None:
    moves = legal("K1c1W1b1N1e1/K2c1/K4c1W4b1R4a1/K5c1 3 0")
    assert {"R4a1~1a1", "R4a1~1b2", "K4c1~1a2"} <= set(moves)
    assert not any(text.startswith("R4a1~1e") for text in moves)


def test_a_wizard_teleports_to_its_partner() -> None:
    moves = legal("K1c1W1b1/K2c1/K4c1W4d3/K5c1 1 0")
    assert "W1b1~4c4" in moves
    assert "K1c1~4c4" in moves


def test_a_wizard_alone_teleports_what_is_around_it() -> None:
    moves = legal("K1e4W1b2P1a1/K2c1/K4c1/K5c1 1 0")
    assert {"1a1~1c3", "1a1-1b1", "1a1~1c1"} <= set(moves)
    assert not any(text.startswith("W") and "~" in text for text in moves)


def test_a_piece_may_take_by_teleportation() -> None:
    assert "R4a1~x1b2" in legal("K1c1W1b1/K2c1N1b2/K4c1W4b1R4a1/K5c1 3 0")


def test_a_king_teleports_out_of_check() -> None:
    moves = legal("K1c1W1b1/K2c1Q1c4/K4c1W4b1/K5c1 1 0")
    assert "K1c1~4a1" in moves
    assert "K1c1-1d1" in moves
    assert "K1c1-1c2" not in moves


def test_no_king_is_taken() -> None:
    moves = legal("K1c1/K2c1/K4c1Q2c2/K5c1 3 0")
    assert "Q2c2x2c1" not in moves
    assert "Q2c2-2c3" in moves


def test_a_pinned_piece_stays_on_its_line() -> None:
    moves = legal("K4c1R4c4/K2c1Q4c6/K1c1/K5c1 1 0")
    rook = [text for text in moves if text.startswith("R")]
    assert rook == ["R4c4-4c2", "R4c4-4c3", "R4c4-4c5", "R4c4x4c6"]


def test_a_pinned_piece_does_not_teleport_off_its_line() -> None:
    moves = legal("K4c1W4b3R4c4/K2c1Q4c6/K1c1/K5c1 1 0")
    assert "R4c4-4c3" in moves
    assert not any("~" in text for text in moves if text.startswith("R"))


def test_a_partners_king_may_be_exposed() -> None:
    assert "R4c4-4d4" in legal("K1a1R4c4/K2c1Q4c6/K4c1/K5c1 1 0")


def test_a_check_is_answered_by_capture_or_screen() -> None:
    moves = legal("K1c1R1a3N2a1/K2c1Q1c5/K4c1/K5c1 1 0")
    assert "R1a3-1c3" in moves
    assert not any(text.startswith("N") for text in moves)


# ---------------------------------------------------------------- promotion


def test_a_pawn_on_the_vortex_becomes_any_captured_piece_or_stays() -> None:
    moves = legal("K1c1Q1c2P1c6/K2c1/K4c1/K5c1 1 0")
    entering = [text.partition("V")[2] for text in moves if text.startswith("1c6-V")]
    assert entering == ["", "=B", "=D", "=F", "=N", "=R", "=W"]


def test_with_all_pieces_on_the_board_a_pawn_stays_a_pawn() -> None:
    own = "K1c1Q1c2D1e2F1d1W1b1N1b2R1a1R1e1B1a2B1d2P1c6"
    moves = legal(f"{own}/K2c1/K4c1/K5c1 1 0")
    assert [text for text in moves if text.startswith("1c6-V")] == ["1c6-V"]


def test_a_promoted_pawn_is_the_piece_and_the_quiet_plies_end() -> None:
    assert after("K1c1P1c6/K2c1/K4c1/K5c1 1 17", "1c6-V=F") == "K1c1FV/K2c1/K4c1/K5c1 2 0"


def test_a_pawn_teleports_to_the_vortex() -> None:
    assert "1c5~V=Q" in legal("K1c1P1c5W1d6/K2c1/K4c1/K5c1 1 0")


# ---------------------------------------------------------------- ends

MATED = "K1a1/K2c1Q1b2B1c3/K4c1/K5c1 1 0"
STALEMATED = "K1a1/K2c1Q1c2/K4c1/K5c1 1"


def test_a_mated_player_passes_and_the_game_goes_on() -> None:
    game = load_game("duchess")
    position = game.parse_position(MATED)
    assert game.in_check(position)
    assert game.result(position) == ONGOING
    assert texts(game, position) == ["pass"]
    assert after(MATED, "pass") == "K1a1/K2c1Q1b2B1c3/K4c1/K5c1 2 1"


def test_a_player_without_a_move_who_is_not_in_check_passes() -> None:
    assert legal(f"{STALEMATED} 0") == ["pass"]
    assert not load_game("duchess").in_check(
        load_game("duchess").parse_position(MATED[:-3] + "2 0")
    )


def test_a_mated_player_may_be_revived() -> None:
    freed = "K1a1/K2c1Q1b2B1c3/K4c1B1d4/K5c1 3 0"
    assert legal(freed.replace(" 3 ", " 1 ")) == ["pass"]
    assert "K1a1x1b2" in legal(after(freed, "B1d4x1c3").replace(" 4 ", " 1 "))


def test_a_team_that_is_mated_at_once_has_lost() -> None:
    game = load_game("duchess")
    position = game.parse_position("K1a1/K2c1Q1b2B1c3/K4a1/K5c1Q4b2B4c3 1 0")
    assert game.result(position) == LOSS
    assert len(game.legal_moves(position)) == 0


def test_200_quiet_plies_are_a_draw_and_passes_count() -> None:
    game = load_game("duchess")
    assert game.result(game.parse_position(f"{STALEMATED} 199")) == ONGOING
    assert game.result(game.parse_position(after(f"{STALEMATED} 199", "pass"))) == DRAW


def test_mate_goes_before_quiet_plies() -> None:
    game = load_game("duchess")
    lost = game.parse_position("K1a1/K2c1Q1b2B1c3/K4a1/K5c1Q4b2B4c3 1 200")
    assert game.result(lost) == LOSS


# ---------------------------------------------------------------- texts


def test_moves_are_read_without_letters_and_signs_and_by_other_names() -> None:
    game = load_game("duchess")
    position = game.parse_position("K1c1N1a4P1a3/K2c1/K4c1/K5c1 1 0")
    assert game.parse_move(position, "1a41b6") == game.parse_move(position, "N1a4-2d6")
    with pytest.raises(BadMove, match="legal: "):
        game.parse_move(position, "1a4-1a9")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nonsense", "is no position of Duchess"),
        ("K1c1/K2c1/K4c1 1 0", "lists 3 players"),
        ("K1c1/K2c1/K4c1/K5c1 5 0", "is no position of Duchess"),
        ("K1c1/K2c1/K4c1/Q5c1 1 0", "Player 4 has 0 K on the board, not 1"),
        ("K1c1Q1c2Q1c3/K2c1/K4c1/K5c1 1 0", "Player 1 has 2 Q on the board, but at most 1"),
        ("K1c1/K1c1/K4c1/K5c1 1 0", "Two pieces stand on 1c1"),
        ("K3c1/K2c1/K4c1/K5c1 1 0", "There is no square 3c1"),
        ("K1c1X1c2/K2c1/K4c1/K5c1 1 0", "is no list of pieces"),
        ("K1c1/K2c1/K4c1/K5c1 1 256", "are more than 255"),
        ("K1a1/K2c1Q1b2B1c3/K4a1/K5c1Q4b2B4c3 2 0", "is mated already"),
    ],
)
def test_a_broken_position_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BadPosition, match=reason):
        load_game("duchess").parse_position(text)


# ---------------------------------------------------------------- variants


def variant_game(**options: Any) -> Game:
    return duchess_game("variant", Variant(**options))


interpreted = pytest.mark.skipif(not INTERPRETED, reason="every variant is compiled by itself")


@interpreted
def test_without_capture_by_teleportation_empty_squares_are_left() -> None:
    board = "K1c1W1b1/K2c1N1b2/K4c1W4b1R4a1P4a2/K5c1 3 0"
    moves = legal(board, variant_game(teleport_captures=False))
    assert "R4a1~x1b2" not in moves
    assert "R4a1~1a1" in moves
    moves = legal(board, variant_game(pawn_teleport_captures=False))
    assert "R4a1~x1b2" in moves
    assert "4a2~x1b2" not in moves


@interpreted
def test_where_mated_players_do_not_attack_their_pieces_give_no_check() -> None:
    game = variant_game(mated_attack=False)
    mated = "K1c1/K2a1Q1c3/K4c1Q2b2B2c3/K5c1 2 0 -"
    position = game.parse_position(mated)
    assert texts(game, position) == ["pass"]
    text = after(mated, "pass", game)
    assert text.endswith(" 3 1 2")
    passing = after(text, "K4c1-4c2", game)
    position = game.parse_position(after(passing, "K5c1-5c2", game))
    assert not game.in_check(position)
    assert np.array_equal(game.parse_position(game.format_position(position)), position)


@interpreted
def test_where_a_pawn_must_promote_it_does_if_it_can() -> None:
    game = variant_game(must_promote=True)
    assert "1c6-V" not in legal("K1c1P1c6/K2c1/K4c1/K5c1 1 0", game)
    own = "K1c1Q1c2D1e2F1d1W1b1N1b2R1a1R1e1B1a2B1d2P1c6"
    assert "1c6-V" in legal(f"{own}/K2c1/K4c1/K5c1 1 0", game)


@interpreted
def test_passes_may_not_count_as_quiet_and_other_limits_hold() -> None:
    game = variant_game(passes_are_quiet=False, quiet_limit=30)
    assert after(f"{STALEMATED} 12", "pass", game).endswith(" 2 12")
    assert game.result(game.parse_position("K1c1/K2c1/K4c1/K5c1 1 30")) == DRAW


def test_an_impossible_variant_is_refused() -> None:
    with pytest.raises(PlywiseError, match="4 or 6 players, not 5"):
        Variant(players=5)
    with pytest.raises(PlywiseError, match="quiet_limit is from 1 to 255"):
        Variant(quiet_limit=300)
