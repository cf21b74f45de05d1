"""Tables of scores [system, topic]: reading, checking, and unifying their direction."""
