"""One metric family in a file."""
