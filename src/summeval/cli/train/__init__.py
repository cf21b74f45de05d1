"""The command `summeval train`, a file for each kind of model."""
