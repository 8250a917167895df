"""Who may ask: the same origin, with the token if there is one, and not too much at once."""

import json
import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

from plywise.web.options import LOOPBACK, ServeOptions

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST_BODY = 1 << 20  # bytes
COOKIE = "plywise_token"
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Stands before the app: refuses strangers and too large bodies, and adds safe headers."""

    def __init__(self, app: App, options: ServeOptions) -> None:
        self._app, self._options = app, options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1").lower(): text.decode("latin-1")
            for name, text in scope["headers"]
        }
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        status, sentence = self._refusal(headers, query)
        if status:
            await _refuse(scope, send, status, sentence)
        elif self._options.token and scope["type"] == "http" and "token" in query:
            await self._welcome(scope["path"], send)
        else:
            await self._app(scope, _bounded(receive), _with_headers(send))

    def _refusal(self, headers: dict[str, str], query: dict[str, list[str]]) -> tuple[int, str]:
        """Return the status and the sentence by which a request is refused, 0 if it is not."""
        host = headers.get("host", "")
        if self._options.host in LOOPBACK and _name(host) not in LOOPBACK:
            return 403, "This server is for this machine only: open it as localhost."
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return 403, "Pages of other sites may not use this server."
        if (
            headers.get("sec-fetch-site") == "cross-site"
            and headers.get("sec-fetch-mode") != "navigate"
        ):
            return 403, "Pages of other sites may not use this server."
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            return 413, f"A request has at most {LARGEST_BODY} bytes."
        if self._options.token and not self._has_token(headers, query):
            return 401, "A token is needed: open the address that the server printed."
        return 0, ""

    def _has_token(self, headers: dict[str, str], query: dict[str, list[str]]) -> bool:
        cookie = SimpleCookie(headers.get("cookie", ""))
        given: Iterable[str] = (
            headers.get("authorization", "").removeprefix("Bearer "),
            cookie[COOKIE].value if COOKIE in cookie else "",
            *query.get("token", []),
        )
        wanted = self._options.token.encode()
        return any(secrets.compare_digest(one.encode(), wanted) for one in given)

    async def _welcome(self, path: str, send: Send) -> None:
        """Keep the token in a cookie, and lead to the page without it in the address."""
        cookie = f"{COOKIE}={self._options.token}; HttpOnly; SameSite=Strict; Path=/"
        where = "/" + path.lstrip("/")
        headers = [(b"location", where.encode()), (b"set-cookie", cookie.encode())]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def _name(host: str) -> str:
    """Return the name in a Host header, without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


async def _refuse(scope: Scope, send: Send, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": sentence})
        return
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps({"error": sentence}).encode()})


def _bounded(receive: Receive) -> Receive:
    """Return what reads a request and cuts a body off that is larger than it said."""
    total = 0

    async def read() -> MutableMapping[str, Any]:
        nonlocal total
        message = await receive()
        if message["type"] == "http.request":
            total += len(message.get("body", b""))
            if total > LARGEST_BODY:
                return {"type": "http.disconnect"}
        return message

    return read


def _with_headers(send: Send) -> Send:
    async def write(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            own = list(message.get("headers", []))
            known = {name.lower() for name, _ in own}  # a page may have a policy of its own
            more = [(name.lower().encode(), text.encode()) for name, text in HEADERS.items()]
            message["headers"] = own + [one for one in more if one[0] not in known]
        await send(message)

    return write
