"""Configurations: frozen dataclasses whose field docs become help, saved as TOML.

A string that stands below a field says what the field means:

    @dataclass(frozen=True)
    class Config:
        depth: int = 4
        \"\"\"Plies that every player searches.\"\"\"
"""

import ast
import dataclasses
import functools
import inspect
import json
import math
import textwrap
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from plywise.errors import PlywiseError, UnknownName
from plywise.settings.options import MOST, read_as

Config = TypeVar("Config")

KINDS = {int: "a whole number", float: "a number", bool: "on or off", str: "a text"}
PLAIN_TYPES = tuple(KINDS)


class BadConfig(PlywiseError):
    """A configuration with a value that cannot be."""


def field_docs(kind: type[Any]) -> dict[str, str]:
    """Return what the strings below the fields say, by field."""
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    if not isinstance(body, ast.ClassDef):
        return {}
    docs = {}
    for statement, below in zip(body.body, body.body[1:], strict=False):
        if (
            isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            docs[statement.target.id] = " ".join(below.value.value.split())
    return docs


def _hints(kind: Any) -> dict[str, Any]:
    return _all_hints(kind)


_all_hints = functools.cache(get_type_hints)


def choices(kind: type[Any], name: str) -> tuple[Any, ...]:
    """Return the values that a field may have, if they are listed."""
    hint = _hints(kind)[name]
    return get_args(hint) if get_origin(hint) is Literal else ()


class Setting(NamedTuple):
    """What help, or a form, says of a field."""

    name: str
    default: Any
    choices: tuple[Any, ...]  # none: any value of the default's type
    help: str


def list_settings(kind: type[Any]) -> list[Setting]:
    """Return all fields of a configuration with their defaults and what they mean."""
    docs = field_docs(kind)
    return [
        Setting(field.name, field.default, choices(kind, field.name), docs.get(field.name, ""))
        for field in dataclasses.fields(kind)
    ]


def require_settings(kind: Any) -> None:
    """Raise unless a class can be a configuration: a dataclass of plain fields with defaults."""
    if not (isinstance(kind, type) and dataclasses.is_dataclass(kind)):
        raise BadConfig(f"Settings are a dataclass, not {kind!r}.")
    hints = _hints(kind)
    for field in dataclasses.fields(kind):
        if field.default is dataclasses.MISSING:
            raise BadConfig(f"The setting {field.name} of {kind.__name__} has no default.")
        if hints[field.name] not in PLAIN_TYPES and not choices(kind, field.name):
            raise BadConfig(
                f"The setting {field.name} of {kind.__name__} is int, float, bool, str or a "
                f"Literal of texts, not {hints[field.name]}."
            )


def parse_value(kind: type[Any], name: str, text: str) -> Any:
    """Return the value that a text gives to a field."""
    hint = _hints(kind)[name]
    listed = choices(kind, name)
    if listed:
        return text
    try:
        return read_as(hint, text)
    except ValueError as error:
        raise BadConfig(f"{name} is {error}, not {text!r}.") from None


def build(kind: type[Config], values: Mapping[str, Any]) -> Config:
    """Return a configuration; a wrong name is answered with the nearest, a wrong value refused."""
    defaults = {field.name: field.default for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    hints = _hints(kind)
    for name, value in values.items():
        if name not in defaults:
            raise UnknownName("setting", name, defaults)
        listed = choices(kind, name)
        if listed and value not in listed:
            raise BadConfig(f"{name} is one of {', '.join(listed)}, not {value!r}.")
        wanted = str if listed else hints[name]
        number = wanted is float and isinstance(value, int) and not isinstance(value, bool)
        if not number and type(value) is not wanted:
            raise BadConfig(f"{name} is {KINDS[wanted]}, not {value!r}.")
        _require_possible(name, value, defaults[name])
    return kind(**values)


def _require_possible(name: str, value: Any, default: Any) -> None:
    """Raise for numbers that are never meant: a negative one has to be the default of its field."""
    if type(value) is int and not min(0, default) <= value <= MOST:
        lowest = "0" if default >= 0 else str(default)
        raise BadConfig(f"{name} is a whole number from {lowest} on, not {value}.")
    if type(value) is float and not math.isfinite(value):
        raise BadConfig(f"{name} is a finite number, not {value}.")


def require_least(config: Any, bounds: Mapping[int, str]) -> None:
    """Raise unless settings, named in a text for each bound, are that or more."""
    for least, names in bounds.items():
        for name in names.split():
            if getattr(config, name) < least:
                raise BadConfig(f"{name} is {least} or more, not {getattr(config, name)}.")


def with_texts(config: Config, texts: Mapping[str, str]) -> Config:
    """Return a configuration with some fields given as texts, as on a command line."""
    kind = type(config)
    fields = [field.name for field in dataclasses.fields(config)]  # type: ignore[arg-type]
    values = dataclasses.asdict(config)  # type: ignore[call-overload]
    for name, text in texts.items():
        if name not in fields:
            raise UnknownName("setting", name, fields)
        values[name] = parse_value(kind, name, text)
    return build(kind, values)


def format_toml(values: Mapping[str, Any], docs: Mapping[str, str]) -> str:
    """Return flat settings as TOML, each with what it means above it."""
    lines = []
    for name, value in values.items():
        if name in docs:
            lines.append(f"# {docs[name]}")
        lines.append(f"{name} = {json.dumps(value)}")
    return "\n".join(lines) + "\n"


def parse_toml(data: bytes) -> dict[str, Any]:
    """Return the settings in the bytes of a TOML file."""
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError:
        raise BadConfig("The configuration is not a text.") from None
    except RecursionError:
        raise BadConfig("The configuration is nested too deeply.") from None
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(f"The configuration is not TOML: {error}.") from None


def read_toml(path: Path) -> dict[str, Any]:
    """Return the settings of a TOML file."""
    try:
        return parse_toml(path.read_bytes())
    except OSError as error:
        raise BadConfig(f"{path} cannot be read: {error.strerror}.") from None
    except BadConfig as error:
        raise BadConfig(f"{path}: {error}") from None
