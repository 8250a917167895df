"""Real programs at the other end: engines from Debian, and python-chess that drives ours."""

import sys
from collections.abc import Iterator

import chess
import chess.engine
import pytest

from conftest import INTERPRETED
from plywise.arena import Match, play_match
from plywise.errors import PlywiseError
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import Player, make_player
from plywise.players.level_strength import elo_scale
from plywise.search.limits import Analysis, Clock, Limit
from plywise.system.stopping import StopToken
from protocols.programs import needs

pytestmark = pytest.mark.skipif(INTERPRETED, reason="too slow")

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"  # Ra8
PLYWISE = [sys.executable, "-c", "from plywise.cli import main; main()"]


UCI = [
    pytest.param(command, marks=needs(command.removeprefix("uci:")))
    for command in ("uci:stockfish", "uci:gnuchess --uci")
]


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("chess")


def opened(text: str, game: Game) -> Iterator[Player]:
    player = make_player(text, game)
    player.new_game(0)
    yield player
    player.close()


def check_player(player: Player, game: Game) -> None:
    """A real engine finds a mate, plays on from a game, and keeps to what it may spend."""
    mate = Record(game, game.parse_position(MATE_IN_ONE))
    found = player.choose(mate)
    assert game.format_move(mate.position, found.move) == "Ra8#"
    assert found.value > 0.5
    record = Record(game)
    for text in ("e4", "e5", "Qh5", "Ke7"):
        record.play(game.parse_move(record.position, text))
    assert game.format_move(record.position, player.choose(record).move) == "Qxe5#"
    player.new_game(1)
    assert player.choose(Record(game), Clock(5.0, 0.1)).move in game.legal_moves(game.initial())
    stop = StopToken()
    stop.set()
    assert player.choose(Record(game), Clock(600.0), stop).seconds < 60


@pytest.mark.parametrize("command", UCI)
def test_a_uci_engine_plays(command: str, game: Game) -> None:
    for player in opened(f"{command},depth=8", game):
        check_player(player, game)


@pytest.mark.parametrize("command", UCI)
def test_a_uci_engine_analyses(command: str, game: Game) -> None:
    for player in opened(command, game):
        steps: list[Analysis] = []
        found = player.analyse(Record(game), Limit(depth=6), 2, tell=steps.append)
        assert steps
        assert len({line.move for line in found.lines}) == (2 if "stockfish" in command else 1)
        assert found.lines[0].depth >= 6


CECP = [
    pytest.param(text, marks=needs(text.removeprefix("cecp:").split(",")[0]))
    for text in ("cecp:phalanx -b-,seconds=0.2", "cecp:sjeng,depth=6", "cecp:hoichess,depth=6")
]


@pytest.mark.parametrize("text", CECP)
def test_an_engine_for_xboard_plays(text: str, game: Game) -> None:
    for player in opened(text, game):
        check_player(player, game)


@needs("phalanx")
def test_a_limit_that_phalanx_rejects_is_refused(game: Game) -> None:
    with pytest.raises(PlywiseError, match=r"Phalanx .* has no limit of depth"):
        next(opened("cecp:phalanx -b-,depth=3", game))


@needs("sjeng")
@needs("phalanx")
def test_engines_for_xboard_play_whole_games(game: Game) -> None:
    players = ("cecp:sjeng,depth=1", "cecp:phalanx -b-,seconds=0.01")
    result = play_match(Match(game, players, games=2), jobs=1)
    assert result.faults == []


@needs("stockfish")
def test_a_match_against_stockfish_is_played_to_its_end(game: Game) -> None:
    opponent = "uci:stockfish,nodes=500,Skill Level=0,Hash=1"
    result = play_match(Match(game, ("alphabeta,depth=2", opponent), games=2), jobs=2)
    assert result.score.games == 2
    assert result.faults == []


# ---------------------------------------------------------------- python-chess and our engine


@pytest.fixture(scope="module")
def engine() -> Iterator[chess.engine.SimpleEngine]:
    command = [*PLYWISE, "uci", "chess", "alphabeta"]
    with chess.engine.SimpleEngine.popen_uci(command, timeout=120) as engine:
        engine.ping()
        yield engine


def test_python_chess_knows_our_engine(engine: chess.engine.SimpleEngine) -> None:
    assert engine.id["name"].startswith("Plywise")
    assert engine.options["Hash"].type == "spin"
    assert engine.options["UCI_Elo"].max == max(elo_scale("chess").values())


@pytest.mark.parametrize(
    "limit",
    [
        chess.engine.Limit(time=0.1),
        chess.engine.Limit(depth=4),
        chess.engine.Limit(nodes=3000),
        chess.engine.Limit(mate=2),
        chess.engine.Limit(white_clock=10, black_clock=10, white_inc=0.1, black_inc=0.1),
        chess.engine.Limit(white_clock=5, black_clock=5, remaining_moves=3),
    ],
    ids=str,
)
def test_python_chess_plays_with_our_engine(
    engine: chess.engine.SimpleEngine, limit: chess.engine.Limit
) -> None:
    played = engine.play(chess.Board(MATE_IN_ONE), limit, info=chess.engine.INFO_ALL)
    assert played.move == chess.Move.from_uci("a1a8")
    if "score" in played.info:
        assert played.info["pv"][0] == played.move


def test_python_chess_plays_a_whole_game_with_our_engine(
    engine: chess.engine.SimpleEngine,
) -> None:
    board = chess.Board("8/8/8/8/8/4k3/8/4K2R w K - 0 1")
    for _ in range(8):
        played = engine.play(board, chess.engine.Limit(nodes=200), ponder=True, game="one")
        assert played.move is not None
        board.push(played.move)
    assert board.is_valid()


def test_python_chess_analyses_with_our_engine(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    board.push_san("e4")
    lines = engine.analyse(board, chess.engine.Limit(depth=4), multipv=3)
    assert len(lines) == 3
    assert len({line["pv"][0] for line in lines}) == 3
    only = chess.Move.from_uci("h7h6")
    found = engine.analyse(board, chess.engine.Limit(depth=3), root_moves=[only])
    assert found["pv"][0] == only
    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                break
    assert analysis.info["score"].relative.score() is not None


def test_python_chess_holds_our_engine_back(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 400, "Hash": 1})
    played = engine.play(chess.Board(), chess.engine.Limit(time=5))
    engine.configure({"UCI_LimitStrength": False})
    assert played.move is not None
    assert played.move in chess.Board().legal_moves


def test_a_player_plays_the_same_behind_the_protocol(game: Game) -> None:
    command = f"uci:{sys.executable} -m plywise uci chess 'alphabeta,hash=16'"
    players = (f"{command},nodes=500", "alphabeta,hash=16,nodes=500")
    result = play_match(Match(game, players, games=6), jobs=1)
    assert result.pentanomial.counts == (0, 0, 3, 0, 0)  # every pair is even


def test_our_own_engine_is_a_player_like_any_other() -> None:
    game = load_game("tictactoe")
    command = f"uci:{sys.executable} -m plywise uci tictactoe 'alphabeta,pvs=off'"
    for player in opened(f"{command},depth=9", game):
        record = Record(game)
        while record.ending() is None:
            record.play(player.choose(record).move)
        ending = record.ending()
        assert ending is not None
        assert ending.score == 0
