"""The definition of the Basic Elements that are cut from dependency parses."""
