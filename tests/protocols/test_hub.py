"""Hub: our engine, engines that speak it, and how it writes draughts."""

import math
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import INTERPRETED, seeded
from plywise.errors import BadPosition, Forfeit, PlywiseError
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import EngineSetup, make_player
from plywise.protocols import notation_for
from plywise.protocols.engine_player import Asked, Thought
from plywise.protocols.hub import HubEngine, HubLanguage, format_line, normal_move, parse_line
from plywise.protocols.scores import value_of_centipawns
from plywise.search.limits import Clock, Limit
from protocols.talking import ScriptedWire, Talk

GAME = load_game("draughts")
HUB = notation_for("hub", GAME)
FIRST = "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"


@pytest.fixture
def talk() -> Iterator[Talk]:
    setup = EngineSetup(GAME, "alphabeta,eval=material")
    engine = Talk(lambda say: HubEngine(setup, HUB, say))
    yield engine
    engine.leave()


# ---------------------------------------------------------------- texts


def test_lines_have_arguments_in_quotation_marks_or_without() -> None:
    line = 'param name=variant value="" values="normal killer" real'
    word, arguments = parse_line(line)
    assert word == "param"
    assert arguments == {"name": "variant", "value": "", "values": "normal killer", "real": ""}
    assert parse_line(format_line("x", {"a": "b c", "d": "", "e": "f=g"})) == (
        "x",
        {"a": "b c", "d": "", "e": "f=g"},
    )
    assert parse_line("") == ("", {})


def test_positions_are_written_from_the_last_square_on() -> None:
    assert HUB.format_position(GAME.initial()) == FIRST
    position = GAME.parse_position("W:WK32,5:BK1,10")
    assert HUB.format_position(position) == "BB" + 21 * "e" + "w" + 4 * "e" + "b" + 3 * "e" + "W"


def test_positions_and_moves_of_random_games_are_read_back() -> None:
    generator = seeded(3)
    for _ in range(5):
        record = Record(GAME)
        while record.ending() is None and len(record.moves) < 120:
            read = HUB.parse_position(HUB.format_position(record.position))
            assert GAME.cells(read).tolist() == GAME.cells(record.position).tolist()
            assert GAME.side(read) == record.side
            moves = record.legal_moves()
            texts = [HUB.format_move(record.position, int(move)) for move in moves]
            assert len(set(texts)) == len(texts)
            assert [HUB.parse_move(record.position, text) for text in texts] == list(moves)
            record.play(moves[generator.integers(len(moves))])


@pytest.mark.parametrize("text", ["", "W", "X" + FIRST[1:], FIRST + "e", FIRST[:-1] + "x"])
def test_a_wrong_position_is_refused(text: str) -> None:
    with pytest.raises(BadPosition, match="not a position of Hub"):
        HUB.parse_position(text)


def test_captured_squares_may_come_in_any_order() -> None:
    assert normal_move("15x29x25x18") == "15x29x18x25"
    assert normal_move("15x29x8x18") == "15x29x8x18"
    assert normal_move("11-15") == "11-15"


# ---------------------------------------------------------------- our engine


def test_it_introduces_itself_and_gets_ready(talk: Talk) -> None:
    talk.tell("hub")
    heard = talk.until("wait")
    assert heard[0].startswith("id name=Plywise version=")
    assert "param name=variant value=english type=enum values=english" in heard
    assert talk.ask("init", "ready") == "ready"


@pytest.mark.parametrize(
    "level",
    [
        "level depth=3",
        "level nodes=500",
        "level move-time=0.05",
        "level time=1 inc=0.1",
        "level moves=5 time=1",
        "level time=-1",
        "level",
    ],
)
def test_every_level_is_answered_with_a_move(talk: Talk, level: str) -> None:
    talk.tell(f'pos pos={FIRST} moves="11-15 22-18"', level, "go think")
    heard = talk.until("done")
    assert heard[-1].startswith("done move=15x22x18")
    assert parse_line(heard[-2])[0] == "info"
    assert {"depth", "score", "nodes", "time", "pv"} <= parse_line(heard[-2])[1].keys()


def test_an_analysis_goes_on_until_it_is_stopped(talk: Talk) -> None:
    talk.tell(f"pos pos={FIRST}", "level infinite", "go analyze")
    assert talk.ask("ping", "pong") == "pong"
    talk.tell("ping")
    assert not any(line.startswith("done") for line in talk.until("pong"))
    assert talk.ask("stop", "done").startswith("done move=")


def test_pondering_goes_over_into_thinking(talk: Talk) -> None:
    talk.tell(f"pos pos={FIRST}", "level time=1", "go ponder", "ping")
    assert not any(line.startswith("done") for line in talk.until("pong"))
    assert talk.ask("ponder-hit", "done").startswith("done move=")


