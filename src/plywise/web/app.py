"""The app: pages, the API under /api, and the WebSocket."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from plywise import __version__
from plywise.errors import PlywiseError
from plywise.web.board import Conflict, NoBoard
from plywise.web.documents import NoDocument
from plywise.web.jobs import NoJob
from plywise.web.offices import NoGame
from plywise.web.options import ServeOptions
from plywise.web.processes import BadRules, Broken, Busy
from plywise.web.reports import POLICY, read_report
from plywise.web.routes import router
from plywise.web.seating import Taken
from plywise.web.security import Guard
from plywise.web.socket import Page, sentence_of
from plywise.web.state import State

STATIC = Path(__file__).parent / "static"
VIEWS = ("", "play", "analysis", "train", "arena", "papers", "strength", "api")  # of addresses
STATUS: dict[type[PlywiseError], int] = {  # others are 400
    Taken: 403,
    NoBoard: 404,
    NoGame: 404,
    NoJob: 404,
    NoDocument: 404,
    Conflict: 409,
    Busy: 503,
    BadRules: 400,
    Broken: 500,
}


def make_app(options: ServeOptions) -> Guard:
    """Return the app behind its guard."""
    state = State(options)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await state.offices.start()
        yield
        await state.close()

    app = FastAPI(
        title="Plywise",
        version=__version__,
        description="Board games: rules, players, analyses, boards, trainings and matches.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # theirs come from the internet; ours is the page /api
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.plywise = state
    app.include_router(router)
    _add_errors(app)
    _add_pages(app, state)
    _describe(app)
    return Guard(app, options)


def _add_errors(app: FastAPI) -> None:
    """Answer whatever goes wrong with one sentence."""

    async def wrong(request: Request, error: Exception) -> JSONResponse:
        status = next((s for kind, s in STATUS.items() if isinstance(error, kind)), 400)
        return JSONResponse({"error": str(error)}, status)

    async def unreadable(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return JSONResponse({"error": sentence_of(error.errors()[0])}, 400)

    async def refused(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        return JSONResponse({"error": f"{error.detail}."}, error.status_code, error.headers)

    app.add_exception_handler(PlywiseError, wrong)
    app.add_exception_handler(RequestValidationError, unreadable)
    app.add_exception_handler(HTTPException, refused)


def _add_pages(app: FastAPI, state: State) -> None:
    """Serve the page for every address that is a view, the files it needs, and its socket."""

    async def page() -> FileResponse:
        return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})

    for view in VIEWS:
        app.get(f"/{view}", include_in_schema=False)(page)
        if view not in ("", "api"):
            app.get(f"/{view}/{{name}}", include_in_schema=False)(page)

    @app.get("/reports/{name:path}", include_in_schema=False)
    def report(name: str) -> HTMLResponse:
        data = read_report(state.options.runs, name)
        return HTMLResponse(data, headers={"Content-Security-Policy": POLICY})

    @app.websocket("/socket")
    async def socket(connection: WebSocket) -> None:
        await Page(connection, state).serve()

    app.mount("/static", Files(directory=STATIC), name="static")


class Files(StaticFiles):
    """Static files that browsers ask again for, so that an update is seen at once."""

    def file_response(self, *args: Any, **kwargs: Any) -> Any:
        """Return a file with a header about keeping it."""
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response


def _describe(app: FastAPI) -> None:
    """Let the description of the API say that a wrong request is a 400, as it is."""

    def describe() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title,
                version=app.version,
                description=app.description,
                routes=app.routes,
            )
            for path in schema["paths"].values():
                for operation in path.values():
                    operation["responses"].pop("422", None)
            for name in ("HTTPValidationError", "ValidationError"):
                schema["components"]["schemas"].pop(name, None)
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = describe  # type: ignore[method-assign]
