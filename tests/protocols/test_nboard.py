"""NBoard: our engine, engines that speak it, and games in GGF."""

import math
import sys
from collections.abc import Iterator

import pytest

from conftest import INTERPRETED, seeded
from plywise.errors import PlywiseError
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import EngineSetup, make_player
from plywise.protocols import notation_for
from plywise.protocols.engine_player import Asked, Thought
from plywise.protocols.nboard import (
    NboardEngine,
    NboardLanguage,
    format_ggf,
    parse_ggf,
)
from plywise.search.limits import Clock, Limit
from protocols.talking import ScriptedWire, Talk

GAME = load_game("reversi")
NBOARD = notation_for("nboard", GAME)
BOARD = "8 ---------------------------O*------*O--------------------------- *"
GGF = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
    f"BO[{BOARD}]B[F5]W[F6/-1.2/0.1]B[d3];)"
)


@pytest.fixture
def talk() -> Iterator[Talk]:
    setup = EngineSetup(GAME, "alphabeta,eval=pieces")
    engine = Talk(lambda say: NboardEngine(setup, NBOARD, say))
    yield engine
    engine.leave()


# ---------------------------------------------------------------- texts


def test_a_game_of_another_program_is_read() -> None:
    record = parse_ggf(GGF, NBOARD)
    assert record.texts() == ["f5", "f6", "d3"]
    assert parse_ggf(format_ggf(record, NBOARD), NBOARD).moves == record.moves
    assert NBOARD.format_position(GAME.initial()) == BOARD


def test_random_games_are_read_back_with_their_passes() -> None:
    generator = seeded(5)
    passes = 0
    for _ in range(10):
        record = Record(GAME)
        while record.ending() is None:
            moves = record.legal_moves()
            record.play(moves[generator.integers(len(moves))])
        text = format_ggf(record, NBOARD)
        passes += text.count("[PA]")
        assert parse_ggf(text, NBOARD).moves == record.moves
        without = text.replace("B[PA]", "").replace("W[PA]", "")
        assert parse_ggf(without, NBOARD).texts()[-1] == record.texts()[-1]
    assert passes > 0


@pytest.mark.parametrize("text", ["", "(;GM[Othello];)", "(;BO[8 --- *];)", "(;BO[10 - *];)"])
def test_a_text_that_is_no_game_is_refused(text: str) -> None:
    with pytest.raises(PlywiseError, match="GGF"):
        parse_ggf(text, NBOARD)


# ---------------------------------------------------------------- our engine


def test_it_answers_as_in_the_example_of_the_protocol(talk: Talk) -> None:
    talk.tell("nboard 2", f"set game {GGF}", "set depth 3", "ping 1", "go")
    assert talk.until("pong")[-2:] == ["set myname Plywise", "pong 1"]
    heard = talk.until("===")
    legal = [
        NBOARD.format_move(r.position, int(m))
        for r in [parse_ggf(GGF, NBOARD)]
        for m in r.legal_moves()
    ]
    move, score, seconds = heard[-1].removeprefix("=== ").split("/")
    assert move in legal
    assert abs(float(score)) <= 64
    assert float(seconds) >= 0
    kinds = [line.split()[0] for line in heard]
    assert kinds[0] == "status"
    assert {"search", "nodestats"} <= set(kinds)


def test_moves_are_played_one_by_one(talk: Talk) -> None:
    talk.tell("nboard 2", f"set game (;GM[Othello]BO[{BOARD}];)", "set depth 1")
    talk.tell("move F5", "move f6/0.5/1", "go")
    assert talk.until("===")[-1][4:6] in (
        "C3",
        "D3",
        "E3",
        "E6",
        "F4",
        "G5",
        "G7",
        "E7",
        "F7",
        "D6",
        "C4",
    )