def test_a_win_is_told_by_its_distance(talk: Talk) -> None:
    position = HUB.format_position(GAME.parse_position("B:W18:B14,15"))
    talk.tell(f"pos pos={position}", "level depth=3", "go think")
    assert "score=99.99" in talk.until("done")[-2]


@pytest.mark.parametrize(
    "line",
    ["nonsense", "pos", "pos pos=W", f'pos pos={FIRST} moves="1-2"', "set-param name=x value=1",
     'set-param name="elo', "level depth=x", "stop", ""],
)  # fmt: skip
def test_garbage_is_survived(talk: Talk, line: str) -> None:
    talk.tell(line)
    assert talk.ask("ping", "pong") == "pong"
    talk.tell(f"pos pos={FIRST}", "level depth=2")
    assert talk.ask("go think", "done").startswith("done move=")


def test_strength_is_a_parameter(talk: Talk) -> None:
    talk.tell("set-param name=elo value=400", f'pos pos={FIRST} moves="11-15"', "level depth=2")
    assert len({talk.ask("go think", "done").split()[1] for _ in range(12)}) > 1


# ---------------------------------------------------------------- talking to engines


GREETING = [
    "id name=Scan version=3.1",
    'param name=variant value=normal type=enum values="normal english"',
    "param name=book value=true type=bool",
    "wait",
]


def test_an_engine_is_asked_for_the_variant_and_the_options() -> None:
    wire = ScriptedWire({"hub": GREETING, "init": ["some news", "ready"]})
    HubLanguage(HUB, {"book": "false"}).greet(wire, math.inf)
    assert wire.written == [
        "hub",
        "set-param name=book value=false",
        "set-param name=variant value=english",
        "init",
    ]
    with pytest.raises(PlywiseError, match="no option of Scan called 'boook'; did you mean book"):
        HubLanguage(HUB, {"boook": "false"}).greet(wire, math.inf)


@pytest.mark.parametrize(
    ("asked", "level"),
    [
        (Asked(Limit(seconds=0.5)), "level move-time=0.5"),
        (Asked(Limit(depth=5)), "level depth=5"),
        (Asked(Limit(), Clock(60, 1)), "level time=60 inc=1"),
    ],
)
def test_budgets_and_clocks_are_passed_on(asked: Asked, level: str) -> None:
    wire = ScriptedWire({})
    record = Record(GAME, None, [GAME.parse_move(GAME.initial(), "11-15")])
    HubLanguage(HUB, {}).ask(wire, record, asked, math.inf)
    assert wire.written == [f"pos pos={FIRST} moves=11-15", level, "go think"]


def test_what_an_engine_says_is_read() -> None:
    language, thought = HubLanguage(HUB, {}), Thought(Record(GAME), HUB)
    assert language.hear('info depth=5 score=-3 nodes=10 time=0.5 pv="11-15 22-18"', thought)
    assert not language.hear("info depth=5", thought)
    assert not language.hear("done move=11-15 ponder=22-18", thought)
    found = thought.found()
    assert found.value == value_of_centipawns(-300)
    assert (found.depth, found.nodes, len(found.line)) == (5, 10, 2)
    with pytest.raises(Forfeit, match="no book"):
        language.hear('error message="no book"', thought)


@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_our_engine_plays_behind_the_protocol() -> None:
    player = make_player(
        f"hub:{sys.executable} -m plywise hub 'alphabeta,eval=material',depth=2", GAME
    )
    player.new_game(0)
    record = Record(GAME)
    for _ in range(4):
        record.play(player.choose(record).move)
    player.close()
    with pytest.raises(PlywiseError, match="reversi is not played over the protocol hub"):
        make_player("hub:cat", load_game("reversi"))


@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_pydraughts_plays_a_game_with_our_engine(tmp_path: Path) -> None:
    draughts = pytest.importorskip("draughts", reason="pydraughts is not installed")
    engines = pytest.importorskip("draughts.engine", reason="pydraughts is not installed")
    if not hasattr(engines, "HubEngine"):
        pytest.skip("another package is installed as the module draughts")
    program = tmp_path / "engine"  # the client follows links, and would leave this environment
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -m plywise hub alphabeta,eval=material\n")
    program.chmod(0o755)
    engine = engines.HubEngine([str(program)])
    try:
        engine.init()
        assert engine.variants == {"english"}
        board = draughts.Board(variant="english")
        for _ in range(30):
            if board.is_over():
                break
            played = engine.play(board, engines.Limit(depth=2), False)
            assert played.move.pdn_move in [move.pdn_move for move in board.legal_moves()]
            board.push(played.move)
    finally:
        engine.quit()
        engine.p.communicate(timeout=30)
