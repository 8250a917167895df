"""Moves as bytes, in compiled code: what a game's `read_move` and `write_move` agree on.

    read_move(position, text, begin, stop)        write_move(position, move, out)

`text` is an array of bytes; those from `begin` on and before `stop` are the move's text. The answer
is a move that the rules of moving allow, also where a draw has ended the game, or one of the four
highest words, which say why there is none. What is written has at most MOST_BYTES.
"""

import numpy as np

UNREADABLE = np.uint64(0xFFFFFFFFFFFFFFFF)  # not the text of a move
ILLEGAL = np.uint64(0xFFFFFFFFFFFFFFFE)
AMBIGUOUS = np.uint64(0xFFFFFFFFFFFFFFFD)  # several legal moves fit
PASS = np.uint64(0xFFFFFFFFFFFFFFFC)  # a pass, which files have and the game has not
LAST_MOVE = np.uint64(0xFFFFFFFFFFFFFFFB)  # whatever is higher is no move

MOST_BYTES = 32  # of the text of a move
