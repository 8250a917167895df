"""Whatever a text or a file says, it is read, or refused in one sentence: many thousand inputs.

PLYWISE_FUZZ=20 makes each test twenty times as long, for a run by hand.
"""

import bz2
import gzip
import json
import lzma
import os
import re
import struct
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from conftest import EXAMPLES, TESTS, seeded
from driving import finish, start_run
from fuzz.inputs import Inputs
from plywise.arena.game_limits import parse_clock
from plywise.arena.openings import make_openings
from plywise.errors import PlywiseError
from plywise.evaluators import load_model, make_evaluator
from plywise.evaluators.model import save_model
from plywise.evaluators.network import random_model
from plywise.formats import format_games, parse_epd, parse_games, replay
from plywise.formats.transcript import Transcript
from plywise.game import Game
from plywise.game.text import parse_record, parse_start
from plywise.games import BUILT_IN, load_game
from plywise.learners import BUILT_IN as LEARNERS
from plywise.learners import settings_of
from plywise.live.saves import Save, game_in, read_save, read_transcript, write_save
from plywise.players import make_player
from plywise.runs import Run, read_status
from plywise.settings import list_settings, with_texts
from plywise.system.source_files import read_text

TIMES = float(os.environ.get("PLYWISE_FUZZ", "1"))
PYTHON = re.compile(  # words that a person should not have to know
    r"Traceback|Error\b|Exception|object has no|NoneType|invalid literal|\[Errno|unhashable|"
    r"subscriptable|unpack|not iterable|codec can't|Expecting value|keyword argument"
)
SENTENCE = re.compile(r"[^\n]{3,}[.?]", re.DOTALL)


def require_sentence(said: str, given: str) -> None:
    """Raise unless a refusal is a sentence; what it quotes of the input does not count."""
    own = said.replace(given, "")
    assert SENTENCE.fullmatch(said.replace("\n", " ").strip()), said
    assert not PYTHON.search(re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "", own)), said


def survive(
    count: int, seed: int, attempt: Callable[[Inputs], str], use: Callable[[str], Any]
) -> None:
    """Make so many inputs and use them; every one is right, or refused in a sentence."""
    source = Inputs(seed)
    for number in range(int(count * TIMES)):
        given = attempt(source)
        try:
            use(given)
        except PlywiseError as error:
            require_sentence(str(error), given)
        except Exception as error:
            error.add_note(f"input {number} of seed {seed}: {given!r}")
            raise


# ---------------------------------------------------------------- texts

PLAYERS = (
    "random",
    "alphabeta,depth=3,killers=off,hash=12",
    "alphabeta,eval=material,nodes=500,selective=on",
    "minimax,depth=2,seed=3",
    "mcts,nodes=20,cap=4,exploration=0.4,mixing=0.1,policy=0.3,reuse=off",
    "mcts,seconds=0.5,solver=off",
    "alphabeta,level=3",
    "alphabeta,mistakes=0.2,threads=2",
    "nowhere.safetensors,search=mcts",
    "uci:nosuchprogram --uci,seconds=0.1,Hash=3",
    "hub:nosuchprogram,depth=3",
)


def test_players() -> None:
    game = load_game("tictactoe")

    def use(text: str) -> None:
        make_player(text, game).close()

    survive(12_000, 1, lambda source: source.spoilt(source.choice(PLAYERS)), use)


def test_evaluators_with_settings() -> None:
    game = load_game("tictactoe")
    texts = (
        "alphabeta,eval=mlp:hidden=4+3,depth=1",
        "alphabeta,eval=elm:hidden=8:view=fixed,depth=1",
        "alphabeta,eval=linear:features=bits,depth=1",
        "alphabeta,eval=nnue:hidden=4:units=tanh,depth=1",
        "mcts,eval=noise,nodes=5",
    )
    survive(
        600,
        2,
        lambda source: source.spoilt(source.choice(texts)),
        lambda text: make_player(text, game),
    )


