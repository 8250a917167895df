"""Whatever a command is told, it does it or says in one sentence why not: many thousand lines.

Options are drawn from what the commands themselves declare, values from what is nearly right and
from what nobody means. Where the work of a command begins, it is cut off: that is what CUTS names.
A command without cuts is only made to read its options. PLYWISE_FUZZ=20 is for a run by hand.
"""

import io
import resource
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any, get_type_hints

import pytest
import typer

from conftest import EXAMPLES, SMALLEST_GAME, TESTS
from driving import finish, start_run
from fuzz.inputs import Inputs
from fuzz.test_texts import TIMES, require_sentence
from plywise.cli import COMMANDS, app, run
from plywise.learners import settings_of
from plywise.live.saves import Save, write_save

LINES = 200  # for each command
FUNCTIONS = {function.__name__: function for function, _ in COMMANDS}
COUNTING = str(TESTS / "runs" / "counting.py")
CUTS = {  # command: what is replaced, where its work begins
    "games": (),
    "play": ("plywise.cli.session.Session.run",),
    "analyse": ("plywise.live.analysis.LiveAnalysis.__init__",),
    "perft": ("plywise.cli.perft._count",),
    "solve": ("plywise.cli.solve._solve_one", "plywise.cli.solve._solve_file"),
    "perfect": ("plywise.arena.perfection.random_positions",),
    "suite": ("plywise.arena.suite.run_suite",),
    "match": ("plywise.arena.match.play_all",),
    "tournament": ("plywise.arena.tournament.play_all",),
    "selfplay": ("plywise.arena.selfplay.play_all",),
    "dataset": ("plywise.datasets.building._cut",),
    "judge": ("plywise.reports.pair_report.report_pairs",),
    "serve": ("plywise.cli.serve.look_apart", "plywise.web.serving.serve_app"),
    "train": ("plywise.cli.train._start", "plywise.runs.carry_on"),
    "runs": (),
    "report": ("plywise.reports.run_report.final_tests",),
    "plot": ("plywise.reports.plots.pyplot",),
    "tune": ("plywise.learners.nhb.tuning.tune_nodes",),
    "uci": ("plywise.protocols.uci.UciEngine.run",),
    "hub": ("plywise.protocols.hub.HubEngine.run",),
    "nboard": ("plywise.protocols.nboard.NboardEngine.run",),
    "check": ("plywise.conformance.check_game",),
    "bench": ("plywise.players.bench.run_bench",),
    "cache": ("plywise.kernel.clear_cache", "plywise.kernel.cached_versions"),
}
GAMES = ("tictactoe", "connect4", "draughts", "mine.py", "tictactoe", "nogame", "empty.py")
PLAYERS = (
    "random",
    "alphabeta,depth=2",
    "mcts,nodes=9,cap=0",
    "alphabeta,eval=mlp:hidden=4,depth=1",
)
FILES = (
    *(
        "save.json",
        "game.pdn",
        "new.jsonl",
        "new.pgn",
        "empty",
        "folder",
        "missing/new.jsonl",
        "new",
    ),
    *("runs/run", "runs/bad", "runs", "/dev/null", "/dev/full", "binary", "tactics.epd", "new.png"),
)
WORDS = ("start", "random", "book", "first", "both", "60+1", "12-24", "4453", "11-15", "td", "nhb")


