"""Self-play in compiled code: whole games in which every move is the best by a look ahead.

    v_t   the value of the best move at ply t, for the side to move
    G_t = (1 - lambda) v_t + lambda gamma s G_{t+1}        s = -1 where the side changes, else 1

counted back from the result of the game. After a random move, and where a result was in sight,
G_t = v_t. Captures are played out before a position is judged, those that lose by the game's own
`exchange` left out, and only positions from which nothing has to be played out are learned.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from plywise.game import is_quiet, result_of
from plywise.game.results import DRAW, ONGOING
from plywise.kernel import Bundle, borrow, compiled
from plywise.kernel.bits import Position, Whole, Word
from plywise.kernel.random import below
from plywise.search.repetition import is_repeated
from plywise.search.task import is_in_check, sign_of

CHANCES = 1 << 20  # what an exploration of 1 means
PLIES = 24  # that captures are played out
LOOKS = 500  # positions that are judged for one move at most; numbers still random calm nothing


class Manner(NamedTuple):
    """How games are played and what is learned from them."""

    trace: float  # lambda
    discount: float  # gamma
    exploration: int  # in CHANCES
    random_plies: int
    depth: int = 1  # plies that are looked ahead


class Players(NamedTuple):
    """Who plays, and in which memory."""

    game: Bundle
    evaluator: Bundle
    params: Any  # of side 0
    other_params: Any  # of side 1; in self-play the same
    memory: Any  # a record of `memory_type`


class Lessons(NamedTuple):
    """What games taught: positions and the values that they should have."""

    rows: Any  # [room, words]
    targets: Any  # [room]


@functools.cache
def memory_type(max_moves: int, width: int, max_plies: int, words: int) -> np.dtype[Any]:
    """Return the type of the working memory."""
    fields = [
        ("moves", np.uint64, (PLIES + 2, max_moves)),
        ("accumulator", np.float32, (PLIES + 3, max(1, width))),
        ("rows", np.uint64, (max_plies + 1, words)),  # of the game that is played
        ("keys", np.uint64, (max_plies + 1,)),
        ("values", np.float64, (max_plies + 1,)),
        ("signs", np.int8, (max_plies + 1,)),  # of the move from a ply to the next
        ("is_cut", np.uint8, (max_plies + 1,)),  # whether what follows tells nothing
        ("is_taught", np.uint8, (max_plies + 1,)),
        ("ordered", np.uint64, (max_moves,)),  # the moves of the root, the best first
        ("worth", np.float64, (max_moves,)),  # what they seem to be worth
        ("killers", np.uint64, (PLIES + 2,)),  # what last refuted at a distance from the root
        ("looks", np.int64),  # positions that were judged for the present move
        ("best_value", np.float64),
        ("is_proven", np.uint8),
        ("random", np.uint64),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


# ---------------------------------------------------------------- a look ahead


@compiled
def is_settled(game: Bundle, position: Position, out: Any) -> bool:
    """Return whether nothing has to be played out: no noisy move is there, or none that wins."""
    if not game.has_exchange:
        return bool(is_quiet(game, position, out))
    if is_in_check(game, position):
        return False
    for index in range(list_noisy(game, position, out)):
        if is_followed(game, position, out[index], np.int64(1)):
            return False
    return True


@compiled
def list_noisy(game: Bundle, position: Position, out: Any) -> Whole:
    """Write the noisy moves, or all of them where a game lists no others; return how many."""
    if game.has_noisy_moves:
        return np.int64(game.noisy_moves(position, out))
    return np.int64(game.moves(position, out))


@compiled
def is_followed(game: Bundle, position: Position, move: Word, least: Whole) -> bool:
    """Return whether a move is noisy and wins so much, where a game can tell."""
    if not (game.has_noisy_moves or game.noisy(position, move)):
        return False
    return bool(not game.has_exchange or game.exchange(position, move, least))


@compiled
def may_decline(game: Bundle, position: Position, out: Any, count: Whole) -> bool:
    """Return whether all noisy moves may be declined: a quiet one is there."""
    if game.has_noisy_moves:
        return True
    for index in range(count):
        if not game.noisy(position, out[index]):
            return True
    return False


@compiled
def settle(
    players: Players, params: Any, position: Position, ply: Whole, low: float, high: float
) -> float:
    """Return the value of a position with captures played out, as in `quiesce`."""
    game, memory = players.game, players.memory
    out = borrow(memory.moves, ply)
    memory.looks += 1
    if ply >= PLIES or memory.looks > LOOKS or is_quiet(game, position, out):
        return float(players.evaluator.value(params, memory.accumulator, ply, position))
    count = list_noisy(game, position, out)
    best = -2.0
    if may_decline(game, position, out, count):
        best = float(players.evaluator.value(params, memory.accumulator, ply, position))
    if best >= high:
        return best
    low = max(low, best)
    for index in range(count):
        move = out[index]
        if is_followed(game, position, move, np.int64(0)):
            after = game.apply(position, move)
            sign = sign_of(game, position, after)
            result = result_of(game, after, borrow(memory.moves, ply + 1))
            if result != ONGOING:
                value = float(sign * result)
            else:
                advance(players, params, ply, position, move, after)
                under, over = (-high, -low) if sign < 0 else (low, high)
                value = sign * settle(players, params, after, ply + 1, under, over)
            best = max(best, value)
            low = max(low, best)
            if best >= high:
                break
    return best


@compiled
def advance(
    players: Players, params: Any, ply: Whole, before: Position, move: Word, after: Position
) -> None:
    """Fill the accumulator's next row for the position after a move."""
    if players.evaluator.has_update:
        players.evaluator.update(params, players.memory.accumulator, ply, before, move, after)
    else:
        players.evaluator.refresh(params, players.memory.accumulator, ply + 1, after)


