"""`summeval demo`."""