@pytest.mark.parametrize("learner", list(LEARNERS))
def test_settings_of_learners(learner: str) -> None:
    kind = settings_of(learner)
    listed = list_settings(kind)

    def attempt(source: Inputs) -> str:
        one = source.choice(listed)
        value = source.choice((source.number(), source.spoilt(str(one.default)), *one.choices))
        return f"{source.spoilt(one.name) if source.random() < 0.05 else one.name}={value}"

    def use(text: str) -> None:
        name, _, value = text.partition("=")
        with_texts(kind(), {name: value})

    survive(3000, 3, attempt, use)


@pytest.mark.parametrize("name", list(BUILT_IN))
def test_positions_and_moves(name: str) -> None:
    game = load_game(name)
    positions, lines = known_texts(game)

    def position(source: Inputs) -> str:
        return source.spoilt(source.choice(positions))

    survive(3000, 4, position, lambda text: parse_start(game, text))
    survive(
        2000,
        5,
        lambda source: source.spoilt(source.choice(lines)),
        lambda text: parse_record(game, "start", text),
    )


def known_texts(game: Game) -> tuple[list[str], list[str]]:
    """Return positions and lines of moves that are right."""
    positions, lines = ["start"], [""]
    for seed in range(3):
        record = parse_record(game, "start", "")
        for _ in range(8):
            moves = record.legal_moves()
            if len(moves) == 0:
                break
            record.play(seeded(seed).choice(moves))
        positions.append(game.format_position(record.position))
        lines.append(" ".join(record.texts()))
    return positions, lines


def test_clocks() -> None:
    survive(2000, 6, lambda source: source.spoilt("60+0.5"), parse_clock)


# ---------------------------------------------------------------- files of games


@pytest.mark.parametrize(
    ("name", "ending"), [("draughts", ".pdn"), ("chess", ".pgn"), ("tictactoe", ".jsonl")]
)
def test_files_of_games(name: str, ending: str) -> None:
    game = load_game(name)
    _, lines = known_texts(game)
    transcripts = [
        Transcript(name, ("human", "random"), tuple(line.split()), None, start="start")
        for line in lines[1:]
    ]
    good = format_games(transcripts, game, ending)

    def use(text: str) -> None:
        for transcript in parse_games(text, game, ending):
            replay(transcript, game)

    survive(2500, 7, lambda source: source.spoilt(good), use)


def test_test_suites() -> None:
    game = load_game("chess")
    good = (EXAMPLES / "tactics.epd").read_text().splitlines()

    def use(text: str) -> None:
        parse_epd(text, game)

    survive(2500, 8, lambda source: source.spoilt(source.choice(good)), use)


def test_openings(tmp_path: Path) -> None:
    game, path = load_game("connect4"), tmp_path / "openings.txt"

    def use(text: str) -> None:
        path.write_text(text, errors="replace")
        make_openings(game, str(path), 0, 0)

    survive(800, 9, lambda source: source.spoilt("444\n# a comment\n4 5 3\n"), use)


# ---------------------------------------------------------------- files of ours


def spoil_file(count: int, seed: int, path: Path, use: Callable[[], Any]) -> None:
    """Use a file so many times with bytes in it that are not what they were."""
    good, source = path.read_bytes(), Inputs(seed)
    for number in range(int(count * TIMES)):
        data = source.spoilt_bytes(good)
        path.write_bytes(data)
        try:
            use()
        except PlywiseError as error:
            require_sentence(str(error), str(path))
        except Exception as error:
            error.add_note(f"input {number} of seed {seed}: {data!r}")
            raise
    path.write_bytes(good)


