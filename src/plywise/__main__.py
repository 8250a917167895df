"""`python -m plywise` is the command `plywise`."""

from plywise.cli import main

main()
