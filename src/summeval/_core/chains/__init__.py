"""Kernel of chains: sequences of two labels with potentials over neighbours and links."""
