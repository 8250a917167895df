"""`mp`: a player for most of the game, and experts for its endgames."""
