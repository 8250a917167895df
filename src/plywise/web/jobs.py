"""Jobs: trainings and contests as processes that outlive the server; folders tell how they are."""

import asyncio
import contextlib
import json
import re
import secrets
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plywise.errors import PlywiseError
from plywise.system.atomic import write_atomically
from plywise.web.offices import POLITE, Offices
from plywise.web.plans import NAME, Plan, is_running, require_name
from plywise.web.processes import Busy

COMMAND_LINE = f"import os; os.nice({POLITE}); from plywise.cli import main; main()"
START = 20.0  # seconds in which a training has its folder
SHOWN_GAMES = 500
PLANNED = ("players", "games", "sprt", "is_gauntlet", "created")  # what pages show of a plan


class NoJob(PlywiseError):
    """A run or a contest that is not there."""


class Jobs:
    """Starts, stops and tells of long work."""

    def __init__(self, offices: Offices) -> None:
        self._offices = offices
        self._started: list[subprocess.Popen[bytes]] = []

    def _require_room(self) -> None:
        """Raise if as many jobs are running as may; those of an earlier server are not counted."""
        self._started = [one for one in self._started if one.poll() is None]
        most = self._offices.options.most_jobs
        if len(self._started) >= most:
            raise Busy(f"{most} jobs are running, as many as may: stop one, or wait for it.")

    def _launch(self, arguments: list[str], log: Path) -> subprocess.Popen[bytes]:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as file:
            process = subprocess.Popen(
                [sys.executable, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,  # it goes on when the server ends
            )
        self._started.append(process)
        return process

    # ------------------------------------------------------------ trainings

    async def ask_runs(self, question: str, name: str = "") -> dict[str, Any]:
        """Return what is known of runs."""
        return await self._offices.ask_rules("runs", question=question, name=name)

    async def train(
        self, game: str, learner: str, settings: dict[str, str], minutes: float | None, name: str
    ) -> dict[str, Any]:
        """Start a new run, having checked that it can work; return how it is."""
        offices = self._offices
        for key, value in settings.items():
            _require_no_file(key, value)
        chosen = require_name(name or f"{learner}-{game}-{secrets.token_hex(2)}")
        folder = offices.options.runs / chosen
        if folder.exists():
            raise PlywiseError(f"There is a run {folder.name} already: choose another name.")
        self._require_room()
        given = {"game": game, "learner": learner, "settings": settings}
        await offices.ask_rules("check_training", **given)
        words = [f"{key}={value}" for key, value in settings.items()]
        arguments = ["train", offices.source(game), learner, *words, "--run", str(folder)]
        return await self._drive(folder, arguments, minutes)

    async def resume(self, name: str, minutes: float | None) -> dict[str, Any]:
        """Let a run go on that was stopped."""
        self._require_room()
        known = await self.ask_runs("resume", name)
        folder = self._offices.options.runs / name
        arguments = ["train", known["game"], "--resume", "--run", str(folder)]
        return await self._drive(folder, arguments, minutes)

    async def _drive(
        self, folder: Path, arguments: list[str], minutes: float | None
    ) -> dict[str, Any]:
        said = [*arguments, "--jobs", "1", "--json"]
        said += [] if minutes is None else ["--minutes", f"{minutes:g}"]
        begun = time.time()
        process = self._launch(["-c", COMMAND_LINE, *said], folder / "log.txt")
        while time.time() - begun < START:
            await asyncio.sleep(0.1)
            status = folder / "status.json"
            if status.is_file() and status.stat().st_mtime >= begun - 1:
                return await self.ask_runs("run", folder.name)
            if process.poll() not in (None, 0):
                raise PlywiseError(_last_line(folder / "log.txt"))
        raise Busy("The training has not begun yet: look at it again in a moment.")

    # ------------------------------------------------------------ contests

    def start_contest(self, plan: dict[str, Any]) -> dict[str, Any]:
        """Start a match or a tournament."""
        self._require_room()
        options = self._offices.options
        where = {"runs": str(options.runs.resolve()), "engines": dict(options.engines)}
        made = Plan(**{**plan, **where, "game": self._offices.source(plan["name"])})
        folder = options.contests / f"{made.name}-{secrets.token_hex(3)}"
        folder.mkdir(parents=True)
        data = json.dumps(asdict(made), ensure_ascii=False).encode()
        write_atomically(folder / "contest.json", data)
        return self._play(folder)

    def resume_contest(self, name: str) -> dict[str, Any]:
        """Let a contest go on that was stopped, or whose process is gone."""
        folder, standing = self._contest_folder(name), self.contest(name)["standing"]
        if standing["state"] != "stopped" or is_running(folder):
            raise PlywiseError("Only a match or tournament that was stopped can go on.")
        self._require_room()
        data = json.dumps({**standing, "state": "starting"}, ensure_ascii=False).encode()
        write_atomically(folder / "standing.json", data)
        return self._play(folder)

    def _play(self, folder: Path) -> dict[str, Any]:
        (folder / "stop").unlink(missing_ok=True)
        self._launch(["-m", "plywise.web.contest", str(folder)], folder / "log.txt")
        return self.contest(folder.name)

    def contest(self, name: str) -> dict[str, Any]:
        """Return a contest: what is played, and what it proves so far."""
        folder = self._contest_folder(name)
        plan = _told(folder / "contest.json", ("name", *PLANNED))
        told = {key: plan[key] for key in PLANNED}
        standing: dict[str, Any] = {"state": "starting"}
        if (folder / "standing.json").is_file():
            standing = _told(folder / "standing.json", ("state",))
        if standing["state"] in ("running", "starting") and self._is_dead(folder):
            standing["state"] = "stopped"
        return {"name": name, "game": plan["name"], "plan": told, "standing": standing}

    def _is_dead(self, folder: Path) -> bool:
        """Return whether nobody plays in a folder any more; a process takes a moment to begin."""
        begun = max(path.stat().st_mtime for path in folder.glob("*.json"))
        return time.time() - begun > START and not is_running(folder)

    def _contest_folder(self, name: str) -> Path:
        folder = self._offices.options.contests / name
        if not NAME.fullmatch(name) or not (folder / "contest.json").is_file():
            raise NoJob("There is no such match or tournament.")
        return folder

    def contests(self) -> list[dict[str, Any]]:
        """Return all contests, the newest first; what is damaged is none."""
        found = []
        for path in self._offices.options.contests.glob("*/contest.json"):
            with contextlib.suppress(NoJob):
                found.append(self.contest(path.parent.name))
        return sorted(found, key=lambda one: -one["plan"]["created"])

    def contest_games(self, name: str) -> list[dict[str, Any]]:
        """Return the finished games of a contest, the last ones first."""
        path = self._contest_folder(name) / "games.jsonl"
        if not path.is_file():
            return []
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()[-SHOWN_GAMES:]
        return [game for line in reversed(lines) if (game := _object(line)) is not None]

    def stop_contest(self, name: str) -> dict[str, Any]:
        """Ask a contest to stop at once; its finished games are kept."""
        (self._contest_folder(name) / "stop").touch()
        return self.contest(name)


def _told(path: Path, fields: tuple[str, ...]) -> dict[str, Any]:
    """Return what a file of a contest tells, with all of some fields."""
    try:
        found = _object(path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        found = None
    if found is None or not found.keys() >= {*fields} or not _is_time(found.get("created", 0)):
        raise NoJob(f"{path} cannot be read.")
    return found


def _is_time(value: object) -> bool:
    return isinstance(value, int | float)


def _object(text: str) -> dict[str, Any] | None:
    """Return the object that a JSON text is, None if it is damaged."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _require_no_file(key: str, value: str) -> None:
    """Raise if a setting may name a file: those are for the command line."""
    is_number = value.replace(".", "", 1).replace("-", "").isdigit()
    if not is_number and re.search(r"[/\\]|\.\w+$", value):
        raise PlywiseError(f"{key}={value} may name a file: that is for the command line only.")


def _last_line(log: Path) -> str:
    """Return why a training did not begin."""
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1].removeprefix("plywise: ") if lines else "The training did not begin."
