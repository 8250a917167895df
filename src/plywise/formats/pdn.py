"""PDN 3.0, the notation of draughts: for games that say their `pdn_type`.

`1-0` means that Black, who moves first, has won.
"""

import re

from plywise.formats.pgn import first_turn, more_tags_of, roster_of, transcript_of
from plywise.formats.tagpairs import TaggedGame, format_tagged, parse_tagged
from plywise.formats.transcript import BadTranscript, Transcript
from plywise.game import Game


def format_pdn(transcript: Transcript, game: Game) -> str:
    """Return a game of draughts as PDN."""
    tags = {**roster_of(transcript, game), "GameType": game_type(game), **more_tags_of(transcript)}
    return format_tagged(tags, transcript.moves, first_turn(transcript, game))


def parse_pdn(text: str, game: Game) -> list[Transcript]:
    """Return the games in a PDN text, their moves in the style 9-13 and 22x15."""
    wanted = game_type(game)
    found = parse_tagged(text)
    for tagged in found:
        kind = tagged.tags.get("GameType", wanted).partition(",")[0].strip()
        if kind != wanted:
            raise BadTranscript(f"The file has a game of GameType {kind}; {game.name} is {wanted}.")
        tagged.moves = [normal_move(move) for move in tagged.moves]
    return [transcript_of(_without_setup(tagged), game) for tagged in found]


def game_type(game: Game) -> str:
    """Return PDN's number of a game."""
    if not game.about.pdn_type:
        raise BadTranscript(f"PDN is for draughts: save games of {game.name} as .pgn or .jsonl.")
    return game.about.pdn_type


def normal_move(text: str) -> str:
    """Return a move with `x` for captures and without leading zeros."""
    return re.sub(r"\b0+(?=\d)", "", text.replace(":", "x").replace("X", "x"))


def _without_setup(tagged: TaggedGame) -> TaggedGame:
    """Return the game without a FEN that `SetUp "0"` declares void."""
    if tagged.tags.get("SetUp") == "0":
        tagged.tags.pop("FEN", None)
    return tagged
