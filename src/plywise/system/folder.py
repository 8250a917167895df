"""A folder whose files are data, perhaps a stranger's: what is done in it stays in it.

Files are opened through a descriptor of the folder, links in it are never followed, and nothing
but a plain file is read or written: a link by the name of a checkpoint harms no file elsewhere, and
a pipe holds nobody up. The folder itself may be reached through links, as its user named it.
"""

import errno
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from plywise.system.source_files import BadFile, reason_of

READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
PARTIAL = ".partial"  # how the names of files end that are not whole yet


class Folder:
    """A folder, or one inside of it (`inside`), by which its files are reached."""

    def __init__(self, path: Path, inside: str = "") -> None:
        self._outer, self._inside = path, inside
        self.path = path / inside if inside else path

    def make(self) -> None:
        """Make the folder, with those that it lies in."""
        with self._told("made"):
            self._outer.mkdir(parents=True, exist_ok=True)
            if self._inside:
                self.path.mkdir(exist_ok=True)
        with self._told("made"), self._opened():
            pass

    def names(self) -> list[str]:
        """Return the names of all that is there, sorted; none where there is no folder."""
        try:
            with self._opened() as folder:
                return sorted(os.listdir(folder))
        except (OSError, ValueError):
            return []

    def has(self, name: str) -> bool:
        """Return whether there is something of a name, be it a link to nowhere."""
        return name in self.names()

    def read(self, name: str) -> bytes:
        """Return all bytes of a file."""
        with (
            self._told("read", name),
            self._opened() as folder,
            os.fdopen(os.open(name, READ, dir_fd=folder), "rb") as file,
        ):
            _require_plain(file.fileno())
            return file.read()

    def write(self, name: str, data: bytes) -> None:
        """Write a file so that it is there whole or not at all, even if the power fails."""
        partial = f"{name}.{os.getpid()}-{threading.get_ident()}{PARTIAL}"
        with self._told("written", name), self._opened() as folder:
            with suppress(FileNotFoundError):
                os.unlink(partial, dir_fd=folder)
            try:
                with os.fdopen(os.open(partial, CREATE, 0o666, dir_fd=folder), "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(partial, name, src_dir_fd=folder, dst_dir_fd=folder)
            except OSError:
                with suppress(OSError):
                    os.unlink(partial, dir_fd=folder)
                raise
            os.fsync(folder)

    def append(self, name: str, data: bytes) -> None:
        """Add to the end of a file."""
        with (
            self._told("written", name),
            self._opened() as folder,
            os.fdopen(os.open(name, APPEND, 0o666, dir_fd=folder), "ab") as file,
        ):
            _require_plain(file.fileno())
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def rename(self, name: str, new: str) -> None:
        """Give a file another name, in place of what has that name."""
        with self._told("renamed", name), self._opened() as folder:
            os.replace(name, new, src_dir_fd=folder, dst_dir_fd=folder)

    def remove(self, name: str) -> None:
        """Delete a file, or a link, if it is there."""
        with self._told("deleted", name), self._opened() as folder, suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """Open the folder; what is inside of another may not be a link."""
        folder = os.open(self._outer, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            if not self._inside:
                yield folder
                return
            inner = os.open(self._inside, READ | os.O_DIRECTORY, dir_fd=folder)
            try:
                yield inner
            finally:
                os.close(inner)
        finally:
            os.close(folder)

    @contextmanager
    def _told(self, what: str, name: str = "") -> Iterator[None]:
        """Tell in a sentence what cannot be done, and why."""
        try:
            yield
        except (OSError, ValueError) as error:  # a name may be one that no file can have
            path = self.path / name if name else self.path
            raise BadFile(f"{path} cannot be {what}: {_reason(error)}.") from None


def _require_plain(file: int) -> None:
    if not stat.S_ISREG(os.fstat(file).st_mode):
        raise OSError(errno.EINVAL, "it is not a plain file")


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, OSError) and error.errno == errno.ELOOP:
        return "it is a link, and links in such a folder are not followed"
    text = reason_of(error)
    return text[0].lower() + text[1:]
