"""Metrics of your own: registered in a program, or by a package's entry point."""
