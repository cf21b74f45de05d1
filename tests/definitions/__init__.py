"""A plain Python twin of each kernel: the definition that tests compare it with."""
