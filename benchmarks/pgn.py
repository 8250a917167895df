"""Reading PGN beside pgn-extract and python-chess: `python benchmarks/pgn.py [FILE.pgn ...]`.

Without files, random games are written, plain and with a comment behind every move as servers of
games write them. All three check every move: Plywise gives moves, results and four tags in arrays,
pgn-extract only checks (-r), python-chess makes trees. Processor time of one thread, best of some
runs; python-chess reads the first games only. pgn-extract (Debian has it) is left out if it is not
there.
"""

import functools
import itertools
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import chess.pgn
import numpy as np

from plywise.formats import Transcript, format_games, read_batches
from plywise.game.record import Record
from plywise.games import load_game

GAMES, COPIES, PLIES = 300, 40, 90
THEIR_GAMES = 300  # of python-chess, which is slow
REPEATS = 5
WANTED = 5_000  # games a second
TAGS = ("White", "Black", "WhiteElo", "BlackElo")
HEADER = ("games", "Plywise, games/s", "pgn-extract", "python-chess", "ratios", "wanted", "reached")
GAMES_FOLDER = "/usr/games"  # where Debian puts pgn-extract, and few have it on their PATH

game = load_game("chess")


def random_transcript(generator: np.random.Generator) -> Transcript:
    """Return a random game of some ninety plies."""
    record = Record(game)
    while len(record.moves) < PLIES and len(moves := record.legal_moves()) > 0:
        record.play(generator.choice(moves))
    return Transcript("chess", ("White, W.", "Black, B."), tuple(record.texts()), 0)


def write_games(folder: Path) -> list[Path]:
    """Write random games twice: plain, and with comments."""
    generator = np.random.default_rng(1)
    plain = format_games([random_transcript(generator) for _ in range(GAMES)], game, ".pgn")
    noted = "\n".join(_noted(line) for line in plain.splitlines()) + "\n"
    paths = [folder / "random games", folder / "random games with comments"]
    for path, text in zip(paths, (plain, noted), strict=True):
        path.write_text(text * COPIES)
    return paths


def _noted(line: str) -> str:
    """Return a line of moves with a comment behind each; tags stay as they are."""
    if line.startswith("["):
        return line
    words = (
        word if word[0].isdigit() else f"{word} {{ [%eval 0.17] [%clk 0:02:58] }}"
        for word in line.split()
    )
    return " ".join(words)


def ours(path: Path) -> int:
    return sum(len(batch) for batch in read_batches(path, game, tags=TAGS))


def theirs(path: Path) -> int:
    """Read the first games by python-chess."""
    with path.open(encoding="latin-1") as file:
        games = itertools.islice(iter(lambda: chess.pgn.read_game(file), None), THEIR_GAMES)
        return sum(1 for _ in games)


def find_extract() -> str | None:
    """Return the program pgn-extract, if it is there."""
    return shutil.which("pgn-extract") or shutil.which("pgn-extract", path=GAMES_FOLDER)


def extracted(program: str, path: Path, games: int) -> int:
    subprocess.run([program, "-s", "-r", str(path)], check=True, capture_output=True)
    return games


def rate(work: Callable[[], int], repeats: int = REPEATS) -> float:
    """Return the games in a second of processor time, in the best of some runs."""
    rates = []
    for _ in range(repeats):
        started = processor_seconds()
        done = work()
        rates.append(done / (processor_seconds() - started))
    return max(rates)


def processor_seconds() -> float:
    """Return the processor time that this process and its children have used."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def measure(path: Path) -> tuple[str, ...]:
    """Return a row of the table."""
    games = ours(path)
    mine = rate(functools.partial(ours, path))
    peers = [rate(functools.partial(theirs, path), 1)]
    if (program := find_extract()) is not None:
        peers.insert(0, rate(functools.partial(extracted, program, path, games), 3))
    told = [f"{peer:,.0f}" for peer in peers]
    ratios = " and ".join(f"{mine / peer:.1f} x" for peer in peers)
    return (
        f"{path.stem}, {games:,}",
        f"{mine:,.0f}",
        *(told if len(told) == 2 else ["-", *told]),
        ratios,
        f"{WANTED:,}",
        "yes" if mine >= WANTED else "NO",
    )


def rows(paths: list[Path]) -> list[tuple[str, ...]]:
    """Return the table of some files, or of random games where there are none."""
    with tempfile.TemporaryDirectory() as folder:
        return [measure(path) for path in paths or write_games(Path(folder))]


if __name__ == "__main__":
    print(" | ".join(HEADER))
    for row in rows([Path(name) for name in sys.argv[1:]]):
        print(" | ".join(row))
