"""A language model as judge."""
