"""A look at the rules of a user's file before a command relies on them."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from plywise.cli.console import err, waiting
from plywise.errors import PlywiseError
from plywise.system.background import Background
from plywise.system.watching import noted

if TYPE_CHECKING:
    from plywise.game import Game

Answer = TypeVar("Answer")

ENDLESS = (
    "Random games of {game} do not end within 500 plies; matches call such a game a draw, "
    "trainings sooner. Say repetitions=3 to Game, or let `result` call a draw by a clock."
)
STUCK = 15  # seconds without an answer of the rules


def require_sound(game: "Game", name: str) -> None:
    """Raise if the rules in a file fail in quick random games; once for each form of them.

    Games that never end are pointed out, for they are no fault: matches call them a draw.
    """
    from plywise.conformance import first_fault, seems_endless
    from plywise.system.user_files import is_user_file, remember_rules, were_seen

    if not is_user_file(name) or were_seen(game.rules.key):
        return
    with waiting(f"looking at the rules of {game.name}"):
        found = answer_of_rules(lambda: first_fault(game))
        is_endless = found is None and answer_of_rules(lambda: seems_endless(game))
    if found is not None:
        where = f" (position {found.position})" if found.position else ""
        raise PlywiseError(f"{name}: {found.what[:-1]}{where}. {found.hint}")
    if is_endless:
        err().print(ENDLESS.format(game=game.name), soft_wrap=True)
    remember_rules(game.rules.key)


def answer_of_rules(work: Callable[[], Answer]) -> Answer:
    """Return what work on rules finds; raise if they are stuck, which compiling is not."""
    from plywise.kernel import compile_seconds

    running = Background(work)
    state, since = (noted(), compile_seconds()), time.monotonic()
    while not running.wait(0.2):
        now = (noted(), compile_seconds())
        if now != state:
            state, since = now, time.monotonic()
        elif time.monotonic() - since > STUCK:
            raise PlywiseError(
                f"The rules have not answered for {STUCK} seconds ({noted()}): a loop in them has "
                "no end, or a function calls itself too often."
            )
    return running.answer()
