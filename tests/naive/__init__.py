"""Games written from the rule books with strings and loops, to compare the fast ones with.

The square-board games keep their board as rows of text from the top, one character a cell.
"""

Board = tuple[str, ...]

PIECES = "xo"  # the piece of side 0, the piece of side 1
EMPTY = "."


def format_grid(board: Board, side: int) -> str:
    """Return the rows from the top separated by '/', then a space and the side to move."""
    return "/".join(board) + " " + PIECES[side]


def parse_grid(text: str, height: int, width: int, more: str = "") -> tuple[Board, int]:
    """Return the board and the side to move that `format_grid` has written.

    A cell may also be one of `more`.
    """
    rows, _, side = text.partition(" ")
    board = tuple(rows.split("/"))
    if len(board) != height or any(len(row) != width for row in board):
        raise ValueError(f"not {height} rows of {width} cells: {text!r}")
    if any(cell not in PIECES + EMPTY + more for row in board for cell in row):
        raise ValueError(f"a cell is 'x', 'o' or '.': {text!r}")
    if side not in ("x", "o"):
        raise ValueError(f"the side to move is 'x' or 'o': {text!r}")
    return board, PIECES.index(side)


def place(board: Board, row: int, column: int, piece: str) -> Board:
    """Return the board with the piece on that cell."""
    cells = [list(line) for line in board]
    cells[row][column] = piece
    return tuple("".join(line) for line in cells)


def has_line(board: Board, piece: str, length: int) -> bool:
    """Tell whether so many pieces stand in a row, a column or a diagonal."""
    height, width = len(board), len(board[0])
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                count, r, c = 0, row, column
                while 0 <= r < height and 0 <= c < width and board[r][c] == piece:
                    count, r, c = count + 1, r + down, c + right
                if count >= length:
                    return True
    return False
