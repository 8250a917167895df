"""Engines that misbehave, each in its own way: `python misbehaving.py WAY`.

Before its turn to move every one of them is a well-behaved UCI engine for tic-tac-toe.
"""

import os
import signal
import subprocess
import sys
import time


def say(line: str) -> None:
    print(line, flush=True)


def sleep() -> None:
    time.sleep(600)


def crash() -> None:
    print("Segmentation fault, as it were", file=sys.stderr, flush=True)
    os._exit(3)


def illegal() -> None:
    say("bestmove z9")


def nothing() -> None:
    say("bestmove (none)")


def garbage() -> None:
    for _ in range(100):
        os.write(1, b"\xff\xfe\x00 bestmove?\n\r\n info score\ninfo depth x score cp pv\n")
    sleep()


def half_a_line() -> None:
    os.write(1, b"bestmov")
    sleep()


def endless_lines() -> None:
    while True:
        os.write(1, b"info depth 1 score cp 1 pv a1\n" * 500)


def endless_line() -> None:
    while True:
        os.write(1, b"info string and so on " * 500)


def endless_errors() -> None:
    while True:
        os.write(2, b"oh dear\n" * 500)


def will_not_die() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sleep()


def child() -> None:
    """Leave the work, and the pipes, to a child."""
    started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    say(f"info string child {started.pid}")
    print(f"child {started.pid}", file=sys.stderr, flush=True)
    os._exit(0)


WAYS = {
    "crash": crash,
    "stall": sleep,
    "illegal": illegal,
    "nothing": nothing,
    "garbage": garbage,
    "half-a-line": half_a_line,
    "endless-lines": endless_lines,
    "endless-line": endless_line,
    "endless-errors": endless_errors,
    "will-not-die": will_not_die,
    "child": child,
}


def main(way: str) -> None:
    for line in sys.stdin:
        word = line.split()[0]
        if word == "uci":
            say("id name Misbehaving")
            say("option name UCI_Variant type combo default tictactoe var tictactoe")
            say("uciok")
        elif word == "isready":
            say("readyok")
        elif word == "go":
            WAYS[way]()
        elif word == "quit":
            return


main(sys.argv[1])
