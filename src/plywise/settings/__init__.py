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

__all__ = [
    "BadConfig",
    "build",
    "choices",
    "field_docs",
    "format_toml",
    "parse_value",
    "read_toml",
    "with_texts",
]
