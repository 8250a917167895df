"""Ratings of many players from all their games at once, on one scale fixed by an anchor.

The model is Bradley and Terry's: with strengths s in natural units, wins, draws and losses of
i against j are as likely as exp(d/2) : nu : exp(-d/2), d = s_i - s_j. Davidson's draw weight nu
is fitted too, or every draw counts as half a win and half a loss and nu is 0. Refitting all games
does not depend on their order and does not drift, unlike Elo's rating by single updates.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plywise.arena.statistics import QUANTILE
from plywise.errors import PlywiseError
from plywise.game.results import DRAW, LOSS, WIN

Pair: TypeAlias = tuple[str, str, int, int]
"""First player, second player, and the first one's result (-1, 0, 1) in both games of a pair."""

DrawModel: TypeAlias = Literal["half", "davidson"]
Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]

ELO_UNIT = 400 / math.log(10)  # Elo per natural unit of strength
CONVERGED = 1e-9  # natural units
STEPS = 1000


class BadResults(PlywiseError):
    """Games that cannot be rated as asked."""


class UnconnectedPlayers(BadResults):
    """Players whose games say nothing about how they compare with the anchor."""

    def __init__(self, players: Sequence[str], anchor: str, link: str) -> None:
        super().__init__(f"No chain of {link} links the anchor {anchor} to {', '.join(players)}.")
        self.players = tuple(players)


@dataclass(frozen=True, slots=True)
class Tally:
    """Games between two players, from the first one's view."""

    first: str
    second: str
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __post_init__(self) -> None:
        if self.first == self.second:
            raise BadResults(f"Games of {self.first} against itself cannot be rated.")
        if min(self.wins, self.draws, self.losses) < 0:
            raise BadResults(f"Numbers of games must not be negative, as in {self}.")


@dataclass(frozen=True, slots=True)
class RatingModel:
    """How games become ratings."""

    anchor_elo: float = 0.0
    """Elo at which the anchor is held."""
    virtual_draws: float = 1.0
    """Draws against the anchor added for every other player, each as half a win and half a loss:
    the prior that keeps a player finite who won or lost every game."""
    draws: DrawModel = "half"
    """What a draw is: half a win and half a loss, or an outcome of its own (Davidson)."""

    def __post_init__(self) -> None:
        if self.virtual_draws < 0:
            raise BadResults("The number of virtual draws must not be negative.")
        if self.draws not in ("half", "davidson"):
            raise BadResults(f"The model of draws must be half or davidson, not {self.draws!r}.")


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's Elo and its 95 % error, with the real games and points it rests on."""

    name: str
    elo: float
    error: float
    games: int
    points: float


@dataclass(frozen=True, slots=True, eq=False)
class CrossTable:
    """Who made how many points against whom, the best share of points first."""

    names: tuple[str, ...]
    points: Floats  # [players, players], of the row's player against the column's
    games: NDArray[np.int64]  # [players, players]


class _Schedule(NamedTuple):
    """Who met whom; the anchor is player 0."""

    names: list[str]
    rows: Indices  # [meetings], the first player
    columns: Indices  # [meetings], the second player


class _Games(NamedTuple):
    """Games as the model sees them."""

    wins: Floats  # [players, players], of the row's player against the column's
    draws: Floats  # [players, players], symmetric; zero where draws are split into wins


class _Fit(NamedTuple):
    strengths: Floats  # [players], natural units; the anchor's is 0
    log_draw: float  # log nu; -inf where no draws are modelled


_DEFAULT = RatingModel()


def ratings(results: Sequence[Tally], anchor: str, model: RatingModel = _DEFAULT) -> list[Rating]:
    """Return every player's rating, the best first, with errors from the Fisher information.

    These take all games as independent, and with half-point draws they are too wide, as if each
    draw were as uncertain as a win or a loss: with many draws use Davidson's model, and with
    pairs of games from one opening `bootstrap_ratings`. The anchor's error is 0 by definition.
    Raise `UnconnectedPlayers` if a player cannot be compared with the anchor.
    """
    schedule, counts = _table(results, anchor)
    _require_connected(schedule, counts, model)
    games = _games(schedule, counts, model)
    fit = _fit(games, _start(games))
    return _ranked(schedule, counts, model, fit, _fisher_errors(games, fit))


