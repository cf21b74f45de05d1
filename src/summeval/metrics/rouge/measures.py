"""Names of ROUGE measures, and what the kernel counts for them."""

from __future__ import annotations

import re

# (kind, order or gap, unigrams too, weight): see summeval._core.overlap.rouge.KINDS
Measure = tuple[str, int, bool, float]

ROUGE_NAMES = (
    *(f"rouge{n}" for n in range(1, 10)),
    "rougeL",
    "rougeLsum",
    "rougeW",
    "rougeS4",
    "rougeS*",
    "rougeSU4",
    "rougeSU*",
)

_NGRAM = re.compile(r"rouge([1-9])", re.ASCII)
_SKIP = re.compile(r"rouge(SU?)(\d{1,6}|\*)", re.ASCII)
_WEIGHTED = re.compile(r"rougeW(?:-(\d+(?:\.\d+)?))?", re.ASCII)


def parse(name: str, weight: float = 1.2) -> Measure | None:
    """The measure that a name means, None if it is not the name of one.

    >>> parse("rouge2"), parse("rougeSU4"), parse("rougeS*")
    (('ngram', 2, False, 0.0), ('skip', 4, True, 0.0), ('skip', -1, False, 0.0))
    >>> parse("rougeW-1.5")
    ('weighted-lcs', 0, False, 1.5)
    """
    if name == "rougeL":
        return ("lcs", 0, False, 0.0)
    if name == "rougeLsum":
        return ("union-lcs", 0, False, 0.0)
    if found := _NGRAM.fullmatch(name):
        return ("ngram", int(found[1]), False, 0.0)
    if found := _WEIGHTED.fullmatch(name):
        return ("weighted-lcs", 0, False, float(found[1]) if found[1] else weight)
    if found := _SKIP.fullmatch(name):
        return ("skip", -1 if found[2] == "*" else int(found[2]), found[1] == "SU", 0.0)
    return None
