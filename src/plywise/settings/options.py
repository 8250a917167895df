"""One grammar for whatever is named with options: players, evaluators, learners.

    alphabeta,depth=6,killers=off                 a name, then options
    td,depth=2,features=vision
    alphabeta,eval=mlp:hidden=40+10,depth=4       a text inside an option has colons for commas

A value is a word, a number, a switch (on or off), or a list whose parts are joined by +. What
stands in quotation marks is not taken apart: uci:plywise uci chess 'mcts,nodes=500',seconds=1.
"""

import inspect
import math
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints

from plywise.errors import PlywiseError, UnknownName

COMMA, COLON, PLUS = ",", ":", "+"
MOST = 10**15  # of whole numbers
LARGEST = 10**9  # of other amounts; as seconds, thirty years
_SWITCHES = {
    **dict.fromkeys(("on", "true", "yes", "1"), True),
    **dict.fromkeys(("off", "false", "no", "0"), False),
}


def parse_options(text: str, separator: str = COMMA) -> tuple[str, dict[str, str]]:
    """Return the name in a text, and the texts of its options."""
    name, *parts = [part.strip() for part in _split(text, separator)]
    options: dict[str, str] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not (key and equals):
            raise PlywiseError(f"An option is written name=value, not {part!r} as in {text!r}.")
        if key in options:
            raise PlywiseError(f"The option {key!r} is given twice in {text!r}.")
        options[key] = value
    return name, options


def _split(text: str, separator: str) -> list[str]:
    """Return the parts between separators, but not between those inside of quotation marks."""
    parts, quote = [""], ""
    for letter in text:
        if letter == separator and not quote:
            parts.append("")
            continue
        parts[-1] += letter
        if letter in "'\"":
            quote = "" if letter == quote else quote or letter
    return text.split(separator) if quote else parts  # one that is never closed is an apostrophe


def format_options(name: str, options: Mapping[str, str], separator: str = COMMA) -> str:
    """Return a name with options as `parse_options` reads it."""
    return separator.join([name, *(f"{key}={value}" for key, value in options.items())])


# ---------------------------------------------------------------- values


def read_switch(text: str) -> bool:
    """Return whether a text says on; like all of these, raise ValueError with what is right."""
    if text.lower() not in _SWITCHES:
        raise ValueError("on or off")
    return _SWITCHES[text.lower()]


def read_integer(text: str) -> int:
    """Return a whole number that compiled code can hold."""
    try:
        number = int(text)
    except ValueError:
        raise ValueError("a whole number") from None
    if abs(number) > MOST:
        raise ValueError(f"a whole number of at most {len(str(MOST)) - 1} digits")
    return number


def read_number(text: str) -> float:
    """Return a finite number."""
    try:
        number = float(text)
    except ValueError:
        raise ValueError("a number") from None
    if not math.isfinite(number):
        raise ValueError("a finite number")
    return number


def read_count(text: str) -> int:
    """Return a whole number that is not negative."""
    number = read_integer(text)
    if number < 0:
        raise ValueError("a whole number from 0 on")
    return number


def read_size(text: str) -> int:
    """Return a whole number above 0."""
    number = read_integer(text)
    if number < 1:
        raise ValueError("a whole number from 1 on")
    return number


def read_at_most(most: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from 1 to a largest one."""

    def read(text: str) -> int:
        number = read_integer(text)
        if not 1 <= number <= most:
            raise ValueError(f"a whole number from 1 to {most}")
        return number

    return read


def read_amount(text: str) -> float:
    """Return a number that is not negative."""
    number = read_number(text)
    if not 0 <= number <= LARGEST:
        raise ValueError(f"a number from 0 to {LARGEST}")
    return number


def read_share(text: str) -> float:
    """Return a number from 0 to 1."""
    number = read_number(text)
    if not 0 <= number <= 1:
        raise ValueError("a number from 0 to 1")
    return number


def read_seconds(text: str) -> float:
    """Return a number above 0."""
    number = read_number(text)
    if not 0 < number <= LARGEST:
        raise ValueError(f"a number above 0 and at most {LARGEST}")
    return number


_SCALARS: dict[Any, Callable[[str], Any]] = {
    bool: read_switch,
    int: read_integer,
    float: read_number,
    str: str,
}


def read_as(hint: Any, text: str) -> Any:
    """Return a text as a value of a type: one of the scalars, or a sequence of one of them.

    Of a choice of types a list is taken for a text with a plus in it.
    """
    if hint in _SCALARS:
        return _SCALARS[hint](text)
    if get_origin(hint) in (Union, types.UnionType):
        lists = [one for one in get_args(hint) if _is_sequence(one)]
        others = [one for one in get_args(hint) if one in _SCALARS]
        return read_as((lists if PLUS in text or not others else others)[0], text)
    if not _is_sequence(hint):
        raise ValueError("nothing that a text can say")
    (member,) = get_args(hint)
    try:
        return [read_as(member, part) for part in text.split(PLUS)]
    except ValueError as error:
        raise ValueError(f"a list joined by {PLUS}, each {error}") from None


def _is_sequence(hint: Any) -> bool:
    origin = get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, Sequence) and len(get_args(hint)) == 1


# ---------------------------------------------------------------- tables of options


@dataclass(frozen=True)
class Option:
    """How the text of an option is read, and what it means."""

    read: Callable[[str], Any]
    help: str


def read_options(
    texts: Mapping[str, str], known: Mapping[str, Option], what: str
) -> dict[str, Any]:
    """Return the values of options; `what` has them, for the sentence about a wrong one."""
    values = {}
    for key, text in texts.items():
        if key not in known:
            raise UnknownName(f"option of {what}", key, known or ["(it has no options)"])
        try:
            values[key] = known[key].read(text)
        except ValueError as error:
            sentence = f"{key}={text} is wrong: {key} ({known[key].help}) is {error}."
            raise PlywiseError(sentence) from None
    return values


def read_arguments(
    texts: Mapping[str, str], function: Callable[..., Any], what: str
) -> dict[str, Any]:
    """Return texts as arguments of a function: its parameters with a default, by their types."""
    hints = get_type_hints(function)
    parameters = inspect.signature(function).parameters.values()
    known = [one.name for one in parameters if one.default is not inspect.Parameter.empty]
    values = {}
    for key, text in texts.items():
        if key not in known:
            raise UnknownName(f"setting of {what}", key, known or ["(it has no settings)"])
        try:
            values[key] = read_as(hints[key], text)
        except ValueError as error:
            raise PlywiseError(f"{key}={text} is wrong: {key} of {what} is {error}.") from None
    return values
