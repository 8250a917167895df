"""Search: spends a budget and returns a move with its value and line."""
