"""The grammar of options: names with options, values, and sentences about mistakes."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from plywise.errors import PlywiseError
from plywise.settings import parse_options
from plywise.settings.options import (
    COLON,
    Option,
    format_options,
    read_amount,
    read_arguments,
    read_as,
    read_count,
    read_options,
    read_seconds,
    read_size,
    read_switch,
)


@pytest.mark.parametrize(
    ("text", "separator", "expected"),
    [
        ("td", ",", ("td", {})),
        ("td,depth=2", ",", ("td", {"depth": "2"})),
        ("alphabeta, depth=2 ,x=a=b", ",", ("alphabeta", {"depth": "2", "x": "a=b"})),
        ("a,eval=mlp:hidden=40+10", ",", ("a", {"eval": "mlp:hidden=40+10"})),
        ("mlp:hidden=40+10:seed=1", COLON, ("mlp", {"hidden": "40+10", "seed": "1"})),
        ("", ",", ("", {})),
    ],
)
def test_a_text_is_a_name_and_options(
    text: str, separator: str, expected: tuple[str, dict[str, str]]
) -> None:
    assert parse_options(text, separator) == expected


def test_what_is_formatted_is_parsed_again() -> None:
    options = {"depth": "2", "eval": "mlp:hidden=3"}
    assert parse_options(format_options("td", options)) == ("td", options)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("td,depth", "written name=value, not 'depth'"),
        ("td,=3", "written name=value"),
        ("td,", "written name=value"),
        ("td,a=1,a=2", "'a' is given twice"),
    ],
)
def test_a_text_that_is_no_option_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(PlywiseError, match=sentence):
        parse_options(text)


@pytest.mark.parametrize(
    ("hint", "text", "value"),
    [
        (int, "-3", -3),
        (int, "10_000", 10_000),
        (float, "2", 2.0),
        (str, "mover", "mover"),
        (bool, "off", False),
        (bool, "TRUE", True),
        (Sequence[int], "40+10", [40, 10]),
        (list[float], "0.5", [0.5]),
        (str | Sequence[str], "neuro", "neuro"),
        (str | Sequence[str], "gap+back", ["gap", "back"]),
        (int | None, "3", 3),
    ],
)
def test_a_text_is_read_as_a_type(hint: Any, text: str, value: Any) -> None:
    read = read_as(hint, text)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("hint", "text", "sentence"),
    [
        (int, "three", "^a whole number$"),
        (float, "fast", "^a number$"),
        (bool, "maybe", "^on or off$"),
        (Sequence[int], "40+x", r"^a list joined by \+, each a whole number$"),
        (Mapping[str, int], "3", "nothing that a text can say"),
    ],
)
def test_a_wrong_value_is_answered_with_what_is_right(hint: Any, text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_as(hint, text)


@pytest.mark.parametrize(
    ("read", "right", "wrong"),
    [
        (read_switch, {"on": True, "no": False}, ["2", ""]),
        (read_count, {"0": 0, "7": 7}, ["-1", "1.5"]),
        (read_size, {"1": 1}, ["0", "-1"]),
        (read_amount, {"0": 0.0, "0.7": 0.7}, ["-0.1", "nan", "inf"]),
        (read_seconds, {"0.5": 0.5}, ["0", "nan", "soon"]),
    ],
)
def test_readers_know_their_bounds(read: Any, right: dict[str, Any], wrong: list[str]) -> None:
    assert {text: read(text) for text in right} == right
    for text in wrong:
        with pytest.raises(ValueError, match=r"a .*|on or off"):
            read(text)


def test_options_are_read_by_their_table() -> None:
    known = {"depth": Option(read_size, "plies to search")}
    assert read_options({"depth": "3"}, known, "td") == {"depth": 3}
    with pytest.raises(PlywiseError, match="no option of td called 'dept'; did you mean depth"):
        read_options({"dept": "3"}, known, "td")
    with pytest.raises(PlywiseError, match=r"depth \(plies to search\) is a whole number from 1"):
        read_options({"depth": "0"}, known, "td")
    with pytest.raises(PlywiseError, match="it has no options"):
        read_options({"depth": "0"}, {}, "random")


def build(
    game: str, parts: Sequence[int], hidden: Sequence[int] = (4,), loud: bool = False
) -> None:
    """Do as a builder of evaluators does."""


def test_settings_are_read_by_the_parameters_that_have_a_default() -> None:
    texts = {"hidden": "3+4", "loud": "on"}
    assert read_arguments(texts, build, "mlp") == {"hidden": [3, 4], "loud": True}
    with pytest.raises(PlywiseError, match="no setting of mlp called 'parts'"):
        read_arguments({"parts": "3"}, build, "mlp")
    with pytest.raises(PlywiseError, match="hidden=x is wrong: hidden of mlp is a list"):
        read_arguments({"hidden": "x"}, build, "mlp")


def test_what_stands_in_quotation_marks_is_not_taken_apart() -> None:
    assert parse_options("uci:engine 'a,b=1',depth=3") == ("uci:engine 'a,b=1'", {"depth": "3"})
    assert parse_options('x "1,2",k="3,4"') == ('x "1,2"', {"k": '"3,4"'})
    assert parse_options("bob's.safetensors,depth=3") == ("bob's.safetensors", {"depth": "3"})
