"""`summeval score`."""
