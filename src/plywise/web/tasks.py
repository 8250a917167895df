"""What workers do for the server: rules, moves of players, analyses, files of games.

A task takes plain values and returns plain values. What is dear is kept between tasks: games, the
records of the last positions, and players with their memory.
"""

import functools
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plywise.conformance import require_sound
from plywise.errors import PlywiseError, UnknownName
from plywise.formats import Transcript, format_games, parse_games, replay
from plywise.formats.transcript import FIRST
from plywise.game import Game
from plywise.game.record import Record
from plywise.game.text import parse_start, play_text
from plywise.games import load_game
from plywise.kernel import announce_compiling
from plywise.live.formatting import describe_analysis, describe_found, format_end
from plywise.players import JudgesNothing, Player, budget_of, default_opponent, make_player
from plywise.players.levels import FULL_SECONDS
from plywise.players.models import ENDING
from plywise.search.limits import Analysis, Clock, Limit
from plywise.settings import list_settings
from plywise.settings.options import parse_options
from plywise.system.stopping import StopToken
from plywise.web import descriptions
from plywise.web.analysing import analyse_in_rounds
from plywise.web.explaining import explain
from plywise.web.opponents import player_text

Given = dict[str, Any]
Tell = Callable[[dict[str, Any]], None]

MOST_RECORDS, MOST_PLAYERS, MOST_MODELS = 256, 12, 8  # that a worker remembers
MOST_MOVES = 2000  # of a game that is sent
UNKNOWN = 60.0  # seconds for a search to a depth, of which nobody knows how long it takes
SLOWEST = 1000.0  # nodes that a search has in a second at the very least
REVIEW_SECONDS = 0.25  # for a position, when a whole game is judged


def do_task(name: str, given: Given, tell: Tell, stop: StopToken) -> dict[str, Any]:
    """Return the answer to a task; what has to be compiled for it is told."""
    if name not in TASKS:
        raise UnknownName("task", name, TASKS)
    announce_compiling(lambda what: tell({"compiling": what}))
    return TASKS[name](given, tell, stop)


# ---------------------------------------------------------------- rules


@functools.cache
def _game(source: str) -> Game:
    """Return a game; what is a user's was looked at, here if its file has changed meanwhile."""
    game = load_game(source)
    require_sound(game, source)
    return game


_records: OrderedDict[tuple[str, str, tuple[str, ...]], Record] = OrderedDict()


def record_of(given: Given) -> Record:
    """Return the game that a position and the texts of moves describe."""
    source, start, moves = given["source"], given.get("start") or FIRST, tuple(given["moves"])
    if len(moves) > MOST_MOVES:
        raise PlywiseError(f"A game has at most {MOST_MOVES} moves here, not {len(moves)}.")
    key = (source, start, moves)
    known = _known(key)
    if known is None:
        known = _extended(source, start, moves)
        _records[key] = known
        while len(_records) > MOST_RECORDS:
            _records.popitem(last=False)
    return known


def _known(key: tuple[str, str, tuple[str, ...]]) -> Record | None:
    if key in _records:
        _records.move_to_end(key)
    return _records.get(key)


def _extended(source: str, start: str, moves: tuple[str, ...]) -> Record:
    """Return a record that is new but for the longest beginning that is known."""
    game = _game(source)
    before = _known((source, start, moves[:-1])) if moves else None
    if before is None:
        record, rest = Record(game, parse_start(game, start)), moves
    else:
        record, rest = Record(game, before.start), moves[-1:]
        record.positions, record.keys = list(before.positions), list(before.keys)
        record.moves = list(before.moves)
    for text in rest:
        play_text(record, text)
    return record


def _describe_game(given: Given, tell: Tell, stop: StopToken) -> dict[str, Any]:
    return descriptions.describe_game(_game(given["source"]))


def _position(given: Given, tell: Tell, stop: StopToken) -> dict[str, Any]:
    """Return a position; with `frames`, also all before it."""
    record = record_of(given)
    described = {**descriptions.describe_position(record), "history": record.texts()}
    if given.get("frames"):
        described["frames"] = descriptions.describe_frames(record)
    return described


