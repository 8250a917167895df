"""The closing matches of a model: how it plays best, and whether it has learned enough.

The model inside alpha-beta that leaves out what seems not to matter meets the model inside one
that leaves out nothing, and who wins meets the model in Monte-Carlo tree search, where it judges
leaves and, by a look of one ply, which moves are worth a try. The best of them meets plain
Monte-Carlo tree search, which knows nothing but the rules, and itself untrained. It is written into
the model's card, so that whoever plays it need not ask.
"""

import dataclasses
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plywise.arena import GameLimits, Match, MatchResult, play_match
from plywise.evaluators import load_model
from plywise.evaluators.model import Model, read_card, save_model
from plywise.evaluators.network import random_model
from plywise.game import Game

OPENING_PLIES = 4
PLIES = 300  # a longer game is a draw
PLAIN = "mcts,eval=none"
WITHOUT_MODEL = "mcts,cap=off"  # the same, of somebody who has a model
SEARCHES = {  # in which a model may play best, by what a person reads of them
    "alphabeta,selective=on": "selective alphabeta",
    "alphabeta,selective=off": "alphabeta",
    "mcts,cap=0,policy=0.3,exploration=0.5": "mcts",
}
Tell = Callable[[str], None]


class Terms(NamedTuple):
    """What the short matches may cost."""

    games: int = 40  # of each match
    longest: float = 20.0  # seconds of each; games that last for ever would take many minutes
    jobs: int = 0
    seconds: float = 0.01  # a move


@dataclass(frozen=True)
class Test:
    """A short match of a model, and against whom."""

    first: str
    second: str
    seconds: float  # a move
    result: MatchResult

    def as_values(self) -> dict[str, Any]:
        """Return it for a card."""
        estimate = self.result.summary()
        kept = ("games", "elo", "elo_low", "elo_high", "p_value")
        return {
            "players": [self.first, self.second],
            "points": self.result.score.mean,
            "seconds": self.seconds,
            **{name: estimate[name] for name in kept},
        }


@dataclass(frozen=True)
class Closing:
    """What the matches came to."""

    search: str  # in which the model plays best, or WITHOUT_MODEL where that is better
    tests: tuple[Test, ...]  # between searches if they were tried; against PLAIN, and untrained
    is_ahead: bool  # of a search that has learned nothing

    def as_values(self) -> list[dict[str, Any]]:
        """Return the matches for a card."""
        return [test.as_values() for test in self.tests]


class Examiner:
    """Plays the short matches of one model."""

    def __init__(self, game: Game, path: Path, tell: Tell, terms: Terms):
        self.game, self.path, self.tell = game, path, tell
        self.terms = terms

    def meet(self, first: str, second: str, names: tuple[str, str]) -> Test:
        """Return a match of two players, whose texts have no budget; Ctrl-C is raised."""
        self.tell(f"{names[0]} against {names[1]}, up to {self.terms.games} games")
        games, longest, jobs, seconds = self.terms
        texts = f"{first},seconds={seconds}", f"{second},seconds={seconds}"
        limits = GameLimits(max_plies=PLIES)
        match = Match(
            self.game, texts, games, "random", OPENING_PLIES, limits, seed=1, seconds=longest
        )
        result = play_match(match, jobs)
        if result.is_interrupted:
            raise KeyboardInterrupt  # nobody wants the matches that would follow
        return Test(*names, seconds, result)

    def best_search(self) -> tuple[str, list[Test]]:
        """Return the search that suits the model: each meets the best of those before it."""
        best, *others = SEARCHES
        tests: list[Test] = []
        for other in others:
            names = _named(best), _named(other)
            tests.append(self.meet(self.player(best), self.player(other), names))
            if tests[-1].result.score.mean < 0.5:
                best = other
        return best, tests

    def against_plain(self, search: str) -> Test:
        """Return the model against plain Monte-Carlo tree search."""
        return self.meet(self.player(search), PLAIN, (_named(search), "plain mcts"))

    def against_untrained(self, search: str) -> list[Test]:
        """Return the model against itself before it learned, if it has learned any numbers."""
        model = load_model(self.path, self.game)
        if not model.evaluator.weights:
            return []
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "untrained.safetensors"
            blank = random_model(model.evaluator, np.random.default_rng(0))
            options = {"options": model.card.get("options", {})}
            save_model(Model(blank.evaluator, blank.weights, options), path)
            names = _named(search), "itself untrained"
            return [self.meet(self.player(search), f"{path},search={search}", names)]

    def player(self, search: str) -> str:
        """Return the text of the model in a search."""
        return f"{self.path},search={search}"


def _named(search: str) -> str:
    return f"the model in {SEARCHES.get(search, search.partition(',')[0])}"


def close_model(path: Path, game: Game, tell: Tell, terms: Terms) -> Closing:
    """Find the search that suits a model, and write what was found into its card."""
    examiner = Examiner(game, path, tell, terms)
    best, ours = examiner.best_search()
    plain = examiner.against_plain(best)
    is_ahead = plain.result.score.mean > 0.5
    tests = *ours, plain, *examiner.against_untrained(best)
    closing = Closing(best if is_ahead else WITHOUT_MODEL, tests, is_ahead)
    model = load_model(path, game)
    card = {**model.card, "search": closing.search, "closing": closing.as_values()}
    save_model(dataclasses.replace(model, card=card), path)
    return closing


def measure_model(path: Path, game: Game, tell: Tell, terms: Terms) -> Closing:
    """Return how strong a model is in the search of its card, or in alpha-beta."""
    examiner = Examiner(game, path, tell, terms)
    search = str(read_card(path).get("search", "alphabeta"))
    plain = examiner.against_plain(search)
    tests = plain, *examiner.against_untrained(search)
    return Closing(search, tests, plain.result.score.mean > 0.5)
