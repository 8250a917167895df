"""Running commands in this process, where compiled kernels are shared, or in one of their own."""

import io
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from plywise.cli import run

PROGRAM = [sys.executable, "-c", "from plywise.cli import main; main()"]


@dataclass(frozen=True)
class Done:
    """What a command did."""

    code: int
    out: str
    err: str


Plywise = Callable[..., Done]


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def plywise(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Plywise:
    """Return a function that runs a command here; `typed` is what comes from standard input."""

    def call(*arguments: str, typed: str = "") -> Done:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        code = run(arguments)
        printed = capsys.readouterr()
        told = [line for line in printed.err.splitlines() if not line.startswith("Compiling ")]
        news = [line for line in told if not line.endswith(" ...")]  # said while one waits
        return Done(code, printed.out, "\n".join(news))

    return call


def run_apart(*arguments: str, **environment: str) -> Done:
    """Run a command in a process of its own."""
    done = subprocess.run(
        [*PROGRAM, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)
