"""The definitions of how Basic Elements are cut from dependency parses, and of what they match."""
