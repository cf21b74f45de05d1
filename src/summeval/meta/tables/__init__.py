"""Tables of scores [system, topic]: read, checked, and brought into one direction."""
