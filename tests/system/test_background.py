"""Work in another thread: what becomes of answers, errors, deadlines and Ctrl-C."""

import os
import signal
import threading

import pytest

from plywise.system.background import Background, interruptible, on_interrupt


def press_ctrl_c() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def press_ctrl_c_later() -> None:
    """Press it when the main thread waits."""
    threading.Event().wait(0.05)
    press_ctrl_c()


def test_an_answer_comes_back() -> None:
    assert Background(lambda: 6 * 7).answer() == 42


def test_an_error_is_passed_on() -> None:
    with pytest.raises(ZeroDivisionError):
        Background(lambda: 1 // 0).answer()


def test_a_wait_has_a_deadline() -> None:
    may_end = threading.Event()
    working = Background(may_end.wait)
    assert not working.wait(0.01)
    may_end.set()
    assert working.wait(60)
    assert working.answer() is True


def test_ctrl_c_is_heard_while_the_work_goes_on() -> None:
    is_asked, may_end = threading.Event(), threading.Event()

    def work() -> bool:
        is_asked.wait(60)
        press_ctrl_c_later()
        return may_end.wait(60)

    def ask() -> bool:
        is_asked.set()
        return working.answer()

    working = Background(work)
    with pytest.raises(KeyboardInterrupt):
        ask()
    may_end.set()
    assert working.answer() is True


def test_an_interrupted_work_is_stopped_and_awaited() -> None:
    stopped = threading.Event()
    ended: list[bool] = []

    def work() -> None:
        press_ctrl_c_later()
        ended.append(stopped.wait(60))

    with pytest.raises(KeyboardInterrupt):
        interruptible(work, stopped.set)
    assert ended == [True]


def test_work_in_another_thread_than_the_main_one_stays_there() -> None:
    threads = Background(
        lambda: (threading.get_ident(), interruptible(threading.get_ident, lambda: None))
    ).answer()
    assert threads[0] == threads[1]


def test_the_first_ctrl_c_calls_stop_and_the_second_raises() -> None:
    before = signal.getsignal(signal.SIGINT)
    stops: list[int] = []
    with on_interrupt(lambda: stops.append(1)):
        press_ctrl_c()
        assert stops == [1]
        with pytest.raises(KeyboardInterrupt):
            press_ctrl_c()
    assert stops == [1]
    assert signal.getsignal(signal.SIGINT) is before


def test_who_is_not_done_after_the_first_ctrl_c_hears_a_second_by_itself() -> None:
    before = signal.getsignal(signal.SIGINT)
    stops: list[int] = []

    def work_on() -> None:
        with on_interrupt(lambda: stops.append(1), patience=0.05):
            press_ctrl_c()
            threading.Event().wait(60)

    with pytest.raises(KeyboardInterrupt):
        work_on()
    assert stops == [1]
    assert signal.getsignal(signal.SIGINT) is before


def test_no_second_ctrl_c_comes_to_who_is_done_in_time() -> None:
    with on_interrupt(lambda: None, patience=0.05):
        press_ctrl_c()
    threading.Event().wait(0.2)
