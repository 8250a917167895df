"""The report pages that the programs of `papers` write: data of a run's folder, not our own pages.

They are served as they are, under a policy that lets no script run and gives them no origin: a page
from a stranger's folder can neither ask this server for anything nor see what is kept for it.
"""

import html
import re
from pathlib import Path
from typing import Any

from plywise.errors import PlywiseError
from plywise.system.folder import Folder
from plywise.web.documents import NoDocument

FOLDER = "papers"  # inside of that of runs, as in papers/rerun.py
POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
NAME = re.compile(r"(?:([A-Za-z0-9][A-Za-z0-9._-]*)/)?([A-Za-z0-9][A-Za-z0-9._-]*\.html)")
TITLE = re.compile(rb"<title>(.*?)</title>", re.DOTALL)
HEAD = 4096  # bytes in which a title stands
LARGEST = 64 << 20  # bytes


def list_reports(runs: Path) -> list[dict[str, Any]]:
    """Return the reports: pages in the folder of papers and in the folders there."""
    top = Folder(runs, FOLDER)
    names = [*top.names()]
    for inner in top.names():
        names += [f"{inner}/{name}" for name in Folder(top.path, inner).names()]
    return [told for name in names if (told := _described(runs, name)) is not None]


def _described(runs: Path, name: str) -> dict[str, Any] | None:
    """Return the name and the title of a report, None of what is none or cannot be read."""
    try:
        head = read_report(runs, name)[:HEAD]
    except NoDocument:
        return None
    found = TITLE.search(head)
    title = html.unescape(found[1].decode(errors="replace")) if found else name
    return {"name": name, "title": title}


def read_report(runs: Path, name: str) -> bytes:
    """Return the bytes of a report; no name leads out of the folder, and no link is followed."""
    parts = NAME.fullmatch(name)
    if parts is None:
        raise NoDocument("There is no such report.")
    outer = Folder(runs / FOLDER, parts[1]) if parts[1] else Folder(runs, FOLDER)
    try:
        data = outer.read(parts[2])
    except PlywiseError:
        raise NoDocument("There is no such report.") from None
    if len(data) > LARGEST:
        raise NoDocument("This report is too large to be shown here.")
    return data
