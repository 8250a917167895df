"""Files that are written in the background: a disk takes its time, and nobody shall wait for it."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from plywise.errors import PlywiseError
from plywise.system.atomic import write_atomically


class Saver:
    """Writes the newest content of a file; what was overtaken meanwhile is never written."""

    def __init__(self, path: Path, complain: Callable[[str], None]) -> None:
        self._path, self._complain = path, complain
        self._data: bytes | None = None  # that is yet to be written
        self._writing: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        return self._writing is not None

    def save(self, data: bytes) -> None:
        """Have the file hold this, in a moment."""
        self._data = data
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        try:
            while self._data is not None:
                data, self._data = self._data, None
                await asyncio.to_thread(write_atomically, self._path, data)
        except PlywiseError as error:
            self._complain(str(error))
        finally:
            self._writing = None

    async def finish(self) -> None:
        """Wait until all is written."""
        if self._writing is not None:
            await self._writing
