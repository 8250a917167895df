"""What `result` says of a position, always for the side to move."""

LOSS = -1
DRAW = 0
WIN = 1
ONGOING = 2
