"""`summeval bench`: what it measures."""
