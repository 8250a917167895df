"""A match or tournament in a process and a folder of its own: it outlives pages and the server.

    contest.json     what is to be played
    players.json     the players' texts as they were at the beginning: models of runs go on learning
    games.jsonl      the games that are finished
    before.jsonl     those of them that were finished when it was resumed
    standing.json    what they prove so far
    lock, stop       of the process that plays; there when needed

Run as `python -m plywise.web.contest FOLDER`. One that was stopped, or killed, goes on when it is
run again.
"""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

from plywise.arena import Match, Sprt, Tournament, play_match, play_tournament
from plywise.arena.match import MatchResult, Scoreboard
from plywise.arena.rating import cross_table
from plywise.arena.tournament import TournamentResult, rate, tallies_of
from plywise.conformance import require_sound, sentence_of
from plywise.formats import Transcript, format_games, parse_games
from plywise.game import Game
from plywise.games import load_game
from plywise.system.atomic import write_atomically
from plywise.system.user_files import is_user_file
from plywise.system.watching import STUCK, crash_sentence, watched
from plywise.web.opponents import player_text
from plywise.web.plans import Plan, read_plan

POLITE = 10
LOOK = 0.5  # seconds between looks whether somebody wants it to stop
TELL = 0.5  # seconds between two standings, at least


class Standing:
    """What the games prove so far, written after each but not too often."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "standing.json"
        self._written = 0.0

    def write(self, make: Callable[[], dict[str, Any]], state: str = "running") -> None:
        """Write a standing; `make` is called if it is time."""
        if state == "running" and time.monotonic() - self._written < TELL:
            return
        self._written = time.monotonic()
        data = json.dumps({"state": state, **make()}, ensure_ascii=False)
        write_atomically(self._path, data.encode())


def play(folder: Path) -> None:
    """Play what a folder says, to the end or until somebody stops it."""
    plan, standing = read_plan(folder), Standing(folder)
    try:
        game = load_game(plan.game)
        require_sound(game, plan.game)
        texts = _players(plan, game, folder)
        played = _set_aside(folder, game)
        match = _play_match if len(texts) == 2 else _play_tournament
        standing.write(dict, "starting")
        result = match(Task(plan, game, texts, folder, played), standing)
        summary = result.summary()
        standing.write(lambda: summary, "stopped" if result.is_interrupted else "finished")
    except Exception as error:
        sentence = sentence_of(error)
        standing.write(lambda: {"error": sentence or "This went wrong; log.txt tells."}, "failed")
        if not sentence:
            raise


@dataclass(frozen=True)
class Task:
    """What is to be played in a folder, and what was already."""

    plan: Plan
    game: Game
    texts: list[str]  # of the players
    folder: Path
    played: list[Transcript]


def _players(plan: Plan, game: Game, folder: Path) -> list[str]:
    """Return the players' texts, the same ones when a contest is resumed."""
    kept = folder / "players.json"
    if not kept.is_file():
        texts = [player_text(one, game, Path(plan.runs), plan.engines) for one in plan.players]
        write_atomically(kept, json.dumps(texts, ensure_ascii=False).encode())
    known: list[str] = json.loads(kept.read_text(encoding="utf-8"))
    return known


def _set_aside(folder: Path, game: Game) -> list[Transcript]:
    """Return the finished games, in a file of their own: that of all games is written anew."""
    names, before = ("games.jsonl", "before.jsonl"), folder / "before.jsonl"
    played = max((_finished(folder / name, game) for name in names), key=len)
    if played:
        write_atomically(before, format_games(played, game, ".jsonl").encode())
    (folder / "games.jsonl").unlink(missing_ok=True)
    return played


def _finished(path: Path, game: Game) -> list[Transcript]:
    """Return the games of a file; whoever was killed may have left half a line at its end."""
    if not path.is_file():
        return []
    text = path.read_text(encoding="utf-8", errors="replace")
    return parse_games(text[: text.rfind("\n") + 1], game, ".jsonl")


def _play_match(task: Task, standing: Standing) -> MatchResult:
    plan = task.plan
    sprt = Sprt(plan.sprt[0], plan.sprt[1]) if plan.sprt else None
    players = task.texts[0], task.texts[1]
    match = Match(task.game, players, games=plan.games, sprt=sprt, seed=plan.seed)
    started = time.monotonic()

    def tell(board: Scoreboard) -> None:
        def summary() -> dict[str, Any]:
            first = board.records[0].players
            names = first if first[0] == board.first else (first[1], first[0])
            seconds = time.monotonic() - started
            so_far = (board.score, board.pentanomial, tuple(board.records), sprt, (), seconds)
            return MatchResult(names, *so_far, False).summary()

        standing.write(summary)

    return play_match(match, 1, task.folder / "games.jsonl", tell, task.played)


def _play_tournament(task: Task, standing: Standing) -> TournamentResult:
    plan = task.plan
    tournament = Tournament(
        task.game, task.texts, games=plan.games, is_gauntlet=plan.is_gauntlet, seed=plan.seed
    )
    records: list[Transcript] = []
    started = time.monotonic()

    def tell(played: Transcript) -> None:
        records.append(played)

        def summary() -> dict[str, Any]:
            names = tuple(dict.fromkeys(name for one in records for name in one.players))
            rated, notes = rate(records, names[0], plan.seed)
            table = cross_table(tallies_of(records))
            spent = time.monotonic() - started
            so_far = (tuple(rated), table, tuple(records), tuple(notes), spent)
            return TournamentResult(names, names[0], *so_far, False).summary()

        standing.write(summary)

    return play_tournament(tournament, 1, task.folder / "games.jsonl", tell, task.played)


def _watch(folder: Path) -> None:
    """Interrupt the play when somebody leaves the file `stop`; rules that are deaf are left."""
    while not (folder / "stop").exists():
        time.sleep(LOOK)
    signal.raise_signal(signal.SIGINT)
    time.sleep(STUCK)
    os._exit(1)


def _play_locked(folder: Path) -> int:
    """Play in a folder, and nobody else meanwhile."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    (folder / "stop").unlink(missing_ok=True)
    with FileLock(folder / "lock", timeout=1):
        threading.Thread(target=_watch, args=(folder,), daemon=True).start()
        play(folder)
    return 0


def _tell_crash(folder: Path, file: str) -> int:
    """Write that rules have crashed the process that played by them."""
    Standing(folder).write(lambda: {"error": crash_sentence(file)}, "failed")
    return 1


def main() -> None:
    """Play in the folder that the command line names, watched where rules may crash."""
    folder = Path(sys.argv[1])
    os.nice(POLITE)
    game = read_plan(folder).game
    if not is_user_file(game):
        sys.exit(_play_locked(folder))
    file = game.partition(":")[0]
    sys.exit(watched(lambda: _play_locked(folder), lambda: _tell_crash(folder, file)))


if __name__ == "__main__":
    main()