def commands() -> dict[str, Any]:
    return dict(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _little_memory() -> Iterator[None]:
    """Let whoever takes too much memory fail alone, not with the whole machine."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@pytest.fixture
def _workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with good and bad files, and begin no work."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    Path("mine.py").write_text(SMALLEST_GAME.read_text())
    Path("tactics.epd").write_text((EXAMPLES / "tactics.epd").read_text())
    write_save(Save("tictactoe", "tictactoe", "start", (), ("human", "random")), Path("save.json"))
    Path("game.pdn").write_text('[GameType "21"]\n\n1. 9-13 24-20 *\n')
    Path("empty").write_text("")
    Path("empty.py").write_text("")
    Path("binary").write_bytes(bytes(range(256)))
    Path("folder").mkdir()
    finish(start_run(Path("runs/run"), COUNTING, "tictactoe", settings_of(COUNTING)(count=2)))
    Path("runs/bad").mkdir()
    Path("runs/bad/config.toml").write_bytes(b"\xff\x00[")
    for targets in CUTS.values():
        for target in targets:
            monkeypatch.setattr(target, leave)
    monkeypatch.setattr("plywise.players.search_player.SearchPlayer.new_game", leave)


def leave(*_: Any, **__: Any) -> Any:
    """Stand in for work: all that could be wrong has been found to be right."""
    raise typer.Exit(0)


def value(source: Inputs, parameter: Any, kinds: dict[str, Any]) -> str:
    """Return a value for a parameter: of its kind mostly, else anything."""
    name = str(parameter.name)
    if source.random() < 0.25:
        return source.spite()
    if "player" in name or "opponent" in name or name == "anchor":
        return source.spoilt(source.choice(PLAYERS))
    if name == "game":
        return source.choice(GAMES) if source.random() < 0.9 else source.spoilt("tictactoe")
    kind = str(kinds.get(name))
    if "int" in kind or "float" in kind:
        return source.number()
    if "Path" in kind:
        return (
            source.choice(FILES) if source.random() < 0.8 else source.spoilt(source.choice(FILES))
        )
    if name == "settings":
        return source.spoilt(
            source.choice(("td", "nhb", "rounds=1", "depth=2", "hidden=4", "seed=1"))
        )
    return source.spoilt(source.choice(WORDS))


def line(source: Inputs, command: Any) -> list[str]:
    """Return the words of one command line."""
    kinds = get_type_hints(FUNCTIONS[command.name])
    words: list[str] = []
    for parameter in command.params:
        is_argument = parameter.param_type_name == "argument"
        if source.random() > (0.9 if is_argument else 0.3):
            continue
        if is_argument:
            count = source.randint(1, 3) if parameter.nargs == -1 else 1
            words += [value(source, parameter, kinds) for _ in range(count)]
        else:
            words.append(source.choice(parameter.opts))
            if not getattr(parameter, "is_flag", False):
                words += [value(source, parameter, kinds) for _ in range(max(1, parameter.nargs))]
    if source.random() < 0.02:
        words.insert(source.randrange(len(words) + 1), source.spite())
    return words


def outcome(words: list[str]) -> tuple[int, str]:
    """Return the exit code of a command, and what it said that was not its answer."""
    said = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(said):
        code = run(words)
    return code, said.getvalue()


@pytest.mark.parametrize("name", list(commands()))
@pytest.mark.usefixtures("_workshop")
def test_every_line_is_answered(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    source, command = Inputs(len(name)), commands()[name]
    for number in range(int(LINES * TIMES)):
        words = line(source, command)
        if name not in CUTS:
            reads(command, words)
            continue
        try:
            code, said = outcome([name, *words])
        except BaseException as error:
            error.add_note(f"line {number}: {[name, *words]!r}")
            raise
        judge(code, said, [name, *words])


def judge(code: int, said: str, words: list[str]) -> None:
    """Raise unless a command has done its work or said why not."""
    assert code in (0, 2), (code, said, words)
    if code == 2:
        sentences = [one for one in said.split("plywise: ") if one.strip()]
        assert sentences, words
        sentence = sentences[-1]
        for word in words:
            sentence = sentence.replace(word, "") if word.strip(" .") else sentence
        try:
            require_sentence(sentence.strip() + " .", "")
        except AssertionError as error:
            error.add_note(repr(words))
            raise


def reads(command: Any, words: list[str]) -> None:
    """Let a command read its options, and do nothing."""
    with suppress(Exception, SystemExit):
        command.make_context(command.name, list(words))
