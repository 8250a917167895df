"""Games as JSON lines: one object per game and line."""

import json
from typing import Any

from plywise.formats.transcript import BadTranscript, Transcript, format_result, parse_result
from plywise.game import Game


def format_json(transcript: Transcript, game: Game) -> str:
    """Return a game as one line of JSON."""
    return json.dumps(as_json(transcript), ensure_ascii=False, allow_nan=False)


def as_json(transcript: Transcript) -> dict[str, Any]:
    """Return a game as what JSON can hold."""
    return {
        "number": transcript.number,
        "game": transcript.game,
        "players": list(transcript.players),
        "start": transcript.start,
        "opening": list(transcript.moves[: transcript.opening_plies]),
        "moves": list(transcript.moves),
        "result": format_result(transcript.score),
        "reason": transcript.reason,
        "plies": transcript.plies,
        "seed": transcript.seed,
        "nodes": list(transcript.nodes),
        "seconds": list(transcript.seconds),
        "value": transcript.value,
    }


def parse_json(text: str, game: Game) -> list[Transcript]:
    """Return the games in lines of JSON, which name their game; empty lines are skipped."""
    lines = enumerate(text.splitlines(), 1)
    return [_parse_line(line, number) for number, line in lines if line.strip()]


def _parse_line(line: str, number: int) -> Transcript:
    try:
        return _from_json(json.loads(line))
    except json.JSONDecodeError as error:
        raise BadTranscript(f"Line {number} is no JSON from column {error.colno} on.") from None
    except KeyError as error:
        raise BadTranscript(f"Line {number} is no game: it has no {error.args[0]!r}.") from None
    except BadTranscript as error:
        raise BadTranscript(f"Line {number} is no game: {error}") from None
    except (AttributeError, OverflowError, RecursionError, TypeError, ValueError):
        raise BadTranscript(f"Line {number} is no game: a value is of the wrong kind.") from None


def _from_json(value: dict[str, Any]) -> Transcript:
    first, second = value["players"]
    mine, theirs = value.get("nodes", (0, 0))
    spent, waited = value.get("seconds", (0.0, 0.0))
    return Transcript(
        game=str(value["game"]),
        players=(str(first), str(second)),
        moves=tuple(str(move) for move in value["moves"]),
        score=parse_result(value["result"]),
        reason=str(value.get("reason", "")),
        start=str(value.get("start", Transcript.start)),
        opening_plies=len(value.get("opening", ())),
        number=int(value.get("number", 0)),
        seed=int(value.get("seed", 0)),
        nodes=(int(mine), int(theirs)),
        seconds=(float(spent), float(waited)),
        value=None if value.get("value") is None else float(value["value"]),
    )
