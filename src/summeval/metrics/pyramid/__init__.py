"""The Pyramid method: scores of annotated summaries, their files, and positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from summeval._lazy import lazy
from summeval.metrics.pyramid.files import (
    Annotation,
    Contributor,
    Pair,
    Part,
    Pyramid,
    PyramidFileError,
    Scu,
    pairs,
    presence,
    pyramid_files,
    read_pan,
    read_pyr,
)
from summeval.metrics.pyramid.scores import (
    ducview_score,
    jackknife,
    modified_score,
    normalised_acu,
    original_score,
    unit_score,
)

if TYPE_CHECKING:
    from summeval.metrics.pyramid.extracts.ranker import ExtractRanker
    from summeval.metrics.pyramid.extracts.selection import select
    from summeval.metrics.pyramid.lite import LitePyramid
    from summeval.metrics.pyramid.position import PositionPyramid

__all__ = [
    "Annotation",
    "Contributor",
    "ExtractRanker",
    "LitePyramid",
    "Pair",
    "Part",
    "PositionPyramid",
    "Pyramid",
    "PyramidFileError",
    "Scu",
    "ducview_score",
    "jackknife",
    "modified_score",
    "normalised_acu",
    "original_score",
    "pairs",
    "presence",
    "pyramid_files",
    "read_pan",
    "read_pyr",
    "select",
    "unit_score",
]

__getattr__ = lazy(
    __name__,
    {
        "ExtractRanker": "extracts.ranker",
        "LitePyramid": "lite",
        "PositionPyramid": "position",
        "select": "extracts.selection",
    },
)
