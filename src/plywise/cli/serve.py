"""`plywise serve`: the web app."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.looking import look_apart
from plywise.errors import PlywiseError

if TYPE_CHECKING:
    from plywise.web.options import ServeOptions

PORTS = 20  # tried one after the other if none is named


def serve(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME.py", help="Files of your own games, to play as well."),
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on; one for others needs --token.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="0: any. Default: 8000, or the next that is free."),
    ] = None,
    token: Annotated[
        str, typer.Option(help="A secret that is asked for.", envvar="PLYWISE_TOKEN")
    ] = "",
    engine: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=PLAYER", help="An engine to offer: fish=uci:stockfish."),
    ] = None,
    runs: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the runs are.")] = Path(
        "runs"
    ),
    contests: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where matches and tournaments are.")
    ] = Path("contests"),
    boards: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where boards are kept. Default: the user's state."),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open a browser, if there is one.")
    ] = False,
) -> None:
    """Play, watch, analyse and train in the browser.

    The page is served to this machine only, unless --host says otherwise. Boards, trainings and
    matches outlive the server: start it again, and they are there.
    """
    options = _options(games or [], host, token, engine or [], (runs, contests, boards))
    if code := look_apart(options.games):
        raise typer.Exit(code)
    try:
        from plywise.web.serving import serve_app
    except ModuleNotFoundError as error:
        raise PlywiseError(f"The web app needs {error.name}: pip install 'plywise[web]'.") from None
    ports = range(8000, 8000 + PORTS) if port is None else [port]
    serve_app(options, ports, _announce, is_browser_wanted=browser)


def _options(
    games: list[str],
    host: str,
    token: str,
    engines: list[str],
    folders: tuple[Path, Path, Path | None],
) -> "ServeOptions":
    from plywise.web.options import ServeOptions, default_boards

    runs, contests, boards = folders
    named = dict(_engine(text) for text in engines)
    options = ServeOptions(
        host=host,
        token=token,
        games=tuple(games),
        engines=named,
        runs=runs,
        contests=contests,
        boards=boards or default_boards(),
    )
    options.sources()  # a file that is not there is told before anything starts
    return options


def _engine(text: str) -> tuple[str, str]:
    name, equals, player = text.partition("=")
    if not (name.isidentifier() and equals and player):
        raise PlywiseError(
            f"An engine is written NAME=PLAYER, as fish=uci:stockfish, not {text!r}."
        )
    return name, player


def _announce(address: str) -> None:
    from plywise.cli.console import out

    out().print(f"Plywise is at {address}", soft_wrap=True)
    out().print("Ctrl-C ends it; boards are kept, trainings and matches go on.", style="dim")
