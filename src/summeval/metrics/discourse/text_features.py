"""The features of `readability`: how each is counted, and its direction.

The direction fixes the effect of a feature: more of it makes a text read better (1) or worse (-1),
even if some judgements disagree. Directions keep a model from learning the habits of the systems
that wrote its training texts; see `Readability`.

Words have classes that need no tagger. A frequent function word is a class of its own, other
function words share those of their tags, and content words those of their ends (-ing, -ed, -s). In
"the of" or "is will" two classes meet that hardly ever do: so a swap of words shows, without a
parse.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from summeval._arrays import Floats
from summeval._core.columns import columns
from summeval._core.readability.text_features import NAMES, TextFeatures
from summeval.text import stemmer
from summeval.text.function_words import by_tag, english
from summeval.text.sentence_splitter import known_words

if TYPE_CHECKING:
    from summeval.learn.vectors import WordVectors
    from summeval.metrics.run.explain.items import Span


class Feature(NamedTuple):
    """A feature: its direction and its description."""

    direction: int
    meaning: str


_DATA = json.loads(
    (files("summeval.metrics.discourse") / "data/text_features.json").read_text("utf-8")
)
# Counted in the kernel, and normed by the length of the text.
NORMED = {name: Feature(*values) for name, values in _DATA["normed"].items()}
# In most texts 0, so that length says nothing of it.
SPARSE = {name: Feature(*values) for name, values in _DATA["sparse"].items()}
FEATURES: dict[str, Feature] = {**NORMED, **SPARSE}
_FIRST = NAMES.index("sentence_length")  # the kernel has the normed ones in this order
_COLUMNS = slice(_FIRST, _FIRST + len(NORMED))
_ERRORS = [
    NAMES.index(name) for name in ("no_final_mark", "unbalanced", "short_sentences", "broken_off")
]
_SPACED, _WORDS = NAMES.index("spaced_marks"), NAMES.index("words")
_CONTINUITY = NAMES.index("continuity")
_MANY_SPACED = 0.1  # blanks before marks, by words, that count as one error
# Words of a class of their own; verbs without content, and what the tokens of "n't", "'m" and the
# like leave; words that want another after them.
_SINGLE, _EMPTY, _WANTING = (_DATA[name].split() for name in ("single", "empty", "wanting"))
# Classes of words, and of ends, of which the first that fits decides: -ss and the like are no
# plurals.
_SHARED, _ENDS = _DATA["shared"], _DATA["ends"]


@cache
def class_numbers() -> dict[str, int]:
    """Return the number of each class, from the names of words, tags and ends."""
    names = ["<>", "#", "", *_SINGLE, *by_tag(), *_SHARED, *_ENDS.values()]
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


@cache
def known_classes() -> dict[str, tuple[int, bool, bool]]:
    """Of words that are known one by one: class; function word or not; whether it wants another.

    >>> known_classes()["the"][1:], known_classes()["very"][1:]
    ((True, True), (False, False))
    """
    numbers = class_numbers()
    classes = {word: numbers[tag] for tag, found in by_tag().items() for word in sorted(found)}
    classes |= {word: numbers[name] for name, found in _SHARED.items() for word in found.split()}
    classes |= {word: numbers[word] for word in _SINGLE}
    function = english() | frozenset(_EMPTY)
    classes |= {word: numbers[""] for word in sorted(function) if word not in classes}
    return {word: (kind, word in function, word in _WANTING) for word, kind in classes.items()}


def end_classes() -> list[tuple[str, int]]:
    """Return the classes of other words, by their ends."""
    return [(end, class_numbers()[name]) for end, name in _ENDS.items()]


class FeatureReader:
    """Counts the features of texts.

    Parameters
    ----------
    pairs : array [class, class]
        The mutual information of a class and the next, in nats.
    vectors : WordVectors, optional
        For the likeness of neighbouring sentences, which is 0 without it.
    """

    def __init__(self, pairs: Floats, vectors: WordVectors | None = None) -> None:
        words = {word.encode(): traits for word, traits in known_classes().items()}
        suffixes = [(end.encode(), number) for end, number in end_classes()]
        never, number, maybe, starters = (
            {word.encode() for word in known} for known in known_words()
        )
        rules, table = (never, number, maybe, starters), vectors.kernel if vectors else None
        self._kernel = TextFeatures(words, suffixes, pairs, rules, table)

    def read(self, texts: Sequence[str], workers: int = 1) -> tuple[Floats, Floats, Floats]:
        """The features [text, feature] as in FEATURES, the numbers of words, and continuity."""
        found = self._kernel.rows(columns.texts(texts, "texts"), workers)
        errors = [found[:, column] for column in _ERRORS]
        errors.append(np.minimum(1.0, found[:, _SPACED] / _MANY_SPACED))
        rows = np.column_stack([found[:, _COLUMNS], sum(errors[1:], errors[0])])
        return rows, found[:, _WORDS], found[:, _CONTINUITY]


def places_of(words: Sequence[tuple[str, int, int]]) -> dict[str, tuple[Span, ...]]:
    """Return where the words of a text stand that its features of words are about, by the feature.

    Of repetitions that is what came before; stems of content words are those of the kernel.

    >>> found = places_of([("the", 0, 3), ("cat", 4, 7), ("the", 8, 11), ("cats", 12, 16)])
    >>> found["repeated_words"], found["repeated_content"], found["commonest_content"]
    (((8, 11),), ((12, 16),), ((4, 7), (12, 16)))
    """
    pairs = [((one[0], two[0]), one[1], two[2]) for one, two in pairwise(words)]
    known, none = known_classes(), (0, False, False)
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


def _again(items: Iterable[tuple[Hashable, Span]]) -> Iterator[Span]:
    """Yield the spans of items that came before."""
    seen: set[Hashable] = set()
    for form, span in items:
        if form in seen:
            yield span
        seen.add(form)
