"""Stop tokens: set by whoever asks, heard by whoever answers, never cleared."""

import os
import signal
import threading

import numpy as np
import pytest
from numpy.typing import NDArray

from plywise.system.background import Background
from plywise.system.stopping import StopToken, run_watching

Byte = NDArray[np.uint8]


def spin(byte: Byte) -> int:
    """Wait for a byte as compiled code does; return what it is."""
    for _ in range(6000):
        if byte[0]:
            break
        threading.Event().wait(0.01)
    return int(byte[0])


@pytest.fixture
def byte() -> Byte:
    return np.zeros(1, np.uint8)


def test_a_token_stays_set() -> None:
    token = StopToken()
    assert not token.is_set()
    token.set()
    token.set()
    assert token.is_set()


def test_a_listener_hears_once_and_only_inside_its_block() -> None:
    token, heard = StopToken(), list[str]()
    with token.heard_by(lambda: heard.append("a")):
        with token.heard_by(lambda: heard.append("b")):
            pass
        token.set()
        token.set()
    assert heard == ["a"]


def test_a_token_that_is_set_is_heard_at_once() -> None:
    token, heard = StopToken(), list[int]()
    token.set()
    with token.heard_by(lambda: heard.append(1)):
        assert heard == [1]


def test_a_token_may_be_set_while_this_thread_holds_it() -> None:
    token = StopToken()

    def press_ctrl_c() -> None:
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, lambda number, frame: token.set())
    try:
        with token.heard_by(press_ctrl_c):
            token.set()
    finally:
        signal.signal(signal.SIGINT, before)
    assert token.is_set()


def test_the_deadline_sets_the_byte(byte: Byte) -> None:
    assert run_watching(byte, lambda: spin(byte), seconds=0.01) == 1


def test_the_askers_token_sets_the_byte(byte: Byte) -> None:
    token = StopToken()
    threading.Timer(0.01, token.set).start()
    assert run_watching(byte, lambda: spin(byte), None, token) == 1


def test_a_token_set_beforehand_sets_the_byte(byte: Byte) -> None:
    token = StopToken()
    token.set()
    assert run_watching(byte, lambda: int(byte[0]), None, token) == 1


def test_the_deadline_of_a_request_leaves_the_askers_token_alone(
    byte: Byte,
) -> None:
    token = StopToken()
    run_watching(byte, lambda: spin(byte), 0.01, token)
    assert not token.is_set()


def test_a_request_begins_with_a_byte_that_is_not_set(
    byte: Byte,
) -> None:
    byte[0] = 1  # as the search before has left it
    assert run_watching(byte, lambda: int(byte[0]), None) == 0


def test_what_comes_too_late_stops_no_later_request(
    byte: Byte, monkeypatch: pytest.MonkeyPatch
) -> None:
    timers: list[threading.Timer] = []
    start = threading.Timer.start

    def remember(timer: threading.Timer) -> None:
        timers.append(timer)
        start(timer)

    monkeypatch.setattr(threading.Timer, "start", remember)
    token = StopToken()
    run_watching(byte, lambda: None, 1000, token)
    token.set()
    timers[0].function()  # as if it had been about to when it was cancelled
    assert byte[0] == 0


def test_ctrl_c_sets_the_byte_and_is_raised(byte: Byte) -> None:
    ended: list[int] = []

    def work() -> None:
        threading.Event().wait(0.05)  # until the main thread waits
        os.kill(os.getpid(), signal.SIGINT)
        ended.append(spin(byte))

    with pytest.raises(KeyboardInterrupt):
        run_watching(byte, work, None)
    assert ended == [1]


def test_one_token_stops_many_requests() -> None:
    token = StopToken()
    bytes_ = [np.zeros(1, np.uint8) for _ in range(20)]
    asked = [
        Background(lambda byte=byte: run_watching(byte, lambda: spin(byte), None, token))  # type: ignore[misc]
        for byte in bytes_
    ]
    token.set()
    assert [one.answer() for one in asked] == [1] * 20
