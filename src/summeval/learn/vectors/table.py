"""Where `WordVectors` was first documented."""

from summeval.learn.vectors import WordVectors

__all__ = ["WordVectors"]
