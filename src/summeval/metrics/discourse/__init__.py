"""Metrics of readability by discourse relations: DICOMER, readability, CREMER."""

from summeval._lazy import attach

__getattr__, __dir__ = attach(__name__)
