"""The conformance suite: every game passes it, and every broken one is told what is wrong."""

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import GAMES_IN_TURN, INTERPRETED, ROOT, SMALLEST_GAME, TESTS
from plywise.conformance import ERROR, NOTE, WARNING, Finding, check_game, explain_compile_error
from plywise.conformance.findings import Seen, Spot
from plywise.conformance.positions import check_hash
from plywise.game import Game
from plywise.games import load_game

pytestmark = pytest.mark.kernels

HERE = str(Path(__file__).parent)
EXAMPLES = sorted(str(p) for p in (ROOT / "examples").glob("*.py") if "Game(" in p.read_text())
PLAYED = 1 if INTERPRETED else 3

NIM = """
import numpy as np
from plywise import DRAW, LOSS, ONGOING, WIN, About, Game, Grid

def initial():
    return 7, 0

def moves(position, out):
    count = 0
    for take in range(1, 4):
        if take <= position[0]:
            out[count] = take
            count += 1
    return count

def apply(position, move):
    return position[0] - move, 1 - position[1]

def result(position):
    return LOSS if position[0] == 0 else ONGOING

def side(position):
    return position[1]

class Class:
    number = 1

DICTIONARY, LIST, OBJECT = {1: 1}, [1, 1], Class()
rules = dict(initial=initial, moves=moves, apply=apply, result=result, side=side)
nim = Game("nim", words=2, max_moves=3, **rules)
"""


def check_nim(folder: Path, *replacements: tuple[str, str]) -> dict[str, Finding]:
    """Return the findings, by rule, in Nim with pieces of its text replaced."""
    text = NIM
    for old, new in replacements:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    path = folder / f"nim{len(list(folder.iterdir()))}.py"
    path.write_text(text)
    report = check_game(load_game(str(path)), games=5, plies=100)
    return {finding.rule: finding for finding in report.findings}


def print_findings_in_broken_games(folder: Path) -> None:
    """Print the findings in all broken games as JSON."""
    found = {name: check_nim(folder, *changes) for name, (*changes, _) in BROKEN.items()}
    shown = {
        name: {rule: asdict(finding) for rule, finding in findings.items()}
        for name, findings in found.items()
    }
    print(json.dumps(shown))