def bootstrap_ratings(
    pairs: Iterable[Pair],
    anchor: str,
    rounds: int,
    generator: np.random.Generator,
    model: RatingModel = _DEFAULT,
) -> list[Rating]:
    """Return every player's rating, the best first, with errors by resampling pairs of games.

    Each round draws as many pairs for two players as they played, from their own pairs, and
    refits all; the error is half the width of the middle 95 % of the rounds. A player whose
    rating never changes, as when all its pairs ended alike, keeps the Fisher error.
    """
    if model.virtual_draws == 0:
        raise BadResults("Resampled games may leave a player unbeaten, so add virtual draws.")
    if rounds < 1:
        raise BadResults(f"At least one round of resampling is needed, not {rounds}.")
    meetings = _meetings(pairs)
    schedule, counts = _table([_tally(*item) for item in meetings.items()], anchor)
    _require_connected(schedule, counts, model)
    games = _games(schedule, counts, model)
    fit = _fit(games, _start(games))
    errors = _fisher_errors(games, fit)
    if meetings:
        samples = np.stack(
            [_resampled(results, rounds, generator) for results in meetings.values()], axis=1
        )
        spread = _spread([_games(schedule, sample, model) for sample in samples], fit)
        errors = np.where(spread > 10 * CONVERGED, spread, errors)
    return _ranked(schedule, counts, model, fit, errors)


def cross_table(results: Sequence[Tally]) -> CrossTable:
    """Return the points and games of every player against every other."""
    names = sorted({name for tally in results for name in (tally.first, tally.second)})
    index = {name: position for position, name in enumerate(names)}
    points = np.zeros((len(names), len(names)))
    games = np.zeros((len(names), len(names)), dtype=np.int64)
    for tally in results:
        first, second = index[tally.first], index[tally.second]
        points[first, second] += tally.wins + tally.draws / 2
        points[second, first] += tally.losses + tally.draws / 2
        games[first, second] += tally.wins + tally.draws + tally.losses
        games[second, first] += tally.wins + tally.draws + tally.losses
    shares = points.sum(axis=1) / np.maximum(games.sum(axis=1), 1)
    order = np.argsort(-shares, kind="stable")
    grid = np.ix_(order, order)
    return CrossTable(tuple(names[position] for position in order), points[grid], games[grid])


def _table(results: Sequence[Tally], anchor: str) -> tuple[_Schedule, Floats]:
    """Return who met whom, and [meetings, 3] wins, draws and losses of the first player."""
    others = {name for tally in results for name in (tally.first, tally.second)} - {anchor}
    names = [anchor, *sorted(others)]
    index = {name: position for position, name in enumerate(names)}
    rows = np.array([index[tally.first] for tally in results], dtype=np.intp)
    columns = np.array([index[tally.second] for tally in results], dtype=np.intp)
    counts = [(tally.wins, tally.draws, tally.losses) for tally in results]
    return _Schedule(names, rows, columns), np.array(counts, dtype=np.float64).reshape(-1, 3)


def _meetings(pairs: Iterable[Pair]) -> dict[tuple[str, str], Counter[tuple[int, int]]]:
    """Return how often each pair of results occurred between each two players."""
    meetings: dict[tuple[str, str], Counter[tuple[int, int]]] = defaultdict(Counter)
    for first, second, result_a, result_b in pairs:
        if not {result_a, result_b} <= {LOSS, DRAW, WIN}:
            raise BadResults(f"Results must be -1, 0 or 1, not {result_a} and {result_b}.")
        if first <= second:
            meetings[first, second][result_a, result_b] += 1
        else:
            meetings[second, first][-result_a, -result_b] += 1
    return meetings


