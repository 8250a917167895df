"""Whether a command, or a web worker, can rely on the rules of a user's file."""

from collections.abc import Callable
from typing import TypeVar

from plywise.conformance.compile_errors import explain_compile_error, is_from_compiler
from plywise.conformance.first_look import first_fault
from plywise.errors import PlywiseError
from plywise.game import Game
from plywise.kernel import compile_seconds
from plywise.system import watching
from plywise.system.background import Background
from plywise.system.user_files import is_user_file, place_of, remember_rules, were_seen
from plywise.system.watching import Silence, noted

Answer = TypeVar("Answer")


def is_to_be_seen(game: Game, name: str) -> bool:
    """Return whether the rules are a user's, and nobody has looked at them in this form."""
    return is_user_file(name) and not were_seen(game.rules.key)


def require_sound(game: Game, name: str) -> None:
    """Raise if the rules of a user's file fail in quick random games; once for each form."""
    if not is_to_be_seen(game, name):
        return
    found = answer_of_rules(lambda: first_fault(game))
    if found is not None:
        where = f" (position {found.position})" if found.position else ""
        raise PlywiseError(f"{name}: {found.what[:-1]}{where}. {found.hint}")
    remember_rules(game.rules.key)


def answer_of_rules(work: Callable[[], Answer]) -> Answer:
    """Return what work on rules finds; raise if they are stuck, which compiling is not."""
    running = Background(work)
    state, silence = (noted(), compile_seconds()), Silence(watching.STUCK)
    while not running.wait(0.2):
        now = (noted(), compile_seconds())
        if now != state:
            silence.end()
        elif silence.is_endless:
            raise PlywiseError(silence.sentence())
        state = now
    return running.answer()


def sentence_of(error: Exception) -> str:
    """Return what a person needs to hear of an error; nothing if it is a fault of this program."""
    if isinstance(error, PlywiseError):
        return str(error)
    if is_from_compiler(error):
        return f"{explain_compile_error(error)} `plywise check` of the game's file tells more."
    if place := place_of(error):
        return f"{place}: {type(error).__name__}: {error}"
    if isinstance(error, MemoryError):
        return "There is not enough memory for that: ask for less of it."
    return ""
