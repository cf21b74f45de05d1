"""Solvers timed side by side on made-up problems."""
