"""The cache of compiled code on disk: where it is, what is in it, one process at a time."""

import functools
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from filelock import FileLock
from numba.core.caching import FunctionCache
from platformdirs import user_cache_path

from plywise.errors import PlywiseError

PACKAGE = Path(__file__).parent.parent

WITHOUT_KERNELS = (
    *("arena", "cli", "live", "players", "protocols", "reports", "runs", "settings", "system"),
    "web",
)


def cache_root() -> Path:
    """Return the folder that holds the compiled code of every version."""
    chosen = os.environ.get("PLYWISE_CACHE_DIR")
    return Path(chosen) if chosen else user_cache_path("plywise", appauthor=False)


@functools.cache
def source_digest() -> str:
    """Return a digest of all sources that may be part of compiled code.

    Numba stamps a cache entry with the file of the outermost function only; naming the folder
    after all sources makes an edit anywhere start afresh. Packages in which nothing is compiled
    do not count.
    """
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE)
        if inside.parts[0] not in WITHOUT_KERNELS:
            digest.update(inside.as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


@functools.cache
def cache_folder() -> Path:
    """Return the folder for the machine code of these very sources."""
    checked = "-checked" if numba.config.BOUNDSCHECK else ""
    return cache_root() / f"{source_digest()}{checked}"


def cached_versions() -> list[tuple[Path, int, int]]:
    """Return (folder, files, bytes) for every version in the cache."""
    root = cache_root()
    folders = sorted(path for path in root.iterdir() if path.is_dir()) if root.is_dir() else []
    versions = []
    for folder in folders:
        sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
        versions.append((folder, len(sizes), sum(sizes)))
    return versions


def clear_cache(*, keep_current: bool = False) -> int:
    """Delete compiled code, all of it or all but the current version's; return the bytes freed."""
    freed = 0
    for folder, _, size in cached_versions():
        if not (keep_current and folder == cache_folder()):
            shutil.rmtree(folder)
            freed += size
    return freed


class LockedCache(FunctionCache):
    """Numba's cache on disk, one process at a time.

    Two processes that compile the same kernel for different games at once would choose the
    same file, and one would later be served the other's code.
    """

    def load_overload(self, signature: Any, context: Any) -> Any:
        with _lock():
            return super().load_overload(signature, context)

    def save_overload(self, signature: Any, data: Any) -> Any:
        with _lock():
            return super().save_overload(signature, data)


@contextmanager
def _lock() -> Iterator[None]:
    """Hold the lock of the cache's folder."""
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        lock = FileLock(cache_folder() / "lock")
        lock.acquire()
    except OSError as error:
        reason = (error.strerror or "it cannot be locked").lower()
        raise PlywiseError(
            f"Compiled code cannot be kept in {cache_root()} ({reason}): name another folder in "
            "the variable PLYWISE_CACHE_DIR."
        ) from None
    try:
        yield
    finally:
        lock.release()
