"""What can be counted in a text without a parse, in plain Python. Each line is a sentence.

The kernel also splits lines into sentences, as `summeval.text.sentences` does.
"""

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise

from definitions.text.stemmer import porter
from definitions.text.tokens import unicode

BOUNDARY, NUMBER, OTHER = 0, 1, 2
NEAR = 32  # sentences before, with which one is compared
SHORT = 4  # words of a short sentence at most
Traits = tuple[int, bool, bool]  # class; is a function word; wants another word after it

# ASCII characters, as bytes are read
_SPACED = re.compile(r"[ \t\v\f\r][.,;:!?'](?=[ \t-\r]|\Z)")
_ENDED = re.compile(r"[.!?…][ \t-\r\"')\]’”]*\Z")


def features(
    text: str,
    words: Mapping[str, Traits],
    suffixes: Sequence[tuple[str, int]],
    pairs: Sequence[Sequence[float]],
    vectors: Mapping[str, Sequence[float]] | None = None,
) -> dict[str, float]:
    r"""The features of a text, as `summeval._core.readability.text_features.TextFeatures` has them.

    >>> table = [[0.0] * 3 for _ in range(3)]
    >>> found = features("the cat, the dog\nIt sat .", {"the": (2, True, True)}, [], table)
    >>> found["sentences"], found["repeated_words"], found["spaced_marks"]
    (2, 0.16666666666666663, 0.16666666666666666)
    """
    found = [unicode(line) for line in text.split("\n")]
    lines = [line for line in found if line]
    every = [word for line in lines for word in line]
    marks = _marks(text, len(every))
    if not lines:
        return {**dict.fromkeys(_EMPTY, 0.0), **marks}
    function = [words.get(word, (0, False, False))[1] for word in every]
    runs = [all(three) for three in zip(function, function[1:], function[2:], strict=False)]
    kinds = [set(line) for line in lines]
    within = [repeated(line) for line in lines]
    content = [
        [stem(word) for word in line if not words.get(word, (0, False, False))[1]] for line in lines
    ]
    return {
        **_lengths(lines, words),
        "distinct_words": len(set(every)) / math.sqrt(len(every)),
        "repeated_words": repeated(every),
        "repeated_bigrams": repeated(list(pairwise(every))),
        "words_within": mean(within),
        "most_words_within": max(within),
        "alike_sentences": max(
            (len(a & b) / len(a | b) for a, b in near_pairs(kinds)), default=0.0
        ),
        "function_runs": mean(runs),
        **_content(content),
        "worst_pairs": _worst_pairs(lines, words, suffixes, pairs),
        "continuity": _continuity(lines, words, vectors) if vectors else 0.0,
        **marks,
    }


_EMPTY = (
    "words sentences sentence_length shortest_sentence sentence_length_spread distinct_words"
    " distinct_content repeated_words repeated_bigrams repeated_content words_within"
    " most_words_within near_content commonest_content shared_content alike_sentences new_content"
    " least_new_content function_runs worst_pairs short_sentences broken_off continuity"
).split()


def _lengths(lines: Sequence[Sequence[str]], words: Mapping[str, Traits]) -> dict[str, float]:
    lengths = [len(line) for line in lines]
    middle = mean(lengths)
    return {
        "words": sum(lengths),
        "sentences": len(lines),
        "sentence_length": math.log1p(middle),
        "shortest_sentence": math.log1p(min(lengths)),
        "sentence_length_spread": math.sqrt(mean((n - middle) ** 2 for n in lengths)) / middle,
        "short_sentences": mean(n <= SHORT for n in lengths),
        "broken_off": mean(words.get(line[-1], (0, False, False))[2] for line in lines),
    }


