"""`support`: how much of a summary its source accounts for."""
