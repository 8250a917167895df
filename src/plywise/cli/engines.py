"""`plywise uci`, `hub` and `nboard`: a player as an engine for other programs."""

import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.parameters import complete_game, open_game

if TYPE_CHECKING:
    from plywise.players import EngineSetup

LONGEST_LINE = 1 << 20

PlayerText = Annotated[
    str | None,
    typer.Argument(
        metavar="PLAYER",
        help="Who plays, such as alphabeta,eval=material or mcts. Default: the best one at hand.",
        show_default=False,
    ),
]


def uci(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="A built-in game, or the file of your own.",
            autocompletion=complete_game,
        ),
    ] = "chess",
    player: PlayerText = None,
) -> None:
    """Be an engine that speaks UCI, for chess programs; other games in their own notation.

    Give a program the command `plywise uci`. What it says in `go` takes the place of the player's
    own budget. Everything else is an option of the protocol: Player, Hash, MultiPV, Ponder,
    UCI_LimitStrength and UCI_Elo, Move Overhead.
    """
    from plywise.protocols import notation_for
    from plywise.protocols.uci import UciEngine

    setup = _setup(game, player)
    UciEngine(setup, notation_for("uci", setup.game), say).run(heard_lines())


def hub(
    player: PlayerText = None,
    game: Annotated[str, typer.Option(metavar="GAME", help="Which draughts.")] = "draughts",
) -> None:
    """Be an engine that speaks Hub, version 2, for draughts programs.

    What `level` says takes the place of the player's own budget. The parameter elo asks for a
    strength.
    """
    from plywise.protocols import notation_for
    from plywise.protocols.hub import HubEngine

    setup = _setup(game, player)
    HubEngine(setup, notation_for("hub", setup.game), say).run(heard_lines())


def nboard(
    player: PlayerText = None,
    game: Annotated[str, typer.Option(metavar="GAME", help="Which reversi.")] = "reversi",
) -> None:
    """Be an engine that speaks NBoard, version 2, for reversi programs.

    The depth that a program sets takes the place of the player's own budget.
    """
    from plywise.protocols import notation_for
    from plywise.protocols.nboard import NboardEngine

    setup = _setup(game, player)
    NboardEngine(setup, notation_for("nboard", setup.game), say).run(heard_lines())


def _setup(game: str, player: str | None) -> "EngineSetup":
    """Return the player that an engine begins with; what is wrong in its text is said now."""
    from plywise.players import EngineSetup, default_opponent

    loaded = open_game(game)
    setup = EngineSetup(loaded, player or default_opponent(loaded))
    setup.make().close()
    return setup


# ---------------------------------------------------------------- lines in and out

_saying = threading.Lock()


def say(line: str) -> None:
    """Write a line at once, from any thread."""
    with _saying:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def heard_lines() -> Iterator[str]:
    """Yield the lines of standard input; what is no text is replaced, what is too long cut."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    while line := sys.stdin.readline(LONGEST_LINE):
        yield line
