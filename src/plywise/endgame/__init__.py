"""Databases and solvers: what is known for certain.

from plywise.endgame import Solver
"""

from plywise.endgame.solver import Keep, Solution, Solver, parse_moves

__all__ = ["Keep", "Solution", "Solver", "parse_moves"]
