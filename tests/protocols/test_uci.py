"""UCI: what our engine says to all that it can be told, and what is made of what engines say."""

from collections.abc import Iterator

import pytest

from plywise.errors import PlywiseError
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import EngineSetup
from plywise.protocols import notation_for
from plywise.protocols.engine_player import Asked, Thought
from plywise.protocols.scores import centipawns_of, value_of_centipawns
from plywise.protocols.uci import (
    UciEngine,
    UciLanguage,
    format_go,
    format_uci_position,
    parse_info,
    parse_option,
)
from plywise.search.limits import Clock, Limit
from protocols.talking import ScriptedWire, Talk

GAME = load_game("tictactoe")
WIN_IN_ONE = "position startpos moves a1 a2 b1 b2"  # c1 wins


def talk_to(player: str, game: str = "tictactoe") -> Talk:
    setup = EngineSetup(load_game(game), player)
    return Talk(lambda say: UciEngine(setup, notation_for("uci", setup.game), say))


@pytest.fixture
def talk() -> Iterator[Talk]:
    engine = talk_to("alphabeta")
    yield engine
    engine.leave()


# ---------------------------------------------------------------- our engine


def test_it_introduces_itself(talk: Talk) -> None:
    talk.tell("uci")
    heard = talk.until("uciok")
    assert heard[0].startswith("id name Plywise")
    offered = {parse_option(line).name for line in heard if line.startswith("option")}
    assert offered >= {"Hash", "MultiPV", "Ponder", "UCI_LimitStrength", "UCI_Elo", "Player"}
    assert "option name UCI_Variant type combo default tictactoe var tictactoe" in heard


def test_an_option_that_a_player_does_not_have_is_not_offered() -> None:
    talk = talk_to("random")
    talk.tell("uci")
    text = "\n".join(talk.until("uciok"))
    assert "Hash" not in text
    assert "UCI_Elo" not in text
    assert talk.ask("go", "bestmove").split()[1] in [
        "a1",
        "b1",
        "c1",
        "a2",
        "b2",
        "c2",
        "a3",
        "b3",
        "c3",
    ]
    talk.leave()


@pytest.mark.parametrize(
    "go",
    [
        "go",
        "go depth 5",
        "go nodes 2000",
        "go movetime 50",
        "go mate 1",
        "go wtime 1000 btime 1000",
        "go wtime 1000 btime 1000 winc 100 binc 100 movestogo 10",
        "go wtime -20 btime 5",
        "go wtime 500 btime 500 depth 60",
        "go depth 5 searchmoves c1 a3",
        "go searchmoves c1 movetime 100",
        "go movetime 0",
    ],
)
def test_every_form_of_go_is_answered_with_a_move(talk: Talk, go: str) -> None:
    talk.tell(WIN_IN_ONE)
    best = talk.ask(go, "bestmove").split()[1]
    assert best == "c1" or go in ("go wtime -20 btime 5", "go movetime 0", "go")


def test_lines_tell_of_depth_score_nodes_speed_time_and_moves(talk: Talk) -> None:
    talk.tell(WIN_IN_ONE, "go depth 3")
    info = talk.until("bestmove")[-2]
    assert info.startswith("info depth 1 multipv 1 score mate 1 nodes ")
    assert all(f" {word} " in info for word in ("nps", "time", "pv c1"[:2]))
    assert info.endswith("pv c1")
    talk.tell("position startpos moves a1 a2 b1 b2 c3", "go depth 4 searchmoves a3")
    assert "score mate -1" in talk.until("bestmove")[-2]


def test_the_best_of_the_moves_that_are_asked_for_is_found(talk: Talk) -> None:
    talk.tell("position startpos moves a1 c3 b1", "go depth 4 searchmoves a3 c1 b2")
    assert talk.until("bestmove")[-1].split()[1] == "c1"  # all others lose


def test_several_lines_are_told_with_their_ranks(talk: Talk) -> None:
    talk.tell("setoption name MultiPV value 3", "position startpos", "go depth 3")
    last = talk.until("bestmove")[-4:-1]
    assert [line.split()[4] for line in last] == ["1", "2", "3"]
    assert len({line.split(" pv ")[1].split()[0] for line in last}) == 3


def test_an_infinite_search_answers_only_when_it_is_stopped(talk: Talk) -> None:
    talk.tell(WIN_IN_ONE, "go infinite")
    assert talk.ask("isready", "readyok") == "readyok"
    talk.tell("isready")
    assert not any(line.startswith("bestmove") for line in talk.until("readyok"))
    assert talk.ask("stop", "bestmove").startswith("bestmove")


def test_pondering_goes_over_into_thinking(talk: Talk) -> None:
    talk.tell("position startpos moves a1", "go ponder wtime 9000 btime 9000")
    talk.tell("isready")
    assert not any(line.startswith("bestmove") for line in talk.until("readyok"))
    assert talk.ask("ponderhit", "bestmove").startswith("bestmove b2")