def _edit(given: Given, tell: Tell, stop: StopToken) -> dict[str, Any]:
    """Return the position with codes on its cells."""
    game, codes = _game(given["source"]), given["codes"]
    if game.picture is None or len(codes) != len(game.picture.cells):
        raise PlywiseError(f"A board of {game.name} has other cells than the {len(codes)} given.")
    known = {0, *game.picture.pieces}
    if not known.issuperset(codes):
        raise PlywiseError(f"A code of a cell is one of {', '.join(map(str, sorted(known)))}.")
    position = game.from_cells(codes, given["side"])
    text = game.format_position(position)
    if not (parse_start(game, text) == position).all():
        raise PlywiseError("These pieces make no position of the game.")
    return {"text": text}


# ---------------------------------------------------------------- players

_players: OrderedDict[tuple[str, ...], Player] = OrderedDict()


def _player(given: Given, seat: str) -> Player:
    """Return a player with its memory of a board; a new one begins a game."""
    game = _game(given["source"])
    text = player_text(given["player"], game, Path(given["runs"]), given["engines"])
    key = (given["source"], given.get("board", ""), seat, text)
    if key not in _players:
        player = _prototype(given["source"], text, _stamp(text)).twin()
        player.new_game(given.get("seed", 0))
        _players[key] = player
        while len(_players) > MOST_PLAYERS:
            _players.popitem(last=False)[1].close()
    _players.move_to_end(key)
    return _players[key]


@functools.lru_cache(maxsize=MOST_MODELS)
def _prototype(source: str, text: str, stamp: int) -> Player:
    """Return a player that plays itself nowhere: its twins share what it has read from a file."""
    return make_player(text, _game(source))


def _stamp(text: str) -> int:
    """Return when the file of a player's model was written; 0 if it is named otherwise."""
    path = Path(parse_options(text)[0])
    return path.stat().st_mtime_ns if path.suffix == ENDING and path.is_file() else 0


def _check_player(given: Given, tell: Tell, stop: StopToken) -> dict[str, Any]:
    """Return the text of a player that can play here, or say what is wrong with it."""
    game = _game(given["source"])
    text = player_text(given["player"], game, Path(given["runs"]), given["engines"])
    make_player(text, game).close()
    return {"text": given["player"]}


def _choose(given: Given, tell: Tell, stop: StopToken) -> dict[str, Any]:
    """Return the move of a player."""
    record = record_of(given)
    if len(record.legal_moves()) == 0:
        raise PlywiseError("There is no move to choose: the game is over.")
    player = _player(given, str(given.get("seat", "")))
    clock = Clock(*given["clock"]) if given.get("clock") else None
    tell({"ready": True, "within": _promised(player, record.game, clock)})
    found = player.choose(_copied(record), clock, stop)
    return describe_found(found, record.game, record.position)


def _promised(player: Player, game: Game, clock: Clock | None) -> float:
    """Return the seconds in which a player surely moves."""
    budget = budget_of(player.name, game)
    limit = budget if clock is None else budget.within(clock)
    if limit.is_open:
        return FULL_SECONDS
    by_nodes = None if limit.nodes is None else limit.nodes / SLOWEST
    return min((one for one in (limit.seconds, by_nodes) if one is not None), default=UNKNOWN)


def _copied(record: Record) -> Record:
    return Record(record.game, record.start.copy(), record.moves)


def _analyse(given: Given, tell: Tell, stop: StopToken) -> dict[str, Any]:
    """Return the best lines of a position; what is known on the way is told."""
    record = record_of(given)
    if len(record.legal_moves()) == 0:
        raise PlywiseError("There is nothing to analyse: the game is over.")
    player = _judge(given, record.game)
    tell({"ready": True, "within": given["seconds"]})

    def hear(step: Analysis) -> None:
        tell({"analysis": _described(step, record)})

    seconds, lines = given["seconds"], given["lines"]
    done = analyse_in_rounds(player, _copied(record), seconds, lines, stop, hear)
    return {"analysis": _described(done, record)}


def _judge(given: Given, game: Game) -> Player:
    """Return who judges: the player that is named, or a good one where it has no opinion."""
    name = given.get("player") or default_opponent(game)
    if name.partition(",")[0] == "random":
        name = default_opponent(game)
    return _player({**given, "player": name}, "judge")


def _described(step: Analysis, record: Record) -> dict[str, Any]:
    described = describe_analysis(step, record.game, record.position)
    for line, found in zip(described["lines"], step.lines, strict=True):
        line["words"] = format_end(found)
    return {**described, "side": record.side}


