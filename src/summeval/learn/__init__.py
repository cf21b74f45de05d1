"""Trained models: support vector machines, ridge, linear models, chains; their file format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from summeval._lazy import lazy

if TYPE_CHECKING:
    from summeval.learn.label_chain import LabelChain
    from summeval.learn.svm import RankSVM, SVMLightRegressor

__all__ = ["LabelChain", "RankSVM", "SVMLightRegressor"]

__getattr__ = lazy(
    __name__, {"LabelChain": "label_chain", "RankSVM": "svm", "SVMLightRegressor": "svm"}
)
