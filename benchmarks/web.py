"""Many boards at once: how long a click takes, and whether anything goes wrong.

    python benchmarks/web.py --boards 50 --moves 6 --trainings 2

Every board has a person, who clicks a moment after it is their turn, and an opponent at 0.1 s a
move. Needs plywise[dev]. The times are those of the request of a click, from sending to the answer.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import websockets

OPPONENT = "alphabeta,seconds=0.1"
PATIENCE = 300.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--boards", type=int, default=50)
    parser.add_argument("--moves", type=int, default=6, help="of the person on each board")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds before a click, at most")
    parser.add_argument("--trainings", type=int, default=0, help="that run meanwhile")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        process, address = serve(Path(folder))
        try:
            report = asyncio.run(measure(address, asked))
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)
    print(json.dumps(report, indent=2))


def serve(folder: Path) -> tuple["subprocess.Popen[str]", str]:
    """Start a server; return it and its address."""
    program = [sys.executable, "-c", "from plywise.cli import main; main()", "serve", "--port", "0"]
    where = [f"--{name}={folder / name}" for name in ("boards", "runs", "contests")]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [*program, *where], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    return process, process.stdout.readline().split()[-1]


async def measure(address: str, asked: argparse.Namespace) -> dict[str, Any]:
    """Return what playing on all boards at once comes to."""
    limits = httpx.Limits(max_connections=asked.boards)
    async with httpx.AsyncClient(base_url=address, timeout=PATIENCE, limits=limits) as client:
        await warm_up(client, asked.game)
        runs = [await train(client, asked.game) for _ in range(asked.trainings)]
        clicks: list[float] = []
        faults: list[str] = []
        started = time.perf_counter()
        players = (play(client, address, asked, clicks, faults) for _ in range(asked.boards))
        await asyncio.gather(*players)
        seconds = time.perf_counter() - started
        for run in runs:
            await client.post(f"/api/runs/{run}/stop")
    clicks.sort()
    return {
        "boards": asked.boards,
        "trainings": len(runs),
        "clicks": len(clicks),
        "errors": faults,
        "seconds": round(seconds, 1),
        **{f"p{p}_ms": round(1000 * clicks[(len(clicks) - 1) * p // 100], 1) for p in (50, 95, 99)},
    }


async def warm_up(client: httpx.AsyncClient, game: str) -> None:
    """Let every process compile or load what it needs."""
    form = {"game": game, "player": OPPONENT}
    await asyncio.gather(*(client.post("/api/choose", json=form) for _ in range(4)))
    await asyncio.gather(*(client.post("/api/positions", json={"game": game}) for _ in range(4)))


async def train(client: httpx.AsyncClient, game: str) -> str:
    answer = await client.post("/api/runs", json={"game": game, "learner": "patterns"})
    answer.raise_for_status()
    return str(answer.json()["name"])


async def play(
    client: httpx.AsyncClient,
    address: str,
    asked: argparse.Namespace,
    clicks: list[float],
    faults: list[str],
) -> None:
    """Play on one board with a socket of its own, and note how long clicks take."""
    chance = random.Random()
    try:
        form = {"game": asked.game, "seats": ["human", OPPONENT]}
        board = (await client.post("/api/boards", json=form)).raise_for_status().json()["id"]
        async with websockets.connect(f"{address.replace('http', 'ws')}socket") as socket:
            await socket.send(json.dumps({"join": f"board:{board}"}))
            for _ in range(asked.moves):
                view = await my_turn(socket)
                if view["ending"]:
                    break
                move = chance.choice(view["position"]["moves"])["text"]
                await asyncio.sleep(asked.pause * chance.random())
                before = time.perf_counter()
                answer = await client.post(f"/api/boards/{board}/moves", json={"move": move})
                clicks.append(time.perf_counter() - before)
                answer.raise_for_status()
    except (httpx.HTTPError, OSError, TimeoutError, websockets.WebSocketException) as error:
        faults.append(repr(error))


async def my_turn(socket: Any) -> Any:
    """Return the board as soon as it is the person's turn, or the game is over."""
    while True:
        data = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))["data"]
        if data.get("problem"):
            raise OSError(data["problem"])
        is_mine = data["position"]["seat"] == 0 and not data["is_thinking"]
        if data["ending"] or is_mine:
            return data


if __name__ == "__main__":
    main()
