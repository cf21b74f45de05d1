"""Explanations of readability and role models: each feature, its norm and its places."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import log1p
from typing import TYPE_CHECKING

from summeval.metrics.discourse import word_classes
from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import whole
from summeval.text import stemmer

if TYPE_CHECKING:
    from summeval.annotate.document import Document

Span = tuple[int, int]
Cells = Mapping[str, Sequence[set[str]]]

LOGARITHM = "logarithm"  # the item of a transformation that no feature has a part in
_NIL = "nil"
_SEPARATORS = re.compile(r"(<->|->)")


def places_of(words: Sequence[tuple[str, int, int]]) -> dict[str, tuple[Span, ...]]:
    """Return where the words of a text stand that its features of words are about, by the feature.

    Of repetitions that is what came before; stems of content words are those of the kernel.

    >>> found = places_of([("the", 0, 3), ("cat", 4, 7), ("the", 8, 11), ("cats", 12, 16)])
    >>> found["repeated_words"], found["repeated_content"], found["commonest_content"]
    (((8, 11),), ((12, 16),), ((4, 7), (12, 16)))
    """
    pairs = [((one[0], two[0]), one[1], two[2]) for one, two in pairwise(words)]
    known, none = word_classes.words(), (0, False, False)
    function = [known.get(form, none)[1] for form, _, _ in words]
    content = [
        (_stem(form), (a, b)) for (form, a, b), no in zip(words, function, strict=True) if not no
    ]
    again = tuple(_again(content))
    most = max(Counter(form for form, _ in content).values(), default=0)
    often = {form for form, count in Counter(form for form, _ in content).items() if count == most}
    threes = zip(words, words[2:], function, function[1:], function[2:], strict=False)
    return {
        "repeated_words": tuple(_again((form, (a, b)) for form, a, b in words)),
        "repeated_bigrams": tuple(_again((forms, (a, b)) for forms, a, b in pairs)),
        "repeated_content": again,
        "near_content": again,
        "commonest_content": tuple(span for form, span in content if form in often and most > 1),
        "function_runs": tuple((one[1], two[2]) for one, two, *three in threes if all(three)),
    }


def _stem(form: str) -> str:
    return stemmer("porter")(form) if len(form) > 3 and form.isascii() else form


def transformed(
    items: Sequence[ExplainedItem], total: float, value: float, transform: str
) -> list[ExplainedItem]:
    """Return the items of a sum, with shares of what its transformation is.

    Each has the same part of it as of the sum. The logarithm of a small sum is below 0, so that
    its items have their part of log(1 + sum), and an item "logarithm" the rest.

    >>> [item.share for item in transformed([whole("a", 3.0), whole("b", -1.0)], 2.0, 1.0, "none")]
    [1.5, -0.5]
    """
    if not total:
        return list(items)
    reached = log1p(total) if transform == "log" else value
    found = [
        ExplainedItem(one.text, one.candidate_spans, (), one.share * (reached / total), one.details)
        for one in items
    ]
    return [*found, whole(LOGARITHM, value - reached)] if transform == "log" else found


class RolePlaces:
    """Where the words stand whose roles a feature counts.

    Parameters
    ----------
    document : Document
        Of which the tokens say where they stand.
    cells : mapping
        Of each stem the roles in each sentence.
    """

    def __init__(self, document: Document, cells: Cells) -> None:
        stem = stemmer("porter")
        self._cells = cells
        self._spans: dict[tuple[str, int], list[Span]] = {}
        for number, sentence in enumerate(document.sentences):
            for token in sentence.tokens:
                own = stem(token.form.lower())
                if own in cells:
                    self._spans.setdefault((own, number), []).append((token.start, token.end))

    def of(self, feature: str) -> tuple[Span, ...]:
        """Return the words of a feature, such as "nil->Comp.Arg1" or "Comp.Arg1<->Exp.Arg2"."""
        if "|" in feature:  # words of one salience alone
            return ()
        roles = _SEPARATORS.split(feature)[::2]
        near = "<->" in feature
        found: set[Span] = set()
        for stem, cells in self._cells.items():
            steps = [0] * len(roles) if near else list(range(len(roles)))
            for first in range(len(cells) - steps[-1]):
                places = [first + step for step in steps]
                if all(_has(cells[k], role) for k, role in zip(places, roles, strict=True)):
                    found.update(span for k in places for span in self._spans.get((stem, k), ()))
        return tuple(sorted(found))


def readable(feature: str) -> str:
    """Return the name of a role feature as people read it.

    >>> readable("nil->Comp.Arg1"), readable("any->any"), readable("sal|S<->O")
    ('none, then Comp.Arg1', 'any, then any', 'salient: S and O together')
    """
    prefix, _, sequence = feature.rpartition("|")
    named = {"sal": "salient: ", "non": "not salient: ", "ext": "", "": ""}
    words = sequence.replace("<->", " and ").replace("->", ", then ").replace(_NIL, "none")
    told = named.get(prefix.partition("|")[0], "")
    return f"{told}{words}{' together' * ('<->' in sequence)}"


def _has(cell: set[str], role: str) -> bool:
    return not cell if role == _NIL else role in cell


def _again(items: Iterable[tuple[object, Span]]) -> Iterator[Span]:
    """Yield the spans of items that came before."""
    seen: set[object] = set()
    for form, span in items:
        if form in seen:
            yield span
        seen.add(form)
