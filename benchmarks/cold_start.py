"""What the first commands of a new game cost in CPU and wall seconds, cold and warm.

    python benchmarks/cold_start.py
    python benchmarks/cold_start.py mygame.py --runs 3

Cold: the cache of compiled code is an empty folder, so everything is compiled. New: it knows
another game, but not this one. Warm: the same command again. `train` ends with its first 100 games
and what is learned from them, `play` with the computer's first move, `match` with two games.
The least of some runs is printed; `taskset -c 0` in front keeps it to one core.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

HEX = Path(__file__).parents[1] / "examples" / "hex.py"
OTHER_GAME = "tictactoe"
COMMANDS = {
    "train": "train {game} --run {folder} --no-closing rounds=1 games=100",
    "play": "play {game} --side second --opponent mcts,nodes=100",
    "match": "match {game} alphabeta,depth=2 mcts,nodes=100 --games 2",
}
Seconds = tuple[float, float]  # of the processor, and by the clock


def run(command: str, game: str, cache: Path) -> Seconds:
    """Run a command in a process of its own; return what it cost."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        words = command.format(game=game, folder=f"{folder}/run").split()
        subprocess.run(
            [sys.executable, "-m", "plywise", *words],
            env={**os.environ, "PLYWISE_CACHE_DIR": str(cache)},
            input="quit\n",
            cwd=folder,
            text=True,
            capture_output=True,
            check=True,
        )
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall


def costs(command: str, game: str) -> Iterator[Seconds]:
    """Yield the cost with an empty cache, with one that knows another game, and with a warm one."""
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as other:
        run(command, OTHER_GAME, Path(other))
        yield run(command, game, Path(empty))
        yield run(command, game, Path(other))
        yield run(command, game, Path(other))


def main(
    game: Annotated[str, typer.Argument(help="A game, or the file of one.")] = str(HEX),
    runs: Annotated[int, typer.Option(min=1, help="Of which the least counts.")] = 1,
) -> None:
    """Print a table of CPU seconds / wall seconds."""
    path = str(Path(game).resolve()) if game.endswith(".py") else game
    print(f"{'CPU s / wall s':16}{'cold':>14}{'new':>14}{'warm':>14}")
    for name, command in COMMANDS.items():
        every = [list(costs(command, path)) for _ in range(runs)]
        least = [min(kind) for kind in zip(*every, strict=True)]
        cells = "".join(f"{f'{cpu:.1f} / {wall:.1f}':>14}" for cpu, wall in least)
        print(f"{name:16}{cells}", flush=True)


if __name__ == "__main__":
    typer.run(main)
