"""The kernel: bundles, their keys, and the cache across processes."""

import gc
import os
import re
import subprocess
import sys
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from conftest import INTERPRETED, SMALLEST_GAME
from plywise import kernel
from plywise.kernel import Bundle, compiled, part
from plywise.kernel.bits import lowest, mix, popcount
from plywise.kernel.cache import PACKAGE, WITHOUT_KERNELS

constants: Any = ModuleType("constants")
constants.SIZE = 8

SEARCH = """
import plywise
from plywise import kernel
game = plywise.load_game({game!r})
record = plywise.Record(game)
for text in ("alphabeta,depth=6", "mcts,nodes=500"):
    found = plywise.make_player(text, game).choose(record)
    print(found.move, found.value, found.nodes)
print("compiled:", len(kernel.compiled_here()))
"""


def run_search(game: str, cache: Path, **environment: str) -> list[str]:
    """Search in a process of its own and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", SEARCH.format(game=game)],
        env={**os.environ, "PLYWISE_CACHE_DIR": str(cache), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split("\n")


@pytest.mark.skipif(INTERPRETED, reason="about compiled code")
def test_a_second_process_compiles_nothing_and_finds_the_same(tmp_path: Path) -> None:
    """Also excludes the crash of a recursive kernel with two specialisations: it came out of a
    warm cache, in a fresh process, every time."""
    first = run_search("tictactoe", tmp_path)
    second = run_search("tictactoe", tmp_path)
    assert first[2] != "compiled: 0"
    assert second[2] == "compiled: 0"
    assert second[:2] == first[:2]


def test_packages_that_do_not_count_for_the_cache_have_no_kernels() -> None:
    for name in WITHOUT_KERNELS:
        for path in (PACKAGE / name).rglob("*.py"):
            source = path.read_text(encoding="utf-8")
            assert not re.search(r"@compiled|\bBundle\(|kernel\.bits", source), path


@pytest.mark.skipif(INTERPRETED, reason="about compiled code")
def test_a_users_file_is_cached_by_what_it_says(tmp_path: Path) -> None:
    source = SMALLEST_GAME
    mine = tmp_path / "mine.py"
    mine.write_text(source.read_text())
    cache = tmp_path / "cache"
    run_search(str(mine), cache)
    assert run_search(str(mine), cache)[2] == "compiled: 0"
    mine.write_text("# a comment changes nothing that is computed\n" + source.read_text())
    assert run_search(str(mine), cache)[2] == "compiled: 0"
    mine.write_text(source.read_text().replace("0o421, 0o124", "0o421, 0o421"))
    assert run_search(str(mine), cache)[2] != "compiled: 0"


FACTORY = """
from plywise.kernel import Bundle, compiled

def bundle_of(base):
    def grow(n):
        if n < 2:
            return base
        return grow(n - 1) + grow(n - 2)
    return Bundle("grown", {"grow": grow})

@compiled
def call(bundle, n):
    return bundle.grow(n)
"""


@pytest.mark.skipif(INTERPRETED, reason="about compiled code")
def test_functions_of_one_name_out_of_the_cache_are_not_mixed_up(tmp_path: Path) -> None:
    """Two processes give two functions the same name; a third one loads both."""
    (tmp_path / "factory.py").write_text(FACTORY)
    environment = {**os.environ, "PLYWISE_CACHE_DIR": str(tmp_path / "cache")}
    for bases in ([1], [1000], [1, 1000], [1000, 1]):
        calls = ", ".join(f"call(bundle_of({base}), 20)" for base in bases)
        done = subprocess.run(
            [sys.executable, "-c", f"from factory import bundle_of, call; print({calls})"],
            env={**environment, "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert [int(text) for text in done.stdout.split()] == [10946 * base for base in bases]


RECURSIONS = """
import numpy as np
from plywise.kernel import Bundle, compiled

def length(n, found):
    return found if n <= 0 else length(n - 1, found + 1)

def swapped(a, b):
    return a + b if a <= 0 or b <= 0 else swapped(b - 1, a)

def is_even(n):
    return True if n == 0 else is_odd(n - 1)

def is_odd(n):
    return False if n == 0 else is_even(n - 1)

def first(n, found):
    return found if n <= 0 else second(n - 1, found + 1)

def second(n, found):
    return found if n <= 0 else third(n - 1, found + 1)

def third(n, found=0):
    return found if n <= 0 else (first(n - 1, found + 1) if n > 3 else second(n - 1, found + 1))

def entered(word):
    return length(word, 0) + 100 * first(word, word) + 10000 * third(word)

members = dict(entered=entered, length=length, swapped=swapped, is_even=is_even, second=second)
rules = Bundle("recursions", members)

@compiled
def inside(rules, word):
    return rules.entered(word), rules.length(word, 0), rules.second(3, 0)

@compiled
def across(rules, word):
    return rules.swapped(word, 5), rules.is_even(word), rules.is_even(7), rules.second(word, 1)

