"""Plain minimax and quiescence on rows, written from the definitions: no window, no table."""

import numpy as np

from plywise.conformance.functions import raw_result
from plywise.evaluators.model import Model
from plywise.game import ONGOING, Game, Row
from plywise.game.record import Record
from plywise.search.scores import SCALE, WIN_SCORE


def static_score(model: Model, position: Row) -> int:
    """Return the evaluator's score of a position."""
    return int(min(max(model.value(position), -1.0), 1.0) * SCALE)


def end_score(result: int, ply: int) -> int:
    """Return the score of a finished game: sooner wins and later losses are better."""
    return result * (WIN_SCORE - ply)


def sign_of(game: Game, before: Row, after: Row) -> int:
    """Return 1 if the same side is to move again, else -1."""
    return 1 if game.side(before) == game.side(after) else -1


def leaf_result(game: Game, position: Row) -> int:
    """Return the result as a leaf sees it, which lists no moves without need: no stalemate."""
    if game.rules.has_stuck and game.rules.has_in_check and not game.in_check(position):
        return int(raw_result(game.rules, position))
    return game.result(position)


def quiescence(model: Model, position: Row, ply: int) -> int:
    """Return the score of a leaf with all noisy moves played out, and all moves in check."""
    game = model.game
    moves = game.legal_moves(position)
    is_checked = game.in_check(position)
    played = [move for move in moves if is_checked or game.noisy(position, move)]
    if not played:
        return static_score(model, position)
    may_decline = not is_checked and len(played) < len(moves)
    scores = [static_score(model, position)] if may_decline else []
    for move in played:
        after = game.apply(position, move)
        result = leaf_result(game, after)
        sign = sign_of(game, position, after)
        if result != ONGOING:
            scores.append(sign * end_score(result, ply + 1))
        else:
            scores.append(sign * quiescence(model, after, ply + 1))
    return max(scores)


def minimax(model: Model, record: Record, depth: int, ply: int = 0, quiet: bool = True) -> int:
    """Return the score of the record's last position, searched to a depth."""
    game = model.game
    result = game.result(record.position) if depth > 0 else leaf_result(game, record.position)
    if result != ONGOING:
        return end_score(result, ply)
    if ply > 0 and game.repetitions and is_draw_by_repetition(record, ply):
        return 0
    if depth == 0:
        leaf = record.position
        return quiescence(model, leaf, ply) if quiet else static_score(model, leaf)
    scores = []
    for move in game.legal_moves(record.position):
        record.play(move)
        sign = sign_of(game, record.positions[-2], record.position)
        scores.append(sign * minimax(model, record, depth - 1, ply + 1, quiet))
        record.undo()
    return max(scores)


def is_draw_by_repetition(record: Record, ply: int) -> bool:
    """Return whether the position occurred before below the root, or often enough above it."""
    key = record.keys[-1]
    root = len(record.keys) - 1 - ply
    below = record.keys[root:-1].count(key)
    return below > 0 or record.keys.count(key) >= record.game.repetitions


def random_record(
    game: Game, generator: np.random.Generator, plies: int, start: str = "start"
) -> Record:
    """Return a game of so many random plies that still goes on (fewer if it ended)."""
    while True:
        record = Record(game, game.parse_position(start))
        for _ in range(plies):
            moves = record.legal_moves()
            if len(moves) == 0:
                break
            record.play(moves[generator.integers(len(moves))])
        if len(record.legal_moves()):
            return record
        plies -= 1
