"""A game that people and programs play now: who sits where, saved games, analysis."""
