"""Trained models: support vector machines, ridge, linear models, chains; their file format."""

from __future__ import annotations

from summeval._lazy import attach

__getattr__, __dir__ = attach(__name__)
