"""What shells and manuals need to know of the command, from its own declarations."""