def _review(given: Given, tell: Tell, stop: StopToken) -> dict[str, Any]:
    """Return the value of every position of a game for side 0, and the best move in it."""
    record = record_of(given)
    player = _judge(given, record.game)
    tell({"ready": True, "within": given.get("seconds", REVIEW_SECONDS)})
    plies = []
    for ply in range(len(record.moves) + 1):
        if stop.is_set():
            break
        past = Record(record.game, record.start.copy(), record.moves[:ply])
        plies.append(_reviewed(past, player, given.get("seconds", REVIEW_SECONDS), stop))
        tell({"ply": ply, **plies[-1]})
    return {"plies": plies}


def _reviewed(record: Record, player: Player, seconds: float, stop: StopToken) -> dict[str, Any]:
    ending = record.ending()
    if ending is not None:
        return {"value": float(ending.score), "best": None}
    try:
        found = player.analyse(record, Limit(seconds=seconds), 1, stop).lines[0]
    except JudgesNothing as error:
        raise PlywiseError(str(error)) from None
    value = found.value if record.side == 0 else -found.value
    best = record.game.format_move(record.position, found.move)
    return {"value": value, "best": best}


def _explain(given: Given, tell: Tell, stop: StopToken) -> dict[str, Any]:
    record = record_of(given)
    name = given.get("player") or default_opponent(record.game)
    text = player_text(name, record.game, Path(given["runs"]), given["engines"])
    return explain(record.game, record.position, text)


# ---------------------------------------------------------------- files of games


def _import(given: Given, tell: Tell, stop: StopToken) -> dict[str, Any]:
    """Return the games in a text; each is played through, and one with a fault says so."""
    game = _game(given["source"])
    found = parse_games(given["text"], game, given["format"])
    games = []
    for transcript in found[: given["most"]]:
        games.append(_imported(transcript, game))
        tell({"games": len(games)})
    return {"games": games}


def _imported(transcript: Transcript, game: Game) -> dict[str, Any]:
    told = {
        "players": list(transcript.players),
        "start": transcript.start,
        "score": transcript.score,
        "reason": transcript.reason,
    }
    try:
        record = replay(transcript, game)
    except PlywiseError as error:
        return {**told, "moves": [], "error": str(error)}
    return {**told, "moves": record.texts()}


def _export(given: Given, tell: Tell, stop: StopToken) -> dict[str, Any]:
    """Return a game as a text in one of the formats."""
    record = record_of(given)
    ending = record.ending()
    start = given.get("start") or FIRST
    transcript = Transcript(
        record.game.name,
        (given["players"][0], given["players"][1]),
        tuple(record.texts()),
        given["score"] if ending is None else ending.score,
        given["reason"] if ending is None else ending.reason,
        start if start == FIRST else record.game.format_position(record.start),
    )
    return {"text": format_games([transcript], record.game, given["format"])}


# ---------------------------------------------------------------- learners


def _learner(given: Given, tell: Tell, stop: StopToken) -> dict[str, Any]:
    """Return the settings of a learner, for a form."""
    from plywise.learners import load_learner, settings_of

    kind = load_learner(given["learner"])
    settings = [
        {**one._asdict(), "choices": list(one.choices), "type": type(one.default).__name__}
        for one in list_settings(settings_of(given["learner"]))
    ]
    return {"name": given["learner"], "minutes": kind.minutes, "settings": settings}


def _check_training(given: Given, tell: Tell, stop: StopToken) -> dict[str, Any]:
    """Refuse settings that cannot work, before anything is written."""
    from plywise.learners import load_learner, settings_of
    from plywise.settings import with_texts

    name = given["learner"]
    settings = with_texts(settings_of(name)(), given["settings"])
    load_learner(name)(given["source"], settings)
    return {}


def _runs(given: Given, tell: Tell, stop: StopToken) -> dict[str, Any]:
    """Answer one of several questions about runs."""
    from plywise.web import run_tasks

    folder = Path(given["runs"])
    if given["question"] == "list":
        return run_tasks.list_all(folder)
    ask = {"run": run_tasks.whole_run, "stop": run_tasks.stop_run, "resume": run_tasks.resumable}
    return ask[given["question"]](given["name"], folder)


TASKS: dict[str, Callable[[Given, Tell, StopToken], dict[str, Any]]] = {
    "game": _describe_game,
    "position": _position,
    "edit": _edit,
    "check_player": _check_player,
    "choose": _choose,
    "analyse": _analyse,
    "review": _review,
    "explain": _explain,
    "import": _import,
    "export": _export,
    "learner": _learner,
    "check_training": _check_training,
    "runs": _runs,
}
