"""The offices: where the server has things done. Rules, moves and analyses each have workers."""

from typing import Any

from plywise.errors import UnknownName
from plywise.system.user_files import is_user_file
from plywise.web.options import ServeOptions
from plywise.web.processes import Pool, Tell

RULES = 2  # processes that know the rules: clicks never wait for searches
POLITE = 10  # niceness of whoever thinks
SHARE = 5.0  # seconds that an analysis has at least, while others wait
MOST_PLAYERS = 1000  # texts that are remembered


class NoGame(UnknownName):
    """A game that is not served."""


class Staff:
    """Workers of the three kinds; a process is started when it is first needed."""

    def __init__(self, options: ServeOptions) -> None:
        self.rules = Pool(RULES, 0, most_waiting=1000)
        self.thinkers = Pool(options.thinkers, POLITE)
        self.analysts = Pool(options.analysts, POLITE, most_waiting=20, share=SHARE)

    async def close(self) -> None:
        """End all workers."""
        for pool in (self.rules, self.thinkers, self.analysts):
            await pool.close()


class Offices:
    """The workers, and what every task has to know.

    Files of users have workers of their own: rules that crash or hang there keep no other waiting.
    """

    def __init__(self, options: ServeOptions) -> None:
        self.options = options
        self.sources = options.sources()
        self._staff, self._own_staff = Staff(options), Staff(options)
        self._games: dict[str, dict[str, Any]] = {}
        self._players: set[tuple[str, str]] = set()  # that are known to be right

    async def start(self) -> None:
        """Start what a first page needs."""
        await self._staff.rules.start(1)
        await self._staff.thinkers.start(1)

    async def close(self) -> None:
        """End all workers."""
        await self._staff.close()
        await self._own_staff.close()

    def _staff_for(self, given: dict[str, Any]) -> Staff:
        """Return whoever works on a game."""
        return self._own_staff if is_user_file(given.get("source", "")) else self._staff

    def source(self, game: str) -> str:
        """Return what `load_game` takes for a game that is served."""
        if game not in self.sources:
            raise NoGame("game", game, self.sources)
        return self.sources[game]

    def completed(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return what is given to a task with what it may use here."""
        options = self.options
        game = {"source": self.source(given["game"])} if "game" in given else {}
        return {**given, **game, "runs": str(options.runs), "engines": dict(options.engines)}

    async def ask_rules(self, task: str, **given: Any) -> dict[str, Any]:
        """Return the answer to a task that is quick once its game is compiled."""
        keys = (f"game:{given['game']}",) if "game" in given else ()
        full = self.completed(given)
        return await self._staff_for(full).rules.run(task, full, keys=keys)

    async def game(self, name: str) -> dict[str, Any]:
        """Return all that is known of a game."""
        if name not in self._games:
            self._games[name] = {**await self.ask_rules("game", game=name), "name": name}
        return self._games[name]

    def side_of(self, game: str, seat: int) -> int:
        """Return the side that a seat of a game plays for."""
        picture = self._games.get(game, {}).get("picture")
        sides = picture["owner_sides"] if picture else []
        return int(sides[seat]) if seat < len(sides) else seat % 2

    def side_names(self, game: str) -> list[str]:
        """Return the names of the sides."""
        names: list[str] = self._games[game]["sides"]
        return names

    async def position(self, game: str, start: str, moves: list[str]) -> dict[str, Any]:
        """Return a position of a game with its legal moves."""
        await self.game(game)
        return await self.ask_rules("position", game=game, start=start, moves=moves)

    async def check_player(self, game: str, player: str) -> None:
        """Raise unless a text names a player of a game."""
        if (game, player) in self._players:
            return
        await self.ask_rules("check_player", game=game, player=player)
        if not player.startswith("run:") and len(self._players) < MOST_PLAYERS:
            self._players.add((game, player))

    async def choose(self, given: dict[str, Any], tell: Tell, seconds: float) -> dict[str, Any]:
        """Return the move of a player."""
        subject = f"{given['game']}:{given['player'].partition(',')[0]}"
        keys = (f"board:{given.get('board', '')}", subject)
        full = self.completed(given)
        thinkers = self._staff_for(full).thinkers
        return await thinkers.run("choose", full, tell, keys=keys, seconds=seconds)

    async def analyse(
        self, task: str, given: dict[str, Any], tell: Tell | None, seconds: float
    ) -> dict[str, Any]:
        """Return an analysis."""
        keys = (f"{given['game']}:{(given.get('player') or '').partition(',')[0]}",)
        full = self.completed(given)
        analysts = self._staff_for(full).analysts
        return await analysts.run(task, full, tell, keys=keys, seconds=seconds)
