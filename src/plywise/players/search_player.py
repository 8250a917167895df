"""A search as a player."""

import functools
from collections.abc import Callable
from dataclasses import replace

from plywise.game.record import Record
from plywise.players.levels import FULL_SECONDS
from plywise.search.limits import Analysis, Clock, Found, Limit, Tell, TellAnalysis
from plywise.search.searchers import Search
from plywise.system.stopping import StopToken

WARM_PLIES = 3  # enough for what a search does only with memories of earlier moves


class SearchPlayer:
    """Plays what a search finds within a budget for each move."""

    def __init__(
        self, name: str, make_search: Callable[[], Search], limit: Limit, seed: int = 0
    ) -> None:
        """Every twin has a search of its own, which is made when it is first needed.

        With an open limit a move takes what a clock allows, or a fixed time where there is none.
        """
        self.name = name
        self.limit = limit
        self._make_search = make_search
        self._seed = seed
        self._is_warm = False

    @functools.cached_property
    def _search(self) -> Search:
        search = self._make_search()
        search.reseed(self._seed)
        return search

    @property
    def _unclocked(self) -> Limit:
        return Limit(seconds=FULL_SECONDS) if self.limit.is_open else self.limit

    def new_game(self, seed: int) -> None:
        """Start afresh, with everything compiled or loaded that a search needs."""
        self._warm_up()
        self._search.forget()
        self._search.reseed(seed)

    def _warm_up(self) -> None:
        if self._is_warm:
            return
        record = Record(self._search.game)
        for _ in range(WARM_PLIES):
            if len(record.legal_moves()) > 0:
                record.play(self._search.search(record, Limit(depth=1, nodes=1)).move)
        self._is_warm = True

    def choose(
        self,
        record: Record,
        clock: Clock | None = None,
        stop: StopToken | None = None,
        tell: Tell | None = None,
    ) -> Found:
        """Return the best move found; a clock shortens the time spent."""
        limit = self._unclocked if clock is None else self.limit.within(clock)
        return self._search.search(record, limit, stop, tell)

    def analyse(
        self,
        record: Record,
        limit: Limit | None = None,
        lines: int = 1,
        stop: StopToken | None = None,
        tell: TellAnalysis | None = None,
    ) -> Analysis:
        """Return the best lines that the search finds."""
        found = self._search.analyse(record, limit or self._unclocked, lines, stop, tell)
        return in_agreement(found) if found.moves else best_first(found)

    def twin(self) -> "SearchPlayer":
        """Return the same with a search of its own."""
        return SearchPlayer(self.name, self._make_search, self.limit)

    def close(self) -> None:
        """Do nothing: there is only memory to give back."""


def best_first(analysis: Analysis) -> Analysis:
    """Return an analysis with its lines by value; some may be deeper than others.

    Of lines that win the shortest comes first, of lines that lose the longest.
    """

    def worth(line: Found) -> tuple[float, float]:
        plies = line.end or 0
        return line.value, -plies if line.value > 0 else plies

    return replace(analysis, lines=tuple(sorted(analysis.lines, key=worth, reverse=True)))


def in_agreement(analysis: Analysis) -> Analysis:
    """Return the analysis of a tree in which moves have the values that are proven for them.

    A tree keeps the average of all its tries as well, which proofs do not change.
    """
    proven = {line.move: line.value for line in analysis.lines if line.extras.get("is_proven")}
    moves = (replace(one, value=proven.get(one.move, one.value)) for one in analysis.moves)
    return replace(analysis, moves=tuple(moves))
