"""`nhb`: the general game player of paper 003, for any game."""
