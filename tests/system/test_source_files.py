"""Files are read as they are: plain or compressed, whole or told to be broken."""

import bz2
import gzip
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plywise.system.source_files import BadFile, SourceFile, decode, plain_name, read_text

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TEXT = "".join(f"line {number} caf\u00e9\n" for number in range(20_000))
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1}),
}


@pytest.mark.parametrize("ending", PACKERS)
def test_a_compressed_file_is_read_as_it_is(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"text.txt{ending}"
    path.write_bytes(PACKERS[ending](TEXT.encode()))
    assert read_text(path) == TEXT
    assert plain_name(path).name == "text.txt"


@pytest.mark.parametrize("ending", PACKERS)
def test_what_a_file_begins_with_says_how_it_is_packed(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "text"
    path.write_bytes(PACKERS[ending](TEXT.encode()))
    with SourceFile(path) as file:
        parts = iter(lambda: file.read(10_000), b"")
        assert b"".join(parts).decode() == TEXT


@pytest.mark.parametrize("ending", PACKERS)
def test_two_archives_in_one_file_are_one_text(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"text{ending}"
    path.write_bytes(PACKERS[ending](b"one ") + PACKERS[ending](b"two"))
    assert read_text(path) == "one two"


@pytest.mark.parametrize("ending", PACKERS)
def test_an_archive_that_is_cut_off_or_broken_gets_one_sentence(
    tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"text{ending}"
    packed = PACKERS[ending](TEXT.encode())
    middle = len(packed) // 2
    spoiled = packed[:middle] + bytes(64) + packed[middle + 64 :]
    for data in (packed[:middle], packed[:8], spoiled):
        path.write_bytes(data)
        with pytest.raises(BadFile, match=r"text\.\w+ is broken or cut off"):
            read_text(path)


def test_a_file_that_is_not_there_gets_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="nothing cannot be read: No such file"):
        read_text(tmp_path / "nothing")
    with pytest.raises(BadFile, match="cannot be read: Is a directory"):
        read_text(tmp_path)


def test_a_text_is_utf_8_or_else_latin_1() -> None:
    assert decode("caf\u00e9".encode()) == "caf\u00e9"
    assert decode("caf\u00e9".encode("latin-1")) == "caf\u00e9"


def test_the_mark_before_a_text_in_utf_8_is_no_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes("\ufeffcaf\u00e9".encode())
    assert read_text(path) == "caf\u00e9"
