"""English draughts: the rules, the features of the literature, and networks made for it."""

from plywise.games.draughts.rules import draughts

__all__ = ["draughts"]
