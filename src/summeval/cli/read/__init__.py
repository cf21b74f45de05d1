"""The command `summeval read`, a file for each layout."""
