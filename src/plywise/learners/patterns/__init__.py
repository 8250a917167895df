"""The learner `patterns`."""
