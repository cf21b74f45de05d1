"""What is trained: support vector machines, ridge and linear models, and their one file format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from summeval._lazy import lazy

if TYPE_CHECKING:
    from summeval.learn.svm import RankSVM, SVMLightRegressor

__all__ = ["RankSVM", "SVMLightRegressor"]

__getattr__ = lazy(__name__, {"RankSVM": "svm", "SVMLightRegressor": "svm"})
