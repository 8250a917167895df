"""`plywise uci`, `hub` and `nboard`: a player as an engine for other programs."""

import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.looking import find_game, look_at
from plywise.cli.parameters import complete_game

if TYPE_CHECKING:
    from plywise.game.notation import Notation
    from plywise.players import EngineSetup

LONGEST_LINE = 1 << 20

DEFAULT_GAME = "A built-in game, or the file of your own. Default: what the protocol is made for."

PlayerText = Annotated[
    str | None,
    typer.Argument(
        metavar="PLAYER",
        help="Who plays, such as alphabeta,eval=material or mcts. Default: the best one at hand.",
        show_default=False,
    ),
]
GameOption = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", help=DEFAULT_GAME, autocompletion=complete_game),
]


def uci(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME", help=DEFAULT_GAME, autocompletion=complete_game, show_default=False
        ),
    ] = None,
    player: PlayerText = None,
) -> None:
    """Be an engine that speaks UCI, for chess programs; other games in their own notation.

    Give a program the command `plywise uci`. What it says in `go` takes the place of the player's
    own budget. Everything else is an option of the protocol: Player, Hash, MultiPV, Ponder,
    UCI_LimitStrength and UCI_Elo, Move Overhead.
    """
    from plywise.protocols.uci import UciEngine

    setup, notation = _set_up("uci", game, player)
    UciEngine(setup, notation, say).run(heard_lines())


def hub(player: PlayerText = None, game: GameOption = None) -> None:
    """Be an engine that speaks Hub, version 2, for draughts programs.

    What `level` says takes the place of the player's own budget. The parameter elo asks for a
    strength.
    """
    from plywise.protocols.hub import HubEngine

    setup, notation = _set_up("hub", game, player)
    HubEngine(setup, notation, say).run(heard_lines())


def nboard(player: PlayerText = None, game: GameOption = None) -> None:
    """Be an engine that speaks NBoard, version 2, for reversi programs.

    The depth that a program sets takes the place of the player's own budget.
    """
    from plywise.protocols.nboard import NboardEngine

    setup, notation = _set_up("nboard", game, player)
    NboardEngine(setup, notation, say).run(heard_lines())


def _set_up(
    protocol: str, game: str | None, player: str | None
) -> tuple["EngineSetup", "Notation"]:
    """Return the player that an engine begins with; what is wrong in its text is said now."""
    from plywise.players import EngineSetup, default_opponent, require_player
    from plywise.protocols import notation_for

    name = game or _home_of(protocol)
    loaded = find_game(name)
    text, notation = player or default_opponent(loaded), notation_for(protocol, loaded)
    require_player(text, loaded)
    look_at(loaded, name)
    setup = EngineSetup(loaded, text)
    setup.make().close()
    return setup, notation


def _home_of(protocol: str) -> str:
    """Return the first game that says how the protocol writes it."""
    from plywise.games import built_in_games

    return next(game.name for game in built_in_games() if protocol in game.about.notations)


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
