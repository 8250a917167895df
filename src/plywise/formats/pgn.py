"""Games in the style of PGN, for every game: players are tagged by the names of their sides.

`1-0` means that side 0, who moves first from the game's first position, has won. The seven tags
that PGN wants of every game go first, in its order; those of chess are then as everywhere.
"""

import re
from collections.abc import Callable
from typing import TypeVar

from plywise.formats.tagpairs import TaggedGame, format_tagged, parse_tagged, result_of
from plywise.formats.transcript import (
    FIRST,
    BadTranscript,
    Transcript,
    format_result,
    parse_result,
)
from plywise.game import Game

Number = TypeVar("Number", int, float)

FEN_NUMBER = re.compile(r"\S+ [wb] \S+ \S+ \d+ (\d+)")


def format_pgn(transcript: Transcript, game: Game) -> str:
    """Return a game as text with tag pairs."""
    tags = {**roster_of(transcript, game), "Game": game.name, **more_tags_of(transcript)}
    return format_tagged(tags, transcript.moves, first_turn(transcript, game))


def parse_pgn(text: str, game: Game) -> list[Transcript]:
    """Return the games in a text with tag pairs."""
    found = parse_tagged(text)
    for tagged in found:
        if tagged.tags.get("Game", game.name) != game.name:
            raise BadTranscript(f"The file has a game of {tagged.tags['Game']}, not {game.name}.")
    return [transcript_of(tagged, game) for tagged in found]


def first_turn(transcript: Transcript, game: Game) -> int:
    """Return the number of the first ply, from 0 on; a FEN may tell the number of its move."""
    numbered = FEN_NUMBER.fullmatch(transcript.start)
    moves_before = max(1, int(numbered[1])) - 1 if numbered else 0
    return 2 * moves_before + game.side(game.parse_position(transcript.start))


def roster_of(transcript: Transcript, game: Game) -> dict[str, str]:
    """Return the seven tags that every game has."""
    tags = {"Event": "plywise", "Site": "?", "Date": "????.??.??"}
    tags["Round"] = str(transcript.number or "?")
    tags |= dict(zip(_side_tags(game), transcript.players, strict=True))
    return {**tags, "Result": format_result(transcript.score)}


def more_tags_of(transcript: Transcript) -> dict[str, str]:
    """Return what else is known of a game but its name and moves."""
    tags = {"SetUp": "1", "FEN": transcript.start} if transcript.start != FIRST else {}
    tags["Termination"] = transcript.reason or "?"
    tags["OpeningPlies"] = str(transcript.opening_plies)
    tags["Seed"] = str(transcript.seed)
    tags["Nodes"] = " ".join(str(nodes) for nodes in transcript.nodes)
    tags["Seconds"] = " ".join(str(seconds) for seconds in transcript.seconds)
    if transcript.value is not None:
        tags["Value"] = str(transcript.value)
    return tags


def transcript_of(tagged: TaggedGame, game: Game) -> Transcript:
    """Return the game that tags and moves describe; foreign values of our tags are ignored."""
    tags = tagged.tags
    first, second = (tags.get(name, "?") for name in _side_tags(game))
    reason = tags.get("Termination", "?")
    return Transcript(
        game=game.name,
        players=(first, second),
        moves=tuple(tagged.moves),
        score=parse_result(result_of(tagged)),
        reason="" if reason == "?" else reason,
        start=tags.get("FEN", FIRST),
        opening_plies=_numbers(tags, "OpeningPlies", int, (0,))[0],
        number=_numbers(tags, "Round", int, (0,))[0],
        seed=_numbers(tags, "Seed", int, (0,))[0],
        nodes=_pair(_numbers(tags, "Nodes", int, (0, 0))),
        seconds=_pair(_numbers(tags, "Seconds", float, (0.0, 0.0))),
        value=_numbers(tags, "Value", float, (0.0,))[0] if "Value" in tags else None,
    )


def _side_tags(game: Game) -> list[str]:
    return [name.title() for name in game.sides]


def _numbers(
    tags: dict[str, str], name: str, read: Callable[[str], Number], default: tuple[Number, ...]
) -> tuple[Number, ...]:
    """Return the numbers of a tag, or the default if it does not hold just so many."""
    try:
        found = tuple(read(word) for word in tags.get(name, "").split())
    except ValueError:
        return default
    return found if len(found) == len(default) else default


def _pair(numbers: tuple[Number, ...]) -> tuple[Number, Number]:
    first, second = numbers
    return first, second
