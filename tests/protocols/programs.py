"""Programs that are not part of this project, and may not be there."""

import pytest

from plywise.errors import PlywiseError
from plywise.protocols.process import find_program


def needs(command: str) -> pytest.MarkDecorator:
    """Return what skips a test where a program is not installed."""
    try:
        find_program(command)
        is_there = True
    except PlywiseError:
        is_there = False
    name = command.split()[0]
    return pytest.mark.skipif(
        not is_there, reason=f"{name} is not installed: run scripts/system-packages"
    )
