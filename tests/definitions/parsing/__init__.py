"""The definitions of tokens and stems."""
