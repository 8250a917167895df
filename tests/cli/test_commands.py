"""The command line as a person or a program meets it."""

import json
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.conftest import PROGRAM, Plywise, run_apart
from conftest import SMALLEST_GAME
from plywise import __version__
from plywise.cli import COMMANDS
from plywise.games import BUILT_IN
from plywise.kernel import compiled_here

HEAVY = """
import sys
from plywise.cli import run
code = run(sys.argv[1:])
print(code, sorted({"numpy", "numba", "llvmlite", "joblib"} & set(sys.modules)), file=sys.stderr)
"""
NAMES = [function.__name__ for function, _ in COMMANDS]


# ---------------------------------------------------------------- help


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], *([name, "--help"] for name in NAMES)]
)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HEAVY, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stderr == "0 []\n"


def test_help_is_there_at_once() -> None:
    started = time.perf_counter()
    assert run_apart("--help").code == 0
    assert time.perf_counter() - started < 3  # 0.2 s on an idle machine


def test_help_lists_every_command(plywise: Plywise) -> None:
    help_text = plywise("--help").out
    assert all(name in help_text for name in NAMES)
    assert {"games", "play", "perft", "match", "tournament", "analyse", "bench"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_an_example(name: str, plywise: Plywise) -> None:
    done = plywise(name, "--help")
    assert done.code == 0
    assert f"Example: plywise {name}" in done.out


@pytest.mark.parametrize("name", NAMES)
def test_help_names_values_by_words_and_not_by_types(name: str, plywise: Plywise) -> None:
    printed = plywise(name, "--help").out
    assert re.findall(r"<[a-z][^>]*>", printed) == []
    assert "]...]..." not in printed


def test_an_option_that_lacks_a_value_is_told_with_the_help_of_its_command(
    plywise: Plywise,
) -> None:
    done = plywise("match", "tictactoe", "random", "random", "--sprt", "5")
    assert done.err.endswith("requires 2 arguments. See plywise match --help.")


def test_the_version_is_told(plywise: Plywise) -> None:
    assert plywise("--version").out == f"plywise {__version__}\n"


# ---------------------------------------------------------------- wrong input


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["pley"], "Did you mean 'play'?"),
        (["analyze", "connect4"], "Did you mean 'analyse'?"),
        (["play"], "Say which game"),
        (["play", "drafts"], "did you mean draughts?"),
        (["play", "no_such_file.py"], "There is no file no_such_file.py"),
        (["play", "tictactoe", "--opponent", "alfabeta"], "did you mean alphabeta?"),
        (["play", "tictactoe", "--opponent", "alphabeta,detph=3"], "did you mean depth"),
        (["play", "tictactoe", "--side", "green"], "There is no side called 'green'"),
        (["play", "tictactoe", "--seconds", "0"], "a number above 0"),
        (["play", "tictactoe", "--seconds", "1e99"], "at most 1000000000"),
        (["play", "tictactoe", "--opponent", "mcts,seconds=1e300"], "at most 1000000000"),
        (["play", "tictactoe", "--opponent", "random", "--level", "2"], "has no level"),
        (["play", "tictactoe", "--position", "x"], "is not 3 rows of 3 cells"),
        (["play", "tictactoe", "--opponent", "alphabeta,eval=positional"], "is for reversi"),
        (["play", "--load", "no_such_file.json"], "cannot be read"),
        (["perft", "tictactoe"], "Missing option '--depth'"),
        (["perft", "tictactoe", "--depth", "many"], "Invalid value for '--depth'"),
        (["perft", "tictactoe", "--dept", "2"], "--depth"),
        (["perft", "tictactoe", "--depth", "0", "--split"], "at least 1"),
        (["analyse", "tictactoe", "--moves", "a1 a1"], "After a1: 'a1' is not a legal move here"),
        (["analyse", "tictactoe", "--position", "xxx/oo./... o"], "the game is over"),
        (["analyse", "tictactoe", "--player", "random"], "judges nothing"),
        (["analyse", "tictactoe", "--player", "mcts", "--depth", "3"], "mcts has no depth"),
        (["analyse", "tictactoe", "--seconds", "-1"], "a number above 0"),
        (["tune", "connect4", "--candidates", "10", "--total", "5"], "say 200 or more"),
        (["tune", "connect4", "--candidates", "10,10"], "Every candidate is tried once"),
        (["tune", "connect4", "--games", "3"], "the number of games is even"),
        (["bench", "--game", "connect5"], "did you mean connect4?"),
        (["cache", "--clear", "--clear-old"], "not both"),
        (["check", "no_such_file.py"], "There is no file no_such_file.py"),
    ],
)
def test_wrong_input_is_answered_in_one_sentence(
    arguments: list[str], sentence: str, plywise: Plywise
) -> None:
    done = plywise(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("plywise: ")
    assert len(done.err.splitlines()) == 1
    assert sentence in done.err


def test_a_fault_of_the_program_is_not_hidden(
    plywise: Plywise, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plywise.cli.games._rows", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        plywise("games")


# ---------------------------------------------------------------- games, perft, bench, cache


def test_games_lists_all_games(plywise: Plywise) -> None:
    listed = plywise("games").out
    assert all(name in listed and title in listed for name, title in BUILT_IN.items())


def test_games_as_json(plywise: Plywise) -> None:
    rows = json.loads(plywise("games", "--json").out)
    assert [row["name"] for row in rows] == list(BUILT_IN)
    draughts = next(row for row in rows if row["name"] == "draughts")
    assert draughts["sides"] == ["black", "white"]
    assert draughts["evaluator"] == "material"
    assert (draughts["players"], draughts["version"]) == (2, 1)


def test_games_compiles_nothing() -> None:
    script = "from plywise import kernel\nfrom plywise.cli import run\n"
    script += "run(['games'])\nprint(kernel.compiled_here())"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("[]\n")


def test_perft_counts(plywise: Plywise) -> None:
    assert "perft(5) of tictactoe: 15,120 nodes in" in plywise("perft", "tictactoe", "-d", "5").out


def test_perft_as_json_with_split(plywise: Plywise) -> None:
    report = json.loads(plywise("perft", "connect4", "--depth", "3", "--split", "--json").out)
    assert report["nodes"] == 343
    assert report["split"] == {str(column): 49 for column in range(1, 8)}


def test_perft_from_a_position(plywise: Plywise) -> None:
    report = json.loads(
        plywise("perft", "tictactoe", "-d", "1", "--position", "x.o/.../... x", "--json").out
    )
    assert (report["nodes"], report["position"]) == (7, "x.o/.../... x")


def test_perft_split_shows_every_move(plywise: Plywise) -> None:
    rows = plywise("perft", "tictactoe", "-d", "2", "--split").out.splitlines()
    assert [row.split() for row in rows[:2]] == [["a3", "8"], ["b3", "8"]]
    assert len(rows) == 10


def test_bench_sums_up_its_rows(plywise: Plywise) -> None:
    report = json.loads(plywise("bench", "--game", "tictactoe", "--json").out)
    assert report["signature"] == sum(row["nodes"] for row in report["rows"]) > 0
    assert plywise("bench", "--game", "tictactoe").out.endswith(
        f"signature {report['signature']}\n"
    )


def test_the_cache_is_shown_and_cleared(tmp_path: Path) -> None:
    current = json.loads(run_apart("cache", "--json", PLYWISE_CACHE_DIR=str(tmp_path)).out)
    assert current["folder"] == str(tmp_path)
    for name in (current["current"], "older"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "code.nbc").write_bytes(b"12345")
    shown = run_apart("cache", PLYWISE_CACHE_DIR=str(tmp_path)).out
    assert re.search(r"older +1 +5 B +old", shown)
    assert re.search(rf"{current['current']} +1 +5 B +current", shown)
    assert "Freed 5 B" in run_apart("cache", "--clear-old", PLYWISE_CACHE_DIR=str(tmp_path)).out
    assert [path.name for path in tmp_path.iterdir()] == [current["current"]]
    cleared = json.loads(
        run_apart("cache", "--clear", "--json", PLYWISE_CACHE_DIR=str(tmp_path)).out
    )
    assert (cleared["versions"], cleared["freed"]) == ([], 5)


# ---------------------------------------------------------------- pipes and Ctrl-C


def test_a_reader_that_goes_away_is_met_in_silence() -> None:
    with subprocess.Popen(
        [*PROGRAM, "games"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait()


def test_json_into_a_closed_pipe_is_met_in_silence() -> None:
    with subprocess.Popen(
        [*PROGRAM, "games", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait()


def test_an_answer_that_nobody_could_read_is_no_success() -> None:
    command = shlex.join([*PROGRAM, "games"])
    done = subprocess.run(["/bin/sh", "-c", f"{command} >&-"], stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("columns", ["0", "1", "39"])
def test_a_terminal_too_narrow_for_anything_is_taken_for_a_usual_one(columns: str) -> None:
    done = run_apart("games", COLUMNS=columns)
    assert done.out == run_apart("games", COLUMNS="80").out
    assert "Connect Four, 7 x 6" in done.out


def interrupted(*arguments: str, after: str) -> tuple[int, str, str]:
    """Return exit code and output of a command that gets Ctrl-C after it has printed a text."""
    with subprocess.Popen(
        [*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        seen = ""
        while after not in seen:
            line = process.stdout.readline()
            assert line, f"ended before {after!r} after {seen!r}"
            seen += line
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate()
        news = [line for line in errors.splitlines() if not line.startswith("Compiling ")]
        return process.returncode, seen + rest, "\n".join(news)


def test_ctrl_c_ends_an_analysis_and_keeps_what_was_found() -> None:
    code, printed, errors = interrupted(
        "analyse", "connect4", "--seconds", "1000", after="depth   value"
    )
    assert (code, errors) == (130, "")
    assert "Best: 4" in printed


def test_ctrl_c_ends_a_bench_without_a_traceback() -> None:
    code, _, errors = interrupted("bench", after="tictactoe")
    assert (code, errors) == (130, "")


# ---------------------------------------------------------------- analyse


def test_analyse_proves_a_win(plywise: Plywise) -> None:
    done = plywise("analyse", "tictactoe", "-p", "xx./oo./... x", "--player", "alphabeta")
    assert done.code == 0
    assert "x to move, judged by alphabeta (evaluator none)" in done.out
    assert "Best: c3  +1, 100 %, wins in 1 ply" in done.out


def test_analyse_as_json(plywise: Plywise) -> None:
    report = json.loads(
        plywise("analyse", "connect4", "-m", "4 4 5", "--depth", "5", "--lines", "2", "--json").out
    )
    assert report["side"] == "red"
    assert [step["depth"] for step in report["steps"]] == [1, 2, 3, 4, 5]
    assert len({line["move"] for line in report["lines"]}) == 2
    best = report["lines"][0]
    assert best["line"][0] == best["move"]
    assert best["expected_score"] == pytest.approx((best["value"] + 1) / 2)


def test_analyse_shows_a_row_for_every_depth(plywise: Plywise) -> None:
    rows = plywise("analyse", "connect4", "--depth", "4").out.splitlines()
    assert [row.split()[0] for row in rows[2:6]] == ["1", "2", "3", "4"]


def test_analyse_ranks_several_lines(plywise: Plywise) -> None:
    printed = plywise("analyse", "connect4", "--depth", "3", "--lines", "3").out
    assert re.findall(r"^   (\d)\. ", printed, re.MULTILINE) == ["1", "2", "3"]


def test_rows_of_an_analysis_fit_into_the_width_that_is_told() -> None:
    done = run_apart("analyse", "connect4", "--depth", "12", COLUMNS="80")
    rows = [row for row in done.out.splitlines()[2:] if row[:5].strip().isdigit()]
    assert len(rows) > 8
    assert max(map(len, rows)) <= 80


def test_analyse_with_a_tree_shows_visits(plywise: Plywise) -> None:
    arguments = ("analyse", "tictactoe", "--player", "mcts,nodes=300", "--lines", "9")
    report = json.loads(plywise(*arguments, "--json").out)
    assert len(report["moves"]) == 9
    assert report["moves"][0]["visits"] == max(row["visits"] for row in report["moves"])
    assert "visits  share" in plywise(*arguments).out


def test_moves_may_be_numbered(plywise: Plywise) -> None:
    done = plywise("analyse", "connect4", "-m", "1. 4 4 2. 5", "-d", "1", "--json")
    assert json.loads(done.out)["position"].endswith("...o.../...xx.. o")


# ---------------------------------------------------------------- check

GAME = SMALLEST_GAME.read_text()


def test_check_of_a_good_file(tmp_path: Path, plywise: Plywise) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GAME)
    done = plywise("check", str(path), "--games", "2")
    assert done.code == 0
    assert "keeps all rules of a game (2 random games" in done.out
    assert "Symmetries: 7 turns or reflections leave the board the same" in done.out


def test_check_of_a_broken_file(tmp_path: Path, plywise: Plywise) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GAME.replace("    return count\n", "    return count + 1\n"))
    done = plywise("check", str(path), "--json")
    report = json.loads(done.out)
    assert done.code == 1
    assert not report["is_ok"]
    assert {"level", "rule", "what", "hint", "position", "move"} == set(report["findings"][0])
    assert "one thing is wrong" in plywise("check", str(path)).out


def test_a_game_that_cannot_be_compiled_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GAME.replace("    return count\n", ""))
    done = run_apart("perft", str(path), "--depth", "2")
    assert done.code == 2
    assert "plywise: `moves` returns nothing." in done.err
    assert "Traceback" not in done.err


def test_a_game_still_works_after_its_file_has_moved(tmp_path: Path) -> None:
    cache = {"PLYWISE_CACHE_DIR": str(tmp_path / "cache")}
    for folder in ("here", "there"):
        path = tmp_path / folder / "mine.py"
        path.parent.mkdir()
        path.write_text(GAME)
        done = run_apart("perft", str(path), "--depth", "2", "--json", **cache)
        assert (done.code, json.loads(done.out)["nodes"]) == (0, 72)
        path.unlink()


NIM = """
from plywise import LOSS, ONGOING, Game
import numpy as np

TABLE = np.arange(10)

def initial():
    return 21, 0

def moves(position, out):
    for take in range(3):
        out[take] = take + 1
    return min(3, position[0])

def apply(position, move):
    return position[0] - move, 1 - position[1]

def result(position):
    return LOSS if position[0] == 0 else ONGOING

def side(position):
    return position[1]

def endless(n):
    return 1 if n == 99999 else endless(n + 1 - 1) + 1

rules = dict(initial=initial, moves=moves, apply=apply, result=result, side=side)
nim = Game("nim", words=2, **rules)
"""
STUCK = (
    "from plywise.cli import main; from plywise.system import watching; watching.STUCK = 2; main()"
)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="nobody watches")
@pytest.mark.parametrize("command", ["check", "perft"])
def test_rules_that_crash_are_one_sentence(command: str, tmp_path: Path) -> None:
    path = tmp_path / "nim.py"
    path.write_text(NIM.replace("position[0] == 0", "endless(position[0]) == 0"))
    done = run_apart(command, str(path), *(["--depth", "3"] if command == "perft" else []))
    assert done.code == 2
    assert f"plywise: The rules in {path} crashed" in done.err
    assert "Traceback" not in done.err
    assert ("(`result`): they" if command == "check" else "(position 15.0): they") in done.err


LOW = "if position[0] < 9: raise ValueError('low')"
FAULTS = {  # what is replaced in Nim, and by what; words of the sentence
    "an error": (
        (
            "    return position[0] - move",
            "    if position[0] < 9:\n        raise ValueError('low')\n"
            "    return position[0] - move",
        ),
        "A function of the rules fails here: ValueError: low (position ",
    ),
    "no move": (("min(3, position[0])", "0"), "The game goes on, but there is no move"),
    "too many moves": (("min(3, position[0])", "10**9"), "`moves` returns 1000000000"),
    "one side only": (("1 - position[1]", "position[1]"), "same side's turn again"),
    "no result": (("return LOSS if", "return 7 if"), "`result` says 7 (position 0."),
}


@pytest.mark.parametrize("name", FAULTS)
def test_rules_are_looked_at_before_a_command_relies_on_them(
    name: str, tmp_path: Path, plywise: Plywise
) -> None:
    (old, new), words = FAULTS[name]
    path = tmp_path / f"nim_{len(name)}.py"
    path.write_text(NIM.replace(old, new))
    for command in (["match", str(path), "random", "random"], ["train", str(path)]):
        done = plywise(*command)
        assert (done.code, done.err.count("\n")) == (2, 0)
        assert done.err.startswith(f"plywise: {path}: ")
        assert words in done.err


CONTRADICTIONS = {  # what is said before anybody looks at the rules
    "analyse NIM --depth 5": "mcts has no depth that could be limited: leave --depth out",
    "analyse NIM --player random --nodes 5": "random has no nodes that could be limited",
    "analyse NIM --nodes 0": "A limit of nodes is a number above 0",
    "analyse NIM --player alphabeta,eval=none:size=3": "no setting of none called 'size'",
    "analyse NIM --player alphabeta,eval=nobody": "There is no evaluator called 'nobody'",
    "match NIM alphabta random": "There is no player called 'alphabta'",
    "match NIM random mcts,deep=3": "'deep'",
    "match NIM random random --games 3": "the number of games is even, 2 or more, and not 3",
    "match NIM random random --clock x": "'x'",
    "tournament NIM random mcts nobody": "There is no player called 'nobody'",
    "selfplay NIM nobody": "There is no player called 'nobody'",
    "play NIM --opponent nobody": "There is no player called 'nobody'",
    "play NIM --level 3 --seconds 1": "Say --level or --seconds, not both",
    "play NIM --level 11": "a whole number from 1 to 10",
    "play NIM --opponent random --seconds 1": "'random' has no seconds that could be set",
    "play NIM --side third": "There is no side called 'third'",
    "uci NIM nobody": "There is no player called 'nobody'",
    "perfect NIM random": "nim.py has no perfect moves",
    "train NIM td depth=many": "depth",
    "train NIM --minutes nan": "--minutes is a number from 0",
}


@pytest.mark.parametrize("line", CONTRADICTIONS)
def test_what_is_wrong_in_a_line_is_told_before_anything_is_compiled(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plywise: Plywise
) -> None:
    path = tmp_path / "nim.py"
    path.write_text(NIM.replace("min(3, position[0])", "0"))  # what a look would find
    monkeypatch.chdir(tmp_path)
    before = compiled_here()
    done = plywise(*line.replace("NIM", str(path)).split())
    assert done.code == 2
    assert CONTRADICTIONS[line] in done.err
    assert compiled_here() == before


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--games=many", "'--games' / '-n': it is a whole number."),
        ("--games=1.5", "'--games' / '-n': it is a whole number."),
        (f"--games={'9' * 5000}", "'--games' / '-n': the number is too large."),
        ("--seed=-5", "'--seed': it is 0 or more."),
        ("--grace=x", "'--grace': it is a number."),
    ],
)
def test_a_wrong_number_is_told_in_plain_words(option: str, words: str, plywise: Plywise) -> None:
    done = plywise("match", "tictactoe", "random", "random", option)
    assert done.code == 2
    assert done.err == f"plywise: Invalid value for {words} See plywise match --help."


def test_games_that_never_end_are_pointed_out_once(tmp_path: Path, plywise: Plywise) -> None:
    path = tmp_path / "for_ever.py"
    path.write_text(NIM.replace("position[0] - move", "21"))
    command = ["match", str(path), "random", "random", "--games", "2", "--json"]
    first, second = plywise(*command), plywise(*command)
    assert (first.code, second.code) == (0, 0)
    assert first.err.count("do not end within 500 plies; matches call such a game a draw") == 1
    assert "do not end" not in second.err


def test_an_error_in_plain_python_is_told_with_its_line(tmp_path: Path, plywise: Plywise) -> None:
    path = tmp_path / "told.py"
    broken = "def format_move(position, move):\n    return 1 / 0\n\nrules = dict("
    path.write_text(NIM.replace("rules = dict(", broken + "format_move=format_move, "))
    done = plywise("analyse", str(path), "--nodes", "9")
    assert done.code == 2
    assert re.search(r"told\.py, line \d+: ZeroDivisionError: division by zero", done.err)


def test_rules_with_an_endless_loop_are_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "nim.py"
    loop = "    k = 0\n    while k < 9 and position[0] < 15:\n        k *= 2\n"
    path.write_text(NIM.replace("    return LOSS", loop + "    return LOSS"))
    done = subprocess.run(
        [sys.executable, "-c", STUCK, "check", str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 2
    assert "have not answered for 2 seconds (position " in done.stderr