@pytest.mark.parametrize("go", ["go ponder", "go ponder depth 2", "go ponder movetime 50"])
def test_pondering_ends_after_a_hit_whatever_limits_it(talk: Talk, go: str) -> None:
    talk.tell("position startpos moves a1", go)
    assert talk.ask("ponderhit", "bestmove").startswith("bestmove")


def test_pondering_in_vain_is_stopped(talk: Talk) -> None:
    talk.tell("go ponder wtime 500 btime 500", "stop")
    talk.until("bestmove")
    assert talk.ask("isready", "readyok") == "readyok"


def test_a_new_search_ends_the_one_before(talk: Talk) -> None:
    talk.tell("position startpos", "go infinite", WIN_IN_ONE, "go depth 2")
    talk.until("bestmove")
    assert talk.until("bestmove")[-1] == "bestmove c1"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "   ",
        "nonsense",
        "go movetime",
        "go depth many",
        "setoption",
        "setoption name",
        "setoption name Nothing value 1",
        "setoption name UCI_Elo value 99999",
        "setoption name MultiPV value",
        "setoption name Player value nobody",
        "setoption name Hash value x",
        "position",
        "position fen",
        "position fen nonsense",
        "position startpos moves a1 a1",
        "\x00\ufffd\ufffd \t",
        "stop",
        "ponderhit",
        "positio",
    ],
)
def test_garbage_and_half_lines_are_survived(talk: Talk, line: str) -> None:
    talk.tell(line)
    assert talk.ask("isready", "readyok") == "readyok"
    talk.tell(WIN_IN_ONE)
    assert talk.ask("go depth 2", "bestmove") == "bestmove c1"


def test_unknown_words_before_a_command_are_passed_over(talk: Talk) -> None:
    assert talk.ask("joho isready", "readyok") == "readyok"


def test_a_finished_game_has_no_best_move(talk: Talk) -> None:
    talk.tell(f"{WIN_IN_ONE} c1")
    assert talk.ask("go depth 3", "bestmove") == "bestmove (none)"


def test_a_wrong_move_in_a_game_is_said_and_the_next_position_is_right(talk: Talk) -> None:
    talk.tell("position startpos moves a1 z9")
    assert "'z9' is not a legal move" in talk.ask("isready", "info string")
    talk.tell("position startpos moves a1 a2", "position startpos moves a1 a2 b1 b2")
    assert talk.ask("go depth 2", "bestmove") == "bestmove c1"


def test_strength_in_elo_chooses_a_level(talk: Talk) -> None:
    talk.tell("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 400")
    talk.tell(WIN_IN_ONE)
    moves = {talk.ask("go depth 9", "bestmove") for _ in range(8)}
    assert len(moves) > 1  # most moves of the lowest level are random
    talk.tell("setoption name UCI_LimitStrength value false")
    assert talk.ask("go depth 9", "bestmove") == "bestmove c1"


def test_the_player_can_be_exchanged(talk: Talk) -> None:
    talk.tell("setoption name Player value mcts,nodes=200", WIN_IN_ONE)
    assert talk.ask("go", "bestmove").split()[1] == "c1"
    assert talk.ask("go depth 3", "bestmove").split()[1] == "c1"  # a tree has no depth


def test_options_that_the_next_player_does_not_have_do_not_stop_it(talk: Talk) -> None:
    talk.tell("setoption name Hash value 1", "setoption name Player value random", "uci")
    assert "option name Player type string default random" in talk.until("uciok")


def test_the_end_of_the_input_ends_the_engine_in_the_middle_of_a_search() -> None:
    talk = talk_to("alphabeta")
    talk.tell("go infinite")
    talk.leave()


def test_a_search_that_fails_is_answered_with_a_legal_move(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("out of ideas")

    monkeypatch.setattr("plywise.protocols.thinking.ask", fail)
    talk.tell(WIN_IN_ONE, "go depth 3")
    heard = talk.until("bestmove")
    assert heard[0] == "info string out of ideas"
    assert heard[-1].split()[1] in ("c1", "c2", "a3", "b3", "c3")


# ---------------------------------------------------------------- talking to engines


GREETING = [
    "some banner",
    "id name Test Engine 1.0",
    "option name Skill Level type spin default 20 min 0 max 20",
    "option name Style type combo default Solid var Solid var Very Risky",
    "option name Own Book type check default true",
    "option name Clear Hash type button",
    "option name MultiPV type spin default 1 min 1 max 5",
    "uciok",
]


def greet(
    options: dict[str, str], game: str = "chess", greeting: list[str] = GREETING
) -> ScriptedWire:
    wire = ScriptedWire({"uci": greeting, "isready": ["readyok"]})
    language = UciLanguage(notation_for("uci", load_game(game)), options)
    language.greet(wire, 0.0)
    return wire


def test_options_of_an_engine_are_set_as_it_names_them() -> None:
    options = {"skill level": "5", "style": "very risky", "own book": "off", "clear hash": ""}
    assert greet(options).written == [
        "uci",
        "setoption name Skill Level value 5",
        "setoption name Style value Very Risky",
        "setoption name Own Book value false",
        "setoption name Clear Hash",
    ]


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"Skil": "3"}, "no option of Test Engine 1.0 called 'Skil'; did you mean Skill Level"),
        ({"Skill Level": "21"}, "a whole number from 0 to 20"),
        ({"Skill Level": "best"}, "a whole number from 0 to 20"),
        ({"Style": "wild"}, "one of Solid, Very Risky"),
        ({"Own Book": "maybe"}, "on or off"),
    ],
)
def test_a_wrong_option_is_answered_with_what_is_right(
    option: dict[str, str], sentence: str
) -> None:
    with pytest.raises(PlywiseError, match=sentence):
        greet(option)


