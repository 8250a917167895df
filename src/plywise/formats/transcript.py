"""A transcript: a game as it is kept in a file, in text; every format writes and reads it."""

from dataclasses import dataclass, field

from plywise.errors import BadMove, PlywiseError
from plywise.game import Game
from plywise.game.record import Record

FIRST = "start"  # the text of a game's first position

ADVANTAGE = 0.05  # a static value from here on is a lead: about a man in draughts

RESULTS = {1: "1-0", -1: "0-1", 0: "1/2-1/2", None: "*"}  # by the score of side 0, who began
SCORES = {text: score for score, text in RESULTS.items()}


class BadTranscript(PlywiseError):
    """A text that holds no game, or one whose moves are not legal."""


@dataclass(frozen=True)
class Transcript:
    """One game in text; pairs are by side, and the moves include those of the opening."""

    game: str
    players: tuple[str, str]
    moves: tuple[str, ...] = ()
    score: int | None = None  # 1, 0 or -1 for side 0; None if the game was broken off
    reason: str = ""
    start: str = FIRST  # the position before the first move
    opening_plies: int = 0  # how many moves the players were given
    number: int = 0  # in its match, from 1 on; 0 where there is none
    seed: int = 0
    nodes: tuple[int, int] = (0, 0)
    seconds: tuple[float, float] = field(default=(0.0, 0.0), compare=False)
    value: float | None = None  # static value for side 0 where the game ended by leading nowhere

    @property
    def plies(self) -> int:
        """Return how many moves the game has, those of its opening included."""
        return len(self.moves)

    @property
    def kind(self) -> str:
        """Return the reason without its details: `crash` for `crash: ValueError: ...`."""
        return self.reason.partition(":")[0]

    @property
    def looping_side(self) -> int | None:
        """Return the side that was ahead when the game led nowhere: paper 001's endgame loop."""
        if self.score != 0 or self.value is None or abs(self.value) < ADVANTAGE:
            return None
        return 0 if self.value > 0 else 1

    def score_of(self, player: str) -> int:
        """Return the score of one of the players: 1, 0 or -1; 0 if there is none yet."""
        score = self.score or 0
        return score if self.players[0] == player else -score


def format_result(score: int | None) -> str:
    """Return 1-0 where side 0 won, 0-1 where side 1 did, 1/2-1/2, or * for no result."""
    return RESULTS[score]


def parse_result(text: str) -> int | None:
    """Return the score of side 0, or None for a game without a result."""
    if text not in SCORES:
        raise BadTranscript(f"{text!r} is no result; results are {', '.join(SCORES)}.")
    return SCORES[text]


def replay(transcript: Transcript, game: Game) -> Record:
    """Return the game move by move, having checked that every move and the result is right."""
    if transcript.game != game.name:
        raise BadTranscript(
            f"{_named(transcript)} is a game of {transcript.game}, not {game.name}."
        )
    record = Record(game, game.parse_position(transcript.start))
    for ply, text in enumerate(transcript.moves, 1):
        try:
            record.play(game.parse_move(record.position, text))
        except BadMove as error:
            raise BadTranscript(f"{_named(transcript)}, ply {ply}: {error}") from None
    _check_result(transcript, record)
    return record


def _check_result(transcript: Transcript, record: Record) -> None:
    ending = record.ending()
    if ending is None or transcript.score is None or ending.reason == "repetition":
        return  # a repetition is a draw only where somebody calls it
    if ending.score != transcript.score:
        raise BadTranscript(
            f"{_named(transcript)} has the result {format_result(transcript.score)}, but its last "
            f"position is {format_result(ending.score)}."
        )


def _named(transcript: Transcript) -> str:
    return f"Game {transcript.number}" if transcript.number else "The game"
