"""`plywise play`: a game on the terminal."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.parameters import PositionText, announce_opponent, complete_game, open_game
from plywise.errors import PlywiseError, UnknownName

if TYPE_CHECKING:
    from plywise.game import Game
    from plywise.live.saves import Save

SIDES = {"first": {0}, "second": {1}, "both": {0, 1}, "none": set[int]()}


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="A built-in game, or the file of your own; not needed with --load.",
            autocompletion=complete_game,
            show_default=False,
        ),
    ] = None,
    opponent: Annotated[
        str | None,
        typer.Option(
            "--opponent",
            "-o",
            metavar="PLAYER",
            help="alphabeta,depth=4 or mcts or ... Default: the best one at hand.",
        ),
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(
            "--side",
            metavar="SIDE",
            help="What you play: first, second, a side's name, both, none.",
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            "--level",
            "-l",
            metavar="1-10",
            help="The opponent's strength: a child beats 1, and 10 is all it can.",
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", "-s", help="The opponent's time for a move.")
    ] = None,
    position: PositionText = "start",
    load: Annotated[
        Path | None, typer.Option("--load", metavar="FILE", help="Go on with a saved game.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="For opponents with chance; none: ever different.")
    ] = None,
) -> None:
    """Play a game on the terminal.

    Type a move, or help to see what else there is. An opponent is one word and options with
    commas: random, alphabeta,depth=6, alphabeta,eval=material,seconds=2, mcts,nodes=2000, or
    a model by name or file. Unless you name one, the model plays that was trained last in the
    folder runs, else the strongest one that ships with the game, else plain alpha-beta or MCTS.
    """
    from plywise.cli.session import Session
    from plywise.game.text import parse_start
    from plywise.live.live_game import LiveGame
    from plywise.live.saves import read_save
    from plywise.players import default_opponent, make_player
    from plywise.players.levels import STRONGEST

    save = read_save(load) if load is not None else None
    if save is not None and position != "start":
        raise PlywiseError("Say --load or --position, not both: a saved game has its own start.")
    if save is None and game is None:
        raise PlywiseError("Say which game: plywise play draughts, for example.")
    name = game if game is not None else str(save.source if save is not None else "")
    loaded = open_game(name)
    humans = parse_side(loaded, side) if side is not None else None
    named = opponent or _saved_opponent(save)
    text = named or f"{default_opponent(loaded)},level={STRONGEST}"
    chosen = make_player(_held_to(text, level, seconds, loaded), loaded)
    live = LiveGame(loaded, name, chosen)
    if save is not None:
        live.restore(save)
    else:
        live.begin(parse_start(loaded, position))
    live.opponent = chosen
    live.humans = live.humans if humans is None else humans
    live.seed = _chance() if seed is None else seed
    if named is None and len(live.humans) < 2:
        announce_opponent(chosen.name)
    code = Session(live).run()
    if code:
        raise typer.Exit(code)


def _saved_opponent(save: "Save | None") -> str | None:
    """Return the program that plays in a saved game, None without one."""
    from plywise.live.saves import HUMAN

    players = save.players if save is not None else ()
    return next((player for player in players if player != HUMAN), None)


def _held_to(opponent: str, level: int | None, seconds: float | None, game: "Game") -> str:
    """Return the text of an opponent at the level, or with the time, that was asked for."""
    from plywise.players import with_level, with_seconds

    if level is not None and seconds is not None:
        raise PlywiseError("Say --level or --seconds, not both: a level has its own budget.")
    if level is not None:
        return with_level(opponent, level, game)
    return opponent if seconds is None else with_seconds(opponent, seconds, game)


def _chance() -> int:
    import secrets

    return secrets.randbits(31)


def parse_side(game: "Game", text: str) -> set[int]:
    """Return the sides that a person takes."""
    named = {name.lower(): {index} for index, name in enumerate(game.sides)}
    known = {**SIDES, **named}
    if text.lower() not in known:
        raise UnknownName("side", text, known)
    return set(known[text.lower()])