@pytest.fixture(scope="module")
def found_in_broken_games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the findings in all broken games from an interpreter: compiling takes a minute."""
    folder = str(tmp_path_factory.mktemp("broken"))
    script = "import pathlib, sys, test_conformance as test\n"
    script += "test.print_findings_in_broken_games(pathlib.Path(sys.argv[1]))"
    paths = os.pathsep.join(filter(None, [str(TESTS), HERE, os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-c", script, folder],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", [*GAMES_IN_TURN, *EXAMPLES], ids=lambda name: Path(name).stem)
@settings(max_examples=1 if INTERPRETED else 4)
@given(seed=st.integers(0, 2**32 - 1))
def test_every_game_keeps_the_rules_of_a_game(name: str, seed: int) -> None:
    report = check_game(load_game(name), games=PLAYED, seed=seed)
    assert [finding for finding in report.findings if finding.level != NOTE] == []
    assert report.is_ok
    assert report.games == PLAYED


def test_the_clock_ends_a_game_that_its_hash_does_not_tell_apart() -> None:
    game, seen = load_game(str(ROOT / "examples/oware.py")), Seen(np.zeros(4, np.uint64))
    for plies in (4, 100):
        row = game.parse_position(f"0,0,1,0,0,0,23/0,0,1,0,0,0,23 N {plies}")
        assert list(check_hash(Spot(game, row), seen)) == []


def test_the_same_seed_finds_the_same(game: Game) -> None:
    assert check_game(game, games=1, seed=5) == check_game(game, games=1, seed=5)


def test_a_correct_small_game_gets_suggestions_only(tmp_path: Path) -> None:
    findings = check_nim(tmp_path)
    assert set(findings) == {"no-cells", "no-format-move", "no-noisy"}
    assert all(finding.level == NOTE and finding.hint for finding in findings.values())


SOUND = {  # name: what is replaced by what in a game that stays right
    "stuck where there is no move": [
        ("    return LOSS if position[0] == 0 else ONGOING\n", "    return ONGOING\n"),
        ("max_moves=3, **rules", "max_moves=3, **rules, stuck=lambda position: LOSS"),
    ],
    "check, a pass and an order of captures": [
        (
            "max_moves=3, **rules",
            "max_moves=3, **rules, in_check=lambda position: position[0] < 3, "
            "null=lambda position: (position[0], 1 - position[1]), "
            "noisy=lambda p, move: move == 3, rank=lambda p, move: move, pieces=lambda p: p[0]",
        )
    ],
    "a side that moves again after taking one": [
        (
            "    return position[0] - move, 1 - position[1]\n",
            "    return position[0] - move, (position[1] + move // 2) & 1\n",
        ),
        ("max_moves=3, **rules", "max_moves=3, **rules, alternates=False"),
    ],
    "a judge of its own": [
        ("max_moves=3, **rules", "max_moves=3, **rules, judge=lambda p: -1 if p[0] % 4 == 0 else 1")
    ],
}


@pytest.mark.parametrize("name", SOUND)
def test_what_a_game_may_say_in_addition_is_accepted(name: str, tmp_path: Path) -> None:
    findings = check_nim(tmp_path, *SOUND[name])
    assert [finding for finding in findings.values() if finding.level != NOTE] == []
    assert "alternates" not in findings


def test_a_side_that_moves_twice_is_told_what_to_declare(
    found_in_broken_games: dict[str, Any],
) -> None:
    finding = found_in_broken_games["a side that moves twice"]["moves-twice"]
    assert "alternates=False" in finding["hint"]


TAKE = "    return position[0] - move, 1 - position[1]\n"
LIST = "    return count\n"
OPTIONS = "max_moves=3, **rules"

NULL = ", null=lambda position: (position[0], position[1])"
BROKEN: dict[str, Any] = {  # name: what is replaced by what; level, rule and words of the finding
    "another side": (
        ("    return position[1]\n", "    return 2 * position[1]\n"),
        (ERROR, "side", "`side` says 2"),
    ),
    "a result that is none": (
        ("LOSS if position[0] == 0 else ONGOING", "5 if position[0] == 0 else ONGOING"),
        (ERROR, "result", "`result` says 5"),
    ),
    "over at once": (("== 0 else", "<= 7 else"), (ERROR, "start", "over before it begins")),
    "no move left": (("== 0 else", "== 9 else"), (ERROR, "no-moves", "there is no move")),
    "a failure on the way": (
        ("    return LOSS if", "    assert position[0] != 2\n    return LOSS if"),
        (ERROR, "fails", "AssertionError"),
    ),
    "a negative count": ((LIST, "    return -1\n"), (ERROR, "move-count", "returns -1")),
    "a move twice": (
        ("out[count] = take", "out[count] = 1"),
        (ERROR, "duplicate-move", "lists 1 twice"),
    ),
    "a move that changes nothing": (
        (TAKE, "    return position[0], position[1]\n"),
        (ERROR, "same-position", "changes nothing"),
    ),
    "a side that moves twice": (
        (TAKE, "    return position[0] - move, position[1]\n"),
        (ERROR, "moves-twice", "After a move of first it is the same side"),
    ),
    "sides that alternate after all": (
        (OPTIONS, OPTIONS + ", alternates=False"),
        (NOTE, "alternates", "no side moved twice in a row"),
    ),
    "a pass that keeps the turn": (
        (OPTIONS, OPTIONS + NULL),
        (ERROR, "null", "After `null` first is to move again"),
    ),
    "stuck, and going on": (
        ("    return LOSS if position[0] == 0 else ONGOING\n", "    return ONGOING\n"),
        (OPTIONS, OPTIONS + ", stuck=lambda position: ONGOING"),
        (ERROR, "stuck", "There is no legal move, and `stuck` says that the game goes on"),
    ),
    "stuck with a result that is none": (
        ("    return LOSS if position[0] == 0 else ONGOING\n", "    return ONGOING\n"),
        (OPTIONS, OPTIONS + ", stuck=lambda position: 7"),
        (ERROR, "result", "`stuck` says 7"),
    ),
    "stuck, but able to move": (
        (
            OPTIONS,
            OPTIONS + ", stuck=lambda position: DRAW, "
            "count=lambda position, out: 0 if position[0] == 4 else min(3, position[0])",
        ),
        (ERROR, "stuck", "`stuck` ends the game, but `moves` lists 3 moves"),
    ),
    "check that cannot be told": (
        (OPTIONS, OPTIONS + ", in_check=lambda position: position[9] > 0"),
        (ERROR, "fails-in_check", "`in_check` fails"),
    ),
    "a rank with a fraction": (
        (OPTIONS, OPTIONS + ", noisy=lambda p, move: move == 3, rank=lambda p, move: move / 2"),
        (ERROR, "floats-rank", "where a whole number is wanted"),
    ),
    "a number of pieces with a fraction": (
        (OPTIONS, OPTIONS + ", pieces=lambda position: 0.5"),
        (ERROR, "floats-pieces", "where a whole number is wanted"),
    ),
    "a judge beyond measure": (
        (OPTIONS, OPTIONS + ", judge=lambda position: position[0]"),
        (ERROR, "judge-judge", "The evaluator 'judge' says"),
    ),
    "a judge that fails": (
        (OPTIONS, OPTIONS + ", judge=lambda position: position[9]"),
        (ERROR, "judge-judge", "The evaluator 'judge' fails"),
    ),
    "a default evaluator that is none": (
        (OPTIONS, OPTIONS + ", about=About(default_evaluator='nothing')"),
        (ERROR, "default-evaluator", "no evaluator called 'nothing'"),
    ),
    "sides counted from 1": (
        ("    return 7, 0\n", "    return 7, 1\n"),
        (TAKE, "    return position[0] - move, 3 - position[1]\n"),
        (ERROR, "side", "`side` says 1 of the first position"),
    ),
    "the second side begins": (
        ("    return position[1]\n", "    return 1 - position[1]\n"),
        (ERROR, "side", "`side` says 1 of the first position, but side 0 is who begins"),
    ),
    "a division by 0": (
        ("    return LOSS if", "    even = 6 // position[0]\n    return LOSS if even > 9 or"),
        (ERROR, "division-result", "`result` divides by 0"),
    ),
    "the loser wins": (("return LOSS", "return WIN"), (WARNING, "who-wins", "never won")),
    "too many words": (("words=2", "words=1"), (ERROR, "words-initial", "returns 2 words")),
    "a word that is always 0": (
        (TAKE, "    return position[0] - move, position[1]\n"),
        (OPTIONS, OPTIONS + ", alternates=False"),
        (NOTE, "unused-word", "Word 1 is 0"),
    ),
    "endless": (
        (TAKE, "    return 8 - position[0] + 0 * move, 1 - position[1]\n"),
        (ERROR, "endless", "did not end within 100 plies"),
    ),
    "two sides of one name": (
        (OPTIONS, OPTIONS + ", sides=('me', 'me')"),
        (ERROR, "sides", "('me', 'me')"),
    ),
    "a count of its own mind": (
        (OPTIONS, OPTIONS + ", count=lambda position, out: 2"),
        (ERROR, "count", "`count` says 2, but `moves` lists 3"),
    ),
    "quiet and noisy at once": (
        (OPTIONS, OPTIONS + ", noisy=lambda p, move: move == 3, is_quiet=lambda p: True"),
        (ERROR, "is-quiet", "`is_quiet` says True, but `noisy` is true for 1 moves"),
    ),
    "other moves listed as noisy": (
        (
            OPTIONS,
            OPTIONS + ", noisy=lambda p, move: move == 3, noisy_moves=lambda p, out: 0",
        ),
        (ERROR, "noisy-moves", "`noisy_moves` lists 0 moves, but `noisy` is true for 1"),
    ),
    "a theme out of range": (
        (OPTIONS, OPTIONS + ", theme=lambda p, move: 1023"),
        (ERROR, "theme", "`theme` says 1023"),
    ),
    "everything noisy": (
        (OPTIONS, OPTIONS + ", noisy=lambda position, move: True"),
        (WARNING, "all-noisy", "every move seen"),
    ),
    "a hash without the side": (
        (OPTIONS, OPTIONS + ", hash=lambda position: position[0]"),
        (ERROR, "hash-collision", "plays otherwise"),
    ),
    "a clock that jumps": (
        (OPTIONS, OPTIONS + ", clock=lambda position: 7 - position[0]"),
        (ERROR, "clock", "`clock` goes from"),
    ),
    "one text for all moves": (
        (OPTIONS, OPTIONS + ", format_move=lambda position, move: 'take'"),
        (ERROR, "move-text-twice", "both written 'take'"),
    ),
    "a text of two words": (
        (OPTIONS, OPTIONS + ", format_move=lambda position, move: f'take {move}'"),
        (ERROR, "move-text", "'take 1'"),
    ),
    "a format that fails": (
        (OPTIONS, OPTIONS + ", format_move=lambda position, move: 'abc'[move]"),
        (ERROR, "format-move", "`moves` lists 3, for which `format_move` finds no cell"),
    ),
    "a format that forgets to return": (
        (OPTIONS, OPTIONS + ", format_move=lambda position, move: None"),
        (ERROR, "move-text", "`format_move` returns nothing"),
    ),
    "a format that divides by 0": (
        (OPTIONS, OPTIONS + ", format_move=lambda position, move: str(1 // (move - 1))"),
        (ERROR, "format-move", "`format_move` fails: ZeroDivisionError: integer division or"),
    ),
    "a position read wrongly": (
        (OPTIONS, OPTIONS + ", format_position=str, parse_position=lambda text: (1, 0)"),
        (ERROR, "position-text", "the legal moves"),
    ),
    "a position that is not read": (
        (OPTIONS, OPTIONS + ", format_position=str"),
        (ERROR, "parse-position", "`parse_position` fails: BadPosition"),
    ),
    "nonsense accepted": (
        (
            OPTIONS,
            OPTIONS + ", format_position=lambda p: f'{p[0]}/{p[1]}', "
            "parse_position=lambda text: [int(part) for part in text.split('/')]",
        ),
        (WARNING, "nonsense-parse_position", "ValueError"),
    ),
    "a mirror that is none": (
        (OPTIONS, OPTIONS + ", mirror=(0, 0)"),
        (ERROR, "mirror", "does not rearrange"),
    ),
    "inputs without a count": (
        (OPTIONS, OPTIONS + ", inputs=lambda position, out: 0"),
        (ERROR, "input-count", "input_count=0"),
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_game_is_told_what_is_wrong(
    name: str, found_in_broken_games: dict[str, Any]
) -> None:
    level, rule, words = BROKEN[name][-1]
    findings = found_in_broken_games[name]
    assert rule in findings, findings
    assert words in findings[rule]["what"]
    assert findings[rule]["level"] == level
    assert findings[rule]["hint"]


def test_a_result_that_looks_at_the_wrong_sides_stones_is_told(tmp_path: Path) -> None:
    """Three in a row are seen a move late, whatever that move is."""
    text, right = SMALLEST_GAME.read_text(), "if position[1] & line == line"
    assert text.count(right) == 1
    path = tmp_path / "late.py"
    path.write_text(text.replace(right, "if position[0] & line == line"))
    found = {one.rule: one for one in check_game(load_game(str(path)), games=40).findings}
    assert found["late-end"].level == WARNING
    assert "the last move won, and so would have any other" in found["late-end"].what
    assert "the stones of who has just moved" in found["late-end"].hint


def test_stones_on_top_of_others_are_told(tmp_path: Path) -> None:
    text, right = SMALLEST_GAME.read_text(), "(position[0] | position[1]) >> cell & 1 == 0"
    assert text.count(right) == 1
    path = tmp_path / "on_top.py"
    path.write_text(text.replace(right, "position[0] >> cell & 1 == 0"))
    found = {one.rule: one for one in check_game(load_game(str(path)), games=5).findings}
    assert "no board shows two pieces on one cell" in found["position-text"].hint


def test_who_has_no_move_is_told_of_stuck(found_in_broken_games: dict[str, Any]) -> None:
    assert "stuck(position)" in found_in_broken_games["no move left"]["no-moves"]["hint"]


def test_a_finding_names_position_and_move(found_in_broken_games: dict[str, Any]) -> None:
    finding = found_in_broken_games["a move twice"]["duplicate-move"]
    assert (finding["position"], finding["move"]) == ("7.0", "1")


CELLS = """
def cells(position, out):
    {body}

