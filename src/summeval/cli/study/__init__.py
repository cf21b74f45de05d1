"""The command `summeval study`, a file for each study."""
