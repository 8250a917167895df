"""Configurations: docs become help, texts become values, typos are answered."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from plywise.errors import PlywiseError
from plywise.learners import BUILT_IN, settings_of
from plywise.settings import (
    BadConfig,
    Setting,
    build,
    field_docs,
    format_toml,
    list_settings,
    read_toml,
    require_settings,
    with_texts,
)


@dataclass(frozen=True)
class Small:
    depth: int = 4
    """Plies that every
    player searches."""
    rate: float = 0.5
    """How fast."""
    is_loud: bool = False
    kind: Literal["a", "b"] = "a"
    """Which."""


def test_the_string_below_a_field_is_its_help() -> None:
    docs = field_docs(Small)
    assert docs == {
        "depth": "Plies that every player searches.",
        "rate": "How fast.",
        "kind": "Which.",
    }


@pytest.mark.parametrize("learner", BUILT_IN)
def test_every_setting_of_a_learner_is_documented(learner: str) -> None:
    kind = settings_of(learner)
    require_settings(kind)
    assert all(setting.help for setting in list_settings(kind))


def test_a_setting_is_listed_with_default_choices_and_help() -> None:
    depth, _, is_loud, kind = list_settings(Small)
    assert depth == Setting("depth", 4, (), "Plies that every player searches.")
    assert is_loud.help == ""
    assert kind.choices == ("a", "b")


@dataclass(frozen=True)
class NoDefault:
    depth: int


@dataclass(frozen=True)
class ListSetting:
    depths: tuple[int, ...] = (1, 2)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (NoDefault, "depth of NoDefault has no default"),
        (ListSetting, "depths of ListSetting is int, float, bool, str"),
        (int, "Settings are a dataclass"),
        (Small(), "Settings are a dataclass"),
    ],
)
def test_what_cannot_be_settings_is_refused(kind: object, sentence: str) -> None:
    with pytest.raises(BadConfig, match=sentence):
        require_settings(kind)


def test_texts_become_values() -> None:
    config = with_texts(Small(), {"depth": "6", "rate": "1", "is_loud": "yes", "kind": "b"})
    assert config == Small(6, 1.0, True, "b")


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ({"dept": "6"}, "no setting called 'dept'; did you mean depth"),
        ({"depth": "six"}, "depth is a whole number"),
        ({"rate": "fast"}, "rate is a number"),
        ({"is_loud": "maybe"}, "is_loud is on or off"),
        ({"kind": "c"}, "kind is one of a, b"),
    ],
)
def test_a_mistake_gets_one_sentence(texts: dict[str, str], sentence: str) -> None:
    with pytest.raises(PlywiseError, match=sentence):
        with_texts(Small(), texts)


def test_toml_keeps_everything(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    values = {"depth": 3, "rate": 0.25, "is_loud": True, "kind": "b"}
    path.write_text(format_toml(values, field_docs(Small)))
    assert read_toml(path) == values
    assert build(Small, read_toml(path)) == Small(3, 0.25, True, "b")
    assert "# How fast." in path.read_text()


def test_broken_toml_is_named(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("depth = = 3")
    with pytest.raises(BadConfig, match="is not TOML"):
        read_toml(path)
    with pytest.raises(BadConfig, match="is a whole number, not"):
        build(Small, {"depth": "3"})
