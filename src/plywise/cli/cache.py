"""`plywise cache`: the compiled code on disk."""

from typing import Annotated, Any

import typer

from plywise.cli.console import out, print_json
from plywise.cli.parameters import AsJson
from plywise.errors import PlywiseError
from plywise.live.formatting import format_bytes


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Delete all compiled code.")] = False,
    clear_old: Annotated[
        bool, typer.Option("--clear-old", help="Delete the compiled code of other versions.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show or delete the compiled code on disk."""
    from plywise import kernel

    if clear and clear_old:
        raise PlywiseError("Say --clear or --clear-old, not both.")
    freed = kernel.clear_cache(keep_current=clear_old) if clear or clear_old else 0
    report: dict[str, Any] = {
        "folder": str(kernel.cache_root()),
        "current": kernel.cache_folder().name,
        "versions": [
            {
                "name": folder.name,
                "files": files,
                "bytes": size,
                "is_current": folder == kernel.cache_folder(),
            }
            for folder, files, size in kernel.cached_versions()
        ],
        "freed": freed,
    }
    if as_json:
        print_json(report)
        return
    if clear or clear_old:
        out().print(f"Freed {format_bytes(freed)}.")
    _print(report)


def _print(report: dict[str, Any]) -> None:
    from rich.table import Table

    out().print(f"Compiled code is kept in {report['folder']}", soft_wrap=True)
    if not report["versions"]:
        out().print("Nothing is there yet: the first search of a game fills it.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("version")
    table.add_column("files", justify="right")
    table.add_column("size", justify="right")
    table.add_column("")
    for row in report["versions"]:
        mark = "current" if row["is_current"] else "old"
        table.add_row(row["name"], str(row["files"]), format_bytes(row["bytes"]), mark)
    out().print(table)