def test_saved_games(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    write_save(Save("connect4", "connect4", "start", ("d1", "d2"), ("human", "random")), path)
    spoil_file(5000, 10, path, lambda: read_save(path))
    game = load_game("draughts")
    transcript = Transcript("draughts", ("human", "random"), ("9-13", "24-20"))
    for ending in (".pdn", ".jsonl"):
        other = tmp_path / f"game{ending}"
        other.write_text(format_games([transcript], game, ending))
        spoil_file(1000, 11, other, lambda file=other: read_transcript(file, game))  # type: ignore[misc]
        spoil_file(1000, 12, other, lambda file=other: load_game(game_in(file)))  # type: ignore[misc]


def test_models(tmp_path: Path) -> None:
    game, path = load_game("tictactoe"), tmp_path / "model.safetensors"
    save_model(random_model(make_evaluator("mlp", game, hidden=[3]), seeded(1)), path)
    spoil_file(6000, 13, path, lambda: load_model(path, game))


def test_cards_of_models(tmp_path: Path) -> None:
    """The header is changed as JSON, so that what is read is a file of its format to the end."""
    game, path = load_game("tictactoe"), tmp_path / "model.safetensors"
    save_model(random_model(make_evaluator("mlp", game, hidden=[3]), seeded(1)), path)
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header, weights = json.loads(data[8 : 8 + size]), data[8 + size :]
    card = json.loads(header["__metadata__"]["plywise"])
    values: list[Any] = [
        None,
        -1,
        1e308,
        [],
        {},
        "",
        "x",
        [[]],
        {"a": {}},
        True,
        "mcts,cap=0",
        10**30,
    ]

    def attempt(source: Inputs) -> str:
        changed = dict(card)
        for _ in range(source.choice((1, 1, 2))):
            name = source.choice([*card, "search", "options", "packed", "extra"])
            changed[name] = source.choice(values)
            if source.random() < 0.2:
                changed.pop(name)
        text = json.dumps(changed)
        kinds = (text, text, text, source.spoilt(text), "[" * 100_000, "[]", "3")
        return source.choice(kinds)

    def use(text: str) -> None:
        changed = {**header, "__metadata__": {"plywise": text}}
        head = json.dumps(changed).encode(errors="replace")
        path.write_bytes(struct.pack("<Q", len(head)) + head + weights)
        with closing(make_player(f"{path},nodes=5", game)) as player:
            assert player.name

    survive(3000, 14, attempt, use)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run that is over."""
    path = tmp_path_factory.mktemp("runs") / "run"
    learner = str(TESTS / "runs" / "counting.py")
    finish(start_run(path, learner, "tictactoe", settings_of(learner)(count=3)))
    return path


@pytest.mark.parametrize(
    "name", ["config.toml", "metrics.jsonl", "status.json", "checkpoint.safetensors"]
)
def test_damaged_runs(folder: Path, name: str) -> None:
    def use() -> None:
        run = Run(folder)
        read_status(run)
        run.metrics()
        run.config()
        run._last_checkpoint()

    spoil_file(1500, 15, folder / name, use)


def test_runs_with_folders_and_pipes_for_files(folder: Path) -> None:
    for name in ("config.toml", "metrics.jsonl", "status.json", "checkpoint.safetensors"):
        path, kept = folder / name, folder / "kept"
        for kind in ("folder", "pipe", "link"):
            path.rename(kept)
            put(kind, path)
            with suppress(PlywiseError):
                run = Run(folder)
                read_status(run)
                run.config()
                run.metrics()
                run._last_checkpoint()
            if kind == "folder":
                path.rmdir()
            else:
                path.unlink()
            kept.rename(path)
    assert Run(folder).champions() == [0, 1, 2]


def put(kind: str, path: Path) -> None:
    """Put something in the place of a file that is none."""
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}


@pytest.mark.parametrize("packing", list(PACKERS))
def test_packed_texts(tmp_path: Path, packing: str) -> None:
    path = tmp_path / "text"
    path.write_bytes(PACKERS[packing](b"1. e4 e5 " * 20))
    spoil_file(1500, 16, path, lambda: read_text(path))


def test_games_in_files(tmp_path: Path) -> None:
    good = (Path(__file__).parents[2] / "src/plywise/games/tictactoe.py").read_text()
    source = Inputs(20)
    for number in range(int(400 * TIMES)):
        path = tmp_path / f"game{number}.py"
        path.write_text(source.spoilt(good), errors="replace")
        with suppress(PlywiseError):
            load_game(str(path))
        path.unlink()
