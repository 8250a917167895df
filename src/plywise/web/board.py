"""A board: a game that people and programs play now. It is a file, so it outlives the server."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from plywise.errors import PlywiseError
from plywise.live.saves import HUMAN
from plywise.web.hub import Hub
from plywise.web.offices import Offices
from plywise.web.processes import BadRules
from plywise.web.saving import Saver
from plywise.web.seating import FREE, require_seated, with_freed, with_taken

FORMAT = "plywise-board-1"
THINKING = 300.0  # seconds after which a move that does not come is given up
PAUSE = 0.35  # seconds between the moves of programs among themselves, for eyes to follow


class NoBoard(PlywiseError):
    """A board that is not there."""


class Conflict(PlywiseError):
    """What was asked came too late: the board has moved on."""


@dataclass
class Sheet:
    """All that a board's file keeps."""

    id: str
    game: str
    seats: list[str]  # HUMAN, or the text of a player, one for each player of the game
    holders: list[str] = field(default_factory=list)  # the badge of every seat, FREE if none
    start: str = "start"
    moves: list[str] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)  # the seat of every move
    clock: list[float] | None = None  # seconds for the game, and for each move more
    left: list[float] = field(default_factory=list)  # of every seat
    ending: dict[str, Any] | None = None  # by resignation or by the clock; the rules tell others
    seed: int = 0
    created: float = field(default_factory=time.time)
    format: str = FORMAT

    def __post_init__(self) -> None:
        self.holders = self.holders or [FREE] * len(self.seats)


KINDS: dict[type, tuple[str, ...]] = {  # of what stands in the lists of a sheet
    str: ("seats", "holders", "moves"),
    int: ("movers",),
    float: ("clock", "left"),
}


def read_sheet(text: str, name: str) -> Sheet:
    """Return what the file of a board keeps; raise ValueError or TypeError if that is damaged."""
    sheet = Sheet(**json.loads(text))
    texts, numbers = (sheet.game, sheet.start), (sheet.seed, sheet.created)
    is_whole = sheet.id == name and all(isinstance(one, str) for one in texts)
    is_whole = is_whole and all(isinstance(one, int | float) for one in numbers)
    if not is_whole or not all(_is_list_of(kind, sheet) for kind in KINDS):
        raise ValueError("a field is wrong")
    return sheet


def _is_list_of(kind: type, sheet: Sheet) -> bool:
    """Return whether the fields of a sheet that are lists of a kind of thing are that."""
    allowed = (int, float) if kind is float else (kind,)
    fields = [[] if one is None else one for one in (getattr(sheet, n) for n in KINDS[kind])]
    return all(
        isinstance(each, list) and all(isinstance(one, allowed) for one in each) for each in fields
    )


