"""Metrics about metrics: how far their scores can be trusted, and how they combine."""

from summeval.meta import qarla
from summeval.meta.nbest import orange

__all__ = ["orange", "qarla"]