def _tally(players: tuple[str, str], results: Counter[tuple[int, int]]) -> Tally:
    games = Counter(result for pair in results.elements() for result in pair)
    return Tally(*players, games[WIN], games[DRAW], games[LOSS])


def _resampled(
    results: Counter[tuple[int, int]], rounds: int, generator: np.random.Generator
) -> Floats:
    """Return [rounds, 3] wins, draws and losses of as many pairs drawn with replacement."""
    kinds = np.array([[pair.count(kind) for kind in (WIN, DRAW, LOSS)] for pair in results])
    shares = np.array([*results.values()]) / results.total()
    drawn = generator.multinomial(results.total(), shares, size=rounds)
    sampled: Floats = (drawn @ kinds).astype(np.float64)
    return sampled


def _games(schedule: _Schedule, counts: Floats, model: RatingModel) -> _Games:
    players, rows, columns = len(schedule.names), schedule.rows, schedule.columns
    wins, draws = np.zeros((players, players)), np.zeros((players, players))
    np.add.at(wins, (rows, columns), counts[:, 0])
    np.add.at(wins, (columns, rows), counts[:, 2])
    np.add.at(draws, (rows, columns), counts[:, 1])
    draws += draws.T
    # Where every game is drawn nu has no finite maximum, and half points say as much.
    if model.draws == "half" or not wins.any():
        wins += draws / 2
        draws = np.zeros_like(draws)
    wins[0, 1:] += model.virtual_draws / 2
    wins[1:, 0] += model.virtual_draws / 2
    return _Games(wins, draws)


def _require_connected(schedule: _Schedule, counts: Floats, model: RatingModel) -> None:
    """Raise unless games, or without a prior points both ways, link the anchor to everyone."""
    games = _games(schedule, counts, RatingModel(virtual_draws=0))
    scored = games.wins > 0
    if model.virtual_draws > 0:
        linked, link = _reached(scored | scored.T), "games"
    else:
        linked, link = _reached(scored) & _reached(scored.T), "points made and given"
    if not linked.all():
        missing = [
            name for name, is_linked in zip(schedule.names, linked, strict=True) if not is_linked
        ]
        raise UnconnectedPlayers(missing, schedule.names[0], link)


