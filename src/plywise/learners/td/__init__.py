"""`td`: temporal differences in games against a frozen clone."""
