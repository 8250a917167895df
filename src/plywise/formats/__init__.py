"""Games as text: PDN for draughts, PGN-like text for every game, JSON lines; and back.

from plywise.formats import read_games, replay

for transcript in read_games(Path("games.pdn"), game):
    record = replay(transcript, game)      # every move is checked
"""

from plywise.formats.files import GameFile, format_games, parse_games, read_games
from plywise.formats.transcript import BadTranscript, Transcript, replay

__all__ = [
    "BadTranscript",
    "GameFile",
    "Transcript",
    "format_games",
    "parse_games",
    "read_games",
    "replay",
]
