"""What holds while a game is played: moves lead on, games end, and counting agrees."""

from collections.abc import Iterator

import numpy as np

from plywise.conformance.findings import (
    ERROR,
    NOTE,
    WARNING,
    Finding,
    Seen,
    Spot,
    format_words,
    has_errors,
    room_for_codes,
    room_for_moves,
)
from plywise.conformance.functions import raw_cells, raw_moves, raw_result
from plywise.conformance.positions import check_position
from plywise.game import Game, Row
from plywise.game.perft import perft
from plywise.game.results import DRAW, LOSS, ONGOING, WIN
from plywise.kernel.bits import Word
from plywise.system.watching import note

PLIES = 1000  # a random game that is longer never ends
CLOCKS = 30  # nor one in which the clock could have run down so many times
LEAVES = 20_000  # as far as positions are counted one by one
GAMES_OF_A_HABIT = 5  # fewer say nothing of who wins
NEARLY_ALL = 8  # pieces, of which one may be another matter


def check_start(game: Game) -> Iterator[Finding]:
    """Check the first position."""
    row = game.initial()
    if game.result(row) != ONGOING:
        yield Spot(game, row).finding(
            "start",
            f"The game is over before it begins: `result` says {game.result(row)} of `initial()`.",
            f"`result` must say ONGOING ({ONGOING}) there.",
        )
    if game.side(row) == 1:
        yield Spot(game, row).finding(
            "side",
            "`side` says 1 of the first position, but side 0 is who begins.",
            "Sides are counted from 0: let `initial` begin with turn 0 and `side` return the turn "
            "as it is; `sides` names who begins first.",
        )


def check_random_game(
    game: Game, generator: np.random.Generator, seen: Seen, plies: int = PLIES
) -> Iterator[Finding]:
    """Play a game of random moves and check every position and every move in it."""
    row = before = game.initial()
    has_changed = True
    plies = max(plies, CLOCKS * game.rules.clock_limit) if plies == PLIES else plies
    for _ in range(plies):
        note(f"position {format_words(row)}")
        try:
            findings = list(check_position(game, row, seen))
            result = game.result(row)
            if result != ONGOING or has_errors(findings):
                seen.endings[result, has_changed] += 1
                if result == LOSS and has_changed:
                    _look_back(game, before, seen)
                yield from findings
                return
            move = generator.choice(game.legal_moves(row))
            after = game.apply(row, move)
            findings += check_step(Spot(game, row), move, after, seen)
        except Exception as error:  # whatever the author's functions raise
            yield failure(Spot(game, row), error)
            return
        yield from findings
        has_changed = game.side(after) != game.side(row)
        before, row = row, after
    yield Spot(game, row).finding(
        "endless",
        f"A random game did not end within {plies} plies.",
        "Say repetitions=3 to Game, or let `result` call a draw by a clock.",
        level=WARNING if game.repetitions else ERROR,
    )


def _look_back(game: Game, before: Row, seen: Seen) -> None:
    """Note whether the last move of a game that it won mattered, where there was a choice."""
    moves = game.legal_moves(before)
    if len(moves) > 1:
        results = {game.result(game.apply(before, move)) for move in moves}
        seen.last_moves[results != {LOSS}] += 1


def failure(spot: Spot, error: Exception) -> Finding:
    """Return what is wrong where a function raises an error."""
    reason = f": {error}" if str(error) else ""
    return spot.finding(
        "fails",
        f"A function of the rules fails here: {type(error).__name__}{reason}.",
        "Rules must answer for every position that a game can reach.",
    )


def check_step(spot: Spot, move: Word, after: Row, seen: Seen) -> Iterator[Finding]:
    """Check what changes from a position to the next."""
    game, row, number = spot.game, spot.row, int(move)
    if not np.array_equal(game.apply(row, move), after):
        yield spot.finding(
            "random-apply",
            "`apply` leads to another position when it is asked again.",
            "It may read the position and the move only.",
            number,
        )
    if np.array_equal(row, after):
        yield spot.finding(
            "same-position",
            "A move changes nothing, not even whose turn it is.",
            "Let `apply` return the position after the move, with the other side to move.",
            number,
        )
    elif game.side(row) == game.side(after) and game.result(after) == ONGOING:
        seen.moved_twice += 1
        if game.rules.alternates:
            yield spot.finding(
                "moves-twice",
                f"After a move of {game.sides[game.side(row)]} it is the same side's turn again.",
                "Let `apply` change the side to move; if the rules want it so, say "
                "alternates=False to Game.",
                number,
            )
    if game.picture is not None:
        _note_owners(game, row, after, seen)
    if game.rules.has_clock and game.clock(after) not in (0, game.clock(row) + 1):
        yield spot.finding(
            "clock",
            f"`clock` goes from {game.clock(row)} to {game.clock(after)}.",
            "It counts plies: every move adds one or sets it to 0.",
            number,
        )


