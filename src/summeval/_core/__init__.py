"""Compiled kernels: ids, arrays and bytes in, numbers out. They trust their arguments."""
