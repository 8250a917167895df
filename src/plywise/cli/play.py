"""`plywise play`: a game on the terminal."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.looking import find_game, look_at
from plywise.cli.parameters import PositionText, announce_opponent, complete_game
from plywise.errors import PlywiseError, UnknownName

if TYPE_CHECKING:
    from plywise.game import Game
    from plywise.live.live_game import LiveGame
    from plywise.live.saves import Save

SIDES = {"first": {0}, "second": {1}, "both": {0, 1}, "none": set[int]()}


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="A built-in game, or the file of your own. With --load it is needed for a .pgn, "
            ".pdn or .jsonl file of your own game only.",
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
        int | None,
        typer.Option("--seed", min=0, help="For opponents with chance; none: ever different."),
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
    from plywise.players import default_opponent, make_player, require_player
    from plywise.players.levels import STRONGEST

    if load is not None and position != "start":
        raise PlywiseError("Say --load or --position, not both: a saved game has its own start.")
    if load is None and game is None:
        raise PlywiseError("Say which game: plywise play draughts, for example.")
    name = _game_of(load) if game is None else game
    loaded = find_game(name)
    save = _read(load, loaded) if load is not None else None
    humans = parse_side(loaded, side) if side is not None else None
    saved = None if save is None or opponent else _saved_opponent(save, loaded)
    named = opponent or saved
    text = named or f"{default_opponent(loaded)},level={STRONGEST}"
    if opponent is not None:
        _require_one_budget(opponent, seconds)
    held = _held_to(text, level, seconds, loaded)
    require_player(held, loaded)
    look_at(loaded, name, [held])
    chosen = make_player(held, loaded)
    live = LiveGame(loaded, name, chosen)
    if save is None:
        live.begin(parse_start(loaded, position))
    else:
        live.restore(save, chosen)
        live.humans = live.humans or ({0} if saved is None else set())  # of strangers: yours
    live.humans = live.humans if humans is None else humans
    live.seed = _chance() if seed is None else seed
    if named is None and len(live.humans) < 2:
        announce_opponent(chosen.name)
    _start_program(live)
    code = Session(live).run()
    if code:
        raise typer.Exit(code)


def _start_program(live: "LiveGame") -> None:
    """Start the program that plays here, if any, so that one that cannot play is told at once."""
    from plywise.cli.console import waiting
    from plywise.players import names_program

    sides = {0, 1} - live.humans
    if sides and names_program(live.opponent.name):
        with waiting(f"starting {live.opponent.name}"):
            live.engine(min(sides))


def _game_of(load: Path | None) -> str:
    """Return the game that a saved game names; a file of one's own only if it was used before."""
    from plywise.games import BUILT_IN
    from plywise.live.saves import game_in, is_game_file, read_save
    from plywise.system.user_files import is_user_file, require_known

    assert load is not None
    source = game_in(load) if is_game_file(load) else read_save(load).source
    if source not in BUILT_IN and not is_user_file(source):
        raise PlywiseError(
            f"{load} is a game of {source}, which is not built in: name the file of its rules, "
            f"plywise play FILE.py --load {load}."
        )
    require_known(source, load)
    return source


def _read(load: Path, game: "Game") -> "Save":
    """Return the saved game in a file, which must be one of the given game."""
    from plywise.live.saves import is_game_file, read_save, read_transcript, require_game

    save = read_transcript(load, game) if is_game_file(load) else read_save(load)
    require_game(save, game)
    return save


def _saved_opponent(save: "Save", game: "Game") -> str | None:
    """Return the program that plays in a saved game, None without one that can play here."""
    from plywise.cli.console import err
    from plywise.live.live_game import require_harmless
    from plywise.live.saves import HUMAN
    from plywise.players import make_player

    for text in save.players:
        if text != HUMAN:
            require_harmless(text)
            try:
                make_player(text, game).close()
            except PlywiseError as error:
                err().print(f"{text} does not play on: {error}", style="dim", soft_wrap=True)
            else:
                return text
    return None


def _require_one_budget(opponent: str, seconds: float | None) -> None:
    """Raise if an opponent that is named with a budget shall have another time as well."""
    from plywise.players.options import BUDGET
    from plywise.settings.options import parse_options

    _, said = parse_options(opponent)
    settled = [f"{name}={text}" for name, text in said.items() if name in ("level", *BUDGET)]
    if settled and seconds is not None:
        raise PlywiseError(
            f"Say {' and '.join(settled)} or --seconds, not both: each limits the opponent's moves."
        )


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
