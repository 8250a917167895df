"""What the documents show works: programs, commands, the tutorial, links."""

import contextlib
import io
import itertools
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from conftest import INTERPRETED, ROOT
from plywise import cli

README = ROOT / "README.md"
TUTORIAL = ROOT / "docs" / "adding-a-game.md"
LEARNER_GUIDE = ROOT / "docs" / "adding-a-learner.md"
FILES = ROOT / "docs" / "files.md"
MEASURING = ROOT / "docs" / "measuring-strength.md"
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]

BLOCK = re.compile(
    r"(?P<mark><!-- [^\n]* -->\n)?^(?P<indent> *)```(?P<kind>\w*)\n(?P<body>.*?)^ *```$",
    re.M | re.S,
)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(#[^)]*)?\)")
EXAMPLE = re.compile(r"^\|.*\| `(plywise [^`]*)` \|$", re.M)
RUNNABLE = ("plywise ", "sed ")
TYPED = ("play", "uci", "hub", "nboard")  # commands to which something is typed
PLAYING = ("match", "tournament", "selfplay")
SMALL = 4  # games of a match that only shows how it is asked for


def blocks(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield (kind, body, mark before it) of all fenced blocks of a document."""
    for found in BLOCK.finditer(path.read_text("utf-8")):
        yield found["kind"], found["body"], found["mark"] or ""


def commands(body: str) -> list[str]:
    """Return the commands in a block that shows a terminal."""
    lines = [line.strip().removeprefix("$ ") for line in body.splitlines() if "$ " in line[:5]]
    return [line for line in lines if line.startswith(RUNNABLE)]


def shown_commands() -> list[str]:
    """Return all commands of the documents but the tutorial's, each once."""
    found = EXAMPLE.findall(README.read_text("utf-8"))
    for path in DOCUMENTS:
        if path != TUTORIAL:
            for kind, body, _ in blocks(path):
                found += commands(body) if kind == "console" else []
    return list(dict.fromkeys(found))


def run(command: str, folder: Path, **environment: str) -> str:
    """Run a command as a reader would, with nothing to type, and return what it prints."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        shortened(command),
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": path, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def shortened(command: str) -> str:
    """Return a command with few games, if it plays some."""
    return re.sub(r"--games (\d{2,})", f"--games {SMALL}", command)


def run_here(command: str) -> None:
    """Run a command in this process, where compiled kernels are shared."""
    arguments = shlex.split(shortened(command))[1:]
    if arguments[0] in PLAYING and "--jobs" not in arguments:
        arguments += ["--jobs", "1"]
    assert cli.run(arguments) == 0, command


def python_blocks(path: Path) -> list[str]:
    return [body for kind, body, _ in blocks(path) if kind == "python"]


# ---------------------------------------------------------------- texts


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_to_a_file(path: Path) -> None:
    broken = [
        target
        for target, anchor in LINK.findall(path.read_text("utf-8"))
        if not (path.parent / target if target else path).exists()
    ]
    assert broken == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_anchor_is_a_heading(path: Path) -> None:
    broken = []
    for target, anchor in LINK.findall(path.read_text("utf-8")):
        if anchor:
            text = (path.parent / target if target else path).read_text("utf-8")
            headings = re.findall(r"^#+ (.+)$", text, re.M)
            names = [
                "#" + re.sub(r"[^\w -]", "", name).lower().replace(" ", "-") for name in headings
            ]
            broken += [anchor] if anchor not in names else []
    assert broken == []


def test_the_readme_shows_the_whole_smallest_game() -> None:
    smallest = (ROOT / "src/plywise/games/tictactoe.py").read_text("utf-8")
    assert smallest in python_blocks(README)


def test_the_guide_to_learners_shows_its_whole_example() -> None:
    name = "examples/hill_climber.py"
    parts = [body for _, body, mark in blocks(LEARNER_GUIDE) if mark == f"<!-- {name} -->\n"]
    lines = [line.strip() for line in (ROOT / name).read_text("utf-8").splitlines() if line]
    assert [line.strip() for line in "".join(parts).splitlines() if line] == lines


def test_the_readme_has_an_example_of_every_command() -> None:
    group: Any = typer.main.get_command(cli.app)
    examples = EXAMPLE.findall(README.read_text("utf-8"))
    assert {example.split()[1] for example in examples} == set(group.commands)


def test_the_readme_names_every_game() -> None:
    from plywise.games import BUILT_IN

    text = README.read_text("utf-8")
    assert [name for name in BUILT_IN if f"| `{name}` |" not in text] == []


# ---------------------------------------------------------------- programs


def test_the_program_in_the_readme_is_short() -> None:
    assert len(python_blocks(README)[0].splitlines()) <= 12


@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_the_program_in_the_readme_runs(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(python_blocks(README)[0])
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "Estimate(elo=" in done.stdout


@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_the_program_in_the_guide_to_learners_runs(checkout: Path) -> None:
    (program,) = [
        body for kind, body, mark in blocks(LEARNER_GUIDE) if kind == "python" and not mark
    ]
    (checkout / "program.py").write_text(program)
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=checkout, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "2 share" in done.stdout


@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_the_programs_about_files_run(checkout: Path) -> None:
    found = list(blocks(FILES))
    (played,) = (line for kind, body, _ in found for line in commands(body) if "--save" in line)
    run(played.replace("games.pgn", "played.pgn"), checkout)
    program = "".join(body for kind, body, _ in found if kind == "python")
    (checkout / "program.py").write_text(program.replace("games.pgn", "played.pgn"))
    printed = run(f"{sys.executable} program.py", checkout)
    assert printed.startswith("4 games, ")
    assert len(printed.splitlines()) == 3 + 4


def test_the_numbers_about_strength_are_what_the_programs_print() -> None:
    scope: dict[str, Any] = {}
    found = list(blocks(MEASURING))
    for (kind, body, _), (_, printed, _) in itertools.pairwise(found):
        if kind == "python":
            screen = io.StringIO()
            with contextlib.redirect_stdout(screen):
                exec(body, scope)
            assert screen.getvalue() == printed


# ---------------------------------------------------------------- commands


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that looks like a checkout; commands are run in it in the order of the documents."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "examples").symlink_to(ROOT / "examples")
    return folder


@pytest.mark.skipif(INTERPRETED, reason="too slow")
@pytest.mark.parametrize("command", shown_commands())
def test_a_command_in_the_documents_works(
    command: str, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_training = command.startswith("plywise train") and "--help" not in command
    if is_training and "--no-closing" not in command:  # three searches more; the tutorial has them
        command += " --no-closing"
    if command.split()[1] in TYPED:
        run(command, checkout, XDG_STATE_HOME=str(checkout / "state"))
        return
    monkeypatch.chdir(checkout)
    monkeypatch.setenv("XDG_STATE_HOME", str(checkout / "state"))
    run_here(command)


@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_the_tutorial_can_be_followed(tmp_path: Path) -> None:
    """The file grows as the reader adds block after block, and every command is typed in turn."""
    game = tmp_path / "dodgem.py"
    game.touch()
    state = str(tmp_path / "state")
    printed = ""
    for kind, body, mark in blocks(TUTORIAL):
        if mark == "<!-- dodgem.py -->\n":
            game.write_text(f"{game.read_text()}\n\n{body}".lstrip())
        for command in commands(body) if kind == "console" else []:
            printed += run(command, tmp_path, XDG_STATE_HOME=state)
    assert "timed_dodgem keeps all rules of a game" in printed
    assert "+1, 100 %, wins" in printed  # Dodgem on 3 x 3, as is known
