"""The report of a run: what its champions are worth, with paired openings and error bars.

The last champion against fixed opponents and its own half-way ancestor, and champions of the
whole run rated together by Bradley-Terry with an anchor that never changes.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from plywise.arena import (
    Match,
    MatchResult,
    Sprt,
    Tournament,
    TournamentResult,
    play_match,
    play_tournament,
)
from plywise.arena.match import require_even
from plywise.arena.statistics import format_estimate
from plywise.evaluators import default_evaluator
from plywise.evaluators.model import Model
from plywise.evaluators.network import random_model
from plywise.learners import champion_model
from plywise.players import SearchPlayer
from plywise.runs import Run
from plywise.search.limits import Limit
from plywise.search.options import Options
from plywise.search.searchers import AlphaBeta

TABLE_BITS = 14
OPENING_PLIES = 6
PURE = "pure MCTS"  # the opponent whose match a sequential test may end
TEST = Sprt(0, 50)
VERDICTS = {
    "accept": "SPRT(0, 50) accepts",
    "reject": "SPRT(0, 50) rejects",
    "continue": "SPRT(0, 50) is not decided",
}
Tell = Callable[[str], None]


def model_player(model: Model, name: str, depth: int) -> SearchPlayer:
    """Return a model as a player of alpha-beta at a depth, with the options it was trained with."""
    options = Options(**model.card["options"])
    return SearchPlayer(name, partial(AlphaBeta, model, options, TABLE_BITS), Limit(depth=depth))


@dataclass(frozen=True)
class Scale:
    """How much is played."""

    depth: int = 4  # of every alpha-beta player
    games: int = 100  # of each test
    champions: int = 12  # how many of the run are rated
    rating_games: int = 20  # between any two of these
    playouts: int = 1000  # of the pure MCTS opponent
    mcts_depth: int = 0  # of the champion against it; 0: as against all others

    def __post_init__(self) -> None:
        require_even(self.games)
        require_even(self.rating_games)
        for depth in (self.depth, self.mcts_depth or self.depth):
            Limit(depth=depth)  # refuses nonsense before anything is played


def choose_champion(run: Run, scale: Scale, last: int = 10) -> int:
    """Return the best of the last champions by a round robin of their own.

    One generation's champion is mostly lucky; whoever is chosen here is lucky as well, so
    its strength has to be measured anew.
    """
    steps = run.champions()[-last:]
    if len(steps) == 1:
        return steps[0]
    players = [model_player(champion_model(run, step), f"{step}", scale.depth) for step in steps]
    tournament = Tournament(
        champion_model(run, steps[0]).game,
        players,
        games=scale.rating_games,
        openings="random",
        opening_plies=OPENING_PLIES,
        seed=3,
    )
    return int(play_tournament(tournament).ratings[0].name)


Pairing = tuple[SearchPlayer, str | SearchPlayer]  # the champion, and whom it meets


def final_pairings(run: Run, scale: Scale, step: int | None = None) -> dict[str, Pairing]:
    """Return whom a champion, by default the last one, is tested against."""
    steps = run.champions()
    last = steps[-1] if step is None else step
    half = steps[len(steps) // 2]
    model = champion_model(run, last)
    first = model_player(model, f"champion {last}", scale.depth)
    deep = model_player(model, f"champion {last}", scale.mcts_depth or scale.depth)
    half_way = model_player(champion_model(run, half), f"champion {half}", scale.depth)
    blank = dataclasses.replace(
        random_model(model.evaluator, np.random.default_rng(0)), card=model.card
    )
    untrained = model_player(blank, "untrained", scale.depth)
    pairings: dict[str, Pairing] = {
        "random": (first, "random"),
        "untrained, equal depth": (first, untrained),
        PURE: (deep, f"mcts,eval=none,nodes={scale.playouts}"),
        "half-way ancestor": (first, half_way),
    }
    baseline = default_evaluator(model.game)
    if baseline != "none":
        text = f"alphabeta,eval={baseline},selective=off,depth={scale.depth}"  # no guesses, either
        pairings[f"{baseline}, equal depth"] = (first, text)
    return pairings


def final_tests(
    run: Run, scale: Scale, tell: Tell = lambda text: None, step: int | None = None
) -> dict[str, MatchResult]:
    """Return the matches of a champion, by default the last one, by opponent."""
    game, results = champion_model(run).game, {}
    for name, players in final_pairings(run, scale, step).items():
        tell(f"champion against {name}")
        match = Match(
            game,
            players,
            games=scale.games,
            openings="random",
            opening_plies=OPENING_PLIES,
            sprt=TEST if name == PURE else None,
            seed=1,
        )
        results[name] = play_match(match)
    return results


def rate_champions(
    run: Run, scale: Scale, tell: Tell = lambda text: None, seed: int = 2
) -> TournamentResult:
    """Return ratings of champions from the whole run, with the handmade evaluator at 0.

    Random is the anchor only where there is none: it loses nearly all its games, so the distance
    to it is uncertain, and all ratings would share that error.
    """
    steps = run.champions()
    chosen = sorted({steps[int(i)] for i in np.linspace(0, len(steps) - 1, scale.champions)})
    tell(f"rating champions {', '.join(map(str, chosen))}")
    players = [model_player(champion_model(run, step), f"{step}", scale.depth) for step in chosen]
    game = champion_model(run, chosen[0]).game
    anchor = "random"
    if default_evaluator(game) != "none":
        anchor = f"alphabeta,eval={default_evaluator(game)},depth={scale.depth}"
    tournament = Tournament(
        game,
        [anchor, *players],
        games=scale.rating_games,
        anchor=anchor,
        openings="random",
        opening_plies=OPENING_PLIES,
        seed=seed,
    )
    return play_tournament(tournament)


def quarters(result: TournamentResult, last_step: int) -> dict[str, tuple[float, float]]:
    """Return mean rating and error of the champions of the first and of the last quarter."""
    rated = {int(r.name): r for r in result.ratings if r.name.isdigit()}
    groups = {
        "first quarter": [r for step, r in rated.items() if step <= last_step / 4],
        "last quarter": [r for step, r in rated.items() if step >= 3 * last_step / 4],
    }
    return {
        name: (
            float(np.mean([r.elo for r in members])),
            float(np.sqrt(np.sum([r.error**2 for r in members])) / len(members)),
        )
        for name, members in groups.items()
    }


def test_table(tests: dict[str, MatchResult]) -> list[list[str]]:
    """Return a row for every test: games, share of points, Elo with error, the SPRT's verdict."""
    rows = []
    for name, result in tests.items():
        rows.append(
            [
                name,
                f"{result.score.wins}-{result.score.draws}-{result.score.losses}",
                f"{100 * result.score.mean:.1f} %",
                format_estimate(result.estimate),
                "-" if result.sprt is None else VERDICTS[result.decision],
            ]
        )
    return rows


def summary(run: Run, tests: dict[str, MatchResult], rating: TournamentResult) -> dict[str, Any]:
    """Return all numbers for JSON."""
    return {
        "run": run.name,
        "tests": {name: result.summary() for name, result in tests.items()},
        "rating": rating.summary(),
        "quarters": quarters(rating, run.champions()[-1]),
    }