class Board:
    """A game under way."""

    def __init__(self, sheet: Sheet, folder: Path, offices: Offices, hub: Hub) -> None:
        self.sheet = sheet
        self.position: dict[str, Any] = {}
        self.thought: dict[str, Any] | None = None
        self.problem = ""
        self._is_hopeless = False  # whether rules failed a program here, as they would again
        self._saver = Saver(folder / f"{sheet.id}.json", self._complain)
        self._offices, self._hub = offices, hub
        self._lock = asyncio.Lock()
        self._thinking: asyncio.Task[None] | None = None
        self._flag: asyncio.Task[None] | None = None
        self._since = time.monotonic()  # when the present move began
        self._news = ""
        self._version = time.time_ns() // 1000  # of what is shown; grows, also over restarts

    @property
    def topic(self) -> str:
        return f"board:{self.sheet.id}"

    @property
    def is_busy(self) -> bool:
        is_active = self._thinking is not None or self._hub.count(self.topic) > 0
        return is_active or self._saver.is_busy

    def ending(self) -> dict[str, Any] | None:
        """Return how the game has ended, None while it goes on."""
        ending: dict[str, Any] | None = self.sheet.ending or self.position["ending"]
        return ending

    def view(self) -> dict[str, Any]:
        """Return all that a page shows."""
        return {
            "id": self.sheet.id,
            "version": self._version,
            "game": self.sheet.game,
            "seats": self.sheet.seats,
            "holders": self.sheet.holders,
            "present": self._present(),
            "start": self.sheet.start,
            "moves": self.sheet.moves,
            "movers": self.sheet.movers,
            "clock": self.sheet.clock,
            "left": self._left_now(),
            "position": self.position,
            "ending": self.ending(),
            "is_thinking": self._thinking is not None and self._is_programs_turn(),
            "news": self._news,
            "thought": self.thought,
            "problem": self.problem,
        }

    def _present(self) -> list[bool]:
        """Return of every seat whether the browser that has it looks at the board."""
        badges = self._hub.badges(self.topic)
        return [holder in badges for holder in self.sheet.holders]

    # ------------------------------------------------------------ rules

    async def open(self) -> None:
        """Look at the position, and let a program move whose turn it is."""
        self.position = await self._look(self.sheet.moves)
        self._since = time.monotonic()
        self._go_on()

    async def _look(self, moves: list[str]) -> dict[str, Any]:
        return await self._offices.position(self.sheet.game, self.sheet.start, moves)

    async def play(self, text: str, ply: int | None = None, badge: str = FREE) -> None:
        """Play a move, which takes a free seat; `ply` says after how many moves it was meant."""
        async with self._lock:
            if self.ending() is not None:
                raise Conflict("The game is over.")
            if ply is not None and ply != len(self.sheet.moves):
                raise Conflict("The game has gone on: look at the board again.")
            seat = self.position["seat"]
            if self.sheet.seats[seat] != HUMAN:
                raise Conflict("It is not a person's turn.")
            holders = with_taken(self.sheet.seats, self.sheet.holders, seat, badge)
            position = await self._look([*self.sheet.moves, text])
            self.sheet.holders = holders
            self._move(position, seat)

    def _move(self, position: dict[str, Any], seat: int) -> None:
        """Go on to the position after a move of a seat."""
        self._stop_clock(seat)
        self.sheet.moves = position["history"]
        self.sheet.movers.append(seat)
        self.position = position
        self._changed()

    def _changed(self) -> None:
        """Keep the board, tell everybody, and let a program move whose turn it is."""
        self.problem, self._is_hopeless = "", False
        self.save()
        self._since = time.monotonic()
        self._go_on()
        self.tell()

    def tell(self) -> None:
        """Show everybody the board."""
        self._version += 1
        self._hub.publish(self.topic, self.view())

    def save(self) -> None:
        """Have the board's file written."""
        self._saver.save(json.dumps(asdict(self.sheet), ensure_ascii=False).encode())

    def _complain(self, sentence: str) -> None:
        self.problem = sentence
        self.tell()

    # ------------------------------------------------------------ programs

    def _is_programs_turn(self) -> bool:
        return self.ending() is None and self.sheet.seats[self.position["seat"]] != HUMAN

    def _go_on(self) -> None:
        self._set_flag()
        if self._thinking is None and self._is_programs_turn():
            self._thinking = asyncio.create_task(self._think())

    async def _think(self) -> None:
        """Let programs move until it is a person's turn, the game is over or nobody looks."""
        try:
            while self._is_programs_turn():
                if HUMAN not in self.sheet.seats:
                    await asyncio.sleep(PAUSE)
                await self._let_move(self.position["seat"])
        except PlywiseError as error:
            self._thinking = None
            self._is_hopeless = isinstance(error, BadRules)
            self._complain(str(error))
        finally:
            self._thinking = None
            self._news = ""

    async def _let_move(self, seat: int) -> None:
        given = {**self._given(), "player": self.sheet.seats[seat], "seat": seat}
        given["seed"] = self.sheet.seed + seat
        if self.sheet.clock:
            given["clock"] = [self._left_now()[seat], self.sheet.clock[1]]
        found = await self._offices.choose(given, self._hear, THINKING)
        async with self._lock:
            self.thought = {**found, "seat": seat, "ply": len(self.sheet.moves)}
            self._news = ""
            self._move(await self._look([*self.sheet.moves, found["move"]]), seat)

    def _given(self) -> dict[str, Any]:
        sheet = self.sheet
        return {"game": sheet.game, "start": sheet.start, "moves": sheet.moves, "board": sheet.id}

    def _hear(self, news: dict[str, Any]) -> None:
        word = "compiling" if "compiling" in news else ""
        if word != self._news:
            self._news = word
            self.tell()

    async def pause(self) -> None:
        """Let programs stop thinking."""
        if self._thinking is not None:
            self._thinking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._thinking

    @contextlib.asynccontextmanager
    async def _at_rest(self) -> AsyncIterator[None]:
        """Change the board while programs rest; they go on, also if the change is refused."""
        await self.pause()
        async with self._lock:
            try:
                yield
            finally:
                self._go_on()

    def resume(self) -> None:
        """Let a program go on whose turn it is, unless the rules fail here."""
        if self.position and not self._is_hopeless:
            self._go_on()

    # ------------------------------------------------------------ clocks

    def _is_running(self) -> bool:
        """Return whether somebody's time runs: not before the first move, nor after the end."""
        has_begun = bool(self.sheet.clock and self.position and self.sheet.moves)
        return has_begun and self.ending() is None

    def _left_now(self) -> list[float]:
        """Return what is left to every seat, with what the present move has taken so far."""
        left = list(self.sheet.left)
        if self._is_running():
            left[self.position["seat"]] -= time.monotonic() - self._since
        return [max(0.0, seconds) for seconds in left]

    def _stop_clock(self, seat: int) -> None:
        if self.sheet.clock:
            self.sheet.left = self._left_now()
            self.sheet.left[seat] += self.sheet.clock[1]

    def _set_flag(self) -> None:
        """Have the game end when the time of whoever is to move has run out."""
        if self._flag is not None and self._flag is not asyncio.current_task():
            self._flag.cancel()
        self._flag = None
        if self._is_running():
            self._flag = asyncio.create_task(self._wait_for_flag(self.position["seat"]))

    async def _wait_for_flag(self, seat: int) -> None:
        await asyncio.sleep(self._left_now()[seat])
        async with self._lock:
            if self.ending() is None and self._left_now()[seat] <= 0:
                self._stop_clock(seat)
                self._end(seat, "time", "runs out of time")

    # ------------------------------------------------------------ what else people do

    def take(self, seat: int, badge: str) -> None:
        """Let whoever has a badge sit on a seat, and nobody else."""
        self._let_sit(with_taken(self.sheet.seats, self.sheet.holders, seat, badge))

    def free(self, seat: int, badge: str) -> None:
        """Let nobody have a seat, so that anybody can take it."""
        present = self._hub.badges(self.topic)
        self._let_sit(with_freed(self.sheet.holders, seat, badge, present))

    def _let_sit(self, holders: list[str]) -> None:
        if self.sheet.holders != holders:
            self.sheet.holders = holders
            self.save()
            self.tell()

    async def undo(self, badge: str = FREE) -> None:
        """Take back to where a person was last to move."""
        require_seated(self.sheet.seats, self.sheet.holders, badge)
        async with self._at_rest():
            sheet = self.sheet
            turns = [ply for ply, seat in enumerate(sheet.movers) if sheet.seats[seat] == HUMAN]
            if sheet.ending is None and not turns:
                raise PlywiseError("There is no move of yours to take back.")
            if sheet.ending is None:
                sheet.moves, sheet.movers = sheet.moves[: turns[-1]], sheet.movers[: turns[-1]]
            sheet.ending, self.thought = None, None
            self.position = await self._look(sheet.moves)
            self._changed()

    async def resign(self, seat: int | None, badge: str = FREE) -> None:
        """Give up for a seat: an own one, the one whose turn it is, or the only person."""
        require_seated(self.sheet.seats, self.sheet.holders, badge)
        async with self._at_rest():
            if self.ending() is not None:
                raise Conflict("The game is over.")
            people = [one for one, who in enumerate(self.sheet.seats) if who == HUMAN]
            chosen = self._resigning(people, badge) if seat is None else seat
            if chosen not in people:
                raise PlywiseError("Only a person can resign, for a seat of the board.")
            with_taken(self.sheet.seats, self.sheet.holders, chosen, badge)
            self._end(chosen, "resignation", "resigns")

    def _resigning(self, people: list[int], badge: str) -> int:
        turn: int = self.position["seat"]
        own = [seat for seat in people if badge != FREE and self.sheet.holders[seat] == badge]
        return next((group[0] for group in (own, people) if len(group) == 1), turn)

    def _end(self, seat: int, reason: str, verb: str) -> None:
        loser = self._offices.side_of(self.sheet.game, seat)
        names = self._offices.side_names(self.sheet.game)
        sentence = f"{names[loser]} {verb}, {names[1 - loser]} wins."
        score = -1 if loser == 0 else 1
        self.sheet.ending = {"score": score, "reason": reason, "sentence": sentence}
        self._changed()

    async def seat(self, seats: list[str], badge: str = FREE) -> None:
        """Let others play from here on."""
        require_seated(self.sheet.seats, self.sheet.holders, badge)
        async with self._at_rest():
            self.sheet.holders = [
                holder if seats[one] == HUMAN else FREE
                for one, holder in enumerate(self.sheet.holders)
            ]
            self.sheet.seats = seats
            self._changed()

    async def close(self) -> None:
        """Stop all that goes on here."""
        if self._flag is not None:
            self._flag.cancel()
        await self.pause()
        await self._saver.finish()
