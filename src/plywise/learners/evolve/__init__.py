"""`evolve`: networks by evolution, as Blondie24, Anaconda and paper 000 have it."""
