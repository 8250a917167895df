"""Whatever a line of a protocol says, engines of ours and readers of others' lines live on."""

import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fuzz.inputs import Inputs
from fuzz.test_texts import TIMES
from plywise.errors import PlywiseError
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import EngineSetup
from plywise.protocols import notation_for
from plywise.protocols.cecp import CecpLanguage
from plywise.protocols.engine_player import Thought
from plywise.protocols.hub import HubEngine, HubLanguage
from plywise.protocols.nboard import NboardEngine, NboardLanguage
from plywise.protocols.uci import UciEngine, UciLanguage, parse_option

LINES = 3000
PATIENCE = 120.0  # seconds for all lines of a test
HUB_START = "W" + 12 * "b" + 8 * "e" + 12 * "w"
GGF = "(;GM[Othello]TY[8]BO[8 ---------------------------O*------*O---------------------------*])"

TOLD: dict[str, tuple[str, Any, tuple[str, ...]]] = {  # game, engine, lines that make sense
    "uci": (
        "tictactoe",
        UciEngine,
        (
            *("uci", "isready", "ucinewgame", "stop", "ponderhit", "debug on", "register later"),
            *(
                "position startpos",
                "position startpos moves a1 b2 c3",
                "position fen x../.o./... x",
            ),
            *("go", "go depth 3", "go movetime 5", "go nodes 10 searchmoves a1 b1", "go infinite"),
            *("go wtime 10 btime 10 winc 1 binc 1 movestogo 2", "go ponder wtime 5", "go mate 2"),
            *("setoption name MultiPV value 3", "setoption name Move Overhead value 10"),
            *("setoption name UCI_Variant value tictactoe", "setoption name Player value random"),
        ),
    ),
    "hub": (
        "draughts",
        HubEngine,
        (
            *("hub", "init", "new-game", "stop", "ponder-hit", "ping", "go think", "go analyze"),
            *("level depth=2", "level move-time=0.01", "level moves=5 time=1 inc=0.1", "level"),
            *(f"pos pos={HUB_START}", f'pos pos={HUB_START} moves="22-18 9-14"', "go ponder"),
            *("set-param name=elo value=1200", "set-param name=player value=random"),
        ),
    ),
    "nboard": (
        "reversi",
        NboardEngine,
        (
            *("nboard 2", "set depth 3", f"set game {GGF}", "set contempt 0", "move f5", "move PA"),
            *("move F5/1.2/0.3", "hint 3", "go", "ping 7", "learn", "set game"),
        ),
    ),
}


@pytest.mark.parametrize("protocol", TOLD)
def test_an_engine_of_ours_survives_all_that_it_is_told(protocol: str) -> None:
    name, engine, known = TOLD[protocol]
    game, said, failed = load_game(name), list[str](), list[BaseException]()
    made = engine(EngineSetup(game, "random"), notation_for(protocol, game), said.append)

    def obey() -> None:
        try:
            made.run(spoilt_lines(known, 31))
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=obey, daemon=True)
    thread.start()
    thread.join(PATIENCE * max(1, TIMES))
    assert not thread.is_alive(), "it hangs"
    if failed:
        raise failed[0]
    assert said
    assert not any("Traceback" in line or "\n" in line for line in said)


def spoilt_lines(known: tuple[str, ...], seed: int) -> Iterator[str]:
    """Yield lines, most of them spoilt; none ends the talk."""
    source = Inputs(seed)
    for _ in range(int(LINES * TIMES)):
        line = source.spoilt(source.choice(known))
        yield line if "quit" not in line else "stop"


HEARD: dict[str, tuple[str, Any, tuple[str, ...]]] = {
    "uci": (
        "tictactoe",
        UciLanguage,
        (
            "info depth 3 seldepth 4 multipv 1 score cp 13 nodes 99 nps 7 time 5 pv a1 b2 c3",
            "info depth 2 multipv 2 score mate -3 lowerbound pv b2",
            *("info string hello", "bestmove a1", "bestmove a1 ponder b2", "bestmove (none)"),
        ),
    ),
    "hub": (
        "draughts",
        HubLanguage,
        (
            'info depth=5 mean-depth=4.2 score=-3.25 nodes=10 time=0.5 nps=1.2 pv="22-18 9-14"',
            *("done move=22-18 ponder=9-14", "done", 'error message="no"', "pong"),
        ),
    ),
    "nboard": (
        "reversi",
        NboardLanguage,
        (
            *("=== F5/1.2/0.3", "=== PA", "search F5D6C3 1.25 0 4", "book F5 -2 0 4", "pong 1"),
            *("status thinking", "nodestats 1000 0.5", "learn F5 1"),
        ),
    ),
    "cecp": (
        "chess",
        CecpLanguage,
        (
            *("move e2e4", "8 13 55 12345 e2e4 e7e5", "resign", "offer draw", "hint: e2e4"),
            *("1/2-1/2 {Repetition}", "Illegal move: e2e5", "Error (unknown command): x"),
        ),
    ),
}


@pytest.mark.parametrize("protocol", HEARD)
def test_whatever_another_engine_says_is_understood_or_forfeits(protocol: str) -> None:
    name, language, known = HEARD[protocol]
    game = load_game(name)
    notation = notation_for(protocol, game)
    for line in spoilt_lines(known, 32):
        thought = Thought(Record(game), notation)
        survive(functools.partial(language(notation, {}).hear, line, thought), line)
        survive(thought.steps, line)
        survive(thought.found, line)


def test_an_option_that_an_engine_offers_is_read_or_refused() -> None:
    known = (
        "option name Hash type spin default 16 min 1 max 1024",
        "option name Style type combo default Solid var Solid var Risky",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
    )
    for line in spoilt_lines(known, 33):
        survive(functools.partial(set_option, line), line)


def set_option(line: str) -> str:
    """Return what sets an option, as it was offered, to 7."""
    return parse_option(line).setting("7")


def survive(call: Callable[[], Any], line: str) -> None:
    """Call something that may refuse, but not fail."""
    try:
        call()
    except PlywiseError:
        return
    except Exception as error:
        error.add_note(f"line: {line!r}")
        raise
