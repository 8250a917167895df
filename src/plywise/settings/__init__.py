"""Settings: dataclasses whose field docs become help, and texts that set them."""

from plywise.settings.fields import (
    BadConfig,
    build,
    choices,
    field_docs,
    format_toml,
    parse_value,
    read_toml,
    with_texts,
)
from plywise.settings.options import Option, parse_options

__all__ = [
    "BadConfig",
    "Option",
    "build",
    "choices",
    "field_docs",
    "format_toml",
    "parse_options",
    "parse_value",
    "read_toml",
    "with_texts",
]
