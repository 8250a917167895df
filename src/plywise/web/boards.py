"""All boards: those that are open in memory, and those in their files."""

import asyncio
import contextlib
import json
import secrets
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plywise.live.saves import HUMAN
from plywise.web.board import Board, NoBoard, Sheet, read_sheet
from plywise.web.hub import Hub
from plywise.web.offices import Offices
from plywise.web.seating import is_shared

MOST_OPEN = 400  # boards in memory; others are in their files
MOST_KEPT = 5000  # files; the oldest go
GRACE = 5.0  # seconds in which a page that was reloaded comes back


class Boards:
    """All boards: those that are open, and those in their files."""

    def __init__(self, folder: Path, offices: Offices, hub: Hub) -> None:
        self._folder, self._offices, self._hub = folder, offices, hub
        self._open: OrderedDict[str, Board] = OrderedDict()
        self._opening: dict[str, asyncio.Task[Board]] = {}
        folder.mkdir(parents=True, exist_ok=True)

    async def create(self, fill: Callable[[Sheet], None], game: str, seats: list[str]) -> Board:
        """Return a new board, having checked that its players can play and its position is one."""
        for seat in {seat for seat in seats if seat != HUMAN}:
            await self._offices.check_player(game, seat)
        sheet = Sheet(secrets.token_urlsafe(9), game, seats, seed=secrets.randbits(31))
        fill(sheet)
        board = Board(sheet, self._folder, self._offices, self._hub)
        await board.open()
        sheet.moves = board.position["history"]
        board.save()
        self._remember(board)
        self._prune()
        return board

    async def get(self, name: str) -> Board:
        """Return a board by its name."""
        if name in self._open:
            self._open.move_to_end(name)
            self._open[name].resume()
            return self._open[name]
        if name not in self._opening:
            self._opening[name] = asyncio.create_task(self._read(name))
        try:
            return await asyncio.shield(self._opening[name])
        finally:
            self._opening.pop(name, None)

    async def _read(self, name: str) -> Board:
        is_name = name and len(name) <= 40 and name.replace("-", "").replace("_", "").isalnum()
        path = self._folder / f"{name}.json"
        if not is_name or not path.is_file():
            raise NoBoard("There is no such board.")
        try:
            sheet = read_sheet(path.read_text(encoding="utf-8"), name)
        except (ValueError, TypeError, OSError, RecursionError):
            raise NoBoard("The file of this board cannot be read.") from None
        board = Board(sheet, self._folder, self._offices, self._hub)
        await board.open()
        self._remember(board)
        return board

    def _remember(self, board: Board) -> None:
        self._open[board.sheet.id] = board
        for name, other in list(self._open.items()):
            if len(self._open) <= MOST_OPEN:
                break
            if not other.is_busy:
                del self._open[name]

    def _prune(self) -> None:
        """Delete the oldest files where there are too many."""
        files = list(self._folder.glob("*.json"))
        if len(files) <= MOST_KEPT:
            return
        files.sort(key=lambda path: path.stat().st_mtime)
        for path in files[: len(files) - MOST_KEPT]:
            if path.stem not in self._open:
                path.unlink(missing_ok=True)

    def recent(self, count: int) -> list[dict[str, Any]]:
        """Return the boards that were played on last."""
        files = sorted(self._folder.glob("*.json"), key=lambda path: -path.stat().st_mtime)
        found = []
        for path in files[:count]:
            with contextlib.suppress(ValueError, OSError, KeyError, TypeError):
                sheet = json.loads(path.read_text(encoding="utf-8"))
                kept = {name: sheet[name] for name in ("id", "game", "seats", "created")}
                found.append({**kept, "plies": len(sheet["moves"])})
        return found

    def looked_at(self, topic: str) -> None:
        """Tell those who look at a board that somebody came or went."""
        board = self._open.get(topic.removeprefix("board:"))
        if board is not None and is_shared(board.sheet.seats):
            board.tell()

    def left(self, topic: str) -> None:
        """Let programs rest on a board that nobody has looked at for a while."""
        board = self._open.get(topic.removeprefix("board:"))
        if board is not None and topic.startswith("board:"):
            asyncio.get_running_loop().call_later(GRACE, self._rest, board)

    def _rest(self, board: Board) -> None:
        if self._hub.count(board.topic) == 0:
            asyncio.ensure_future(board.pause())  # noqa: RUF006 - it ends by itself

    async def close(self) -> None:
        """Stop all that goes on."""
        for board in self._open.values():
            await board.close()
