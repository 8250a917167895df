"""PDN as others write it: comments, variations, glyphs, colons, leading zeros, whole paths."""

import pytest

from plywise.formats import BadTranscript, Transcript, format_games, parse_games, replay
from plywise.formats.tagpairs import format_tagged, parse_tagged
from plywise.game import About, Game
from plywise.games import load_game

FOREIGN = """\
% an escaped line
[Event "A \\"great\\" match"]
[Date "1990.08.17"]
[Round "3a"]
[Black "Tinsley, M."]
[White "Chinook"]
[Result "1/2-1/2"]
[GameType "21,B,N1,0"]

1. 09-13! {the Edinburgh; (not) a variation [%clk 0:12]} 22-18 ; to the end 9-14
2. 13-17?? $2 (2. 10-15 {deeper (} 18-14 (2... 25-22 3. 15:22) 3. 9x18) 21:14
3.10x17 (3. 9x18) 1/2-1/2

[Black "B"]
[White "W"]
[Result "*"]
1. 11-15 *

[White "unfinished"]
1. 11-15
[White "last"]
[Result "0-1"]
0-1
"""


@pytest.fixture(scope="module")
def draughts() -> Game:
    return load_game("draughts")


def test_a_foreign_file_is_understood(draughts: Game) -> None:
    first, second, third, fourth = parse_games(FOREIGN, draughts, ".pdn")
    assert first == Transcript(
        "draughts",
        ("Tinsley, M.", "Chinook"),
        ("9-13", "22-18", "13-17", "21x14", "10x17"),
        score=0,
    )
    assert replay(first, draughts).texts() == list(first.moves)
    assert (second.moves, second.score) == (("11-15",), None)
    assert (third.players, third.moves) == (("?", "unfinished"), ("11-15",))
    assert (fourth.players, fourth.moves, fourth.score) == (("?", "last"), (), -1)


def test_a_game_says_its_own_type_of_pdn(draughts: Game) -> None:
    names = ("initial", "moves", "apply", "result", "side")
    rules = {name: getattr(draughts.rules, name) for name in names}
    other = Game("other", words=3, **rules, about=About(pdn_type="20"))
    written = format_games([Transcript("other", ("a", "b"))], other, ".pdn")
    assert '[GameType "20"]' in written
    assert parse_games(written, other, ".pdn")[0].players == ("a", "b")
    with pytest.raises(BadTranscript, match="GameType 20; draughts is 21"):
        parse_games(written, draughts, ".pdn")


@pytest.mark.parametrize("text", ["1x10x19", "1x19", "01:10:19", "1X19"])
def test_captures_are_read_in_every_spelling(draughts: Game, text: str) -> None:
    tags = '[FEN "B:W6,15:B1"]\n[SetUp "1"]\n'
    (transcript,) = parse_games(f"{tags}1. {text} *", draughts, ".pdn")
    record = replay(transcript, draughts)
    assert record.texts() == ["1x19"]


def test_a_result_of_1_0_means_that_black_has_won(draughts: Game) -> None:
    (transcript,) = parse_games('[FEN "B:W6:B1,2"]\n1. 1x10 1-0', draughts, ".pdn")
    assert transcript.score == 1
    assert replay(transcript, draughts).side == 1  # White is to move and has nothing left
    (wrong,) = parse_games('[FEN "B:W6:B1,2"]\n1. 1x10 0-1', draughts, ".pdn")
    with pytest.raises(BadTranscript, match="last position is 1-0"):
        replay(wrong, draughts)


def test_the_tag_says_the_result_where_the_moves_do_not(draughts: Game) -> None:
    (transcript,) = parse_games('[Result "0-1"]\n1. 11-15 *', draughts, ".pdn")
    assert transcript.score == -1


def test_a_star_behind_a_move_is_praise_and_alone_the_end(draughts: Game) -> None:
    games = parse_games("1. 11-15* 22-18 * 1. 9-13 *", draughts, ".pdn")
    assert [game.moves for game in games] == [("11-15", "22-18"), ("9-13",)]


def test_a_setup_of_zero_voids_a_position(draughts: Game) -> None:
    (transcript,) = parse_games('[SetUp "0"]\n[FEN "B:W6:B1"]\n1. 11-15 *', draughts, ".pdn")
    assert transcript.start == "start"


def test_other_kinds_of_draughts_are_refused(draughts: Game) -> None:
    with pytest.raises(BadTranscript, match="GameType 20; draughts is 21"):
        parse_games('[GameType "20"]\n1. 32-28 *', draughts, ".pdn")


def test_games_of_another_name_are_refused() -> None:
    with pytest.raises(BadTranscript, match="a game of reversi, not connect4"):
        parse_games('[Game "reversi"]\n1. d3 *', load_game("connect4"), ".pgn")


def test_what_cannot_be_read_is_told_with_its_line(draughts: Game) -> None:
    with pytest.raises(BadTranscript, match="Line 2 cannot be read from '}"):
        parse_games("1. 11-15\n} *", draughts, ".pdn")
    with pytest.raises(BadTranscript, match="Line 1 cannot be read"):
        parse_games('[Event "no end\n', draughts, ".pdn")


def test_an_empty_text_has_no_games(draughts: Game) -> None:
    for ending in (".pdn", ".pgn", ".jsonl"):
        assert parse_games("\n \n", draughts, ending) == []


def test_text_is_tag_pairs_and_numbered_moves() -> None:
    text = format_tagged({"Event": 'a "b" \\ c', "Result": "*"}, ["9-13", "21-17", "5-9"], 0)
    assert text == '[Event "a \\"b\\" \\\\ c"]\n[Result "*"]\n\n1. 9-13 21-17 2. 5-9 *\n'
    assert parse_tagged(text)[0].tags["Event"] == 'a "b" \\ c'
    late = format_tagged({"Result": "*"}, ["21-17", "5-9", "17-14"], 1)
    assert late == '[Result "*"]\n\n1... 21-17 2. 5-9 17-14 *\n'


def test_lines_are_no_longer_than_79_characters() -> None:
    text = format_tagged({"Result": "1-0"}, ["10-15"] * 200, 0)
    assert max(len(line) for line in text.splitlines()) <= 79
