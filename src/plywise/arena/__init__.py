"""Matches between players and what they prove.

from plywise.arena import Match, play_match, Tournament, play_tournament
"""

from plywise.arena.game_limits import GameLimits, parse_clock
from plywise.arena.match import Match, MatchResult, Scoreboard, play_match
from plywise.arena.referee import Referee
from plywise.arena.statistics import Sprt
from plywise.arena.tournament import Tournament, TournamentResult, play_tournament

__all__ = [
    "GameLimits",
    "Match",
    "MatchResult",
    "Referee",
    "Scoreboard",
    "Sprt",
    "Tournament",
    "TournamentResult",
    "parse_clock",
    "play_match",
    "play_tournament",
]
