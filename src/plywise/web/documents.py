"""The pages of `docs`, for the browser: what was measured, paper by paper and game by game."""

import base64
import functools
import re
from pathlib import Path
from typing import Any

from plywise.errors import PlywiseError

FOLDERS = (  # in the wheel, and beside the sources
    Path(__file__).parent / "documents",
    Path(__file__).parents[3] / "docs",
)
PAGES = {  # file: what it is about
    "papers.md": "The five papers on one page",
    "evolve.md": "Paper 000: networks that nobody teaches (Blondie24, Anaconda)",
    "mp.md": "Paper 001: VisionDraughts and MP-Draughts",
    "td.md": "Paper 001: temporal differences",
    "deepchess.md": "Paper 002: DeepChess",
    "nhb.md": "Paper 003: a general game player (NHB)",
    "treestrap.md": "Paper 004: TreeStrap",
    "duchess.md": "Paper 004: Duchess",
    "patterns.md": "Pattern tables",
    "strength.md": "How strong it is",
    "measuring-strength.md": "How strength is measured",
}
PAPERS = {Path(file).stem: title for file, title in PAGES.items()}


class NoDocument(PlywiseError):
    """A page that is not there."""


def _path(name: str) -> Path | None:
    found = (folder / f"{name}.md" for folder in FOLDERS)
    return next((path for path in found if path.is_file()), None)


def list_documents() -> list[dict[str, Any]]:
    """Return the pages that are there."""
    return [{"name": name, "title": title} for name, title in PAPERS.items() if _path(name)]


@functools.cache
def document(name: str) -> dict[str, Any]:
    """Return a page as HTML; links between pages lead to pages here."""
    path = _path(name) if name in PAPERS else None
    if path is None:
        raise NoDocument("There is no such page.")
    html = render(path.read_text(encoding="utf-8"), path.parent)
    return {"name": name, "title": PAPERS[name], "html": html}


def render(text: str, folder: Path | None = None) -> str:
    """Return Markdown as HTML, in which no HTML of the text's own survives.

    Drawings in the folder of the text become part of the page.
    """
    from markdown_it import MarkdownIt

    html = str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))
    html = re.sub(r'href="(?:\./)?([a-z0-9-]+)\.md(#[^"]*)?"', r'href="/papers/\1\2"', html)
    html = re.sub(r'<a href="(?!/papers/|https?:|#)[^"]*">(.*?)</a>', r"\1", html)
    html = re.sub(r'src="images/([a-z0-9.-]+\.svg)"', lambda found: _drawn(folder, found[1]), html)
    html = html.replace("<table>", '<div class="scroll" tabindex="0"><table>')
    return html.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')


def _drawn(folder: Path | None, name: str) -> str:
    """Return the source of an image that holds a drawing, an empty one if it is not there."""
    path = None if folder is None else folder / "images" / name
    data = path.read_bytes() if path is not None and path.is_file() else b""
    return f'src="data:image/svg+xml;base64,{base64.b64encode(data).decode()}"'


def sections_about(word: str, name: str = "strength") -> str:
    """Return the parts of a page whose heading or table tells of a word, as HTML."""
    path = _path(name)
    if path is None:
        return ""
    parts = re.split(r"(?m)^(?=## )", path.read_text(encoding="utf-8"))[1:]
    told = [part for part in parts if re.search(rf"\b{re.escape(word)}\b", part, re.IGNORECASE)]
    return render("\n".join(told))
