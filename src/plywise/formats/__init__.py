"""Games as text: PDN for draughts, PGN for chess and every game, JSON lines, EPD; and back.

from plywise.formats import read_games, replay

for transcript in read_games(Path("games.pdn"), game):
    record = replay(transcript, game)      # every move is checked

for batch in read_batches(Path("games.pgn.zst"), chess):      # fast, of any length
    batch.moves, batch.offsets, batch.scores
"""

from plywise.formats.batches import Batch, Fault, Note, read_batches, read_records
from plywise.formats.epd import EpdPosition, parse_epd, read_epd
from plywise.formats.files import GameFile, format_games, parse_games, read_games
from plywise.formats.transcript import BadTranscript, Transcript, replay

__all__ = [
    "BadTranscript",
    "Batch",
    "EpdPosition",
    "Fault",
    "GameFile",
    "Note",
    "Transcript",
    "format_games",
    "parse_epd",
    "parse_games",
    "read_batches",
    "read_epd",
    "read_games",
    "read_records",
    "replay",
]