print([int(x) for x in inside(rules, np.uint64(6)) + across(rules, np.uint64(6))])
"""


@pytest.mark.skipif(INTERPRETED, reason="about compiled code")
def test_recursions_of_any_types_and_in_rings_come_out_of_the_cache(tmp_path: Path) -> None:
    (tmp_path / "recursions.py").write_text(RECURSIONS)
    environment = {**os.environ, "PLYWISE_CACHE_DIR": str(tmp_path / "cache")}
    for settings in ({"NUMBA_DISABLE_JIT": "1"}, {}, {}):
        done = subprocess.run(
            [sys.executable, "recursions.py"],
            cwd=tmp_path,
            env={**environment, **settings},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "[61206, 6, 3, 2, 1, 0, 7]\n", settings


@pytest.mark.skipif(INTERPRETED, reason="compares with interpreted code")
def test_interpreted_code_finds_the_same(tmp_path: Path) -> None:
    compiled_answer = run_search("tictactoe", kernel.cache_root())
    interpreted = run_search("tictactoe", tmp_path, NUMBA_DISABLE_JIT="1")
    assert interpreted[:2] == compiled_answer[:2]


def helper(x: int) -> int:
    return x + 1


def recursive(n: int) -> int:
    if n <= 1:
        return 1
    return n * recursive(n - 1)


def uses_helper(x: int) -> int:
    return 2 * helper(x)


@compiled
def call(bundle: Any, x: Any) -> Any:
    return bundle.function(x) + bundle.number


@pytest.mark.kernels
def test_plain_helpers_are_compiled_along() -> None:
    assert call(Bundle("helped", {"function": uses_helper, "number": 5}), 10) == 27


@pytest.mark.kernels
def test_a_plain_function_may_call_itself() -> None:
    assert call(Bundle("recursive", {"function": recursive, "number": 0}), 5) == 120


@pytest.mark.kernels
def test_a_closure_is_compiled_with_what_it_captures() -> None:
    factor = 7

    def scaled(x: int) -> int:
        return factor * helper(x)

    assert call(Bundle("closure", {"function": scaled, "number": 1}), 1) == 15


def test_a_key_changes_with_constants_helpers_and_captured_values() -> None:
    def with_factor(factor: int) -> Bundle:
        def scaled(x: int) -> int:
            return factor * x

        return Bundle("key", {"function": scaled, "number": 0})

    same = Bundle("key", {"function": helper, "number": 0})
    assert with_factor(2).key == with_factor(2).key
    assert with_factor(2).key != with_factor(3).key
    assert same.key != Bundle("key", {"function": helper, "number": 1}).key
    assert same.key != Bundle("key", {"function": uses_helper, "number": 0}).key


class Colour(Enum):
    RED = 1


class Paint(Enum):
    RED = 2


def test_a_key_changes_with_defaults_constants_of_modules_and_enumerations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def key_of(function: Any) -> str:
        return Bundle("key", {"function": function}).key

    def with_default(step: int) -> Any:
        def grown(x: int, by: int = step) -> int:
            return x + by

        return grown

    def with_enumeration(colours: Any) -> Any:
        def coloured(x: int) -> Any:
            return x == colours.RED.value

        return coloured

    def with_module(x: int) -> Any:
        return x + constants.SIZE

    assert key_of(with_default(1)) == key_of(with_default(1))
    assert key_of(with_default(1)) != key_of(with_default(2))
    assert key_of(with_enumeration(Colour)) != key_of(with_enumeration(Paint))
    before = key_of(with_module)
    monkeypatch.setattr(constants, "SIZE", 9)
    assert key_of(with_module) != before


def test_a_missing_member_is_named() -> None:
    with pytest.raises(AttributeError, match="has no member 'moves'"):
        _ = Bundle("small", {"number": 1}).moves


def count_bits(word: np.uint64) -> int:
    return popcount(word)


def find_lowest(word: np.uint64) -> int:
    return lowest(word)


def mix_twice(word: np.uint64) -> np.uint64:
    return mix((word, word))


@compiled
def bits(bundle: Any, word: Any) -> Any:
    return bundle.count(word), bundle.find(word), bundle.mix(word)


@pytest.mark.kernels
def test_bits_are_counted_found_and_mixed() -> None:
    members = {"count": count_bits, "find": find_lowest, "mix": mix_twice}
    bundle = Bundle("bits", members)
    top = np.uint64(1 << 63)
    assert bits(bundle, top)[:2] == (1, 63)
    assert bits(bundle, np.uint64(0))[:2] == (0, 64)
    assert bits(bundle, np.uint64(0b1100))[:2] == (2, 2)
    assert bits(bundle, top)[2] != bits(bundle, np.uint64(0))[2]


def test_clearing_the_cache_frees_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    old = tmp_path / "0123456789ab"
    old.mkdir()
    (old / "kernel.nbc").write_bytes(b"x" * 100)
    assert kernel.cached_versions() == [(old, 1, 100)]
    assert kernel.clear_cache(keep_current=True) == 100
    assert kernel.cached_versions() == []


@compiled
def double_part(row: Any, first: Any, count: Any) -> None:
    inside = part(row, first, count)
    for index in range(len(inside)):
        inside[index] *= 2


def test_a_part_of_a_row_is_the_row_itself() -> None:
    row = np.arange(6.0)
    double_part(row, 2, 3)
    assert row.tolist() == [0, 1, 4, 6, 8, 5]


@compiled
def first_of(record: Any) -> Any:
    return record.first


@compiled
def twice_the_first(record: Any) -> Any:
    return first_of(record) * 2


def test_a_record_is_not_taken_for_one_with_the_same_first_field() -> None:
    """Numba would warn, and warnings are errors."""
    fields = [("first", np.int64), ("second", np.int64)]
    for count in (1, 2):
        row = np.ones(1, np.dtype((np.record, np.dtype(fields[:count]))))
        assert twice_the_first(row[0]) == 2
    assert INTERPRETED or len(kernel.signatures(twice_the_first)) == 2


@pytest.mark.skipif(INTERPRETED, reason="about compiled code")
def test_garbage_is_collected_less_often_only_while_something_is_compiled() -> None:
    before, meanwhile = gc.get_threshold(), []
    kernel.announce_compiling(lambda name: meanwhile.append(gc.get_threshold()))
    try:
        Bundle("gc", {"double": lambda number: number * 2}).double(1)
    finally:
        kernel.announce_compiling(None)
    assert meanwhile[0][0] > before[0]
    assert gc.get_threshold() == before
