"""`plywise dataset`: positions of many games, for learners that learn from games played before."""

from pathlib import Path
from typing import Annotated

import typer

from plywise.cli.console import INTERRUPTED, err, out, print_json, waiting
from plywise.cli.looking import open_game
from plywise.cli.parameters import AsJson, GameName
from plywise.errors import PlywiseError


def dataset(
    game: GameName,
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILES",
            help="Files of games, plain or compressed: .pgn, .pdn, .jsonl; for chess also .txt "
            "with a result and moves on each line.",
        ),
    ],
    output: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where it is made.")],
    per_game: Annotated[int, typer.Option(min=1, help="Positions of each decisive game.")] = 10,
    skip: Annotated[int, typer.Option(min=0, help="Plies left out at the beginning.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other positions.")] = 1,
    teachers: Annotated[
        list[str] | None,
        typer.Option(
            "--teacher",
            metavar="JUDGE",
            help="Who says how likely each position is won, as plywise judge names them; given "
            "several times, the mean of all.",
        ),
    ] = None,
    by_end: Annotated[
        bool,
        typer.Option(
            "--by-end",
            help="Positions are the more likely won the nearer the end of their game is; for games "
            "that were played to it.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Draw positions from decisive games into memory-mapped arrays; begun ones are finished."""
    from plywise.datasets import Sampling, build_data_set
    from plywise.datasets.building import Progress
    from plywise.datasets.teachers import NearEnds, Teachers, make_judges

    if teachers and by_end:
        raise PlywiseError("Either judges say how likely a position is won, or the end: not both.")
    loaded = open_game(game)
    asked: Teachers | None = NearEnds() if by_end else None
    if teachers:
        asked = make_judges(teachers, loaded)
    try:
        with waiting("reading games") as say:

            def tell(progress: Progress) -> None:
                say(f"{progress.read:,} games, {progress.positions:,} positions")

            rules = Sampling(per_game, skip, seed)
            made = build_data_set(output, loaded, files, rules, tell, asked)
    except KeyboardInterrupt:
        err().print("Interrupted: the same command goes on from here.", soft_wrap=True)
        raise typer.Exit(INTERRUPTED) from None
    finally:
        if asked is not None:
            asked.close()
    if as_json:
        print_json(made.card)
        return
    card = made.card
    first, second = loaded.sides
    out().print(
        f"{output}: {card['positions']:,} positions of {card['won'] + card['lost']:,} decisive "
        f"games among {card['read']:,} ({first} won {card['won']:,}, {second} {card['lost']:,}; "
        f"{card['faults']:,} broken ones left out)",
        soft_wrap=True,
    )