def test_an_engine_is_asked_for_the_variant_that_is_played() -> None:
    variants = "option name UCI_Variant type combo default chess var chess var reversi"
    assert (
        "setoption name UCI_Variant value reversi"
        in greet({}, "reversi", [variants, "uciok"]).written
    )
    with pytest.raises(PlywiseError, match="does not play draughts: it plays chess, reversi"):
        greet({}, "draughts", [variants, "uciok"])
    with pytest.raises(PlywiseError, match=r"Test Engine .* does not play reversi"):
        greet({}, "reversi")


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (Asked(Limit(seconds=0.1)), "go movetime 100"),
        (Asked(Limit(depth=6, nodes=500)), "go depth 6 nodes 500"),
        (Asked(Limit(), Clock(60, 0.5)), "go wtime 60000 btime 60000 winc 500 binc 500"),
        (Asked(Limit(depth=3), Clock(60)), "go wtime 60000 btime 60000 winc 0 binc 0 depth 3"),
        (Asked(Limit(seconds=0.2), Clock(60)), "go movetime 200"),
    ],
)
def test_budgets_and_clocks_are_passed_on(asked: Asked, text: str) -> None:
    assert format_go(asked) == text


def test_a_position_is_sent_with_all_moves_in_the_notation_of_uci() -> None:
    game = load_game("chess")
    record = Record(game)
    for text in ("e4", "e5", "Nf3"):
        record.play(game.parse_move(record.position, text))
    notation = notation_for("uci", game)
    assert format_uci_position(record, notation) == "position startpos moves e2e4 e7e5 g1f3"
    fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
    record = Record(game, game.parse_position(fen))
    record.play(game.parse_move(record.position, "a8=Q+"))
    assert format_uci_position(record, notation) == f"position fen {fen} moves a7a8q"


def test_what_an_engine_says_of_a_line_is_read() -> None:
    found = parse_info(
        [
            "depth",
            "12",
            "seldepth",
            "20",
            "multipv",
            "2",
            "score",
            "cp",
            "-300",
            "nodes",
            "99",
            "time",
            "1500",
            "pv",
            "e2e4",
            "e7e5",
        ]
    )
    assert found is not None
    rank, said = found
    assert said.value == value_of_centipawns(-300)
    assert (rank, said.depth, said.nodes, said.seconds) == (2, 12, 99, 1.5)
    assert said.texts == ("e2e4", "e7e5")
    mate = parse_info(["score", "mate", "-2", "pv", "e1e2"])
    assert mate is not None
    assert (mate[1].value, mate[1].end) == (-1.0, 4)


@pytest.mark.parametrize(
    "line", ["", "string score cp 3 pv e2e4", "depth", "score cp", "depth x pv", "score cp 3", "pv"]
)
def test_a_line_that_tells_nothing_is_passed_over(line: str) -> None:
    assert parse_info(line.split()) is None


def test_a_line_is_read_up_to_the_first_move_that_is_none() -> None:
    notation = notation_for("uci", GAME)
    thought = Thought(Record(GAME), notation)
    language = UciLanguage(notation, {})
    assert language.hear("info depth 3 score cp 5 pv a1 b2 b2 c3", thought)
    assert not language.hear("bestmove a1 ponder b2", thought)
    found = thought.found()
    assert [len(found.line), found.depth] == [2, 3]


@pytest.mark.parametrize("hundredths", [0, 1, -37, 250, 5000, -19_000])
def test_hundredths_of_a_pawn_are_values_and_back(hundredths: int) -> None:
    assert centipawns_of(value_of_centipawns(hundredths)) == pytest.approx(hundredths, abs=1)


def test_a_proven_value_is_a_finite_number_of_hundredths() -> None:
    assert centipawns_of(1.0) == -centipawns_of(-1.0) == 20_000
