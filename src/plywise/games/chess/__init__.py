"""Chess: the rules on bitboards, FEN, SAN and UCI, and a judgement by hand."""

from plywise.games.chess.game import chess

__all__ = ["chess"]
