"""Make board.svg, the picture in the README: the last move of a real game of `plywise play`."""

import io
import os
import subprocess
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

MOVES = ["11-15", "8-11", "9x18"]
WIDTH = 64
FORMAT = """<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: monospace; font-size: {char_height}px; }}
.{unique_id}-title {{ font-family: sans-serif; font-size: 18px; font-weight: bold; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def play() -> str:
    """Return what the terminal shows."""
    with tempfile.TemporaryDirectory() as state:  # where the game is kept while it lasts
        colours = {"FORCE_COLOR": "1", "COLORTERM": "truecolor", "TERM": "xterm-256color"}
        return subprocess.run(
            ["plywise", "play", "draughts", "--opponent", "alphabeta,depth=15"],
            input="\n".join(MOVES),
            env={**os.environ, **colours, "XDG_STATE_HOME": state},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=True,
        ).stdout


def main() -> None:
    shown = play().splitlines()
    first = max(index for index, line in enumerate(shown) if MOVES[-1] in line and ">" in line)
    last = max(index for index, line in enumerate(shown) if "to move" in line)
    screen = Console(record=True, width=WIDTH, file=io.StringIO(), highlight=False)
    for line in [*shown[first : last + 1], "black> "]:
        screen.print(Text.from_ansi(line))
    svg = screen.export_svg(
        title="plywise play draughts", theme=MONOKAI, code_format=FORMAT, unique_id="board"
    )
    Path(__file__).with_name("board.svg").write_text(svg)


if __name__ == "__main__":
    main()
