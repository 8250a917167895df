"""A process that watches another: crashes are told, everything else passes through."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="nobody watches")

SCRIPT = """
import os, signal, sys, time
from plywise.system.watching import note, noted, watched

def work():
    note("at work")
    {work}

sys.exit(watched(work, lambda: print("crashed", noted()) or 2))
"""
SLEEP = "print(os.getpid(), flush=True); time.sleep(60)"


def run(work: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", SCRIPT.format(work=work)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def started(work: str) -> tuple["subprocess.Popen[str]", int]:
    """Return a process that watches, and the number of the one that it watches."""
    command = [sys.executable, "-c", SCRIPT.format(work=work)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def is_alive(number: int) -> bool:
    status = Path(f"/proc/{number}/stat")
    return status.exists() and ") Z " not in status.read_text()


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGBUS"])
def test_a_crash_is_told_with_what_was_noted_last(name: str) -> None:
    done = run(f"os.kill(os.getpid(), signal.{name})")
    assert (done.returncode, done.stdout) == (2, "crashed at work\n")


def test_exit_codes_pass_through() -> None:
    assert run("return 7").returncode == 7
    assert run("sys.exit(3)").returncode == 3
    assert run("return 0").returncode == 0


def test_what_kills_the_watched_one_kills_who_watches() -> None:
    assert run("os.kill(os.getpid(), signal.SIGTERM)").returncode == -signal.SIGTERM
    assert run("os.kill(os.getpid(), signal.SIGKILL)").returncode == 128 + signal.SIGKILL


def test_the_third_interrupt_kills_what_is_deaf() -> None:
    process, _ = started(f"signal.signal(signal.SIGINT, signal.SIG_IGN); {SLEEP}")
    with process:
        for _ in range(3):
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)  # signals that are not heard yet become one
        assert process.wait(timeout=20) == 128 + signal.SIGKILL


def test_a_signal_of_a_process_is_passed_on_once() -> None:
    work = f"try: {SLEEP}\n    except KeyboardInterrupt: time.sleep(0.3); return 5"
    process, _ = started(work)
    with process:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 5


def test_who_is_watched_does_not_outlive_who_watches() -> None:
    process, child = started(SLEEP)
    process.kill()
    process.communicate()  # ends when both have closed the pipe
    for _ in range(200):
        if not is_alive(child):
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    raise AssertionError("it is still there")
