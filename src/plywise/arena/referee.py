"""The referee: plays one game between two players and trusts neither.

illegal move, or none     the player loses
crash                     the player loses; the reason has the message
forfeit                   the player loses, by what it says of itself: an engine that is gone
overtime                  the player loses, whatever its move is
too long                  a draw
"""

import functools
import operator
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import SupportsIndex

import numpy as np

from plywise.arena.game_limits import GameLimits
from plywise.arena.openings import Opening
from plywise.errors import Forfeit
from plywise.evaluators import default_evaluator, make_evaluator
from plywise.evaluators.model import Model
from plywise.formats.transcript import Transcript
from plywise.game import Game
from plywise.game.record import Ending, Record
from plywise.players import Player
from plywise.search.limits import Clock
from plywise.system.background import Background
from plywise.system.stopping import StopToken

ILLEGAL, CRASH, OVERTIME = FAULTS = ("illegal move", "crash", "overtime")
TOO_LONG = "too long"
PATIENCE = 1.0  # seconds that a late player has to come to an end
MESSAGE = 200  # characters of an error that are kept


class Fault(Exception):
    """What a player may not do."""

    def __init__(self, side: int, reason: str) -> None:
        super().__init__(reason)
        self.side, self.reason = side, reason


class Stopped(Exception):
    """The game is broken off: nobody is to blame."""


@dataclass
class ScoreSheet:
    """A game under way and what the players have spent, by side."""

    record: Record
    left: list[float]  # seconds on the clocks
    nodes: list[int] = field(default_factory=lambda: [0, 0])
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])


class Referee:
    """Plays games under the same limits, until its token breaks them off."""

    def __init__(
        self,
        game: Game,
        limits: GameLimits,
        stop: StopToken | None = None,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.game, self.limits, self.now = game, limits, now
        self.stop = stop or StopToken()

    def play(
        self, players: tuple[Player, Player], opening: Opening, seed: int
    ) -> Transcript | None:
        """Return a game from an opening, players by side; None if it was broken off."""
        clock = self.limits.clock
        sheet = ScoreSheet(opening.record(self.game), [clock.remaining if clock else 0.0] * 2)
        try:
            self._greet(players, seed)
            ending = self._finish(players, sheet)
        except Fault as fault:
            ending = Ending(1 if fault.side == 1 else -1, fault.reason)
        except Stopped:
            return None
        return Transcript(
            game=self.game.name,
            players=(players[0].name, players[1].name),
            moves=tuple(sheet.record.texts()),
            score=ending.score,
            reason=ending.reason,
            start=opening.start,
            opening_plies=len(opening.moves),
            seed=seed,
            nodes=(sheet.nodes[0], sheet.nodes[1]),
            seconds=(round(sheet.seconds[0], 4), round(sheet.seconds[1], 4)),
            value=self._value(sheet.record) if is_endless(sheet.record, ending) else None,
        )

    @functools.cached_property
    def _judge(self) -> Model | None:
        """The handmade judgement of the game, where there is one."""
        name = default_evaluator(self.game)
        return None if name == "none" else Model(make_evaluator(name, self.game))

    def _value(self, record: Record) -> float | None:
        """Return the static value of the last position for side 0."""
        if self._judge is None:
            return None
        value = self._judge.value(record.position)
        return round(value if record.side == 0 else -value, 4)

    def _greet(self, players: tuple[Player, Player], seed: int) -> None:
        """Give each player a seed of its own."""
        seeds = np.random.SeedSequence(seed).generate_state(2)
        for side, player in enumerate(players):
            try:
                player.new_game(int(seeds[side]))
            except Exception as error:
                raise Fault(side, crash_reason(error)) from error

    def _finish(self, players: tuple[Player, Player], sheet: ScoreSheet) -> Ending:
        """Play on to the end."""
        record = sheet.record
        while True:
            ending = record.ending()
            if ending is not None:
                return ending
            if len(record.moves) >= self.limits.max_plies:
                return Ending(0, TOO_LONG)
            record.play(self._move(players[record.side], sheet))

    def _move(self, player: Player, sheet: ScoreSheet) -> int:
        """Return the player's move, which is legal and in time."""
        side = sheet.record.side
        clock = self.limits.clock_with(sheet.left[side])
        started = self.now()
        found = self._ask(player, copied(sheet.record), clock)
        spent = self.now() - started
        sheet.seconds[side] += spent
        if clock is not None:
            if spent > clock.remaining + self.limits.grace:
                raise Fault(side, f"{OVERTIME}: {spent:.2f} s of {clock.remaining:.2f} s")
            sheet.left[side] = max(0.0, clock.remaining - spent) + clock.increment
        move = move_of(found)
        if move is None or move not in map(int, sheet.record.legal_moves()):
            raise Fault(side, f"{ILLEGAL}: {shortened(found if move is None else move)}")
        sheet.nodes[side] += nodes_of(found)
        return move

    def _ask(self, player: Player, record: Record, clock: Clock | None) -> object:
        """Return the player's answer, if it comes in time."""
        side = record.side
        if self.stop.is_set():
            raise Stopped
        try:
            if clock is None:
                answer: object = player.choose(record, None, self.stop)
            else:
                answer = self._ask_in_time(player, record, clock)
        except Fault:
            raise
        except Exception as error:
            if self.stop.is_set():
                raise Stopped from error
            raise Fault(side, crash_reason(error)) from error
        if self.stop.is_set():  # the search was cut short, so its move is not the player's
            raise Stopped
        return answer

    def _ask_in_time(self, player: Player, record: Record, clock: Clock) -> object:
        """Return the player's answer; a late player is stopped, and has lost the game."""
        side, request = record.side, StopToken()
        with self.stop.heard_by(request.set):
            asked = Background(lambda: player.choose(record, clock, request))
            if not asked.wait(clock.remaining + self.limits.grace):
                request.set()
                asked.wait(PATIENCE)
                raise Stopped if self.stop.is_set() else Fault(side, f"{OVERTIME}: no move in time")
        return asked.answer()


def is_endless(record: Record, ending: Ending) -> bool:
    """Return whether a game led nowhere: a draw by repetition, by the clock or by its length."""
    if ending.reason in ("repetition", TOO_LONG):
        return True
    limit = record.game.rules.clock_limit
    is_drawn = ending.score == 0 and ending.reason == "draw"
    return bool(is_drawn and limit > 0 and record.game.clock(record.position) >= limit)


def copied(record: Record) -> Record:
    """Return a record that a player may do anything to."""
    copy = Record(record.game, record.start.copy())
    copy.positions = [position.copy() for position in record.positions]
    copy.moves, copy.keys = list(record.moves), list(record.keys)
    return copy


def move_of(found: object) -> int | None:
    """Return the move in an answer, None if there is none."""
    move = getattr(found, "move", None)
    return operator.index(move) if isinstance(move, SupportsIndex) else None


def nodes_of(found: object) -> int:
    """Return how many nodes an answer claims to have cost."""
    nodes = getattr(found, "nodes", 0)
    return int(nodes) if isinstance(nodes, int | np.integer) else 0


def crash_reason(error: Exception) -> str:
    """Return why a game was lost by an error, in one line."""
    if isinstance(error, Forfeit):
        return shortened(error)
    return f"{CRASH}: {type(error).__name__}: {shortened(error)}".rstrip(": ")


def shortened(value: object) -> str:
    """Return a value as one line of text that is not too long."""
    text = " ".join(str(value).split())
    return text if len(text) <= MESSAGE else f"{text[: MESSAGE - 3]}..."
