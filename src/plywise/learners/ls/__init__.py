"""`ls`: a genetic algorithm over the features that a network looks at."""
