"""Files that are there whole or not at all."""

import os
from pathlib import Path

from plywise.system.folder import Folder
from plywise.system.source_files import BadFile

PROBE = b"\0" * 4096  # enough to notice a disk that is full


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all, even if the power fails."""
    Folder(path.parent).write(path.name, data)


def require_writable(path: Path) -> None:
    """Raise unless a file can be written here, before work begins whose outcome it shall hold."""
    if "\0" in str(path):
        raise BadFile(f"{path} cannot be written: no file can have this name.")
    if not path.name or path.is_dir():
        raise BadFile(f"{path} cannot be written: it is a folder.")
    if not path.parent.is_dir():
        raise BadFile(f"{path} cannot be written: there is no folder {path.parent}.")
    if path.exists() and not path.is_file():
        raise BadFile(f"{path} cannot be written: it is not a plain file.")
    probe = f".plywise-{os.getpid()}.probe"
    folder = Folder(path.parent)
    try:
        folder.write(probe, PROBE)
    except BadFile as error:
        raise BadFile(str(error).replace(str(folder.path / probe), str(path))) from None
    folder.remove(probe)
