"""PGN in batches: python-chess agrees, whatever stands between the moves; broken games are told."""

import lzma
import random
import tracemalloc
from pathlib import Path

import chess as reference
import chess.pgn as reference_pgn
import numpy as np
import pytest

from conftest import INTERPRETED
from plywise.errors import PlywiseError
from plywise.formats import Batch, Fault, Note, read_batches, read_records, scanning
from plywise.formats.scanning import NO_SCORE
from plywise.games import load_game
from plywise.games.chess.game import format_uci
from plywise.kernel import signatures

pytestmark = pytest.mark.kernels

GAMES, PLIES = (2, 8) if INTERPRETED else (40, 150)
chess = load_game("chess")


def read(
    tmp_path: Path, text: str | bytes, *, tags: tuple[str, ...] = (), block: int = 1 << 20
) -> list[Batch]:
    path = tmp_path / "games.pgn"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(read_batches(path, chess, tags=tags, block_bytes=block))


def games_of(batches: list[Batch]) -> list[list[str]]:
    return [
        [format_uci(int(move)) for move in batch.moves_of(index)]
        for batch in batches
        for index in range(len(batch))
    ]


def moves(tmp_path: Path, text: str) -> list[str]:
    """Return the moves of the one game in a text, as UCI."""
    batches = read(tmp_path, text)
    assert [str(fault) for batch in batches for fault in batch.faults] == []
    (found,) = games_of(batches)
    return found


def faults(tmp_path: Path, text: str | bytes) -> list[str]:
    return [str(fault) for batch in read(tmp_path, text) for fault in batch.faults]


# ---------------------------------------------------------------- beside python-chess


def random_game(chooser: random.Random) -> list[reference.Move]:
    board = reference.Board()
    while not board.is_game_over() and len(board.move_stack) < chooser.randrange(1, PLIES):
        board.push(chooser.choice(sorted(board.legal_moves, key=str)))
    return list(board.move_stack)


def noisy_move(board: reference.Board, move: reference.Move, chooser: random.Random) -> str:
    """Return a move as some file might write it."""
    san = board.san(move)
    if chooser.random() < 0.2:
        san = san.rstrip("+#")
    if chooser.random() < 0.2:
        san = san.replace("=", "")
    if chooser.random() < 0.2:
        san = san.replace("O", "0")
    if chooser.random() < 0.1 and san[0] in "NBRQK":
        san = f"{san[0]}{move.uci()[:2]}{'x' * board.is_capture(move)}{move.uci()[2:4]}"
    return san + chooser.choice(["", "", "", "!", "?!", "!!"])


def noise(chooser: random.Random) -> str:
    """Return something that may stand between two moves, mostly nothing."""
    if chooser.random() < 0.6:
        return " "
    return chooser.choice(
        [
            "\n",
            "  \t ",
            "\r\n",
            " { a comment } ",
            " {[%clk 0:01:02.5] 1-0 (\n[Site} ",
            " ; to the end of the line } ( 1-0\n",
            "\n% not for us e4 {\n",
            " $1 $139 ",
            " (1. e4 {in (a} e5 (1... d5 $2) 1-0) ",
            " () ",
            " +- ",
            " {caf\u00e9} ",
        ]
    )


