"""The closing match finds the search that suits a model, and says where nothing was learned."""

import dataclasses
from pathlib import Path

import pytest

from driving import finish, start_run
from plywise.arena import MatchResult, play_match
from plywise.evaluators.model import read_card
from plywise.games import load_game
from plywise.learners.patterns.settings import PatternsSettings
from plywise.reports import closing as closing_matches
from plywise.reports.closing import SEARCHES, WITHOUT_MODEL, Terms, close_model, measure_model

TINY = PatternsSettings(rounds=1, games=20, batch=20, test_games=2, anchor_games=0)


def test_the_best_search_stands_in_the_card(tmp_path: Path) -> None:
    run = finish(start_run(tmp_path / "run", "patterns", "tictactoe", TINY))
    told: list[str] = []
    closing = close_model(run.model_path, load_game("tictactoe"), told.append, Terms(4))
    card = read_card(run.model_path)
    assert card["search"] == closing.search
    assert closing.search in (*SEARCHES, WITHOUT_MODEL)
    assert (closing.search == WITHOUT_MODEL) == (not closing.is_ahead)
    assert [row["games"] for row in card["closing"]] == [4, 4, 4, 4]
    assert [test.second for test in closing.tests] == [
        "the model in alphabeta",
        "the model in mcts",
        "plain mcts",
        "itself untrained",
    ]
    assert [text.endswith("up to 4 games") for text in told] == [True] * 4


def test_a_model_is_measured_as_its_card_says(tmp_path: Path) -> None:
    run = finish(start_run(tmp_path / "run", "patterns", "tictactoe", TINY))
    measured = measure_model(run.model_path, load_game("tictactoe"), lambda text: None, Terms(2))
    assert measured.search == "alphabeta"
    assert [test.second for test in measured.tests] == ["plain mcts", "itself untrained"]
    assert all(test.result.score.games == 2 for test in measured.tests)


def test_matches_end_when_their_time_is_over(tmp_path: Path) -> None:
    run = finish(start_run(tmp_path / "run", "patterns", "tictactoe", TINY))
    game, terms = load_game("tictactoe"), Terms(1000, longest=0.0)
    measured = measure_model(run.model_path, game, lambda text: None, terms)
    assert all(test.result.score.games < 1000 for test in measured.tests)


def test_ctrl_c_in_a_match_ends_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = finish(start_run(tmp_path / "run", "patterns", "tictactoe", TINY))
    played: list[MatchResult] = []

    def interrupted(*arguments: object) -> MatchResult:
        played.append(dataclasses.replace(play_match(*arguments), is_interrupted=True))  # type: ignore[arg-type]
        return played[-1]

    monkeypatch.setattr(closing_matches, "play_match", interrupted)
    with pytest.raises(KeyboardInterrupt):
        close_model(run.model_path, load_game("tictactoe"), lambda text: None, Terms(2))
    assert len(played) == 1
