"""Connect Four: the rules, a judgement by hand, and a perfect solver."""

from plywise.games.connect4.rules import connect4

__all__ = ["connect4"]
