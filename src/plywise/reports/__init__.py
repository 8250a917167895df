"""What a run came to: tests of champions, ratings, curves, pages."""
