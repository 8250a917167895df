"""What a game says of itself beyond its rules, so that no other code has to know its name."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plywise.errors import PlywiseError

Function = Callable[..., Any]
Reference = str | Function  # a function, or where it stands: "package.module:function"

MOST_PLAYERS = 6


@dataclass(frozen=True)
class Bench:
    """Positions that `plywise bench` searches, and the depth of alpha-beta in them."""

    depth: int
    positions: tuple[str, ...]


@dataclass(frozen=True)
class About:
    """What a game says of itself; all of it may be left out.

    An evaluator is a function of the position that returns a value in [-1, 1] for the side to
    move, or one that takes the `game` and returns an Evaluator. A text such as
    "plywise.games.reversi.judgement:positional" stands for a function that is imported on use.
    """

    version: int = 1  # raised when the rules change so that older models no longer fit
    players: int = 2  # up to six, who own the pieces; those of one side play together
    player: Callable[[tuple[int, ...]], int] | None = None  # who is to move, 0 .. players - 1
    evaluators: Mapping[str, Reference] = field(default_factory=dict)  # its own, by name
    default_evaluator: str = ""  # what judges unless told otherwise; else the first of its own
    features: Mapping[str, Reference] = field(default_factory=dict)  # sets of its own, by name
    classifiers: Mapping[str, Reference] = field(default_factory=dict)  # which expert is asked
    search: str = ""  # how it is searched best, as a player's text without budget or judgement
    opponent: str = ""  # who of all that ship plays it best, without budget; else its `patterns`
    bench: Bench | None = None
    perft_past_draws: bool = False  # count moves after a draw by rule, as published counts do
    pdn_type: str = ""  # the game's number in PDN, the file format of draughts games
    notations: Mapping[str, Reference] = field(default_factory=dict)  # of protocols, see Notation
    epd: bool = False  # its positions are FEN, and its test suites are written in EPD
    openings: Path | None = None  # a book: lines of status, moves and position, tabs between
    solver: Reference = ""  # a class that solves positions, see plywise.game.solving
    patterns: tuple[tuple[int, ...], ...] = ()  # cells that belong together; none: found from play
    symmetries: tuple[tuple[int, ...], ...] = ()  # [cell]: where it goes; none: found by trying

    def __post_init__(self) -> None:
        if not 2 <= self.players <= MOST_PLAYERS:
            raise PlywiseError(f"A game has 2 to {MOST_PLAYERS} players, not {self.players}.")


def resolve(reference: Reference) -> Function:
    """Return the function that a reference stands for."""
    if not isinstance(reference, str):
        return reference
    module, _, name = reference.partition(":")
    function: Function = getattr(importlib.import_module(module), name)
    return function
