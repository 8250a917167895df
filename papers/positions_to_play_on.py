"""Write positions of games from which a player plays on, so that networks see what masters avoid.

    python papers/positions_to_play_on.py games.txt.xz --data data/games --save given-up.txt
    python papers/positions_to_play_on.py games.txt.xz --data data/games --save erred.txt --err 2
    plywise selfplay chess alphabeta,nodes=1000 --openings given-up.txt -n 14000

Masters give up when a piece is gone, so that their games do not show what it is worth, nor how
such games are won. By default a game's last position is taken, if it is not over; with --err a
random one, after so many random moves. Games that no network learns from (`plywise judge`) are
left out.
"""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rerun import console

from plywise.datasets import DataSet, open_data_set
from plywise.datasets.sources import read_source
from plywise.game import ONGOING
from plywise.game.record import Record
from plywise.games import load_game
from plywise.learners.deepchess.pairs import split
from plywise.learners.deepchess.settings import DeepchessSettings

BEGUN = 6  # plies of a game before anybody errs


def main(
    games: Annotated[Path, typer.Argument(help="A file of games.")],
    data: Annotated[Path, typer.Option(help="The data set that was made of it.")],
    save: Annotated[Path, typer.Option(help="The file of positions.")],
    game: Annotated[str, typer.Option(help="The game.")] = "chess",
    err: Annotated[int, typer.Option(min=0, help="Random moves, 0: the last position.")] = 0,
    most: Annotated[int, typer.Option(min=1, help="Games, drawn at random.")] = 40_000,
    seed: Annotated[int, typer.Option(help="Another seed, other positions.")] = 1,
) -> None:
    """Draw games and write a position of each."""
    loaded = load_game(game)
    generator = np.random.default_rng([seed, err])
    wanted = _drawn(open_data_set(data, loaded), most, generator)
    first, lines = 0, []
    for batch in read_source(games, loaded):
        for index in range(min(len(batch), len(wanted) - first)):
            if wanted[first + index]:
                record = batch.record(index)
                if err:
                    record = _erred(record, err, generator)
                if record.result() == ONGOING:
                    lines.append(loaded.format_position(record.position))
        first += len(batch)
    save.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    console.print(f"{save}: {len(lines)} positions")


def _drawn(known: DataSet, most: int, generator: np.random.Generator) -> np.ndarray:
    """Return for every game of a data set's sources whether it was drawn."""
    unseen = known.games[np.concatenate(split(known, DeepchessSettings().held_out).unseen)]
    numbers = np.setdiff1d(known.games, unseen)
    wanted = np.zeros(int(known.games.max()) + 1, np.bool_)
    wanted[generator.permutation(numbers)[:most]] = True
    return wanted


def _erred(record: Record, moves: int, generator: np.random.Generator) -> Record:
    """Return a game up to some ply and some random moves, fewer if it is over before."""
    plies = int(generator.integers(BEGUN, max(BEGUN + 1, len(record.moves))))
    erred = Record(record.game, record.start, record.moves[:plies])
    for _ in range(moves):
        if erred.result() == ONGOING:
            erred.play(generator.choice(erred.legal_moves()))
    return erred


if __name__ == "__main__":
    typer.run(main)
