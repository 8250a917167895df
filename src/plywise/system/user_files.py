"""Python files that a user brings: loaded once, their errors told with the line.

Loading such a file runs it. Whoever names one means that; a saved game or a run that names one is
data, and nobody expects data to run programs. So the files that were named are remembered by their
digests in the folder of the user's state, and data may have run what is remembered only.
"""

import hashlib
import importlib.util
import re
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from platformdirs import user_state_path

from plywise.errors import PlywiseError
from plywise.system.folder import Folder
from plywise.system.source_files import BadFile

MODULE = "plywise_user_"  # how the names of modules begin that are users' files
GIVEN_TWICE = re.compile(r"multiple values for (?:keyword )?argument '(\w+)'")
BROKEN = (Exception, SystemExit)  # whatever a user's file may raise


class Unknown(PlywiseError):
    """A Python file that data name, and that the user has not."""


def is_user_file(name: str) -> bool:
    """Return whether the name of a game or a learner is that of a Python file."""
    return name.partition(":")[0].endswith(".py")


def require_known(name: str, source: Path) -> None:
    """Raise if data of a source would have a Python file run that the user never named as it is.

    Names that are no files, of built-in games and learners, are always known.
    """
    if not is_user_file(name):
        return
    path = Path(name.partition(":")[0])
    if not path.is_file():
        raise Unknown(f"{source} belongs to {path}, which is not there; name the file that it is.")
    if _key(path) not in sys.modules and _digest(path) not in _known().names():
        raise Unknown(
            f"{source} would run {path}, which you have not used in its present form: look into "
            f"it, then name it yourself, as in plywise check {path}."
        )


def remember(path: Path) -> None:
    """Let data have this file run from now on, as it is, if there is a place to note that."""
    try:
        folder, digest = _known(), _digest(path)
        if digest not in folder.names():
            folder.make()
            folder.write(digest, str(path.resolve()).encode(errors="replace"))
    except BadFile:
        pass


def were_seen(rules: str) -> bool:
    """Return whether rules with this key were looked at, here and with nothing found."""
    return _name_of(rules) in _looked_at().names()


def remember_rules(rules: str) -> None:
    """Note that nothing was found in rules, if there is a place to note that."""
    try:
        _looked_at().make()
        _looked_at().write(_name_of(rules), rules.encode())
    except BadFile:
        pass


def _name_of(rules: str) -> str:
    return hashlib.sha256(rules.encode()).hexdigest()


def _looked_at() -> Folder:
    """Return the folder with an entry for all rules that were looked at."""
    return Folder(user_state_path("plywise") / "rules")


def _key(path: Path) -> str:
    """Return the name of the module that a file becomes."""
    return f"{MODULE}{path.resolve().as_posix()}"


def _known() -> Folder:
    """Return the folder with an entry for every file that was named."""
    return Folder(user_state_path("plywise") / "files")


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror}.") from None


def load_file(path: Path) -> ModuleType:
    """Return the module in a Python file; an error in it is told with its line."""
    key = _key(path)
    if key in sys.modules:
        return sys.modules[key]
    spec = importlib.util.spec_from_file_location(key, path)
    if spec is None or spec.loader is None:
        raise PlywiseError(f"{path} cannot be loaded as a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[key] = module
    try:
        spec.loader.exec_module(module)
    except PlywiseError:
        del sys.modules[key]
        raise
    except BROKEN as error:
        del sys.modules[key]
        line = next((f.lineno for f in _frames(error) if _is_at(f.filename, path)), None)
        where = f"{path}, line {line}" if line else str(path)
        raise PlywiseError(f"{where}: {_words_of(error)}") from error
    remember(path)
    return module


def _words_of(error: BaseException) -> str:
    """Return what is wrong in a file that could not be loaded."""
    told = error.msg if isinstance(error, SyntaxError) else str(error)
    twice = GIVEN_TWICE.search(told)
    return f"`{twice[1]}` is given twice." if twice else f"{type(error).__name__}: {told}"


def place_of(error: BaseException) -> str:
    """Return the innermost line of a user's file that an error came through, if any."""
    files = {
        getattr(module, "__file__", None)
        for name, module in list(sys.modules.items())
        if name.startswith(MODULE)
    }
    frames = reversed(traceback.extract_tb(error.__traceback__))
    found = next((frame for frame in frames if frame.filename in files), None)
    return f"{found.filename}, line {found.lineno}" if found else ""


def _is_at(filename: str | None, path: Path) -> bool:
    return filename is not None and Path(filename).resolve() == path.resolve()


def _frames(error: BaseException) -> list[Any]:
    if isinstance(error, SyntaxError):
        return [error]
    return list(reversed(traceback.extract_tb(error.__traceback__)))
