"""What is written can be read: every format is an inverse pair."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from conftest import seeded
from plywise.formats import (
    BadTranscript,
    GameFile,
    Transcript,
    format_games,
    parse_games,
    read_games,
    replay,
)
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game

# Tags hold one line, so blanks are single and inside.
TEXTS = some.text(some.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)
LINES = some.lists(TEXTS.filter(lambda text: text != "?"), min_size=1).map(" ".join)
COUNTS = some.integers(0, 2**40)
SECONDS = some.floats(0, 1e6)


def random_record(game: Game, seed: int, plies: int = 1000) -> Record:
    """Return a random game of at most so many plies."""
    generator = seeded(seed)
    record = Record(game)
    while len(record.moves) < plies and len(moves := record.legal_moves()) > 0:
        record.play(generator.choice(moves))
    return record


def transcribed(record: Record, start: str = "start") -> Transcript:
    ending = record.ending()
    return Transcript(
        record.game.name,
        ("alphabeta,depth=2", "random"),
        tuple(record.texts()),
        score=None if ending is None else ending.score,
        reason="" if ending is None else ending.reason,
        start=start,
        number=1,
    )


@pytest.mark.parametrize("ending", [".pgn", ".jsonl", ".pdn"])
@pytest.mark.parametrize("seed", range(5))
def test_random_games_come_back(game: Game, ending: str, seed: int) -> None:
    if ending == ".pdn" and game.name != "draughts":
        with pytest.raises(BadTranscript, match="PDN is for draughts"):
            format_games([transcribed(Record(game))], game, ending)
        return
    games = [transcribed(random_record(game, seed)), transcribed(random_record(game, seed, 5))]
    text = format_games(games, game, ending)
    assert parse_games(text, game, ending) == games
    for transcript in games:
        assert replay(transcript, game).texts() == list(transcript.moves)


@pytest.mark.parametrize("ending", [".pgn", ".jsonl", ".pdn"])
def test_a_game_from_another_position_comes_back(ending: str) -> None:
    draughts = load_game("draughts")
    start = "W:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"
    record = Record(draughts, draughts.parse_position(start))
    record.play(record.legal_moves()[0])
    transcript = transcribed(record, start)
    text = format_games([transcript], draughts, ending)
    assert parse_games(text, draughts, ending) == [transcript]
    if ending != ".jsonl":
        assert '[SetUp "1"]' in text
        assert f'[FEN "{start}"]' in text
        assert "\n1... " in text


@given(
    players=some.tuples(LINES, LINES),
    reason=LINES,
    score=some.sampled_from([1, 0, -1, None]),
    numbers=some.tuples(COUNTS, COUNTS),
    nodes=some.tuples(COUNTS, COUNTS),
    seconds=some.tuples(SECONDS, SECONDS),
    value=some.none() | some.floats(-1, 1),
    ending=some.sampled_from([".pgn", ".jsonl", ".pdn"]),
)
def test_everything_about_a_game_comes_back(
    players: tuple[str, str],
    reason: str,
    score: int | None,
    numbers: tuple[int, int],
    nodes: tuple[int, int],
    seconds: tuple[float, float],
    value: float | None,
    ending: str,
) -> None:
    draughts = load_game("draughts")
    transcript = Transcript(
        "draughts",
        players,
        ("9-13", "21-17"),
        score,
        reason,
        opening_plies=1,
        number=numbers[0],
        seed=numbers[1],
        nodes=nodes,
        seconds=seconds,
        value=value,
    )
    (read,) = parse_games(format_games([transcript], draughts, ending), draughts, ending)
    assert read == transcript
    assert read.seconds == transcript.seconds


def test_moves_that_pgn_cannot_hold_are_refused() -> None:
    tictactoe = load_game("tictactoe")
    for move in ("a 1", "1.2", "(1)", "1-0", "{}", "$1", "1!"):
        with pytest.raises(BadTranscript, match=r"save them as \.jsonl"):
            format_games([Transcript("tictactoe", ("a", "b"), (move,))], tictactoe, ".pgn")


def test_a_file_takes_game_after_game(tmp_path: Path) -> None:
    connect4 = load_game("connect4")
    path = tmp_path / "games.pgn"
    games = [replace(transcribed(random_record(connect4, seed)), number=seed) for seed in (1, 2)]
    with GameFile(path, connect4) as file:
        for count, transcript in enumerate(games, 1):
            file.write(transcript)
            assert read_games(path, connect4) == games[:count]


def test_the_ending_of_a_file_says_its_format(tmp_path: Path) -> None:
    connect4 = load_game("connect4")
    with pytest.raises(BadTranscript, match=r"\.pdn, \.pgn, \.jsonl"):
        GameFile(tmp_path / "games.txt", connect4)
    with pytest.raises(BadTranscript, match="PDN is for draughts"):
        GameFile(tmp_path / "games.pdn", connect4)
    with pytest.raises(BadTranscript, match="cannot be written: there is no folder"):
        GameFile(tmp_path / "nowhere" / "games.pgn", connect4)
    with pytest.raises(BadTranscript, match="cannot be read: No such file"):
        read_games(tmp_path / "games.pgn", connect4)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "Line 1 is no JSON"),
        ("{}", "Line 1 is no game: it has no 'players'"),
        ('{"players": ["a"]}', "Line 1 is no game"),
        ("[]", "Line 1 is no game"),
        (
            '{"players": ["a", "b"], "game": "g", "moves": [], "result": "won"}',
            "'won' is no result",
        ),
    ],
)
def test_a_broken_line_of_json_is_told(line: str, complaint: str) -> None:
    with pytest.raises(BadTranscript, match=complaint):
        parse_games(f"{line}\n", load_game("connect4"), ".jsonl")
