"""CECP: what an engine for xboard is told, and what is made of what it says."""

import math

import pytest

from plywise.arena.game_limits import MoveTime
from plywise.errors import Forfeit, PlywiseError
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import make_player
from plywise.protocols import notation_for
from plywise.protocols.cecp import CecpLanguage, parse_features
from plywise.protocols.engine_player import Asked, Thought
from plywise.search.limits import Clock, Limit
from protocols.talking import ScriptedWire

GAME = load_game("chess")
NOTATION = notation_for("cecp", GAME)
FEATURES = [
    "Some Engine 1.0",
    'feature myname="Some Engine" setboard=1 usermove=1 done=0',
    'feature memory=1 option="Resign Threshold -spin 5 0 9" done=1',
]
MODERN: dict[str, list[str]] = {"protover": FEATURES}
OLD: dict[str, list[str]] = {}


def connect(
    script: dict[str, list[str]], options: dict[str, str] | None = None
) -> tuple[ScriptedWire, CecpLanguage]:
    wire = ScriptedWire(script)
    language = CecpLanguage(NOTATION, options or {})
    language.greet(wire, math.inf)
    wire.written.clear()
    return wire, language


def record_of(*texts: str, start: str = "start") -> Record:
    record = Record(GAME, GAME.parse_position(start))
    for text in texts:
        record.play(GAME.parse_move(record.position, text))
    return record


def test_features_are_read_with_their_quotation_marks() -> None:
    text = 'ping=1 myname="A B 1.0" option="Style -combo a /// b" done=1'
    assert dict(parse_features(text)) == {
        "ping": "1",
        "myname": "A B 1.0",
        "option": "Style -combo a /// b",
        "done": "1",
    }
    assert parse_features('myname="never closed') == [("myname", '"never')]


def test_options_are_set_by_the_name_that_the_engine_gives_them() -> None:
    wire = ScriptedWire(MODERN)
    CecpLanguage(NOTATION, {"resign threshold": "3", "memory": "16"}).greet(wire, math.inf)
    assert wire.written[-2:] == ["option Resign Threshold=3", "memory 16"]
    with pytest.raises(PlywiseError, match="no option of Some Engine called 'Book'"):
        connect(MODERN, {"Book": "off"})


def test_moves_are_sent_as_the_engine_wants_them() -> None:
    wire, language = connect(MODERN)
    language.begin(wire, Limit(), math.inf)
    language.ask(wire, record_of("e4"), Asked(Limit(seconds=2)), math.inf)
    assert "usermove e2e4" in wire.written
    wire, language = connect(OLD)
    language.begin(wire, Limit(), math.inf)
    language.ask(wire, record_of("e4"), Asked(Limit(seconds=2)), math.inf)
    assert wire.written == ["new", "force", "easy", "post", "force", "e2e4", "st 2", "go"]


def test_an_engine_is_told_only_what_it_does_not_know() -> None:
    wire, language = connect(OLD)
    language.begin(wire, Limit(), math.inf)
    record = record_of("e4")
    language.ask(wire, record, Asked(Limit(seconds=1)), math.inf)
    language.hear("move e7e5", Thought(record, NOTATION))
    wire.written.clear()
    language.ask(wire, record_of("e4", "e5", "Nf3"), Asked(Limit(seconds=1)), math.inf)
    assert wire.written == ["force", "g1f3", "st 1", "go"]
    wire.written.clear()
    language.ask(wire, record_of("d4"), Asked(Limit(seconds=1)), math.inf)
    assert wire.written[1:6] == ["new", "force", "easy", "post", "d2d4"]


def test_a_position_is_set_up_where_the_engine_can() -> None:
    fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
    wire, language = connect(MODERN)
    language.ask(wire, record_of(start=fen), Asked(Limit(seconds=1)), math.inf)
    assert f"setboard {fen}" in wire.written
    wire, language = connect(OLD)
    with pytest.raises(Forfeit, match="knows no setboard"):
        language.ask(wire, record_of(start=fen), Asked(Limit(seconds=1)), math.inf)


