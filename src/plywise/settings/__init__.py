"""Settings: dataclasses whose field docs become help, and texts that set them."""

from plywise.settings.fields import (
    BadConfig,
    Setting,
    build,
    choices,
    field_docs,
    format_toml,
    list_settings,
    parse_toml,
    parse_value,
    read_toml,
    require_least,
    require_settings,
    with_texts,
)
from plywise.settings.options import Option, parse_options

__all__ = [
    "BadConfig",
    "Option",
    "Setting",
    "build",
    "choices",
    "field_docs",
    "format_toml",
    "list_settings",
    "parse_options",
    "parse_toml",
    "parse_value",
    "read_toml",
    "require_least",
    "require_settings",
    "with_texts",
]
