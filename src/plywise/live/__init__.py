"""What all people-facing parts share: a game under way, saved games, analysis, wording."""