def _reached(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which players a walk along edges from player 0 comes to."""
    reached = np.zeros(len(edges), dtype=np.bool_)
    wider = reached.copy()
    wider[0] = True
    while (wider != reached).any():
        reached = wider
        wider = reached | edges[reached].any(axis=0)
    return reached


def _start(games: _Games) -> _Fit:
    return _Fit(np.zeros(len(games.wins)), 0.0 if games.draws.any() else -math.inf)


def _fit(games: _Games, fit: _Fit) -> _Fit:
    """Return the likeliest strengths.

    Each step is the better one of Newton's, which ends the search quickly, and the MM step,
    which never makes a fit worse but creeps where one player wins nearly always.
    """
    for _ in range(STEPS):
        change = _newton_change(games, fit)
        newton = _Fit(fit.strengths + change[:-1], fit.log_draw + float(change[-1]))
        if np.abs(change).max() < CONVERGED:
            return newton
        fit = max((newton, _mm_step(games, fit)), key=lambda step: _log_likelihood(games, step))
    raise BadResults("The ratings do not settle, so add virtual draws.")


def _newton_change(games: _Games, fit: _Fit) -> Floats:
    """Return Newton's changes [players + 1] of the strengths and log nu."""
    free = _free(games)
    win, draw = _chances(fit)
    played = _played(games)
    surplus = np.append(
        _points(games) - (played * (win + draw / 2)).sum(axis=1),
        (games.draws.sum() - (played * draw).sum()) / 2,
    )
    change = np.zeros_like(surplus)
    change[free] = np.linalg.solve(_information(games, fit)[free, free], surplus[free])
    return change


def _mm_step(games: _Games, fit: _Fit) -> _Fit:
    """Return strengths scaled by points made to points expected (Hunter 2004), then nu alike."""
    win, draw = _chances(fit)
    played = _played(games)
    expected = (played * (win + draw / 2)).sum(axis=1)
    strengths = fit.strengths.copy()
    strengths[1:] += np.log(_points(games)[1:] / expected[1:])
    if not games.draws.any():
        return _Fit(strengths, fit.log_draw)
    _, draw = _chances(_Fit(strengths, fit.log_draw))
    return _Fit(strengths, fit.log_draw + math.log(games.draws.sum() / (played * draw).sum()))


def _log_likelihood(games: _Games, fit: _Fit) -> float:
    half = _edges(fit) / 2
    log_total = np.logaddexp(np.logaddexp(half, -half), fit.log_draw)
    decided = float((games.wins * (half - log_total)).sum())
    if not games.draws.any():
        return decided
    return decided + float((games.draws * (fit.log_draw - log_total)).sum()) / 2


def _information(games: _Games, fit: _Fit) -> Floats:
    """Return the Fisher information [players + 1, players + 1] of the strengths and log nu."""
    win, draw = _chances(fit)
    played = _played(games)
    lead = (win - win.T) / 2
    between = played * ((win + win.T) / 4 - lead**2)
    players = len(played)
    information = np.empty((players + 1, players + 1))
    information[:players, :players] = np.diag(between.sum(axis=1)) - between
    information[players, :players] = -(played * lead * draw).sum(axis=1)
    information[:players, players] = information[players, :players]
    information[players, players] = (played * draw * (1 - draw)).sum() / 2
    return information


def _fisher_errors(games: _Games, fit: _Fit) -> Floats:
    """Return the 95 % errors of all strengths in natural units, 0 for the anchor."""
    free = _free(games)
    variances = np.zeros(len(games.wins) + 1)
    variances[free] = np.diag(np.linalg.inv(_information(games, fit)[free, free]))
    errors: Floats = QUANTILE * np.sqrt(variances[:-1])
    return errors


def _spread(rounds: Sequence[_Games], fit: _Fit) -> Floats:
    """Return half the width of the middle 95 % of every player's strength over refits."""
    fits = [_fit(games, _Fit(fit.strengths, _start(games).log_draw)) for games in rounds]
    low, high = np.percentile([each.strengths for each in fits], [2.5, 97.5], axis=0)
    half: Floats = (high - low) / 2
    return half


def _ranked(
    schedule: _Schedule, counts: Floats, model: RatingModel, fit: _Fit, errors: Floats
) -> list[Rating]:
    real = _games(schedule, counts, RatingModel(virtual_draws=0))
    games, points = _played(real).sum(axis=1), _points(real)
    table = [
        Rating(
            name,
            model.anchor_elo + ELO_UNIT * float(fit.strengths[player]),
            ELO_UNIT * float(errors[player]),
            round(games[player]),
            float(points[player]),
        )
        for player, name in enumerate(schedule.names)
    ]
    return sorted(table, key=lambda rating: (-rating.elo, rating.name))


def _free(games: _Games) -> slice:
    """Return which parameters are fitted: never the anchor, and log nu where draws are modelled."""
    return slice(1, len(games.wins) + bool(games.draws.any()))


def _edges(fit: _Fit) -> Floats:
    return np.subtract.outer(fit.strengths, fit.strengths)


def _chances(fit: _Fit) -> tuple[Floats, Floats]:
    """Return the probabilities [players, players] of a row's win and of a draw."""
    half = _edges(fit) / 2
    log_total = np.logaddexp(np.logaddexp(half, -half), fit.log_draw)
    return np.exp(half - log_total), np.exp(fit.log_draw - log_total)


def _played(games: _Games) -> Floats:
    return games.wins + games.wins.T + games.draws


def _points(games: _Games) -> Floats:
    points: Floats = (games.wins + games.draws / 2).sum(axis=1)
    return points
