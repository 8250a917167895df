"""What a page and a program are told of games, positions and players, as values for JSON."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from plywise.evaluators import BUILDERS, default_evaluator
from plywise.evaluators.model import BadModel, read_card
from plywise.formats.files import FORMATS
from plywise.formats.transcript import BadTranscript
from plywise.game import Game, Row
from plywise.game.record import Record
from plywise.live.formatting import format_ending
from plywise.live.gestures import Gesture, gestures
from plywise.picture import Picture
from plywise.picture.theme import ground_of, hex_of, theme_of
from plywise.players import default_opponent, shipped_models
from plywise.players.level_strength import level_strengths
from plywise.players.levels import LEVELS


def describe_game(game: Game) -> dict[str, Any]:
    """Return all that a page needs to know of a game before a position."""
    return {
        "name": game.name,
        "sides": list(game.sides),
        "players": game.about.players,
        "version": game.about.version,
        "alternates": bool(game.rules.alternates),
        "start": game.format_position(game.initial()),
        "picture": describe_picture(game),
        "codes": codes_of(game, game.initial()),
        "can_edit": _can_edit(game),
        "formats": [ending for ending in FORMATS if _has_format(game, ending)],
        "evaluators": [*game.about.evaluators, *BUILDERS],
        "evaluator": default_evaluator(game),
        "opponent": default_opponent(game),
        "levels": list(LEVELS),
        "strengths": {
            player: [asdict(one) for one in known]
            for player, known in level_strengths(game.name).items()
        },
        "models": [
            describe_card(path) for path in shipped_models() if path.parent.name == game.name
        ],
    }


def describe_picture(game: Game) -> dict[str, Any] | None:
    """Return the shapes and colours of a board."""
    picture = game.picture
    if picture is None:
        return None
    theme = theme_of(game)
    return {
        "cells": [
            {
                "name": cell.name,
                "polygon": [[round(x, 4), round(y, 4)] for x, y in cell.polygon],
                "shade": cell.shade,
                "fill": hex_of(ground_of(cell, theme)),
            }
            for cell in picture.cells
        ],
        "columns": picture.columns,
        "row_labels": list(picture.row_labels),
        "column_labels": list(picture.column_labels),
        "pieces": {
            str(code): {"glyph": piece.glyph, "kind": piece.kind, "owner": piece.owner}
            for code, piece in picture.pieces.items()
        },
        "owners": [hex_of(colour) for colour in theme.owners],
        "owner_sides": [picture.side_of(owner) for owner in range(game.about.players)],
        "turns": turns_of(game, picture),
        "has_counts": picture.has_counts,
    }


def turns_of(game: Game, picture: Picture) -> list[float]:
    """Return for every player the clockwise degrees that bring the own seat to the bottom."""
    if picture.seats:
        return list(picture.seats)
    top = top_side(game, picture)
    return [180.0 if picture.side_of(owner) == top else 0.0 for owner in range(game.about.players)]


def top_side(game: Game, picture: Picture) -> int:
    """Return the side whose pieces begin nearer to the top of the picture, 1 where none do."""
    heights: tuple[list[float], list[float]] = ([], [])
    for cell, code in zip(picture.cells, game.cells(game.initial()), strict=True):
        if code != 0:
            heights[int(code < 0)].append(cell.middle[1])
    if not (heights[0] and heights[1]):
        return 1
    means = [sum(one) / len(one) for one in heights]
    return 0 if means[0] < means[1] else 1


def _can_edit(game: Game) -> bool:
    """Return whether cells make a position of a game."""
    if game.picture is None:
        return False
    start = game.initial()
    try:
        game.from_cells([int(code) for code in game.cells(start)], game.side(start))
    except ValueError:
        return False
    return True


def _has_format(game: Game, ending: str) -> bool:
    try:
        FORMATS[ending].check(game)
    except BadTranscript:
        return False
    return True


def describe_card(path: Path) -> dict[str, Any]:
    """Return what a model says of itself: who made it, and how it was measured."""
    try:
        card = read_card(path)
    except BadModel as error:
        return {"name": path.stem, "error": str(error)}
    kept = ("learner", "evaluator", "search", "steps", "chosen", "tests", "closing")
    return {"name": path.stem, **{name: card[name] for name in kept if name in card}}


# ---------------------------------------------------------------- positions


def describe_position(record: Record) -> dict[str, Any]:
    """Return a position with its legal moves and how it was reached."""
    game, position = record.game, record.position
    legal = [int(move) for move in record.legal_moves()]
    shown = gestures(game, position, legal)
    ending = record.ending()
    return {
        "game": game.name,
        "ply": len(record.moves),
        "text": game.format_position(position),
        "side": record.side,
        "seat": game.player(position),
        "codes": codes_of(game, position),
        "moves": [describe_gesture(one) for one in shown],
        "check": bool(game.rules.has_in_check) and game.in_check(position),
        "last": describe_last(record),
        "ending": None
        if ending is None
        else {
            "score": ending.score,
            "reason": ending.reason,
            "sentence": format_ending(record, ending),
        },
    }


def codes_of(game: Game, position: Row) -> list[int]:
    """Return the codes of all cells, none without a picture."""
    return [int(code) for code in game.cells(position)] if game.picture is not None else []


def describe_gesture(one: Gesture) -> dict[str, Any]:
    """Return how a legal move is shown."""
    return {
        "text": one.text,
        "paths": [[list(step) for step in path] for path in one.paths],
        "removed": list(one.removed),
        "arriving": one.arriving,
    }


def describe_last(record: Record) -> dict[str, Any] | None:
    """Return the last move: its text and the cells that tell it."""
    if not record.moves:
        return None
    before = record.positions[-2]
    (one,) = gestures(record.game, before, [record.moves[-1]])
    return {
        "text": one.text,
        "cells": list(one.marks),
        "path": [step[0] for step in one.paths[0] if len(step) == 1] if one.paths else [],
        "removed": list(one.removed),
        "side": record.game.side(before),
    }


def describe_frames(record: Record) -> list[dict[str, Any]]:
    """Return every position of a game, for going back and forth in it."""
    game = record.game
    texts = ["", *record.texts()]
    frames = []
    for ply, position in enumerate(record.positions):
        past = Record(game, record.start)
        past.positions, past.moves = record.positions[: ply + 1], record.moves[:ply]
        last = describe_last(past)
        frames.append(
            {
                "move": texts[ply],
                "codes": codes_of(game, position),
                "side": game.side(position),
                "cells": last["cells"] if last else [],
            }
        )
    return frames
