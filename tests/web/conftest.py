"""A server of its own for the tests of the web app, and a browser that looks at it."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from conftest import EXAMPLES

PATIENCE = 180.0  # seconds: kernels may have to be compiled
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PROGRAM = "from plywise.cli import main; main()"
FILES = ("hex", "ataxx", "breakthrough", "clobber", "oware")  # games of the examples
GAMES = [str(EXAMPLES / f"{name}.py") for name in FILES]


@contextmanager
def serving(
    folder: Path,
    *more: str,
    port: int = 0,
    files: Sequence[str] = GAMES,
    program: str = PROGRAM,
) -> Iterator[str]:
    """Serve with all state in a folder; yield the address."""
    arguments = ["serve", *files, "--port", str(port), "--boards", str(folder / "boards")]
    arguments += ["--runs", str(folder / "runs"), "--contests", str(folder / "contests"), *more]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"}
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert "Plywise is at" in line, line
        yield line.split()[-1].partition("?")[0].rstrip("/")
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)
        process.stdout.close()
        for run in folder.glob("runs/*"):  # a training outlives the server, but not its test
            (run / "stop").touch()


@pytest.fixture(scope="session")
def web_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the server keeps all that it keeps."""
    return tmp_path_factory.mktemp("web")


@pytest.fixture(scope="session")
def server(web_folder: Path) -> Iterator[str]:
    """One server for all tests of a session."""
    with serving(web_folder) as address:
        yield address


@pytest.fixture(scope="session")
def api(server: str) -> Iterator["Api"]:
    """The API of that server."""
    with httpx.Client(base_url=server, timeout=PATIENCE) as client:
        yield Api(client)


class Api:
    """Requests that must succeed, and the client for those that must not."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client

    def get(self, path: str) -> Any:
        answer = self.client.get(f"/api{path}")
        assert answer.is_success, answer.text
        return answer.json()

    def post(self, path: str, **body: Any) -> Any:
        answer = self.client.post(f"/api{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def refused(self, path: str, status: int = 400, **body: Any) -> str:
        """Return the sentence by which a request is refused."""
        answer = self.client.post(f"/api{path}", json=body)
        assert answer.status_code == status, answer.text
        return str(answer.json()["error"])


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    if CHROMIUM is None:
        pytest.skip("no chromium: on Debian, apt-get install --no-install-recommends chromium")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser, server: str) -> Iterator[Page]:
    """A page of the server, on which no error may be printed."""
    with open_page(browser, server) as opened:
        yield opened


@contextmanager
def open_page(browser: Browser, server: str, **options: Any) -> Iterator[Page]:
    """Open a page; errors on its console are failures."""
    faults: list[str] = []
    context = browser.new_context(base_url=server, reduced_motion="reduce", **options)
    opened = context.new_page()
    opened.set_default_timeout(1000 * PATIENCE)
    expect.set_options(timeout=1000 * PATIENCE)
    opened.on("request", lambda asked: _require_here(asked.url, server, faults))
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda said: _note(said, faults))
    yield opened
    context.close()
    assert faults == []


def _require_here(address: str, server: str, faults: list[str]) -> None:
    """Keep an address of another server: nothing is loaded from the internet."""
    if not address.startswith((f"{server}/", "data:")):
        faults.append(f"asked for {address}")


def _note(said: ConsoleMessage, faults: list[str]) -> None:
    """Keep an error; that something was refused is none, though browsers print it."""
    if said.type == "error" and not re.search("status of 40[03]", said.text):
        faults.append(said.text)
