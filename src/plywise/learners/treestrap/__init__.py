"""`treestrap`: learning from the whole tree of a search, and its relatives."""