def _note_owners(game: Game, row: Row, after: Row, seen: Seen) -> None:
    """Note whether a move changes the owner of all pieces that stay, be they two at least."""
    codes, next_codes = room_for_codes(game), room_for_codes(game)
    raw_cells(game.rules, row, codes)
    raw_cells(game.rules, after, next_codes)
    signs = np.sign(codes) * np.sign(next_codes)
    stay, changed = int(np.count_nonzero(signs)), int(np.count_nonzero(signs < 0))
    if stay >= 2:
        seen.owners_changed[changed >= stay - stay // NEARLY_ALL] += 1


def check_perft(game: Game) -> Iterator[Finding]:
    """Check the counting kernel against counting one by one."""
    start = game.initial()
    for depth in (1, 2, 3):
        fast = perft(game, start, depth)
        if fast > LEAVES:
            return
        slow = _slow_perft(game, start, depth)
        if fast != slow:
            yield Spot(game, start).finding(
                "perft",
                f"perft({depth}) is {fast}, but counting one by one gives {slow}.",
                "Look at `count`, and run `plywise perft --split`.",
            )
            return


def _slow_perft(game: Game, row: Row, depth: int) -> int:
    moves = _counted_moves(game, row)
    if depth == 1:
        return len(moves)
    return sum(_slow_perft(game, game.apply(row, move), depth - 1) for move in moves)


def _counted_moves(game: Game, row: Row) -> Row:
    """Return the moves that perft counts: after a draw as well, in a game that says so."""
    if not game.about.perft_past_draws or raw_result(game.rules, row) != DRAW:
        return game.legal_moves(row)
    room: Row = room_for_moves(game)
    return room[: int(raw_moves(game.rules, row, room))]


def check_habits(game: Game, seen: Seen) -> Iterator[Finding]:
    """Point at what is allowed but seldom meant, over all games together."""
    if seen.owners_changed[True] > seen.owners_changed[False]:
        yield Finding(
            ERROR,
            "owners",
            "On the board all pieces change their owner with every move.",
            "Where a position has the stones of the side to move first, `apply` exchanges them: "
            "`return theirs, mine, 1 - turn`; and `cells` writes codes above 0 for side 0, whoever "
            "is to move.",
        )
        return
    yield from _check_endings(seen)
    if seen.noisy[True] and not seen.noisy[False]:
        yield Finding(
            WARNING,
            "all-noisy",
            "`noisy` is true for every move seen.",
            "Quiescence would search to the end of the game: name captures and the like only.",
        )
    if not game.rules.alternates and seen.moved_twice == 0:
        yield Finding(
            NOTE,
            "alternates",
            "The game says alternates=False, but no side moved twice in a row.",
            "Leave it out if the sides always move in turn: search is quicker then.",
        )
    unused = [index for index, word in enumerate(seen.used.tolist()) if word == 0]
    if unused:
        yield Finding(
            NOTE,
            "unused-word",
            f"Word {unused[0]} is 0 in every position seen.",
            f"words={game.words - len(unused)} would do.",
        )
    yield from _check_size(game, seen)


def _check_endings(seen: Seen) -> Iterator[Finding]:
    """Point at games that seem to end in favour of the wrong side, or too late."""
    wins, losses = seen.endings[WIN, True], seen.endings[LOSS, True]
    if wins >= GAMES_OF_A_HABIT and losses == 0:
        yield Finding(
            WARNING,
            "who-wins",
            f"In {wins} games the side that made the last move lost, and never won.",
            "`result` speaks for the side to move: when the last move has won, it says LOSS.",
        )
    if seen.last_moves[False] >= GAMES_OF_A_HABIT and not seen.last_moves[True]:
        yield Finding(
            WARNING,
            "late-end",
            f"In {seen.last_moves[False]} games the last move won, and so would have any other.",
            "Perhaps the game was over a move before: `result` comes after a move, so look at the "
            "stones of who has just moved, which is not the side to move.",
        )


def _check_size(game: Game, seen: Seen) -> Iterator[Finding]:
    """Point at a board with more rows or columns than the game uses."""
    picture = game.picture
    if picture is None or not picture.columns or sum(seen.endings.values()) < GAMES_OF_A_HABIT:
        return
    cells = len(picture.cells)
    used = max(seen.held, default=-1) + 1
    rows = cells // picture.columns
    if used == len(seen.held) > 0 and cells - used >= min(rows, picture.columns):
        yield Finding(
            WARNING,
            "empty-cells",
            f"The last {cells - used} of the {cells} cells of the picture never hold a piece.",
            f"Perhaps Grid({rows}, {picture.columns}) is larger than the board: it has rows, then "
            "columns.",
        )