def noisy_game(moves: list[reference.Move], chooser: random.Random) -> str:
    board, words = reference.Board(), []
    numbers = ["{}. ", "{}.", "{} ", "{}... ", "{} . "]
    for ply, move in enumerate(moves):
        if ply % 2 == 0 or chooser.random() < 0.2:
            words.append(chooser.choice(numbers).format(ply // 2 + 1))
        words += [noisy_move(board, move, chooser), noise(chooser)]
        board.push(move)
    result = chooser.choice(["1-0", "0-1", "1/2-1/2", "*"])
    names = 'O\\"Kelly, "Jr"'
    tags = f'[Event "x"]\n[White "{names}"] [Odd "]"]\n[Result "{result}"]\n'
    return f"{tags}\n{''.join(words)} {result}{chooser.choice([' ', chr(10)])}\n"


@pytest.mark.parametrize("block", [1 << 20, 200])
def test_games_with_anything_between_the_moves_are_those_of_python_chess(
    tmp_path: Path, block: int
) -> None:
    """Pages are cut anywhere: what stands in one game must never depend on where."""
    chooser = random.Random(7)
    games = [random_game(chooser) for _ in range(GAMES)]
    text = "".join(noisy_game(game, chooser) for game in games)
    batches = read(tmp_path, text, tags=("White",), block=block)
    assert [fault for batch in batches for fault in batch.faults] == []
    assert games_of(batches) == [[move.uci() for move in game] for game in games]
    assert {name for batch in batches for name in batch.tags["White"]} == {'O"Kelly, "Jr"'}


@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_what_python_chess_writes_is_read(tmp_path: Path) -> None:
    chooser = random.Random(8)
    texts, expected = [], []
    for _ in range(GAMES):
        game = reference_pgn.Game.from_board(boarded(random_game(chooser)))
        game.headers["Result"] = chooser.choice(["1-0", "0-1", "1/2-1/2"])
        node = game.next()
        if node is not None:
            node.comment = "a comment"
            node.nags.add(14)
        texts.append(f"{game}\n\n")
        expected.append([move.uci() for move in game.mainline_moves()])
    assert games_of(read(tmp_path, "".join(texts))) == expected


def boarded(moves: list[reference.Move]) -> reference.Board:
    board = reference.Board()
    for move in moves:
        board.push(move)
    return board


# ---------------------------------------------------------------- what files do


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 *",
        "1.e4 e5 *",
        "1 e4 1... e5 *",
        "1 . e4 1 ... e5*"[:-1] + " *",
        "e4 e5",
        "e2e4 e7e5 1-0",
        "1. e4! {x} ({y} d4 (c4)) 1...e5?? $3 ; *\n 1/2",
        "1. e4 += e5 -+ =",
        "\ufeff1. e4 e5 *",
        "%escape (\n1. e4 e5 *",
        "1. e4\r\n1... e5\r\n1-0\r\n",
    ],
)
def test_moves_stand_between_many_things(tmp_path: Path, text: str) -> None:
    assert moves(tmp_path, text) == ["e2e4", "e7e5"]


def test_a_game_begins_at_its_fen(tmp_path: Path) -> None:
    fen = "8/5k2/8/8/8/8/6K1/4R3 b - - 3 40"
    (batch,) = read(tmp_path, f'[SetUp "1"]\n[FEN "{fen}"]\n\n40... Kf6 41. Re2 *\n')
    assert chess.format_position(batch.starts[0]) == fen
    assert games_of([batch]) == [["f7f6", "e1e2"]]
    assert batch.record(0).texts() == ["Kf6", "Re2"]
    (void,) = read(tmp_path, f'[SetUp "0"]\n[FEN "{fen}"]\n\n1. e4 *\n')
    assert games_of([void]) == [["e2e4"]]


@pytest.mark.parametrize(
    ("tag", "end", "score"),
    [
        ("1-0", "1-0", 1),
        ("?", "0-1", -1),
        ("*", "1/2-1/2", 0),
        ("0-1", "*", -1),
        ("*", "*", NO_SCORE),
        ("1/2-1/2", "", 0),
        ("", "", NO_SCORE),
    ],
)
def test_the_tag_of_the_result_goes_first(tmp_path: Path, tag: str, end: str, score: int) -> None:
    (batch,) = read(tmp_path, f'[Result "{tag}"]\n\n1. e4 {end}\n')
    assert batch.scores.tolist() == [score]


def test_games_end_with_a_result_or_before_the_next_tags(tmp_path: Path) -> None:
    text = (
        '[Event "1"]\n\n1. e4\n\n[Event "2"]\n\n[Event "3"]\n[Site "?"]\n\n1. d4 1-0 1. c4 * e4\n'
    )
    (batch,) = read(tmp_path, text, tags=("Event",))
    assert games_of([batch]) == [["e2e4"], [], ["d2d4"], ["c2c4"], ["e2e4"]]
    assert batch.tags["Event"] == ["1", "2", "3", "", ""]
    assert batch.lines.tolist() == [1, 5, 7, 10, 10]