def _content(lines: Sequence[Sequence[str]]) -> dict[str, float]:
    """Of the stems of content words."""
    every = [stem for line in lines for stem in line]
    last: dict[str, int] = {}
    soon = 0.0
    for place, each in enumerate(every):
        if each in last:
            soon += 1 / (place - last[each])
        last[each] = place
    sets = [set(line) for line in lines]
    seen: set[str] = set()
    new = []
    for kinds in sets:
        if kinds:
            new.append(len(kinds - seen) / len(kinds))
        seen |= kinds
    shared = (len(a & b) / min(len(a), len(b)) for a, b in near_pairs(sets) if a and b)
    number = len(every)
    return {
        "distinct_content": len(seen) / math.sqrt(number) if number else 0.0,
        "repeated_content": repeated(every),
        "near_content": soon / number if number else 0.0,
        "commonest_content": max(Counter(every).values(), default=0) / max(1, number),
        "shared_content": max(shared, default=0.0),
        "new_content": mean(new[1:]) if len(new) > 1 else float(bool(new)),
        "least_new_content": min(new, default=0.0),
    }


def _worst_pairs(
    lines: Sequence[Sequence[str]],
    words: Mapping[str, Traits],
    suffixes: Sequence[tuple[str, int]],
    pairs: Sequence[Sequence[float]],
) -> float:
    """The mean of the lowest tenth of the pairs of classes."""
    values = []
    for line in lines:
        classes = [class_of(word, words, suffixes) for word in line]
        values += [pairs[a][b] for a, b in pairwise([BOUNDARY, *classes, BOUNDARY])]
    return mean(sorted(values)[: max(1, len(values) // 10)])


def _continuity(
    lines: Sequence[Sequence[str]],
    words: Mapping[str, Traits],
    vectors: Mapping[str, Sequence[float]],
) -> float:
    """The least cosine of neighbouring sentences, by the sums of the vectors of content words."""
    sums = []
    for line in lines:
        content = [word for word in line if not words.get(word, (0, False, False))[1]]
        found = [vectors[word] for word in content if word in vectors]
        total = [math.fsum(column) for column in zip(*found, strict=True)]
        if any(total):
            sums.append(total)
    return min([1.0, *(_cosine(one, two) for one, two in pairwise(sums))])


def _cosine(one: Sequence[float], two: Sequence[float]) -> float:
    def product(a: Sequence[float], b: Sequence[float]) -> float:
        return math.fsum(x * y for x, y in zip(a, b, strict=True))

    return product(one, two) / math.sqrt(product(one, one) * product(two, two))


def _marks(text: str, number: int) -> dict[str, float]:
    spaced = len(_SPACED.findall(text))
    return {
        "spaced_marks": spaced / number if number else 0.0,
        "unbalanced": float(text.count('"') % 2 or text.count("(") != text.count(")")),
        "no_final_mark": float(not _ENDED.search(text)),
    }


def class_of(word: str, words: Mapping[str, Traits], suffixes: Sequence[tuple[str, int]]) -> int:
    """The class of a word; lengths are in bytes.

    >>> class_of("2nd", {}, []), class_of("walking", {}, [("ing", 3)]), class_of("ring", {}, [])
    (1, 3, 2)
    """
    if word in words:
        return words[word][0]
    if word[0] in "0123456789":
        return NUMBER
    size = len(word.encode())
    for suffix, number in suffixes:
        if word.endswith(suffix) and size >= len(suffix.encode()) + 3:
            return number
    return OTHER


def stem(word: str) -> str:
    """The Porter stem of ASCII words of more than 3 letters, other words as they are.

    >>> stem("cats"), stem("was"), stem("cafés")
    ('cat', 'was', 'cafés')
    """
    return porter(word) if len(word) > 3 and word.isascii() else word


def near_pairs(sets: Sequence[set[str]]) -> Iterable[tuple[set[str], set[str]]]:
    """Each set with those of the 32 before it."""
    for place, one in enumerate(sets):
        for other in sets[max(0, place - NEAR) : place]:
            yield other, one


def repeated(items: Sequence[Hashable]) -> float:
    """The share of items that also occur earlier.

    >>> repeated("abcb")
    0.25
    """
    return 1 - len(set(items)) / len(items) if items else 0.0


def mean(values: Iterable[float]) -> float:
    """The mean; 0 of nothing."""
    found = list(values)
    return sum(found) / len(found) if found else 0.0
