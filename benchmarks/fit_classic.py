"""Fit the numbers of the chess evaluator `classic` to the results of games.

    python benchmarks/fit_classic.py games.pgn.xz --positions 1200000 --write

From each game come some positions in which nothing hangs: nobody is in check and the move that was
played takes nothing. With x the lead by the numbers and s a scale, who is to move is taken to win
with probability 1 / (1 + exp(-x / s)), and the numbers make the results of the games most likely
(logistic regression by Adam, held to where they began by a small square penalty). Every tenth
game is left out and judged only.

The worth of a position is a sum, so what a number is multiplied with is found by letting the
evaluator itself count: the table holds 1 for that number and 0 elsewhere. Seven numbers are asked
at once, by powers of 256.
"""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console

from plywise.formats.batches import Batch, read_batches
from plywise.games import load_game
from plywise.games.chess import fitted
from plywise.games.chess.judgement import FULL, phase_of, worth
from plywise.games.chess.numbers import COUNT, places
from plywise.games.chess.rules import in_check, noisy
from plywise.kernel import Bundle, compiled

DIGITS = 7  # numbers that are asked at once
FIRST_PLY, EVERY_PLIES = 12, 7
SCALE = 220.0  # hundredths of a pawn; only says how long the numbers come out
BATCH = 16384
TOOLS = Bundle("fit", {"worth": worth, "phase_of": phase_of, "in_check": in_check, "noisy": noisy})
NAMES = list(fitted.FITTED)
MATERIAL = {  # what pieces are worth on average, chosen by hand
    "pawn": (84, 104),
    "knight": (330, 295),
    "bishop": (345, 312),
    "rook": (470, 530),
    "queen": (1000, 960),
}
ENDING_SHARE = 0.6
SIZES = [len(places(name)) for name in NAMES]
FIRSTS = dict(zip(NAMES, np.cumsum([0, *SIZES]).tolist(), strict=False))
TIES = [spots for name in NAMES for spots in places(name)]  # of every number, where it stands


@compiled
def sample(game: Any, tools: Any, batch: Any, out: Any, scores: Any) -> int:
    """Write some quiet positions of a batch of games and how they ended; return how many."""
    moves, offsets, starts, results = batch
    count = 0
    for number in range(len(results)):
        position = game.load(starts[number])
        begin, end = offsets[number], offsets[number + 1]
        for ply in range(end - begin):
            move = moves[begin + ply]
            if ply >= FIRST_PLY and (ply + number) % EVERY_PLIES == 0 and count < len(out):
                if not (tools.in_check(position) or tools.noisy(position, move)):
                    game.store(position, out[count])
                    sign = 1 if game.side(position) == 0 else -1
                    scores[count] = sign * results[number]
                    count += 1
            position = game.apply(position, move)
    return count


@compiled
def count_terms(game: Any, tools: Any, rows: Any, tables: Any, out: Any) -> None:
    """Write how often every number counts in each position, and the phase behind them."""
    width = out.shape[1] - 1
    for index in range(len(rows)):
        position = game.load(rows[index])
        for group in range(len(tables)):
            total = tools.worth(tables[group], position)
            for digit in range(DIGITS):
                place = group * DIGITS + digit
                if place < width:
                    low = ((total + 128) & 255) - 128
                    out[index, place] = low
                    total = (total - low) >> 8
        out[index, width] = tools.phase_of(position)


