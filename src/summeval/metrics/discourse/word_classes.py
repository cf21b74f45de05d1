"""Classes of English words that need no tagger, and how likely one stands beside another.

A frequent function word is a class of its own, other function words share those of their tags, and
content words those of their ends (-ing, -ed, -s). In "the of" or "is will" two classes meet that
hardly ever do: so a swap of words shows, without a parse.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from summeval.text.function_words import by_tag, english

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

BOUNDARY, NUMBER, OTHER = 0, 1, 2  # as the kernel has them
_SINGLE = """
    the a an of and to in for with on at by from as that it he she they we i you his her their its
    this is was are were be been has have had will would can could not or but who which when if
    there what s t do did does than up out about after so all no more
""".split()
_SHARED = {"BE": "am being", "HAVE": "having", "DO": "doing done", "RB": "very also just too only"}
# The first that fits decides: -ss and the like are no plurals.
_ENDS = {
    "ing": "ING", "ed": "ED", "ly": "LY", "ss": "", "us": "", "is": "", "tion": "NN",
    "ment": "NN", "ness": "NN", "ity": "NN", "s": "NNS",
}  # fmt: skip
# Verbs without content and what the tokens of "n't", "'m" and the like leave.
_EMPTY = """
    am is are was were be been being have has had having do does did done doing not t m re ve
""".split()
_WANTING = """
    the a an of and or but to in on at by for with from as that which who whose their his her its my
    our your this these those will would can could may might should must is are was were than if
    because while
""".split()


@cache
def _numbers() -> dict[str, int]:
    """Return the number of each class, from the names of words, tags and ends."""
    names = ["<>", "#", "", *_SINGLE, *by_tag(), *_SHARED, *_ENDS.values()]
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def size() -> int:
    """Return how many classes there are."""
    return len(_numbers())


@cache
def words() -> dict[str, tuple[int, bool, bool]]:
    """Of words that are known one by one: class; function word or not; whether it wants another.

    >>> words()["the"][1:], words()["very"][1:]
    ((True, True), (False, False))
    """
    numbers = _numbers()
    classes = {word: numbers[tag] for tag, found in by_tag().items() for word in sorted(found)}
    classes |= {word: numbers[name] for name, found in _SHARED.items() for word in found.split()}
    classes |= {word: numbers[word] for word in _SINGLE}
    function = english() | frozenset(_EMPTY)
    classes |= {word: numbers[""] for word in sorted(function) if word not in classes}
    return {word: (kind, word in function, word in _WANTING) for word, kind in classes.items()}


def suffixes() -> list[tuple[str, int]]:
    """Return the classes of other words, by their ends."""
    return [(end, _numbers()[name]) for end, name in _ENDS.items()]


def class_of(word: str) -> int:
    """Return the class of a word in lower case, as the kernel finds it.

    >>> class_of("running") == class_of("walking"), class_of("cats") == class_of("class")
    (True, False)
    """
    known = words().get(word)
    if known:
        return known[0]
    if word[0] in "0123456789":
        return NUMBER
    fits = (number for end, number in suffixes() if word.endswith(end) and _is_longer(word, end))
    return next(fits, OTHER)


def _is_longer(word: str, end: str) -> bool:
    return len(word.encode()) >= len(end) + 3


def likeliness(sequences: Iterable[list[int]]) -> NDArray[float64]:
    """Pointwise mutual information of neighbouring classes [class, class of the next], in nats.

    Of sentences as sequences of classes. Estimates of rare pairs go back to single classes, as of
    Witten and Bell 1991, "The Zero-Frequency Problem".
    """
    import numpy as np

    counts = np.zeros((size(), size()))
    for before, after in _neighbours(sequences):
        counts[before, after] += 1
    single = counts.sum(axis=0) + 1
    single /= single.sum()
    kinds = (counts > 0).sum(axis=1, keepdims=True)
    total = counts.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = (counts + kinds * single) / (total + kinds)
    found = np.where(total > 0, found, single)
    return np.asarray(np.log(found / single))


def _neighbours(sequences: Iterable[list[int]]) -> Iterator[tuple[int, int]]:
    for classes in sequences:
        yield from pairwise([BOUNDARY, *classes, BOUNDARY])
