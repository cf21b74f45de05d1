"""`summeval study`: the experiments of papers."""