def test_tags_are_kept_as_asked(tmp_path: Path) -> None:
    """A name in UTF-8 and one in Latin-1 are both read; a tag that is missing is empty."""
    text = '[White "Jos\u00e9"]\n[WhiteElo "2500"]\n\n*\n'.encode()
    text += '[White "Jos\u00e9"]\n\n*\n'.encode("latin-1")
    (batch,) = read(tmp_path, text, tags=("White", "WhiteElo"))
    assert batch.tags == {"White": ["Jos\u00e9"] * 2, "WhiteElo": ["2500", ""]}
    assert batch.headers == []


def test_everything_can_be_kept(tmp_path: Path) -> None:
    text = (
        '[White "A"]\n[Odd "B"]\n\n{first} 1. e4! {[%clk 1:02:03.5] good} (1. d4 {x} (1. c4)) '
        "1... e5 $14 ; last\n1-0 {behind}\n\n"
        '[White "C"]\n\n*'
    )
    path = tmp_path / "games.pgn"
    path.write_text(text)
    (batch,) = read_batches(path, chess, everything=True)
    assert batch.headers == [{"White": "A", "Odd": "B"}, {"White": "C"}]
    assert batch.notes == [
        [
            Note(0, "comment", "first"),
            Note(1, "mark", "!"),
            Note(1, "comment", "[%clk 1:02:03.5] good"),
            Note(1, "variation", "1. d4 {x} (1. c4)"),
            Note(2, "glyph", "14"),
            Note(2, "comment", "last"),
        ],
        [],
    ]
    assert [note.clock for note in batch.notes[0]] == [None, None, 3723.5, None, None, None]
    told: list[Fault] = []
    ((record, tags), (empty, _)) = read_records(path, chess, told.append)
    assert (record.texts(), tags["Odd"], empty.moves, told) == (["e4", "e5"], "B", [], [])


# ---------------------------------------------------------------- what is broken

GOOD = '[Event "good"]\n\n1. d4 d5 1-0\n\n'


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ("1. e4 e5 2. Nf6 *", "Line 7: 'Nf6' is not a legal move after 2 plies."),
        ("1. e4\ne5\n2. hello Nf3 *", "Line 9: 'hello' is no move."),
        ("1. Nf3 d5 2. Nc3 d4 3. Nd5 e5 4. Nb4 *", ""),
        ("1. d4 d5 2. Nf3 e5 3. Nd2 *", "Line 7: 'Nd2' fits several legal moves after 4 plies."),
        ("1. e4 -- 2. d4 *", "Line 7: '--' is a pass, which chess does not have."),
        ("1. e4 {no end\n", "Line 7: a comment has no closing brace."),
        ("1. e4 (1. d4 e5 *\n", "Line 7: a variation has no closing parenthesis."),
        ("1. e4 ) e5 *", "Line 7: ')' has no place among the moves."),
        ("1. e4 } e5 *", "Line 7: '}' has no place among the moves."),
        ("1. e4 [x] e5 *", "Line 7: '[' has no place among the moves."),
        ("1. e4 $ e5 *", "Line 7: '$' has no place among the moves."),
        ("1. e4 e5 1-0-1 *", "Line 7: '1-0-1' is no move."),
        ("1. e4 \u00e9\u00e9 *", "Line 7: '\u00e9\u00e9' is no move."),
    ],
)
def test_a_broken_game_is_told_and_skipped(tmp_path: Path, broken: str, reason: str) -> None:
    text = f'{GOOD}[Event "broken"]\n\n{broken}\n\n{GOOD}'
    batches = read(tmp_path, text, tags=("Event",))
    told = [str(fault) for batch in batches for fault in batch.faults]
    names = [name for batch in batches for name in batch.tags["Event"]]
    assert told == ([reason] if reason else [])
    assert names == (["good", "good"] if reason else ["good", "broken", "good"])


