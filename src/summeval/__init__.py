"""Summary evaluation: exact where an original program exists, and fast.

>>> import summeval
>>> summeval.score("the cat sat", ["the cat sat down"], ["rouge1"])
{'rouge1': Score(precision=1.0, recall=0.75, fmeasure=0.8571428571428571)}
"""

from __future__ import annotations

from summeval import _forks  # noqa: F401  its hooks must stand before the first thread
from summeval._lazy import attach
from summeval._version import __version__  # noqa: F401

__getattr__, __dir__ = attach(__name__)
