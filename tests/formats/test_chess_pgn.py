"""What Plywise writes of chess is PGN: python-chess and the own reader find the same game."""

import gzip
import io
from pathlib import Path

import chess.pgn as reference
import pytest

from conftest import seeded
from plywise.formats import (
    BadTranscript,
    Transcript,
    format_games,
    parse_games,
    read_batches,
    read_games,
)
from plywise.game.record import Record
from plywise.games import load_game
from plywise.games.chess.game import format_uci

ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
LATE = "8/5k1p/8/8/8/3p4/6K1/4R3 b - - 3 40"
chess = load_game("chess")


def random_record(seed: int, start: str = "start", plies: int = 90) -> Record:
    chooser, record = seeded(seed), Record(chess, chess.parse_position(start))
    while len(record.moves) < plies and len(moves := record.legal_moves()) > 0:
        record.play(chooser.choice(moves))
    return record


def transcribed(record: Record, start: str = "start") -> Transcript:
    texts = tuple(record.texts())
    return Transcript("chess", ('An "odd" \\ name', "B"), texts, 1, "resigned", start, number=3)


@pytest.mark.parametrize("start", ["start", LATE])
@pytest.mark.parametrize("seed", range(4))
def test_python_chess_reads_the_same_game(tmp_path: Path, start: str, seed: int) -> None:
    record = random_record(seed, start)
    text = format_games([transcribed(record, start)], chess, ".pgn")
    game = reference.read_game(io.StringIO(text))
    assert game is not None
    assert game.errors == []
    assert [move.uci() for move in game.mainline_moves()] == list(map(format_uci, record.moves))
    assert game.end().board().fen() == chess.format_position(record.position)
    assert (game.headers["Black"], game.headers["Result"]) == ("B", "1-0")
    path = tmp_path / "games.pgn"
    path.write_text(text)
    (batch,) = read_batches(path, chess, tags=("White",))
    assert batch.moves.tolist() == record.moves
    assert batch.tags["White"] == ['An "odd" \\ name']


def test_the_seven_tags_go_first_and_lines_are_short() -> None:
    text = format_games([transcribed(random_record(1))], chess, ".pgn")
    lines = text.splitlines()
    assert [line[1:].split()[0] for line in lines[:7]] == ROSTER
    moves = lines[lines.index("") + 1 :]
    assert max(map(len, moves)) < 80
    assert moves[0].startswith("1. ")
    assert text.endswith(" 1-0\n\n")


def test_moves_are_numbered_as_their_fen_says() -> None:
    text = format_games([transcribed(random_record(1, LATE, 3), LATE)], chess, ".pgn")
    assert f'[SetUp "1"]\n[FEN "{LATE}"]\n' in text
    assert "\n40... " in text
    assert " 41. " in text


def test_games_in_a_compressed_file_are_read(tmp_path: Path) -> None:
    games = [transcribed(random_record(seed)) for seed in (1, 2)]
    text = format_games(games, chess, ".pgn")
    path = tmp_path / "games.pgn.gz"
    path.write_bytes(gzip.compress(text.encode()))
    assert read_games(path, chess) == parse_games(text, chess, ".pgn") == games
    path.write_bytes(gzip.compress(text.encode())[:-20])
    with pytest.raises(BadTranscript, match="is broken or cut off"):
        read_games(path, chess)
