"""Reversi: the rules, and a judgement by hand."""

from plywise.games.reversi.rules import reversi

__all__ = ["reversi"]