@compiled
def judge(
    players: Players, params: Any, position: Position, ply: Whole, low: float, high: float
) -> float:
    """Return the value of a position in a row of the accumulator, exact between the bounds."""
    if players.game.has_noisy:
        players.memory.looks = 0
        return settle(players, params, position, ply, low, high)
    return float(players.evaluator.value(params, players.memory.accumulator, ply, position))


@compiled
def look(
    players: Players,
    params: Any,
    position: Position,
    ply: Whole,
    depth: Whole,
    low: float,
    high: float,
) -> float:
    """Return the value of a position after so many plies, exact between the bounds."""
    if depth <= ply:
        return judge(players, params, position, ply, low, high)
    game, memory = players.game, players.memory
    count = game.moves(position, borrow(memory.moves, ply))
    put_first(memory, ply, count)
    best = -2.0
    for index in range(count):
        move = memory.moves[ply, index]
        after = game.apply(position, move)
        sign = sign_of(game, position, after)
        result = result_of(game, after, borrow(memory.moves, ply + 1))
        if result != ONGOING:
            value = float(sign * result)
        else:
            advance(players, params, ply, position, move, after)
            under, over = (-high, -low) if sign < 0 else (low, high)
            value = sign * look(players, params, after, ply + 1, depth, under, over)
        best = max(best, value)
        low = max(low, best)
        if best >= high:
            memory.killers[ply] = move
            break
    return best


@compiled
def put_first(memory: Any, ply: Whole, count: Whole) -> None:
    """Exchange the first move with the one that last refuted at this distance from the root."""
    for index in range(1, count):
        if memory.moves[ply, index] == memory.killers[ply]:
            memory.moves[ply, index] = memory.moves[ply, 0]
            memory.moves[ply, 0] = memory.killers[ply]
            return


@compiled
def best_move(players: Players, params: Any, position: Position, depth: Whole) -> Word:
    """Return the best move by a look of so many plies; its value stays in the memory.

    Of equal moves the first found is taken, beginning anywhere.
    """
    game, memory = players.game, players.memory
    players.evaluator.refresh(params, memory.accumulator, 0, position)
    count = game.moves(position, borrow(memory.moves, 0))
    start = below(memory, count)
    if depth > 1:
        order_moves(players, params, position, start, count)
        start = 0
    best_value = -2.0
    best: Word = memory.moves[0, 0]
    is_proven = False
    for number in range(count):
        index = number + start if number + start < count else number + start - count
        move = memory.moves[0, index]
        after = game.apply(position, move)
        sign = sign_of(game, position, after)
        result = result_of(game, after, borrow(memory.moves, 1))
        if result != ONGOING:
            value = float(sign * result)
        else:
            advance(players, params, 0, position, move, after)
            low, high = (-1.0, -best_value) if sign < 0 else (best_value, 1.0)
            value = sign * look(players, params, after, np.int64(1), depth, low, high)
        if value > best_value:
            best_value, best, is_proven = value, move, result != ONGOING
    memory.best_value = best_value
    memory.is_proven = 1 if is_proven else 0
    return best


