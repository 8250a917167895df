"""A live game: who sits where, what has been played, and what a saved game keeps."""

from pathlib import Path

from plywise.errors import PlywiseError
from plywise.formats import Transcript
from plywise.game import Game, Row
from plywise.game.record import Ending, Record
from plywise.game.text import parse_start, play_text
from plywise.live.saves import HUMAN, BadSave, Save, require_game
from plywise.players import (
    JudgesNothing,
    Player,
    default_opponent,
    make_player,
    names_program,
    with_level,
    with_seconds,
)
from plywise.search.limits import Found
from plywise.system.stopping import StopToken


class LiveGame:
    """A game and who plays it; everything that a saved game keeps."""

    def __init__(self, game: Game, source: str, opponent: Player) -> None:
        self.game = game
        self.source = source  # what `load_game` takes
        self.opponent = opponent  # its twins play
        self.humans = {0}
        self.record = Record(game)
        self.seed = 0
        self.resigned: int | None = None  # the side that did
        self._engines: dict[int, Player] = {}

    def begin(self, start: Row) -> None:
        """Set up a new game."""
        self.close()
        self.record = Record(self.game, start)
        self.resigned = None
        self.seed += 1

    def close(self) -> None:
        """Send the programs home that play here."""
        while self._engines:
            self._engines.popitem()[1].close()

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
            player = self.opponent.twin()
            player.new_game(self.seed + side)
            self._engines[side] = player
        return self._engines[side]

    def advise(self, stop: StopToken | None = None) -> Found:
        """Return what the opponent thinks best here, or a good player if it judges nothing."""
        try:
            return self._ask(self.opponent.twin(), stop)
        except JudgesNothing:
            return self._ask(make_player(default_opponent(self.game), self.game), stop)

    def _ask(self, adviser: Player, stop: StopToken | None) -> Found:
        try:
            return adviser.analyse(self.record, stop=stop).lines[0]
        finally:
            adviser.close()

    def set_level(self, level: int) -> None:
        """Let programs play at a level from now on."""
        self._exchange(with_level(self.opponent.name, level, self.game))

    def set_seconds(self, seconds: float) -> None:
        """Give programs this time for a move from now on."""
        self._exchange(with_seconds(self.opponent.name, seconds, self.game))

    def _exchange(self, opponent: str) -> None:
        self.opponent = make_player(opponent, self.game)
        self.close()

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
        players = [HUMAN if side in self.humans else self.opponent.name for side in (0, 1)]
        path, colon, wanted = self.source.partition(":")
        source = str(Path(path).resolve()) + colon + wanted if path.endswith(".py") else path
        return Save(
            self.game.name,
            source,
            "start" if is_first else self.game.format_position(start),
            tuple(self.record.texts()),
            (players[0], players[1]),
        )

    def transcript(self) -> Transcript:
        """Return the game as files of games keep it."""
        save, ending = self.save(), self.ending()
        score = None if ending is None else ending.score
        reason = "" if ending is None else ending.reason
        return Transcript(save.game, save.players, save.moves, score, reason, save.start)

    def restore(self, save: Save, opponent: Player | None = None) -> None:
        """Go on with a saved game, against its own opponent or the one that is given."""
        require_game(save, self.game)
        record = Record(self.game, parse_start(self.game, save.start))
        for text in save.moves:
            play_text(record, text)
        programs = [opponent] if opponent is not None else self._programs_of(save)
        self.begin(record.start)
        self.record = record
        self.humans = {side for side in (0, 1) if save.players[side] == HUMAN}
        self.opponent = programs[0] if programs else self.opponent

    def _programs_of(self, save: Save) -> list[Player]:
        """Return the players of a save that are no people; none that would start a program."""
        texts = [text for text in save.players if text != HUMAN]
        for text in texts:
            require_harmless(text)
        return [make_player(text, self.game) for text in texts]


def require_harmless(opponent: str) -> None:
    """Raise if the text of a player, which stands in data, would start a program."""
    if names_program(opponent):
        raise BadSave(
            f"The saved opponent would start a program: name it yourself, --opponent {opponent!r}."
        )