def test_a_hint_tells_of_several_moves_and_plays_none(talk: Talk) -> None:
    talk.tell("set depth 2", "hint 3")
    talk.until("status Plywise is thinking")
    heard = talk.until("status")
    last = [line for line in heard if line.startswith("search")][-3:]
    assert len({line.split()[1][:2] for line in last}) == 3
    assert not any(line.startswith("===") for line in heard)


def test_ping_ends_what_is_thought_about(talk: Talk) -> None:
    talk.tell("set depth 60", "hint 1")
    assert talk.ask("ping 7", "pong") == "pong 7"
    assert talk.ask("learn", "learned") == "learned"


@pytest.mark.parametrize(
    "line", ["", "nonsense", "set", "set depth x", "set depth 0", "set game", "move", "move z9"]
)
def test_garbage_is_survived(talk: Talk, line: str) -> None:
    talk.tell(line)
    assert talk.ask("ping 1", "pong") == "pong 1"
    talk.tell("set depth 1")
    assert talk.ask("go", "===").startswith("=== ")


# ---------------------------------------------------------------- talking to engines


PONGS = {f"ping {number}": [f"pong {number}"] for number in range(1, 4)}


def test_an_engine_is_told_depth_and_game() -> None:
    wire = ScriptedWire({"nboard": ["set myname Edax"], **PONGS})
    language = NboardLanguage(NBOARD, {})
    language.greet(wire, math.inf)
    language.begin(wire, Limit(depth=5), math.inf)
    record = Record(GAME)
    assert language.ask(wire, record, Asked(Limit(depth=5)), math.inf) is None
    assert wire.written[3:] == [
        "set depth 5",
        f"set game {format_ggf(record, NBOARD)}",
        "ping 3",
        "go",
    ]


def test_what_the_protocol_cannot_say_is_refused() -> None:
    wire = ScriptedWire(PONGS)
    with pytest.raises(PlywiseError, match="give it a depth"):
        NboardLanguage(NBOARD, {}).ask(wire, Record(GAME), Asked(Limit(nodes=1)), math.inf)
    with pytest.raises(PlywiseError, match="nboard has no limit of seconds: say depth"):
        make_player("nboard:cat,seconds=1", GAME)
    with pytest.raises(PlywiseError, match="it has no options"):
        NboardLanguage(NBOARD, {"Hash": "1"}).greet(wire, math.inf)


@pytest.mark.parametrize("line", ["=== d3/-1.00/0.0", "=== D3", "=== d3 -1.00 0.0"])
def test_a_move_is_read_in_all_its_forms(line: str) -> None:
    language, thought = NboardLanguage(NBOARD, {}), Thought(Record(GAME), NBOARD)
    assert not language.hear("nodestats 300 0.5", thought)
    assert language.hear("search d3c5 3.2 0 6 some text", thought)
    assert language.hear("search C4-E3 -6.4 0 100%", thought)
    language.hear(line, thought)
    found = thought.analysis().lines
    assert [len(found), found[0].nodes, found[0].depth, len(found[0].line)] == [2, 300, 6, 2]
    assert [line.value for line in found] == [0.05, -0.1]


def test_an_engine_that_is_hurried_answers_with_what_it_has() -> None:
    wire, language = ScriptedWire(PONGS), NboardLanguage(NBOARD, {})
    record = Record(GAME)
    assert language.ask(wire, record, Asked(Limit(), Clock(50)), math.inf) == pytest.approx(2, 0.1)
    thought = Thought(record, NBOARD)
    language.hurry(wire)
    language.hear("search E6 1 0 3", thought)
    language.hear("pong 2", thought)
    assert GAME.format_move(record.position, thought.found().move) == "e6"


@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_our_engine_plays_behind_the_protocol() -> None:
    player = make_player(f"nboard:{sys.executable} -m plywise nboard alphabeta,depth=2", GAME)
    player.new_game(0)
    record = Record(GAME)
    for _ in range(4):
        record.play(player.choose(record).move)
    player.close()