"""
PICTURE = OPTIONS + ", cells=cells, picture=Grid(1, 7)"

DRAWN = {
    "as it should be": ("for cell in range(7): out[cell] = cell < position[0]", "", ""),
    "a code without a glyph": (
        "for cell in range(7): out[cell] = 3",
        "glyph",
        "writes 3 for cell a1",
    ),
    "cells left out": ("for cell in range(6): out[cell] = 0", "cell-unwritten", "for cell g1"),
    "cells beyond the last": (
        "for cell in range(9): out[cell] = 0",
        "fails-cells" if INTERPRETED else "cell-count",
        "out of bounds" if INTERPRETED else "past the 7 cells",
    ),
}


@pytest.mark.parametrize("name", DRAWN)
def test_cells_are_checked_against_the_picture(name: str, tmp_path: Path) -> None:
    body, rule, words = DRAWN[name]
    function = CELLS.format(body=body)
    findings = check_nim(tmp_path, ("rules = dict", function + "rules = dict"), (OPTIONS, PICTURE))
    assert (words in findings[rule].what) if rule else ("no-cells" not in findings)


MIXED = """    heap = position[0]
    for bit in range(2):
        heap &= ~(1 << bit)
"""
COMPILED_ONLY: dict[str, Any] = {  # name: replacement; rule and words
    "a list of moves": (
        (LIST, "    return [take for take in range(1, 4) if take <= position[0]]\n"),
        ("list-moves", "`moves` returns a list instead of a number"),
    ),
    "moves forget to return": ((LIST, ""), ("compile-moves", "`moves` returns nothing")),
    "moves return sometimes": (
        (LIST, "    if count > 1:\n        return count\n"),
        ("compile-moves", "on some ways"),
    ),
    "apply returns a word": (
        (TAKE, "    return position[0] - move\n"),
        ("compile-apply", "does not return a tuple of words"),
    ),
    "apply returns too few words": (
        (TAKE, "    return (position[0] - move,)\n"),
        ("compile-apply", "too few words: the game says words=2"),
    ),
    "a word too many is asked for": (
        ("words=2", "words=3"),
        ("compile-initial", "too few words: the game says words=3"),
    ),
    "too many moves": (
        (OPTIONS, "max_moves=2, **rules"),
        ("max-moves", "3 moves, but the game says max_moves=2"),
    ),
    "a scratch place too few": (
        (LIST, "    out[count] = 9\n    return count\n"),
        ("max-moves", "writes past the end of `out`"),
    ),
    "moves far behind the end": (
        (LIST, "    for far in range(300000):\n        out[far] = 1\n" + LIST),
        ("outside-moves", "`moves` writes far outside of `out`"),
    ),
    "moves far before the beginning": (
        (LIST, "    out[-90000] = 1\n" + LIST),
        ("outside-moves", "`moves` writes far outside of `out`"),
    ),
    "wrong parameters": (
        ("def moves(position, out):\n", "def moves(position):\n    out = np.zeros(9)\n"),
        ("compile-moves", "takes (position), but it is called with (position, out)"),
    ),
    "a position that is changed": (
        (TAKE, "    position[0] -= move\n" + TAKE),
        ("compile-apply", "(nim0.py, line 17)"),
    ),
    "a dictionary as a table": (
        (TAKE, "    return position[0] - DICTIONARY[1], 1 - position[1]\n"),
        ("compile-apply", "`DICTIONARY` is a dict"),
    ),
    "a list as a table": (
        (TAKE, "    return position[0] - LIST[1], 1 - position[1]\n"),
        ("compile-apply", "`LIST` is a list"),
    ),
    "a class": (
        (TAKE, "    return position[0] - Class().number, 1 - position[1]\n"),
        ("compile-apply", "`Class` is a class"),
    ),
    "a global that is changed": (
        (TAKE, "    global changed\n    changed = 1\n" + TAKE),
        ("compile-apply", "it changes a global (nim0.py, line "),
    ),
    "an import inside": (
        (TAKE, "    import math\n" + TAKE),
        ("compile-apply", "it imports something (nim0.py, line "),
    ),
    "an unknown name": (
        ("    count = 0\n", "    count = zero\n"),
        ("compile-moves", "`zero` is not defined (nim0.py, line 9)"),
    ),
    "a list of moves, and a number": (
        (LIST, "    if count > 2:\n        return count\n    return [1, 2]\n"),
        ("compile-moves", "it returns a list in one place and a number in another (nim0.py, line"),
    ),
    "a word that becomes a float": (
        (TAKE, MIXED + TAKE),
        ("compile-apply", "a number with a decimal point, which has no bits (nim0.py, line 19)"),
    ),
    "rows of different lengths": (
        (TAKE, "    for one in ((1, 2), (3,)):\n        move += one[0]\n" + TAKE),
        ("compile-apply", "the rows of a table have different lengths (nim0.py, line 17)"),
    ),
    "parameters in another order": (
        (
            "def apply(position, move):\n" + TAKE,
            "def apply(m, p):\n    return p[0] - m, 1 - p[1]\n",
        ),
        ("compile-apply", "it takes a single number for a tuple (nim0.py, line 17)"),
    ),
    "a word too many is taken": (
        (TAKE, "    heap, turn, more = position\n" + TAKE),
        ("compile-apply", "it takes 3 words out of a tuple that has 2 (nim0.py, line 17)"),
    ),
    "a function that calls itself only": (
        ("    return position[1]\n", "    return side(position)\n"),
        ("compile-side", "it calls itself without an end (nim0.py, line"),
    ),
    "an object": (
        ("    return position[1]\n", "    return position[1] + OBJECT.number - 1\n"),
        ("compile-side", "`OBJECT` is a Class (nim0.py, line"),
    ),
    "an unknown attribute": (
        ("    count = 0\n", "    count = position.nothing\n"),
        ("compile-moves", "Unknown attribute 'nothing'"),
    ),
    "half a bit": (
        (TAKE, "    return position[0] >> (move / 2), position[1]\n"),
        ("compile-apply", "shifts bits by a number with a decimal point (nim0.py, line 17)"),
    ),
    "a float": (
        (TAKE, "    return position[0] / 2, position[1]\n"),
        ("floats-apply", "decimal point"),
    ),
}


@pytest.mark.skipif(INTERPRETED, reason="about the compiler")
@pytest.mark.parametrize("name", COMPILED_ONLY)
def test_what_only_the_compiler_shows_is_told_by_function_and_line(
    name: str, tmp_path: Path
) -> None:
    replacement, (rule, words) = COMPILED_ONLY[name]
    findings = check_nim(tmp_path, replacement)
    assert rule in findings, findings
    assert words in findings[rule].what
    assert "\n" not in findings[rule].what
    assert next(iter(findings)) == rule


ONE_CAUSE = {  # name: replacements; the only errors
    "fewer words than positions have": ((("words=2", "words=1"),), ["words-initial"]),
    "more words than positions have": ((("words=2", "words=3"),), ["compile-initial"]),
    "a side that inputs ask as well": (
        (("    return position[1]\n", "    return position[2]\n"),),
        ["compile-side"],
    ),
    "a line that two functions come to": (
        (
            (TAKE, MIXED + TAKE),
            (OPTIONS, OPTIONS + ", noisy=lambda p, move: apply(p, move)[0] == 0"),
        ),
        ["compile-apply"],
    ),
}


@pytest.mark.skipif(INTERPRETED, reason="about the compiler")
@pytest.mark.parametrize("name", ONE_CAUSE)
def test_one_cause_is_one_error(name: str, tmp_path: Path) -> None:
    replacements, errors = ONE_CAUSE[name]
    findings = check_nim(tmp_path, *replacements).values()
    assert [one.rule for one in findings if one.level == ERROR] == errors


@pytest.mark.skipif(INTERPRETED, reason="about the compiler")
def test_the_cure_for_a_word_that_becomes_a_float_mends_it(tmp_path: Path) -> None:
    found = check_nim(tmp_path, (TAKE, MIXED + TAKE))["compile-apply"]
    assert "as in `theirs &= ~np.uint64(1 << cell)`" in found.hint
    cured = MIXED.replace("~(1 << bit)", "~np.uint64(1 << bit)")
    findings = check_nim(tmp_path, (TAKE, cured + TAKE)).values()
    assert [one for one in findings if one.level == ERROR] == []


CURES = {  # name of a broken game: words of how to mend it
    "a list of moves, and a number": "into `out`, from out[0] on, and return how many there are",
    "parameters in another order": "It is called as `apply(position, move)`, in this order",
    "rows of different lengths": "Give every row as many numbers as the others",
    "a word too many is taken": "position[0] to position[1]",
    "an unknown name": "Define `zero` in the file",
}


@pytest.mark.skipif(INTERPRETED, reason="about the compiler")
@pytest.mark.parametrize("name", CURES)
def test_what_the_compiler_refuses_has_a_cure(name: str, tmp_path: Path) -> None:
    replacement, (rule, _) = COMPILED_ONLY[name]
    assert CURES[name] in check_nim(tmp_path, replacement)[rule].hint


@pytest.mark.skipif(INTERPRETED, reason="about the compiler")
def test_a_misspelt_name_is_told_the_nearest_and_a_missing_import_where_to_find_it(
    tmp_path: Path,
) -> None:
    near = check_nim(tmp_path, ("    return count\n", "    return cuont\n"))
    assert "Did you mean `count`?" in near["compile-moves"].hint
    missing = check_nim(tmp_path, ("    return count\n", "    return popcount(position[0])\n"))
    assert "from plywise import popcount" in missing["compile-moves"].hint


@pytest.mark.skipif(INTERPRETED, reason="about the compiler")
def test_an_error_of_the_compiler_becomes_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(NIM.replace(LIST, ""))
    game = load_game(str(path))
    with pytest.raises(Exception, match="nopython") as caught:
        game.legal_moves(game.initial())
    assert explain_compile_error(caught.value) == "`moves` returns nothing."
