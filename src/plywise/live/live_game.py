"""Who sits where, what has been played, and what a saved game keeps."""

from pathlib import Path

from plywise.cli.parameters import parse_start, play_text, warm_up
from plywise.errors import PlywiseError
from plywise.game import Game, Row
from plywise.game.record import Ending, Record
from plywise.live.saves import HUMAN, BadSave, Save
from plywise.players import BUDGET, KINDS, Player, PlayerSpec, default_opponent, parse_player


class LiveGame:
    """A game and who plays it; everything that a saved game keeps."""

    def __init__(self, game: Game, source: str, opponent: PlayerSpec) -> None:
        self.game = game
        self.source = source  # what `load_game` takes
        self.opponent = opponent
        self.humans = {0}
        self.record = Record(game)
        self.seed = 0
        self.resigned: int | None = None  # the side that did
        self._engines: dict[int, Player] = {}

    def begin(self, start: Row) -> None:
        """Set up a new game."""
        self.record = Record(self.game, start)
        self.resigned = None
        self.seed += 1
        self._engines.clear()

    def ending(self) -> Ending | None:
        """Return how the game has ended, None while it goes on."""
        if self.resigned is not None:
            return Ending(-1 if self.resigned == 0 else 1, "resignation")
        return self.record.ending()

    def is_human(self) -> bool:
        """Return whether a person is to move."""
        return self.record.side in self.humans

    def engine(self, side: int) -> Player:
        """Return the program that plays a side, ready to search."""
        if side not in self._engines:
            self._engines[side] = self._seat(self.opponent, self.seed + side)
        return self._engines[side]

    def adviser(self) -> Player:
        """Return the program that gives hints: the opponent, unless it only plays at random."""
        is_blind = self.opponent.kind == "random"
        spec = parse_player(default_opponent(self.game)) if is_blind else self.opponent
        return self._seat(spec, self.seed)

    def _seat(self, spec: PlayerSpec, seed: int) -> Player:
        player = spec.make(self.game, seed)
        warm_up(player, self.record, seed)
        return player

    def set_level(self, seconds: float) -> None:
        """Give programs this time for a move from now on."""
        self.opponent = with_seconds(self.opponent, seconds)
        for player in self._engines.values():
            player.limit = self.opponent.limit()

    def undo(self) -> int:
        """Take back to where a person was last to move; return how many moves that were."""
        before = len(self.record.moves)
        if self.resigned is not None:
            self.resigned = None
            return 0
        sides = [self.game.side(position) for position in self.record.positions[:-1]]
        turns = [ply for ply, side in enumerate(sides) if side in self.humans]
        if not turns:
            raise PlywiseError("There is no move of yours to take back.")
        while len(self.record.moves) > turns[-1]:
            self.record.undo()
        return before - len(self.record.moves)

    def switch(self) -> None:
        """Exchange the seats."""
        if len(self.humans) != 1:
            raise PlywiseError("There is nothing to switch: both sides have the same player.")
        self.humans = {1 - side for side in self.humans}

    def save(self) -> Save:
        """Return the game as it can be written to a file."""
        start = self.record.start
        is_first = bool((start == self.game.initial()).all())
        players = [HUMAN if side in self.humans else self.opponent.text for side in (0, 1)]
        path, colon, wanted = self.source.partition(":")
        source = str(Path(path).resolve()) + colon + wanted if path.endswith(".py") else path
        return Save(
            self.game.name,
            source,
            "start" if is_first else self.game.format_position(start),
            tuple(self.record.texts()),
            (players[0], players[1]),
        )

    def restore(self, save: Save) -> None:
        """Go on with a saved game."""
        if save.game != self.game.name:
            raise BadSave(f"That is a game of {save.game}, not of {self.game.name}.")
        record = Record(self.game, parse_start(self.game, save.start))
        for text in save.moves:
            play_text(record, text)
        programs = [parse_player(text) for text in save.players if text != HUMAN]
        for spec in programs:
            spec.make(self.game)  # refuses an evaluator or a model of another game
        self.begin(record.start)
        self.record = record
        self.humans = {side for side in (0, 1) if save.players[side] == HUMAN}
        self.opponent = programs[0] if programs else self.opponent


def with_seconds(spec: PlayerSpec, seconds: float) -> PlayerSpec:
    """Return the player with a time for a move in place of its own budget."""
    if "seconds" not in KINDS[spec.kind]:
        raise PlywiseError(f"{spec.kind!r} takes no time that could be set.")
    parts = spec.text.split(",")
    kept = [part for part in parts if part.partition("=")[0].strip() not in BUDGET]
    return parse_player(",".join([*kept, f"seconds={seconds:g}"]))
