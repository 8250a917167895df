"""A look at the rules of a user's file before a command relies on them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from plywise.cli.console import (
    WRONG_INPUT,
    announce_compiling,
    complain_of_crash,
    err,
    guarded,
    waiting,
)
from plywise.system.watching import done_apart

if TYPE_CHECKING:
    from plywise.game import Game

ENDLESS = (
    "Random games of {game} do not end within 500 plies; matches call such a game a draw, "
    "trainings sooner. Say repetitions=3 to Game, or let `result` call a draw by a clock."
)

OUTDATED = (
    "The rules of {game} have changed since {path} learned by them; it plays on with what it knows."
)


def find_game(name: str) -> "Game":
    """Return a game by name or file; what has to be compiled from now on is announced."""
    from plywise.games import load_game

    announce_compiling(name)
    with waiting(f"loading {name}"):
        return load_game(name)


def open_game(name: str) -> "Game":
    """Return a game by name or file, looked at."""
    game = find_game(name)
    look_at(game, name)
    return game


def look_at(game: "Game", name: str, players: Sequence[str] = ()) -> None:
    """Raise if the rules of a user's file fail in quick random games.

    What is no fault is pointed out: games that never end, for matches call them a draw, and players
    that learned by other rules.
    """
    from plywise.conformance import answer_of_rules, is_to_be_seen, require_sound, seems_endless
    from plywise.players import outdated_model

    for path in dict.fromkeys(outdated_model(text, game) for text in players):
        if path is not None:
            told = OUTDATED.format(game=game.name, path=path)
            err().print(told, soft_wrap=True)
    if not is_to_be_seen(game, name):
        return
    with waiting(f"looking at the rules of {game.name}"):
        require_sound(game, name)
        is_endless = answer_of_rules(lambda: seems_endless(game))
    if is_endless:
        err().print(ENDLESS.format(game=game.name), soft_wrap=True)


def look_apart(names: Sequence[str]) -> int:
    """Look at the rules of some files from a process of its own; return the exit code."""

    def look() -> int:
        return guarded(lambda: [open_game(name) for name in names])

    def blame() -> int:
        if len(names) == 1:
            return complain_of_crash(names[0])
        codes = (look_apart([name]) for name in names)
        return next(filter(None, codes), WRONG_INPUT)

    return done_apart(look, blame) if names else 0
