"""The command line. Modules here import NumPy, Numba and the games only inside functions."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from plywise.cli import (
    analyse,
    bench,
    cache,
    check,
    console,
    dataset,
    engines,
    games,
    judge,
    match,
    perfect,
    perft,
    play,
    selfplay,
    serve,
    solve,
    suite,
    train,
    tune,
)
from plywise.cli.command import PlainCommand
from plywise.system.watching import watched

app = typer.Typer(
    name="plywise",
    help="Play, analyse and measure board games whose rules are written in Python.",
    epilog="Begin with: plywise play connect4",
    invoke_without_command=True,
    rich_markup_mode=None,  # plain help takes half the time
    context_settings={"help_option_names": ["-h", "--help"]},
)

COMMANDS = (  # function, an example of its use
    (games.games, "plywise games --json"),
    (play.play, "plywise play draughts --side white --seconds 2"),
    (serve.serve, "plywise serve mygame.py"),
    (analyse.analyse, 'plywise analyse draughts --moves "11-15 22-17" --lines 3'),
    (perft.perft, "plywise perft draughts --depth 9 --split"),
    (solve.solve, "plywise solve 4453 --each"),
    (perfect.perfect, "plywise perfect connect4 alphabeta,depth=6 mcts,nodes=1000 --positions 50"),
    (suite.suite, "plywise suite tactics.epd alphabeta --seconds 1"),
    (match.match, "plywise match connect4 alphabeta,depth=4 mcts,nodes=2000 --games 40"),
    (match.tournament, "plywise tournament reversi random alphabeta,depth=2 alphabeta,depth=4"),
    (
        selfplay.selfplay,
        "plywise selfplay draughts alphabeta,depth=4 --games 200",
    ),
    (dataset.dataset, "plywise dataset chess games.pgn.zst --out data/games"),
    (judge.judge, "plywise judge chess material deepchess --data data/games"),
    (train.train, "plywise train connect4 --minutes 5 --run runs/first --save mine.safetensors"),
    (train.runs, "plywise runs"),
    (train.report, "plywise report runs/first --games 40"),
    (train.plot, "plywise plot runs/first --out curves.svg"),
    (tune.tune, "plywise tune connect4 --candidates 500,1000,2000 --total 5000000"),
    (engines.uci, "plywise uci chess alphabeta"),
    (engines.hub, "plywise hub patterns"),
    (engines.nboard, "plywise nboard patterns"),
    (check.check, "plywise check mygame.py --games 50"),
    (bench.bench, "plywise bench --game connect4"),
    (cache.cache, "plywise cache --clear-old"),
)


for _function, _example in COMMANDS:
    _class = train.TrainCommand if _function is train.train else PlainCommand
    app.command(epilog=f"Example: {_example}", cls=_class)(_function)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        from plywise import __version__

        typer.echo(f"plywise {__version__}")
        raise typer.Exit


PAGE = """\
Plywise learns board games from nothing, plays them and measures how well.

  plywise play connect4          play, against the best player that is at hand
  plywise train mygame.py        let it learn a game of yours, two minutes for a first result
  plywise play mygame.py         play against what it learned
  plywise match reversi patterns mcts --games 40
                                 let two players meet, and see what that proves
  plywise games                  the games that are there
  plywise check mygame.py        find what is wrong in the rules of yours

plywise --help lists all commands, plywise COMMAND --help explains one."""


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(PAGE)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    command = typer.main.get_command(app)
    return console.guarded(
        lambda: command.main(list(arguments), prog_name="plywise", standalone_mode=False)
    )


def main() -> None:
    """Run the command that the program was started with, watched where rules may crash."""
    arguments = sys.argv[1:]
    files = [argument for argument in arguments if argument.partition(":")[0].endswith(".py")]
    if not files:
        sys.exit(run(arguments))
    sys.exit(watched(lambda: run(arguments), lambda: console.complain_of_crash(files[0])))
