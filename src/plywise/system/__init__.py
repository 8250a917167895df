"""What Plywise asks of the machine: files written whole, many tasks at once."""
