"""The scheduler: plays many games at once, each with players that play in no other.

A game's seed follows from the match's seed and the game's number, and players start every
game afresh; so with budgets of depth or nodes a game does not depend on who else plays.
"""

import contextlib
import itertools
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from plywise.arena.game_limits import GameLimits
from plywise.arena.openings import Openings
from plywise.arena.referee import FAULTS, Referee
from plywise.errors import PlywiseError
from plywise.formats import GameFile, Transcript
from plywise.game import Game
from plywise.players import Player, make_player
from plywise.system.background import on_interrupt
from plywise.system.parallel import run_tasks
from plywise.system.stopping import StopToken


def numbered(names: Iterable[str]) -> tuple[str, ...]:
    """Return names that all differ: who comes again is numbered, from `#2` on."""
    found: list[str] = []
    for name in names:
        versions = (name if count == 1 else f"{name} #{count}" for count in itertools.count(1))
        found.append(next(version for version in versions if version not in found))
    return tuple(found)


@dataclass(frozen=True)
class Fixture:
    """A game to be played."""

    number: int  # from 1 on
    sides: tuple[int, int]  # who plays side 0 and side 1: indices of players
    opening: int  # index


@dataclass(frozen=True)
class Contest:
    """What all games of a match or tournament have in common."""

    game: Game
    players: Sequence[str | Player]
    openings: Openings
    limits: GameLimits
    seed: int

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise PlywiseError(f"A seed is 0 or more, not {self.seed}.")


class Scheduler:
    """Plays fixtures until they end or `stop` is called, from any thread.

    Games are played by twins of the contest's players, as many of each as games are under way.
    `close` closes all that was made here; players that were handed in remain their owner's.
    """

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.is_interrupted = False
        self._stop = StopToken()
        self._referee = Referee(contest.game, contest.limits, self._stop)
        self._lock = threading.Lock()
        self._made: dict[int, Player] = {}  # by identity
        try:
            self._players = [self._open(player) for player in contest.players]
        except BaseException:
            self.close()
            raise
        self._idle: list[list[Player]] = [[] for _ in self._players]  # twins, by player
        self.names = numbered(player.name for player in self._players)

    def __enter__(self) -> "Scheduler":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def warm_up(self) -> None:
        """Get a twin of every player ready, before any game: code is compiled, programs start."""
        for index, player in enumerate(self._players):
            twin = self._keep(player.twin())
            twin.new_game(0)
            self._idle[index].append(twin)

    def play(
        self, fixtures: Iterable[Fixture], jobs: int = 0, first: int = 1
    ) -> Generator[Transcript]:
        """Yield the finished games in the order of their numbers, which begin with the first."""
        answers = run_tasks(self._play_one, self._until_stopped(fixtures), jobs)
        try:
            yield from in_order((answer for answer in answers if answer is not None), first)
        finally:  # also when nobody wants the rest: then what is under way has to end
            self.stop()
            for _ in answers:
                pass

    def stop(self) -> None:
        """Break off the games under way and begin no others."""
        self._stop.set()

    def stopping_after(self, seconds: float | None) -> contextlib.AbstractContextManager[None]:
        """Stop when so many seconds have passed inside the block; None: never."""
        return self._stop.set_after(seconds)

    def interrupt(self) -> None:
        """Stop because somebody wants to."""
        self.is_interrupted = True
        self.stop()

    def close(self) -> None:
        """Close all players that were made here."""
        for player in list(self._made.values()):
            self._dismiss(player)

    def _until_stopped(self, fixtures: Iterable[Fixture]) -> Iterator[Fixture]:
        for fixture in fixtures:
            if self._stop.is_set():
                return
            yield fixture

    def _play_one(self, fixture: Fixture) -> Transcript | None:
        contest = self.contest
        first, second = fixture.sides
        players = self._take(first), self._take(second)
        seed = np.random.SeedSequence([contest.seed, fixture.number]).generate_state(1)[0]
        played = self._referee.play(players, contest.openings[fixture.opening], int(seed))
        if played is not None and played.kind in FAULTS:  # one may still be busy, or broken
            for player in players:
                self._dismiss(player)
        else:
            for index, player in zip(fixture.sides, players, strict=True):
                self._idle[index].append(player)
        names = self.names[first], self.names[second]
        return None if played is None else replace(played, number=fixture.number, players=names)

    def _open(self, player: str | Player) -> Player:
        if not isinstance(player, str):
            return player
        return self._keep(make_player(player, self.contest.game))

    def _keep(self, player: Player) -> Player:
        """Remember a player that was made here, so that it is closed."""
        with self._lock:
            self._made[id(player)] = player
        return player

    def _take(self, index: int) -> Player:
        """Return a twin of a player that plays in no other game."""
        try:
            return self._idle[index].pop()
        except IndexError:
            return self._keep(self._players[index].twin())

    def _dismiss(self, player: Player) -> None:
        with self._lock:
            self._made.pop(id(player), None)
        with contextlib.suppress(Exception):  # how a player goes decides nothing any more
            player.close()


def in_order(transcripts: Iterable[Transcript], first: int = 1) -> Iterator[Transcript]:
    """Yield games by their numbers, each as soon as all before it have come; gaps at the end."""
    waiting: dict[int, Transcript] = {}
    wanted = first
    for transcript in transcripts:
        waiting[transcript.number] = transcript
        while wanted in waiting:
            yield waiting.pop(wanted)
            wanted += 1
    for number in sorted(waiting):
        yield waiting[number]


def play_all(
    scheduler: Scheduler,
    fixtures: Iterable[Fixture],
    take: Callable[[Transcript], bool],
    jobs: int = 0,
    save: Path | None = None,
    played: Sequence[Transcript] = (),
    limit: float | None = None,
) -> float:
    """Play fixtures, save each game and have it taken, in order; stop where `take` says False.

    The first ones may be `played` already. Return how many seconds the others took. Ctrl-C breaks
    off the games under way, and so does the limit in seconds; those that are finished have been
    taken and saved.
    """
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(GameFile(save, scheduler.contest.game)) if save else None

        def keep(transcript: Transcript) -> bool:
            if file is not None:
                file.write(transcript)
            return take(transcript)

        goes_on = all(keep(transcript) for transcript in played)
        scheduler.warm_up()
        started = time.perf_counter()
        stack.enter_context(on_interrupt(scheduler.interrupt))
        stack.enter_context(scheduler.stopping_after(limit))
        first = len(played) + 1
        left = (fixture for fixture in fixtures if goes_on and fixture.number >= first)
        games = stack.enter_context(contextlib.closing(scheduler.play(left, jobs, first)))
        for transcript in games:
            if not goes_on:
                continue  # games that were under way when the last one decided
            goes_on = keep(transcript)
            if not goes_on:
                scheduler.stop()
    return time.perf_counter() - started
