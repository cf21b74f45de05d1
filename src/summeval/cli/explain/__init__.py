"""`summeval explain`: what the scores of rows come from."""
