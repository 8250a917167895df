"""The server: a port that is free, the app on it, and a browser that looks at it."""

import contextlib
import os
import shutil
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterable
from dataclasses import replace
from urllib.parse import quote

import uvicorn

from plywise.errors import PlywiseError
from plywise.web.app import make_app
from plywise.web.options import ServeOptions

BROWSERS = ("x-www-browser", "www-browser", "firefox", "chromium", "google-chrome", "xdg-open")


def serve_app(
    options: ServeOptions,
    ports: Iterable[int],
    announce: Callable[[str], None],
    *,
    is_browser_wanted: bool = False,
) -> None:
    """Serve the app until Ctrl-C, on the first of some ports that is free."""
    listener = _listen(options.host, list(ports))
    chosen = replace(options, port=listener.getsockname()[1])
    config = uvicorn.Config(
        make_app(chosen),
        log_level="warning",
        ws_max_size=1 << 20,
        ws_per_message_deflate=False,  # news is short, and mostly goes nowhere
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    server = _Server(config, lambda: _greet(chosen, announce, is_browser_wanted))
    with contextlib.suppress(KeyboardInterrupt):
        server.run([listener])


class _Server(uvicorn.Server):
    """A server that tells when it is ready."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell."""
        await super().startup(sockets)
        if self.started:
            self._on_ready()


def _listen(host: str, ports: list[int]) -> socket.socket:
    """Return a socket on the first port that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for port in ports:
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            listener.close()
            reason = error.strerror
            continue
        listener.listen(256)
        return listener
    raise PlywiseError(f"{host} port {ports[0]} cannot be listened on: {reason}.")


def _greet(options: ServeOptions, announce: Callable[[str], None], is_browser_wanted: bool) -> None:
    host = f"[{options.host}]" if ":" in options.host else options.host
    token = f"?token={quote(options.token)}" if options.token else ""
    address = f"http://{host}:{options.port}/{token}"
    announce(address)
    if is_browser_wanted and has_browser():
        webbrowser.open(address)


def has_browser() -> bool:
    """Return whether there is a screen and a browser to open a page on it."""
    if sys.platform in ("darwin", "win32"):
        return True
    has_screen = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return has_screen and any(shutil.which(name) for name in BROWSERS)
