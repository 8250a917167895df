"""Python files that a user brings: loaded once, their errors told with the line."""

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from plywise.errors import PlywiseError


def load_file(path: Path) -> ModuleType:
    """Return the module in a Python file; an error in it is told with its line."""
    key = f"plywise_user_{path.resolve().as_posix()}"
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
    except Exception as error:
        del sys.modules[key]
        line = next((f.lineno for f in _frames(error) if Path(f.filename) == path), None)
        where = f"{path}, line {line}" if line else str(path)
        raise PlywiseError(f"{where}: {type(error).__name__}: {error}") from error
    return module


def _frames(error: BaseException) -> list[Any]:
    if isinstance(error, SyntaxError):
        return [error]
    return list(reversed(traceback.extract_tb(error.__traceback__)))
