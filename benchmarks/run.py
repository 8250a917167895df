"""Run all measurements and write RESULTS.md beside this file: `make bench`.

`python benchmarks/run.py solver` (or `evolution`, `pgn`, `chess`) measures that only, and renews
its part.
"""

import json
import platform
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import chess_speed
import evolution
import pgn
import solving
from rich.console import Console
from rich.table import Table
from speed import Row, measurements

HERE = Path(__file__).parent
COMMANDS = (["--help"], ["games"], ["perft", "draughts", "--depth", "5"], ["bench"])


def rate(number: float) -> str:
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number:.3g}"


def cells(row: Row) -> tuple[str, ...]:
    theirs = rate(row.theirs) if row.theirs else "-"
    ratio = f"{row.reached:.0f} x" if row.theirs else "-"
    wanted = "-"
    if row.wanted:
        wanted = f"{row.wanted:.0f} x" if row.theirs else rate(row.wanted)
    verdict = "" if not row.wanted else ("yes" if row.reached >= row.wanted else "NO")
    return row.what, row.game, rate(row.ours), theirs, ratio, wanted, verdict


HEADER = ("what", "game", "Plywise", "OpenSpiel", "ratio", "wanted", "reached")


def measured(number: int) -> Row:
    """Return a measurement made in a process of its own.

    After a peer's search, whatever followed in the same process ran at about half its speed.
    """
    command = [sys.executable, str(HERE / "speed.py"), str(number)]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    return Row(**json.loads(done.stdout))


def warm_starts() -> list[tuple[str, float]]:
    """Return the seconds that whole commands take, everything compiled already."""
    found = []
    for arguments in COMMANDS:
        command = [str(Path(sys.executable).parent / "plywise"), *arguments]
        subprocess.run(command, capture_output=True, check=True)
        times = []
        for _ in range(3):
            started = time.perf_counter()
            subprocess.run(command, capture_output=True, check=True)
            times.append(time.perf_counter() - started)
        found.append((" ".join(["plywise", *arguments]), min(times)))
    return found


def processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.is_file() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def solver_lines() -> list[str]:
    """Return the part of the report about the solver, each side measured in its own process."""
    found = []
    for side in ("ours", "theirs"):
        command = [sys.executable, str(HERE / "solving.py"), side]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
        found.append(solving.Solving(**json.loads(done.stdout)))
    return [
        f"Solving, beside BitBully {version('bitbully')} (`solving.py`):",
        "",
        "| " + " | ".join(solving.HEADER) + " |",
        "|" + "---|" * len(solving.HEADER),
        *("| " + " | ".join(row) + " |" for row in solving.rows(*found)),
    ]


def evolution_lines() -> list[str]:
    """Return the part of the report about evolution."""
    return [
        "Evolution (`evolution.py`; a public Numba re-implementation takes 65 CPU-seconds for",
        "such a generation):",
        "",
        "| what | measured | wanted |",
        "|---|---|---|",
        *("| " + " | ".join(row) + " |" for row in evolution.measure().rows()),
    ]


def pgn_lines() -> list[str]:
    """Return the part of the report about files of games."""
    return [
        "Reading PGN (`pgn.py`), games in a second of processor time, beside pgn-extract, which",
        f"only checks, and python-chess {version('chess')}, which makes trees:",
        "",
        "| " + " | ".join(pgn.HEADER) + " |",
        "|" + "---|" * len(pgn.HEADER),
        *("| " + " | ".join(row) + " |" for row in pgn.rows([])),
    ]


def chess_lines() -> list[str]:
    """Return the part of the report about chess."""
    return [
        "Chess (`chess_speed.py`), beside OpenSpiel and python-chess, driven from Python:",
        "",
        "| " + " | ".join(chess_speed.HEADER) + " |",
        "|" + "---|" * len(chess_speed.HEADER),
        *("| " + " | ".join(row) + " |" for row in chess_speed.rows()),
    ]


PARTS = {
    "evolution": evolution_lines,
    "solver": solver_lines,
    "pgn": pgn_lines,
    "chess": chess_lines,
}


def part_lines(name: str) -> list[str]:
    """Measure a part of the report; it stands between marks by which it is found again."""
    return [f"<!-- {name} -->", *PARTS[name](), f"<!-- /{name} -->"]


def renew(name: str) -> None:
    """Write a part of RESULTS.md anew, and leave the rest as it is."""
    path = HERE / "RESULTS.md"
    lines = path.read_text().splitlines()
    if f"<!-- {name} -->" not in lines:  # a part that is new
        lines += ["", f"<!-- {name} -->", f"<!-- /{name} -->"]
    begin, end = lines.index(f"<!-- {name} -->"), lines.index(f"<!-- /{name} -->") + 1
    lines[begin:end] = part_lines(name)
    path.write_text("\n".join(lines) + "\n")


def report(rows: list[tuple[str, ...]], starts: list[tuple[str, float]]) -> str:
    lines = [
        "# Speed",
        "",
        "Made by `make bench` (see `speed.py` for what is measured and how); one thread, one run.",
        f"{processor()}, Python {platform.python_version()}, Numba {version('numba')},"
        f" OpenSpiel {version('open_spiel')}.",
        "",
        "| " + " | ".join(HEADER) + " |",
        "|" + "---|" * len(HEADER),
        *("| " + " | ".join(row) + " |" for row in rows),
        "",
        "Whole commands with everything compiled (wanted: under 1.5 s, `--help` under 0.3 s):",
        "",
        "| command | seconds |",
        "|---|---|",
        *(f"| `{command}` | {seconds:.2f} |" for command, seconds in starts),
        "",
        *part_lines("evolution"),
        "",
        *part_lines("solver"),
        "",
        *part_lines("pgn"),
        "",
        *part_lines("chess"),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    console = Console()
    table = Table(*HEADER)
    rows = []
    for number in range(len(measurements())):
        with console.status("measuring ..."):
            rows.append(cells(measured(number)))
        table.add_row(*rows[-1])
    console.print(table)
    with console.status("measuring ..."):
        text = report(rows, warm_starts())
    (HERE / "RESULTS.md").write_text(text)


if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1] in PARTS:
        renew(sys.argv[1])
    else:
        main()
