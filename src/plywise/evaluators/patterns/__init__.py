"""Pattern tables: what stands on some cells of a board together, found and learned for any game."""

from plywise.evaluators.patterns.evaluator import patterns
from plywise.evaluators.patterns.specification import Specification, specify

__all__ = ["Specification", "patterns", "specify"]
