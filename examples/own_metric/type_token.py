"""The moving-average type-token ratio (MATTR), as a metric of summeval.

How many of the words in a row are different: the mean over all stretches of `window` words. A
summary that says the same again and again has a low ratio. It reads only the candidate.

An entry point in pyproject.toml gives the class its name. No code of summeval is needed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

WORD = re.compile(r"\w+")
BIBTEX = """\
@article{covington-2010-cutting,
  author = {Covington, Michael A. and McFall, Joe D.},
  title = {Cutting the {Gordian} Knot: The Moving-Average Type-Token Ratio ({MATTR})},
  journal = {Journal of Quantitative Linguistics},
  volume = {17},
  number = {2},
  pages = {94--100},
  year = {2010},
}"""


class TypeToken:
    """The mean share of different words in stretches of `window` words.

    Field: `ratio`, from 0 (no words) to 1 (no word comes twice in a stretch). A text shorter than
    the window is one stretch.

    Source: Covington and McFall 2010, "Cutting the Gordian Knot".

    >>> TypeToken().run_pair("the cat and the dog")
    0.8
    >>> TypeToken(window=2).run_pair("the cat and the dog")
    1.0
    """

    fields = ("ratio",)
    higher_is_better = True
    bounds = (0, 1)
    citations = BIBTEX

    def __init__(self, window: int = 50) -> None:
        if window < 1:
            raise ValueError(f"window is {window}; give at least 1")
        self.window = window

    def run_pair(self, candidate: str) -> float:
        """The score of a candidate. What a method takes says what a metric is compared with."""
        words = [found[0].lower() for found in WORD.finditer(candidate)]
        width = min(self.window, len(words))
        if not width:
            return 0.0
        return sum(self._firsts(words, width)) / (width * (len(words) - width + 1))

    def explain(self, candidate: str) -> list[dict[str, Any]]:
        """What each word adds. This method may be missing: then the score is one item."""
        found = list(WORD.finditer(candidate))
        words = [match[0].lower() for match in found]
        width = min(self.window, len(words))
        whole = width * (len(words) - width + 1)
        return [
            {"text": match[0], "candidate_spans": (match.span(),), "share": first / whole}
            for match, first in zip(found, self._firsts(words, width), strict=True)
        ]

    @staticmethod
    def _firsts(words: list[str], width: int) -> Iterator[int]:
        """For each word in how many stretches it is the first of its kind."""
        last: dict[str, int] = {}
        for place, word in enumerate(words):
            begin = max(last.get(word, -1) + 1, place - width + 1)
            end = min(place, len(words) - width)
            yield max(0, end - begin + 1)
            last[word] = place
