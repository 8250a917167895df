"""The closing match of a run: how its model plays best, and whether it has learned enough.

The model inside alpha-beta meets the model in Monte-Carlo tree search, where it judges leaves and,
by a look of one ply, which moves are worth a try. Who wins meets plain Monte-Carlo tree search,
which knows nothing but the rules. The best of the three is written into the model's card, so that
whoever plays it need not ask.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plywise.arena import Match, MatchResult, play_match
from plywise.evaluators import load_model
from plywise.evaluators.model import save_model
from plywise.game import Game
from plywise.runs import Run

GAMES = 40
SECONDS = 0.01  # a move
OPENING_PLIES = 4
PLAIN = "mcts"
SEARCHES = ("alphabeta", "mcts,cap=0,policy=0.3,exploration=0.5")
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Closing:
    """What the matches came to."""

    search: str  # in which the model plays best, or PLAIN where it is better without the model
    results: tuple[MatchResult, MatchResult]  # of the two searches, and against PLAIN

    @property
    def is_ahead(self) -> bool:
        """Return whether the model is stronger than a search that has learned nothing."""
        return self.results[1].score.mean > 0.5

    def as_values(self) -> list[dict[str, Any]]:
        """Return the matches for a card."""
        return [
            {
                "players": list(names),
                "games": result.score.games,
                "points": result.score.mean,
                "seconds": SECONDS,
            }
            for names, result in zip(self._names(), self.results, strict=True)
        ]

    def sentences(self) -> list[str]:
        """Return what there is to say of it."""
        lines = [
            f"{100 * result.score.mean:.0f} % of {result.score.games} games at {SECONDS:g} s a "
            f"move: {first} against {second}"
            for (first, second), result in zip(self._names(), self.results, strict=True)
        ]
        if not self.is_ahead:
            lines.append(
                "It has not learned enough to beat a search that knows only the rules, so that "
                "one plays; go on with --resume, or give the game an evaluator."
            )
        return lines

    def _names(self) -> list[tuple[str, str]]:
        winner = SEARCHES[0] if self.results[0].score.mean >= 0.5 else SEARCHES[1]
        model = {search: f"the model in {search.partition(',')[0]}" for search in SEARCHES}
        return [(model[SEARCHES[0]], model[SEARCHES[1]]), (model[winner], f"plain {PLAIN}")]


def close_run(run: Run, game: Game, tell: Tell, games: int = GAMES, jobs: int = 0) -> Closing:
    """Play the closing matches of a run that has a model; write what they say into its card."""
    path = run.model_path

    def meet(first: str, second: str, what: str) -> MatchResult:
        tell(f"closing match: {what}")
        texts = f"{first},seconds={SECONDS}", f"{second},seconds={SECONDS}"
        return play_match(Match(game, texts, games, "random", OPENING_PLIES, seed=1), jobs)

    def player(search: str) -> str:
        return f"{path},search={search}"

    ours = meet(player(SEARCHES[0]), player(SEARCHES[1]), "alpha-beta or Monte-Carlo")
    best = SEARCHES[0] if ours.score.mean >= 0.5 else SEARCHES[1]
    plain = meet(player(best), PLAIN, "against plain Monte-Carlo")
    closing = Closing(best if plain.score.mean > 0.5 else PLAIN, (ours, plain))
    model = load_model(path, game)
    card = {**model.card, "search": closing.search, "closing": closing.as_values()}
    save_model(dataclasses.replace(model, card=card), path)
    return closing