@pytest.mark.parametrize(
    ("asked", "lines", "seconds"),
    [
        (Asked(Limit(seconds=0.1)), ["st 1"], 0.1),
        (Asked(Limit(seconds=3)), ["st 3"], 3),
        (Asked(Limit(depth=5)), ["sd 5", "st 300"], None),
        (Asked(Limit(seconds=1), MoveTime(0.1)), ["st 1"], 0.07),
        (Asked(Limit(), Clock(90.5, 2)), ["level 0 1:30 2", "time 9050", "otim 9050"], None),
    ],
)
def test_budgets_and_clocks_are_passed_on(
    asked: Asked, lines: list[str], seconds: float | None
) -> None:
    wire, language = connect(OLD)
    assert language.ask(wire, record_of(), asked, math.inf) == pytest.approx(seconds)
    assert wire.written[-1 - len(lines) : -1] == lines


def test_an_engine_that_does_not_move_when_it_is_told_to_gets_a_clock_instead() -> None:
    wire, language = connect(OLD)
    record = record_of()
    language.ask(wire, record, Asked(Limit(seconds=0.1)), math.inf)
    language._due -= 10  # it was late
    language.hear("move e2e4", Thought(record, NOTATION))
    assert language.ask(wire, record_of(), Asked(Limit(seconds=0.1)), math.inf) is None
    assert wire.written[-4:] == ["level 40 0:04 0", "time 400", "otim 400", "go"]


def test_a_limit_that_an_engine_does_not_know_is_refused_before_the_game() -> None:
    features = {"protover": ["feature ping=1 done=1"], "ping": ["pong 1"]}
    wire, language = connect({**features, "sd": ["Illegal move: sd 4"]})
    with pytest.raises(PlywiseError, match="no limit of depth: give it seconds"):
        language.begin(wire, Limit(depth=4), math.inf)
    with pytest.raises(PlywiseError, match="no limit of nodes"):
        language.ask(wire, record_of(), Asked(Limit(nodes=4)), math.inf)
    with pytest.raises(PlywiseError, match="cecp has no limit of nodes: say depth or seconds"):
        make_player("cecp:cat,nodes=4", GAME)


def test_an_engine_that_refuses_a_move_has_lost() -> None:
    features = {"protover": ["feature ping=1 done=1"], "ping 1": ["pong 1"], "ping 2": ["pong 2"]}
    wire, language = connect({**features, "e2e4": ["Illegal move: e2e4"]})
    language.begin(wire, Limit(), math.inf)
    with pytest.raises(Forfeit, match="refuses a move"):
        language.ask(wire, record_of("e4"), Asked(Limit(seconds=1)), math.inf)


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        (" 8     -51     3    26766  e7-e5  Nb1-c3  Nb8-c6", 3),
        (" 4     -11     1     1421  Nf6 Nc3 d5 d3 ", 4),
        (" 3       0     0      442  Nf6 <Nc3> <e5> ", 3),
        (" 3       0     0      417  Nf6 !", 1),
        ("2 -78 0 155 1. ... d5 2. Nc3 dxe4 3. Nxe4 Qxd2+ 4. Kxd2", 6),
        ("6. 12 5 100 e5", 1),
    ],
)
def test_thoughts_are_read_in_the_ways_that_engines_write_them(line: str, moves: int) -> None:
    language = CecpLanguage(NOTATION, {})
    thought = Thought(record_of("e4"), NOTATION)
    assert language.hear(line, thought)
    (found,) = thought.steps()
    assert len(found.line) == moves


ENDLESS = f"8 {'9' * 400} 55 12345 e2e4"
OTHERS = ["", "tellics whisper d4", "Nodes: 1421", "pong 3", "12", "1 2 3", ENDLESS]


@pytest.mark.parametrize("line", OTHERS)
def test_other_lines_are_passed_over(line: str) -> None:
    language = CecpLanguage(NOTATION, {})
    thought = Thought(record_of("e4"), NOTATION)
    assert not language.hear(line, thought)
    assert thought.answer is None


def test_resigning_and_claiming_end_the_game() -> None:
    language = CecpLanguage(NOTATION, {})
    thought = Thought(record_of("e4"), NOTATION)
    with pytest.raises(Forfeit, match="resignation"):
        language.hear("resign", thought)
    with pytest.raises(Forfeit, match="illegal move: none, but the claim 1/2-1/2"):
        language.hear("1/2-1/2 {Repetition}", thought)


def test_an_illegal_answer_is_a_forfeit() -> None:
    with pytest.raises(Forfeit, match="illegal move: e2e5"):
        CecpLanguage(NOTATION, {}).hear("move e2e5", Thought(record_of(), NOTATION))


def test_it_is_for_chess_only() -> None:
    with pytest.raises(PlywiseError, match="reversi is not played over the protocol cecp"):
        notation_for("cecp", load_game("reversi"))
