"""The definition of the discourse parser, which also makes the features that train its model."""
