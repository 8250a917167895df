"""Games as lines of text: a result, then moves, as large collections are passed on.

    1-0 e2e4 c7c5 g1f3 d7d6

Moves may be written in any way that the game reads.
"""

from pathlib import Path
from types import TracebackType

from plywise.system.source_files import SourceFile

ENDING = ".txt"
BLOCK_BYTES = 1 << 20


class LineFile:
    """A file of such lines as movetext of PGN: every result stands behind its moves instead."""

    def __init__(self, path: Path) -> None:
        self._file = SourceFile(path)
        self._turned = b""  # lines that nobody has asked for yet
        self._rest = b""  # the beginning of a line
        self._is_over = False

    def read(self, size: int) -> bytes:
        """Return the next bytes: fewer than so many only at the end."""
        parts, count = [self._turned], len(self._turned)
        while count < size and not self._is_over:
            parts.append(self._next_lines())
            count += len(parts[-1])
        text = b"".join(parts)
        self._turned = text[size:]
        return text[:size]

    def _next_lines(self) -> bytes:
        block = self._file.read(BLOCK_BYTES)
        self._is_over = not block
        whole, newline, rest = (self._rest + block).rpartition(b"\n")
        self._rest = b"" if self._is_over else rest
        turned = b"".join(_turned(line) + b"\n" for line in whole.split(b"\n")) if newline else b""
        return turned + (_turned(rest) if self._is_over else b"")

    def __enter__(self) -> "LineFile":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.__exit__(kind, error, trace)


def _turned(line: bytes) -> bytes:
    """Return a line with its first word at its end; it keeps its length."""
    result, space, moves = line.strip().partition(b" ")
    return moves + space + result
