"""Settings: dataclasses whose field docs become help, and texts that set them."""

from plywise.settings.fields import (
    BadConfig,
    Setting,
    build,
    choices,
    field_docs,
    format_toml,
    list_settings,
    parse_value,
    read_toml,
    require_settings,
    with_texts,
)

__all__ = [
    "BadConfig",
    "Setting",
    "build",
    "choices",
    "field_docs",
    "format_toml",
    "list_settings",
    "parse_value",
    "read_toml",
    "require_settings",
    "with_texts",
]
