"""What a model of inference or fact checking finds in the source."""
