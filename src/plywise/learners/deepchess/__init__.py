"""`deepchess`: networks that learn from decisive games which of two positions is better."""
