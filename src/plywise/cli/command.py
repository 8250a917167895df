"""How a command explains itself: help without words of Python, and whose help to ask for."""

import re
from collections.abc import Sequence
from typing import Any

from typer.core import TyperCommand

# What stands for a value in the help: patterns of types, and words for them.
VALUES = {
    r"<(int|float)( range)?>": "NUMBER",
    r"<(path|file)>": "FILE",
    r"<str>": "TEXT",
}
TYPE = re.compile(r" <[^>]*>$")


class PlainCommand(TyperCommand):
    """A command whose help names values by words, not by types."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read arguments; whatever is wrong in them is told as this command's."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            if hasattr(error, "ctx"):
                error.ctx = error.ctx or ctx
            raise

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options."""
        plain: Any = _Plain(formatter)
        super().format_options(ctx, plain)


class _Plain:
    """A writer of help that is told of types, and writes none."""

    def __init__(self, formatter: Any) -> None:
        self._formatter = formatter

    def __getattr__(self, name: str) -> Any:
        return getattr(self._formatter, name)

    def write_dl(self, rows: Sequence[tuple[str, str]], *more: Any, **named: Any) -> None:
        """Write a list of names and what they mean."""
        plain = [(in_words(name), meaning) for name, meaning in rows]
        self._formatter.write_dl(plain, *more, **named)


def in_words(name: str) -> str:
    """Return the name of an argument alone, and that of an option with a word for its value."""
    if not name.startswith("-"):
        return TYPE.sub("", name)
    for pattern, word in VALUES.items():
        name = re.sub(pattern, word, name)
    return name
