"""Moves and positions of Duchess as text.

A move names the piece, where it starts and where it ends: `N1b2-1a4`. `Q1c2x2e4` takes, `W1b1~4c2`
teleports, `F1d1~x4b2` teleports and takes. A pawn has no letter, and one that is promoted says
what it becomes: `1c6-V=Q`. Who has no legal move must `pass`. Letters and signs need not be
typed, and squares that two sections share have two names.

A position lists the pieces of every player, `/` between, then who is to move and how many plies
were quiet: `K1c1Q1c2.../K2c1.../K4c1.../K5c1... 1 0`. Where pieces of mated players do not attack,
those players follow: `24`, or `-`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from plywise.errors import BadPosition
from plywise.games.duchess.board import Square
from plywise.games.duchess.layout import (
    BISHOP,
    CODES,
    DUCHESS,
    FORTRESS,
    KING,
    KNIGHT,
    LETTERS,
    MATED,
    OWNED,
    PASS,
    PAWN,
    QUEEN,
    ROOK,
    WIZARD,
    Placed,
    pack,
    unpack,
)
from plywise.games.duchess.mobility import Material
from plywise.games.duchess.variant import MOST_QUIET

Words = Sequence[int]

WRITTEN = "KQDFWNRBP"  # the order in which pieces are listed
SQUARE = r"V|[1-6][a-e][1-6]"
MOVE = re.compile(rf"[{LETTERS}]?({SQUARE})[-x~]*({SQUARE})(?:=?([{LETTERS}]))?", re.IGNORECASE)
PIECE = re.compile(rf"([{LETTERS}])({SQUARE})")


class Notation:
    """Reads and writes the moves and positions of a variant."""

    def __init__(self, material: Material) -> None:
        self.material = material
        self.board = material.board
        self.index = {name.lower(): square for name, square in material.board.index().items()}

    # ------------------------------------------------------------ moves

    def format_move(self, position: Words, move: int) -> str:
        """Return a move as text."""
        if move == int(PASS):
            return "pass"
        start, end, code = move & 255, move >> 8 & 255, move >> 16
        pieces = self._pieces(position)
        kind = pieces[start][1]
        sign = "" if _reaches(self.board.squares[start], kind, end, pieces) else "~"
        sign += "x" if end in pieces else "" if sign else "-"
        letter = "" if kind == PAWN else LETTERS[kind]
        promotion = f"={LETTERS[CODES.index(code)]}" if code else ""
        return f"{letter}{self._name(start)}{sign}{self._name(end)}{promotion}"

    def parse_move(self, position: Words, text: str) -> int | None:
        """Return the move of a text that may name less, or name squares otherwise."""
        found = MOVE.fullmatch(text)
        if found is None or not self._is_on_board(found[1], found[2]):
            return None
        start, end = self.index[found[1].lower()], self.index[found[2].lower()]
        code = CODES[LETTERS.index(found[3].upper())] if found[3] else 0
        return start | end << 8 | code << 16

    def _name(self, square: int) -> str:
        return self.board.squares[square].name

    def _is_on_board(self, *names: str) -> bool:
        return all(name.lower() in self.index for name in names)

    def _pieces(self, position: Words) -> Placed:
        return _unpacked(tuple(position), self.material.words, self.board.players)

    # ------------------------------------------------------------ positions

    def format_position(self, position: Words) -> str:
        """Return a position as text."""
        pieces, state = unpack(position, self.material.words, self.board.players)
        lists: list[list[tuple[int, str]]] = [[] for _ in range(self.board.players)]
        for square, (owner, kind) in pieces.items():
            place = WRITTEN.index(LETTERS[kind])
            lists[owner].append((place, LETTERS[kind] + self._name(square)))
        rows = ["".join(text for _, text in sorted(own, key=lambda one: one[0])) for own in lists]
        fields = ["/".join(rows), str((state & 7) + 1), str(state >> 3 & 255)]
        if not self.material.variant.mated_attack:
            flags = (p for p in range(self.board.players) if state >> int(MATED) + p & 1)
            fields.append("".join(str(player + 1) for player in flags) or "-")
        return " ".join(fields)

    def parse_position(self, text: str) -> tuple[int, ...]:
        """Return the position of a text."""
        players = self.board.players
        pattern = rf"\S+ [1-{players}] \d{{1,3}}"
        if not self.material.variant.mated_attack:
            pattern += rf" (-|[1-{players}]+)"
        if not re.fullmatch(pattern, " ".join(text.split())):
            raise BadPosition(
                f"{text!r} is no position of Duchess: it lists the pieces of {players} players, / "
                "between, then the player to move and the quiet plies, like "
                f"{self._example()}."
            )
        board, mover, clock, *mated = text.split()
        if int(clock) > MOST_QUIET:
            raise BadPosition(f"{clock} quiet plies in {text!r} are more than {MOST_QUIET}.")
        state = int(mover) - 1 | int(clock) << 3
        for player in (mated or "-")[0].replace("-", ""):
            state |= 1 << int(MATED) + int(player) - 1
        return pack(self._parse_pieces(board), self.material.words, players, state)

    def _example(self) -> str:
        kings = "/".join(f"K{section}c1" for section in self.board.sections)
        return f"{kings} 1 0"

    def _parse_pieces(self, board: str) -> Placed:
        lists = board.split("/")
        if len(lists) != self.board.players:
            raise BadPosition(
                f"{board!r} lists {len(lists)} players' pieces, not {self.board.players}."
            )
        pieces: Placed = {}
        for owner, own in enumerate(lists):
            if not re.fullmatch(f"({PIECE.pattern})*", own):
                raise BadPosition(
                    f"{own!r} is no list of pieces; each is a letter of {WRITTEN} and a square."
                )
            for letter, name in PIECE.findall(own):
                self._put(pieces, name, owner, LETTERS.index(letter))
            _check_counts(pieces, owner)
        return pieces

    def _put(self, pieces: Placed, name: str, owner: int, kind: int) -> None:
        if not self._is_on_board(name):
            raise BadPosition(f"There is no square {name} on the board of {self.board.players}.")
        square = self.index[name.lower()]
        if square in pieces:
            raise BadPosition(f"Two pieces stand on {name}.")
        pieces[square] = (owner, kind)


@lru_cache(maxsize=4)
def _unpacked(position: tuple[int, ...], words: int, players: int) -> Placed:
    """Return the pieces of a position; all its moves are written one after the other."""
    return unpack(position, words, players)[0]


def _check_counts(pieces: Placed, owner: int) -> None:
    """Refuse more pieces of a kind than a player has."""
    for kind, most in enumerate(OWNED):
        count = sum(piece == (owner, kind) for piece in pieces.values())
        if count > most or (kind == KING and count == 0):
            raise BadPosition(
                f"Player {owner + 1} has {count} {LETTERS[kind]} on the board, "
                f"{'not' if kind == KING else 'but at most'} {most}."
            )


def _reaches(square: Square, kind: int, end: int, pieces: Placed) -> bool:
    """Return whether a piece gets to a square by a normal move."""
    if kind == PAWN:
        return end in (square.diagonal if end in pieces else square.orthogonal)
    if kind in (KING, WIZARD):
        return end in square.orthogonal or end in square.diagonal
    if kind in (KNIGHT, DUCHESS, FORTRESS) and end in square.knight:
        return True
    rays = square.rook_rays if kind in (ROOK, FORTRESS, QUEEN) else ()
    rays += square.bishop_rays if kind in (BISHOP, DUCHESS, QUEEN) else ()
    return any(
        end in ray and not any(passed in pieces for passed in ray[: ray.index(end)]) for ray in rays
    )
