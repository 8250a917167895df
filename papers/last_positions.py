"""Write the last positions of games that were given up: openings for games that are played on.

    python papers/last_positions.py games.txt.xz --data data/games --save given-up.txt
    plywise selfplay chess alphabeta,nodes=1000 --openings given-up.txt --opening-plies 0 -n 20000

Masters give up when a piece is gone, so that their games do not show what it is worth, nor how
such games are won. Games that no network learns from (`plywise judge`) are left out.
"""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rerun import console

from plywise.datasets import open_data_set
from plywise.datasets.sources import read_source
from plywise.game import ONGOING
from plywise.games import load_game
from plywise.learners.deepchess.pairs import split

HELD_OUT = 0.05  # as `deepchess` does by default


def main(
    games: Annotated[Path, typer.Argument(help="A file of games.")],
    data: Annotated[Path, typer.Option(help="The data set that was made of it.")],
    save: Annotated[Path, typer.Option(help="The file of positions.")],
    game: Annotated[str, typer.Option(help="The game.")] = "chess",
    most: Annotated[int, typer.Option(help="How many positions, drawn at random.")] = 40_000,
    seed: Annotated[int, typer.Option(help="Another seed, other positions.")] = 1,
) -> None:
    """Draw games and write their last positions, where these are not the end."""
    loaded = load_game(game)
    known = open_data_set(data, loaded)
    unseen = np.unique(known.games[np.concatenate(split(known, HELD_OUT).unseen)])
    numbers = np.setdiff1d(np.unique(known.games), unseen)
    drawn = np.random.default_rng(seed).permutation(numbers)[:most]
    wanted = np.zeros(int(known.games.max()) + 1, np.bool_)
    wanted[drawn] = True
    first, lines = 0, []
    for batch in read_source(games, loaded):
        for index in range(len(batch)):
            if first + index < len(wanted) and wanted[first + index]:
                record = batch.record(index)
                if record.result() == ONGOING:
                    lines.append(loaded.format_position(record.position))
        first += len(batch)
    save.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    console.print(f"{save}: {len(lines)} positions")


if __name__ == "__main__":
    typer.run(main)