@compiled
def order_moves(
    players: Players, params: Any, position: Position, start: Whole, count: Whole
) -> None:
    """Put the moves of the root in order by what they seem to be worth, equal ones from `start`."""
    game, memory = players.game, players.memory
    for number in range(count):
        index = number + start if number + start < count else number + start - count
        move = memory.moves[0, index]
        after = game.apply(position, move)
        sign = sign_of(game, position, after)
        result = result_of(game, after, borrow(memory.moves, 1))
        if result != ONGOING:
            value = float(sign * result)
        else:
            advance(players, params, 0, position, move, after)
            value = sign * float(players.evaluator.value(params, memory.accumulator, 1, after))
        place = number
        while place > 0 and memory.worth[place - 1] < value:
            memory.ordered[place] = memory.ordered[place - 1]
            memory.worth[place] = memory.worth[place - 1]
            place -= 1
        memory.ordered[place] = move
        memory.worth[place] = value
    for index in range(count):
        memory.moves[0, index] = memory.ordered[index]


@compiled
def best_move_at(players: Players, row: Any) -> Word:
    """Return side 0's best move, whoever is to move."""
    one = np.int64(1)
    return best_move(players, players.params, players.game.load(row), one)


# ---------------------------------------------------------------- games


@compiled
def ended(players: Players, position: Position, played: Whole) -> Whole:
    """Return the result for the side to move, or ONGOING; a game too long is a draw."""
    game, memory = players.game, players.memory
    result = result_of(game, position, borrow(memory.moves, 0))
    if result != ONGOING:
        return np.int64(result)
    if game.repetitions > 0:
        if is_repeated(game, memory.keys, played, 0, game.clock(position)):
            return np.int64(DRAW)
    return np.int64(DRAW) if played >= len(memory.keys) - 1 else np.int64(ONGOING)


@compiled
def play_game(players: Players, manner: Manner, row: Any) -> tuple[Whole, Whole]:
    """Play a game; return its result for side 0 and its plies. All of it stays in the memory."""
    game, memory = players.game, players.memory
    position = game.load(row)
    opening, depth = below(memory, manner.random_plies + 1), np.int64(manner.depth)
    played = np.int64(0)
    while True:
        game.store_at(position, memory.rows, played)
        memory.keys[played] = game.hash(position)
        result = ended(players, position, played)
        if result != ONGOING:
            memory.values[played] = float(result)
            return (result if game.side(position) == 0 else -result), played
        side = game.side(position)
        memory.is_taught[played] = 0
        if played < opening:
            count = game.moves(position, borrow(memory.moves, 0))
            move = memory.moves[0, below(memory, count)]
        else:
            if side == 0:
                move = best_move(players, players.params, position, depth)
            else:
                move = best_move(players, players.other_params, position, depth)
            memory.values[played] = memory.best_value
            memory.is_cut[played] = memory.is_proven
            memory.is_taught[played] = 1
            if manner.exploration > 0 and below(memory, CHANCES) < manner.exploration:
                count = game.moves(position, borrow(memory.moves, 0))
                move = memory.moves[0, below(memory, count)]
                memory.is_cut[played] = 1
        after = game.apply(position, move)
        memory.signs[played] = sign_of(game, position, after)
        position = after
        played += 1


@compiled
def teach(players: Players, manner: Manner, lessons: Lessons, used: Whole, plies: Whole) -> Whole:
    """Write what the game in the memory teaches behind what is there; return how much that is."""
    game, memory = players.game, players.memory
    target = memory.values[plies]
    for back in range(plies):
        ply = plies - 1 - back
        if memory.is_taught[ply] == 0:
            break
        value = memory.values[ply]
        follows = manner.discount * memory.signs[ply] * target
        target = value + manner.trace * (follows - value)
        if memory.is_cut[ply]:
            target = value
        if used >= len(lessons.targets):
            break
        position = game.load_at(memory.rows, ply)
        if is_settled(game, position, borrow(memory.moves, 0)):
            game.store_at(position, lessons.rows, used)
            lessons.targets[used] = target
            used += 1
    return used


@compiled
def play_games(
    players: Players, manner: Manner, lessons: Lessons, row: Any, results: Any
) -> tuple[Whole, Whole]:
    """Play games of self-play; return how many positions they teach, and all plies.

    The results for side 0 are written to `results`, as many as are to be played.
    """
    used, total = np.int64(0), np.int64(0)
    for number in range(len(results)):
        result, plies = play_game(players, manner, row)
        results[number] = result
        total += plies
        used = teach(players, manner, lessons, used, plies)
    return used, total