@pytest.mark.parametrize(
    ("tags", "reason"),
    [
        (
            "[Event broken]",
            "Line 5: the tag '[Event broken]' is not written like [Name \"value\"].",
        ),
        ('[White "A]', 'Line 5: the tag \'[White "A]\' is not written like [Name "value"].'),
        ('[FEN "nonsense"]', "Line 5: 'nonsense' is no FEN; a position of chess is written like"),
        ('[Variant "Atomic"]', "Line 5: the variant Atomic is not chess."),
        ('[Game "draughts"]', "Line 5: the game is draughts, not chess."),
    ],
)
def test_a_game_with_broken_tags_is_told_and_skipped(
    tmp_path: Path, tags: str, reason: str
) -> None:
    batches = read(tmp_path, f"{GOOD}{tags}\n\n1. e4 *\n\n{GOOD}")
    (told,) = (str(fault) for batch in batches for fault in batch.faults)
    assert told.startswith(reason)
    assert games_of(batches) == [["d2d4", "d7d5"]] * 2


def test_what_stands_between_games_breaks_none(tmp_path: Path) -> None:
    batches = read(tmp_path, f"{GOOD}) }}\n{GOOD}a letter to the editor\n{GOOD}")
    assert games_of(batches) == [["d2d4", "d7d5"]] * 3
    assert [fault.line for batch in batches for fault in batch.faults] == [5, 10]


def test_a_file_of_anything_is_no_accident(tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    for _ in range(3 if INTERPRETED else 30):
        junk = generator.integers(0, 256, 300, np.uint8).tobytes()
        for batch in read(tmp_path, junk + b"\n\n" + GOOD.encode() * 2, block=100):
            assert batch.offsets[-1] == len(batch.moves)
        letters = generator.choice(list(b'[]{}()"\\;%$\n 1-0e4.'), 300).astype(np.uint8)
        read(tmp_path, letters.tobytes(), block=64)


def test_there_is_room_for_as_many_notes_as_a_page_can_hold(tmp_path: Path) -> None:
    count = 100 if INTERPRETED else 200_000
    path = tmp_path / "games.pgn"
    path.write_text(f"1. e4 {'!()' * count} *")
    (batch,) = read_batches(path, chess, everything=True)
    assert len(batch.notes[0]) == 2 * count


def test_an_empty_file_has_no_games(tmp_path: Path) -> None:
    assert read(tmp_path, "") == []
    assert read(tmp_path, "\n\n{nothing}\n") == []


def test_a_game_without_end_is_told(tmp_path: Path) -> None:
    if INTERPRETED:
        pytest.skip("too slow")
    endless = b"1. e4 {" + b"no end\n" * (1 << 20)
    told = faults(tmp_path, endless)
    assert told[0] == "Line 1: the game does not end within 4,194,304 bytes."


def test_a_compressed_file_is_read_up_to_where_it_is_broken(tmp_path: Path) -> None:
    generator = np.random.default_rng(1)  # comments that cannot be packed
    notes = [generator.bytes(600).hex() for _ in range(100)]
    packed = lzma.compress("".join(f"1. e4 {{{note}}} *\n" for note in notes).encode())
    path = tmp_path / "games.pgn.xz"
    path.write_bytes(packed)
    assert sum(len(batch) for batch in read_batches(path, chess)) == len(notes)
    path.write_bytes(packed[: len(packed) * 3 // 4])
    batches = read_batches(path, chess, block_bytes=1000)
    assert len(next(batches)) > 0
    with pytest.raises(PlywiseError, match=r"games\.pgn\.xz is broken or cut off"):
        list(batches)


def test_a_game_that_cannot_be_read_in_batches_says_so(tmp_path: Path) -> None:
    with pytest.raises(PlywiseError, match="kalah has no compiled `read_move`"):
        read_batches(tmp_path / "games.pgn", load_game("kalah"))


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_pages_of_all_sizes_are_read_by_one_machine_code(tmp_path: Path) -> None:
    read(tmp_path, "1. e4 *", block=100)
    read(tmp_path, "1. e4 *", tags=("White", "Black"))
    assert len(signatures(scanning.read_page)) == 1


@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    game = '[Event "x"]\n\n' + "1. Nf3 Nf6 2. Ng1 Ng8 " * 20 + "*\n\n"
    path = tmp_path / "games.pgn"
    path.write_text(game * 4000)
    block = 1 << 16
    peaks = []
    tracemalloc.start()
    for batch in read_batches(path, chess, block_bytes=block):
        peaks.append(tracemalloc.get_traced_memory()[1])
        del batch
    tracemalloc.stop()
    assert len(peaks) > 20
    assert peaks[-1] - peaks[3] < 4 * block
