"""Openings are distinct, balanced and the same for the same seed."""

from pathlib import Path

import pytest

from plywise.arena.openings import (
    BALANCED,
    Opening,
    Openings,
    has_book,
    make_openings,
    parse_opening,
    read_book,
    read_lines,
)
from plywise.errors import PlywiseError
from plywise.game import ONGOING, Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import make_player


@pytest.fixture(scope="module")
def draughts() -> Game:
    return load_game("draughts")


@pytest.fixture(scope="module")
def connect4() -> Game:
    return load_game("connect4")


def keys_of(openings: Openings, count: int) -> list[int]:
    return [openings[index].record(openings.game).keys[-1] for index in range(count)]


def test_every_line_of_the_book_is_legal_and_leads_where_it_says(draughts: Game) -> None:
    assert draughts.about.openings is not None
    rows = [row.split("\t") for row in draughts.about.openings.read_text().splitlines()]
    assert len(rows) == 174
    for _, moves, position in rows:
        reached = parse_opening(moves, draughts).record(draughts).position
        assert draughts.format_position(reached) == draughts.format_position(
            draughts.parse_position(position)
        )


def test_the_book_has_the_156_playable_openings(draughts: Game) -> None:
    book = read_book(draughts)
    assert len(book) == 156
    assert all(len(opening.moves) == 3 for opening in book)
    barred = parse_opening("9-13 21-17 10-14", draughts)
    assert barred not in book


def test_the_book_is_the_default_where_there_is_one(draughts: Game, connect4: Game) -> None:
    assert has_book(draughts)
    assert len(make_openings(draughts, "", None, seed=0)[0].moves) == 3
    assert not has_book(connect4)
    assert len(make_openings(connect4, "", None, seed=0)[0].moves) == 4
    with pytest.raises(PlywiseError, match="no book for connect4"):
        make_openings(connect4, "book", None, seed=0)


def test_random_openings_are_distinct_balanced_and_not_over(connect4: Game) -> None:
    openings = make_openings(connect4, "random", 6, seed=3)
    keys = keys_of(openings, 40)
    assert len(set(keys)) == 40
    judge = make_player("alphabeta,depth=4", connect4)
    for index in range(40):
        record = openings[index].record(connect4)
        assert len(record.moves) == 6
        assert record.result() == ONGOING
        judge.new_game(0)
        assert abs(judge.choose(record).value) <= BALANCED
    assert openings.notes == []


def test_the_seed_decides_about_the_openings(connect4: Game) -> None:
    def first(seed: int) -> list[int]:
        return keys_of(make_openings(connect4, "random", 5, seed), 10)

    assert first(1) == first(1)
    assert first(1) != first(2)


def test_openings_do_not_depend_on_the_order_in_which_they_are_asked_for(connect4: Game) -> None:
    forward, backward = (make_openings(connect4, "random", 4, seed=7) for _ in range(2))
    keys = keys_of(forward, 6)
    late_first = backward[5]
    assert late_first == forward[5]
    assert keys_of(backward, 6) == keys


def test_a_book_that_is_used_up_goes_on_with_random_moves(draughts: Game) -> None:
    openings = make_openings(draughts, "book", None, seed=0)
    keys = keys_of(openings, 170)
    assert len(set(keys)) == 170
    assert {len(openings[index].moves) for index in range(156)} == {3}
    assert {len(openings[index].moves) for index in range(156, 170)} == {4}
    assert openings.notes == [
        "There are more pairs than openings: later ones go on with random moves."
    ]


def test_random_plies_can_follow_every_line_of_the_book(draughts: Game) -> None:
    openings = make_openings(draughts, "book", 2, seed=0)
    book = {opening.moves for opening in read_book(draughts)}
    assert {openings[index].moves[:3] for index in range(20)} <= book
    assert {len(openings[index].moves) for index in range(20)} == {5}


def test_openings_repeat_only_when_there_are_no_others() -> None:
    tictactoe = load_game("tictactoe")
    line = Record(tictactoe)
    for move in (0, 4, 8, 2, 6, 3, 5):  # two empty squares left
        line.play(move)
    openings = Openings(tictactoe, [Opening(moves=tuple(line.moves))], plies=0, seed=0)
    keys = keys_of(openings, 7)
    distinct = len(set(keys))
    assert distinct < 4
    assert keys == (keys[:distinct] * 7)[:7]
    assert openings.notes[-1] == (
        f"There are only {distinct} distinct openings; later pairs repeat them."
    )


def test_a_file_has_positions_or_moves(draughts: Game, tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("# a remark\n\n1. 11-15 22-18 2. 15x22\nW:W21-32:B1-12.\n09-13\n")
    found = read_lines(path, draughts)
    assert [len(opening.moves) for opening in found] == [3, 0, 1]
    assert draughts.side(found[1].record(draughts).position) == 1
    openings = make_openings(draughts, str(path), None, seed=0)
    assert {openings[index] for index in range(3)} == set(found)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("11-15 22-19", r"line 1: '22-19' is not a legal move"),
        ("B:W21-40:B1-12", "line 1: .*is no square"),
        ("# nothing\n", "has no openings"),
        ("B:W32:B28", "line 1: the game is over before it begins"),
    ],
)
def test_a_bad_file_is_told_line_and_fault(
    draughts: Game, tmp_path: Path, text: str, complaint: str
) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(text)
    with pytest.raises(PlywiseError, match=complaint):
        make_openings(draughts, str(path), None, seed=0)


def test_a_missing_file_is_told(draughts: Game) -> None:
    with pytest.raises(PlywiseError, match="book, random or a file"):
        make_openings(draughts, "no-such-file", None, seed=0)


def test_a_negative_number_of_plies_is_refused(draughts: Game) -> None:
    with pytest.raises(PlywiseError, match="0 random plies or more"):
        make_openings(draughts, "random", -1, seed=0)
