"""Files as they are, plain or compressed: what a file begins with says which of both.

.gz, .bz2, .xz and .zst are unpacked while they are read, in constant memory.
"""

import bz2
import errno
import gzip
import lzma
import stat
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, cast

from plywise.errors import PlywiseError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LONGEST_MAGIC = 6
BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # what some programs put before a text in UTF-8
UNPACKERS: dict[bytes, tuple[str, Callable[[BinaryIO], object]]] = {
    b"\x1f\x8b": ("gzip", lambda file: gzip.GzipFile(fileobj=file)),
    b"BZh": ("bzip2", bz2.BZ2File),
    b"\xfd7zXZ\x00": ("xz", lzma.LZMAFile),
    b"\x28\xb5\x2f\xfd": ("zstd", zstd.ZstdFile),
}
ENDINGS = (".gz", ".bz2", ".xz", ".zst")
BROKEN = (EOFError, lzma.LZMAError, zlib.error, zstd.ZstdError)


class BadFile(PlywiseError):
    """A file that cannot be read, or whose compressed data are broken."""


def reason_of(error: OSError | ValueError) -> str:
    """Return why the system refuses a file, in its own words."""
    return getattr(error, "strerror", None) or "no file can have this name"


class SourceFile:
    """A file of bytes that is read once from its begin to its end, unpacked if need be."""

    def __init__(self, path: Path) -> None:
        self.path, self.packing = path, ""
        try:
            require_finite(path)
            self._file: BinaryIO = path.open("rb")
            magic = self._file.read(LONGEST_MAGIC)
            self._file.seek(0)
        except (OSError, ValueError) as error:  # a name may be one that no file can have
            raise BadFile(f"{path} cannot be read: {reason_of(error)}.") from None
        self._content: BinaryIO = self._file
        for begin, (packing, unpack) in UNPACKERS.items():
            if magic.startswith(begin):
                self.packing, self._content = packing, cast(BinaryIO, unpack(self._file))

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, so many at most, none at the end; by default all that are left."""
        try:
            return self._content.read(size)
        except BROKEN:
            pass
        except OSError as error:  # gzip and bzip2 know no other error for data that are broken
            if not self.packing or error.strerror:
                raise BadFile(f"{self.path} cannot be read: {error.strerror}.") from None
        raise BadFile(
            f"{self.path} is broken or cut off: its {self.packing} data end before their end."
        )

    def __enter__(self) -> "SourceFile":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._content is not self._file:
            self._content.close()
        self._file.close()


def require_finite(path: Path) -> None:
    """Raise an OSError for a device, whose data may never end."""
    mode = path.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise OSError(errno.EINVAL, "it is a device")


def read_text(path: Path) -> str:
    """Return the text of a file, plain or compressed."""
    with SourceFile(path) as file:
        return decode(file.read().removeprefix(BYTE_ORDER_MARK))


def decode(data: bytes) -> str:
    """Return a text in UTF-8, or in Latin-1 where it is not that."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def plain_name(path: Path) -> Path:
    """Return a name without the ending that tells of packing: games.pgn for games.pgn.zst."""
    return path.with_suffix("") if path.suffix.lower() in ENDINGS else path