def tables() -> NDArray[np.int64]:
    """Return the tables by which numbers are counted, some at once."""
    groups = -(-len(TIES) // DIGITS)
    found = np.zeros((groups, COUNT), np.int64)
    for index, spots in enumerate(TIES):
        found[index // DIGITS, spots] = 256 ** (index % DIGITS)
    return found


def read_positions(path: Path, most: int) -> tuple[Any, Any, Any]:
    """Return positions, their scores for the side to move, and which are kept for judging."""
    game = load_game("chess")
    rows, scores, kept = [], [], []
    for number, batch in enumerate(read_batches(path, game)):
        found = _positions_of(game, batch)
        rows.append(found[0])
        scores.append(found[1])
        kept.append(np.full(len(found[1]), number % 10 == 0))
        if sum(map(len, rows)) >= most:
            break
    return np.concatenate(rows), np.concatenate(scores), np.concatenate(kept)


def _positions_of(game: Any, batch: Batch) -> tuple[Any, Any]:
    known = np.isin(batch.scores, (-1, 0, 1))
    results = np.where(known, batch.scores, 0).astype(np.int8)
    room = len(batch.moves) // EVERY_PLIES + len(batch) + 1
    rows, scores = np.zeros((room, game.words), np.uint64), np.zeros(room, np.int8)
    arrays = (batch.moves, batch.offsets, batch.starts, results)
    count = sample(game.rules, TOOLS, arrays, rows, scores)
    return rows[:count], scores[:count]


def leads(terms: NDArray[np.int8], numbers: NDArray[np.float32]) -> tuple[Any, Any, Any]:
    """Return the lead in each position, and how much of middle game and ending is in it."""
    counts = terms[:, :-1].astype(np.float32)
    middle = terms[:, -1:].astype(np.float32) / FULL
    both = counts @ numbers
    parts = np.concatenate([middle, 1 - middle], axis=1)
    return (both * parts).sum(axis=1), counts, parts


def loss(terms: Any, scores: Any, numbers: Any) -> float:
    """Return the mean surprise about results, in bits."""
    wins = (scores.astype(np.float32) + 1) / 2
    total = 0.0
    for start in range(0, len(terms), BATCH):
        lead, _, _ = leads(terms[start : start + BATCH], numbers)
        chance = np.clip(1 / (1 + np.exp(-lead / SCALE)), 1e-6, 1 - 1e-6)
        part = wins[start : start + BATCH]
        total -= float((part * np.log2(chance) + (1 - part) * np.log2(1 - chance)).sum())
    return total / len(terms)


def fit(terms: Any, scores: Any, first: Any, epochs: int, pull: float) -> Any:
    """Return the numbers that make the scores most likely."""
    numbers, wins = first.copy(), (scores.astype(np.float32) + 1) / 2
    mean, square, step = np.zeros_like(first), np.zeros_like(first), 0
    random = np.random.default_rng(1)
    for epoch in range(epochs):
        rate = 2.0 * (1 - epoch / epochs) + 0.05
        order = random.permutation(len(terms) // BATCH)
        for start in order * BATCH:
            lead, counts, parts = leads(terms[start : start + BATCH], numbers)
            error = 1 / (1 + np.exp(-lead / SCALE)) - wins[start : start + BATCH]
            slope = counts.T @ (error[:, None] * parts) / BATCH
            slope += pull * (numbers - first)
            step += 1
            mean = 0.9 * mean + 0.1 * slope
            square = 0.999 * square + 0.001 * slope * slope
            size = np.sqrt(square / (1 - 0.999**step)) + 1e-8
            numbers = numbers - rate * mean / (1 - 0.9**step) / size
    return numbers


def settle(numbers: Any, counts: Any) -> None:
    """Give the pieces back their material, and endings the share that is not drawn.

    Decisive games tell who wins if somebody does. A pawn more wins most of the endings that are
    won, but most endings are drawn, so what counts in endings comes out far too large.
    """
    numbers *= (1.0, ENDING_SHARE)
    rows = {name: slice(start, start + len(places(name))) for name, start in FIRSTS.items()}
    for kind, material in MATERIAL.items():
        own = [rows[name] for name in (kind, f"{kind} mobility") if name in rows]
        mean = sum(np.average(numbers[part], axis=0, weights=counts[part] + 1) for part in own)
        numbers[rows[kind]] += np.array(material) - mean


def source(numbers: Any, note: str) -> str:
    """Return the module that holds the numbers."""
    lines = [
        '"""The fitted numbers of the evaluator `classic`: (middle game, ending), by name.',
        "",
        *note.splitlines(),
        '"""',
        "",
        "# fmt: off",
        "FITTED: dict[str, tuple[tuple[int, int], ...]] = {",
    ]
    place = 0
    for name in NAMES:
        count = len(places(name))
        pairs = [f"({round(float(m))}, {round(float(e))})" for m, e in numbers[place:][:count]]
        place += count
        lines.append(f'    "{name}": (')
        wide = 4 if count == 32 else 7
        for start in range(0, count, wide):
            lines.append("        " + ", ".join(pairs[start : start + wide]) + ",")
        lines.append("    ),")
    return "\n".join([*lines, "}", ""])


def main(
    games: Annotated[Path, typer.Argument(metavar="FILE", help="PGN, plain or compressed.")],
    positions: Annotated[int, typer.Option(help="At most so many.")] = 1_200_000,
    epochs: Annotated[int, typer.Option(help="Passes over all positions.")] = 30,
    pull: Annotated[float, typer.Option(help="Back to where a number began.")] = 1e-8,
    write: Annotated[bool, typer.Option("--write", help="Replace the numbers.")] = False,
) -> None:
    """Fit the numbers and print what was gained."""
    console, game = Console(), load_game("chess")
    rows, scores, kept = read_positions(games, positions)
    console.print(f"{len(rows):,} positions, {kept.sum():,} of them only judged")
    terms = np.zeros((len(rows), len(TIES) + 1), np.int8)
    count_terms(game.rules, TOOLS, rows, tables(), terms)
    pairs = [pair for name in NAMES for pair in fitted.FITTED[name]]
    first = np.array(pairs, np.float32)
    numbers = fit(terms[~kept], scores[~kept], first, epochs, pull)
    before, after = (loss(terms[kept], scores[kept], which) for which in (first, numbers))
    console.print(f"bits a position, games not seen: {before:.4f} before, {after:.4f} after")
    settle(numbers, np.abs(terms[kept, :-1]).sum(axis=0, dtype=np.int64))
    note = f"Made by `benchmarks/fit_classic.py` from {(~kept).sum():,} positions of games."
    if write:
        Path(fitted.__file__).write_text(source(numbers, note))
    else:
        console.print(source(numbers, note))


if __name__ == "__main__":
    typer.run(main)
