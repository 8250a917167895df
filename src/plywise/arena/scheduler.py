"""The scheduler: where many games are played at once, each worker with players of its own.

A game's seed follows from the match's seed and the game's number, and players start every
game afresh; so with budgets of depth or nodes a game does not depend on who else plays.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from plywise.arena.game_limits import GameLimits
from plywise.arena.openings import Openings
from plywise.arena.referee import FAULTS, Contestant, Referee
from plywise.errors import PlywiseError
from plywise.formats import GameFile, Transcript
from plywise.game import Game
from plywise.players import Player, parse_player
from plywise.system.parallel import on_interrupt, run_tasks

WARM_PLIES = 3  # enough for what a search does only with memories of earlier moves


@dataclass(frozen=True)
class Entrant:
    """A name and how the player behind it is made; every worker makes its own."""

    name: str
    make: Callable[[], Contestant]


def entrants_of(players: Sequence[str | Entrant], game: Game) -> list[Entrant]:
    """Return entrants with names of their own: who comes twice is numbered the second time."""
    entrants: list[Entrant] = []
    for player in players:
        entrant = _from_text(player, game) if isinstance(player, str) else player
        names = {other.name for other in entrants}
        count = next(n for n in range(1, len(names) + 2) if _numbered(entrant.name, n) not in names)
        entrants.append(replace(entrant, name=_numbered(entrant.name, count)))
    return entrants


def _numbered(name: str, count: int) -> str:
    return name if count == 1 else f"{name} #{count}"


def _from_text(text: str, game: Game) -> Entrant:
    spec = parse_player(text)
    return Entrant(spec.text, lambda: spec.make(game))


@dataclass(frozen=True)
class Fixture:
    """A game to be played."""

    number: int  # from 1 on
    sides: tuple[int, int]  # who plays side 0 and side 1: indices of entrants
    opening: int  # index


@dataclass(frozen=True)
class Setting:
    """All that the games of a match or tournament have in common."""

    game: Game
    entrants: Sequence[Entrant]
    openings: Openings
    limits: GameLimits
    seed: int

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise PlywiseError(f"A seed is 0 or more, not {self.seed}.")


class Scheduler:
    """Plays fixtures until they end or `stop` is called, from any thread."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.is_interrupted = False
        self._stopping = threading.Event()
        self._is_empty = threading.Event()
        self._referee = Referee(setting.game, setting.limits, self._stopping)
        self._own = threading.local()
        self._present: list[Contestant] = []

    def warm_up(self) -> None:
        """Have the players' code compiled, and their names and models checked, before any game."""
        opening = self.setting.openings[0]
        brief = GameLimits(len(opening.moves) + WARM_PLIES, move_seconds=0.001, grace=1e6)
        referee = Referee(self.setting.game, brief)
        for entrant in self.setting.entrants:
            player = entrant.make()
            if isinstance(player, Player):
                referee.play((player, player), opening, seed=0)

    def play(self, fixtures: Iterable[Fixture], jobs: int = 0) -> Generator[Transcript]:
        """Yield the finished games in the order of their numbers."""
        answers = run_tasks(self._play_one, self._until_stopped(fixtures), jobs)
        try:
            yield from in_order(answer for answer in answers if answer is not None)
        finally:  # also when nobody wants the rest: then what is under way has to end
            self.stop()
            for _ in answers:
                pass
            self._is_empty.set()

    def stop(self) -> None:
        """Break off the games under way and begin no others."""
        if not self._stopping.is_set():
            self._stopping.set()
            threading.Thread(target=self._keep_stopping, daemon=True).start()

    def interrupt(self) -> None:
        """Stop because somebody wants to."""
        self.is_interrupted = True
        self.stop()

    def _keep_stopping(self) -> None:
        """Stop all players again and again: a search that begins clears its flag."""
        while not self._is_empty.wait(0.02):
            for player in list(self._present):
                with contextlib.suppress(Exception):  # it loses nothing but time
                    player.stop()

    def _until_stopped(self, fixtures: Iterable[Fixture]) -> Iterator[Fixture]:
        for fixture in fixtures:
            if self._stopping.is_set():
                return
            yield fixture

    def _play_one(self, fixture: Fixture) -> Transcript | None:
        setting = self.setting
        first, second = fixture.sides
        players = self._player(first), self._player(second)
        seed = np.random.SeedSequence([setting.seed, fixture.number]).generate_state(1)[0]
        played = self._referee.play(players, setting.openings[fixture.opening], int(seed))
        if played is None:
            return None
        if played.kind in FAULTS:
            self._dismiss(fixture)
        names = setting.entrants[first].name, setting.entrants[second].name
        return replace(played, number=fixture.number, players=names)

    def _player(self, index: int) -> Contestant:
        """Return this worker's player for an entrant."""
        own: dict[int, Contestant] = self._own.__dict__.setdefault("players", {})
        if index not in own:
            own[index] = self.setting.entrants[index].make()
            self._present.append(own[index])
        return own[index]

    def _dismiss(self, fixture: Fixture) -> None:
        """Forget players one of whom went wrong: it may still be busy, or broken."""
        for index in fixture.sides:
            self._present.remove(self._own.players.pop(index))


def in_order(transcripts: Iterable[Transcript]) -> Iterator[Transcript]:
    """Yield games by their numbers, each as soon as all before it have come; gaps at the end."""
    waiting: dict[int, Transcript] = {}
    wanted = 1
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
) -> float:
    """Play fixtures, save each game and have it taken, in order; stop where `take` says False.

    Return how many seconds the games took. Ctrl-C breaks off the games under way; those that
    are finished have been taken and saved.
    """
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(GameFile(save, scheduler.setting.game)) if save else None
        scheduler.warm_up()
        started = time.perf_counter()
        stack.enter_context(on_interrupt(scheduler.interrupt))
        games = stack.enter_context(contextlib.closing(scheduler.play(fixtures, jobs)))
        goes_on = True
        for transcript in games:
            if not goes_on:
                continue  # games that were under way when the last one decided
            if file is not None:
                file.write(transcript)
            goes_on = take(transcript)
            if not goes_on:
                scheduler.stop()
    return time.perf_counter() - started
