"""The features of SIMetrix by their definitions: sums over all words of both sides.

Louis and Nenkova 2009, "Automatically Evaluating Content Selection in Summarization without Human
Models", and 2013, "Automatically Assessing Machine Summary Content Without a Gold Standard". A text
is a mapping from words to counts.
"""

from collections.abc import Iterator, Mapping
from math import fsum, inf, isnan, lgamma, log, log10, nan, sqrt
from typing import NamedTuple

Counts = Mapping[str, int]

MOST_WORDS = 2**31  # words of a summary, for the bounds of `worst`
MOST_TYPES = 2**20  # distinct words among these


class Features(NamedTuple):
    """The fields of a Score, in their order."""

    KLInputSummary: float
    KLSummaryInput: float
    unsmoothedJSD: float
    smoothedJSD: float
    cosineAllWords: float
    percentTopicTokens: float
    fractionTopicWords: float
    topicWordOverlap: float
    unigramProb: float
    multinomialProb: float


def plain(counts: Counts, word: str) -> float:
    """The share of a word; 0 in an empty text."""
    total = sum(counts.values())
    return counts.get(word, 0) / total if total else 0.0


def smoothed(counts: Counts, word: str, gamma: float, bins: float) -> float:
    """The probability of a word by Lidstone's estimate.

    >>> smoothed({"a": 1}, "b", gamma=0.5, bins=2)
    0.25
    """
    below = sum(counts.values()) + gamma * bins
    return (counts.get(word, 0) + gamma) / below if below else inf


def divergence(pairs: list[tuple[float, float]]) -> float:
    """The Kullback-Leibler divergence: the sum of p ln(p / q) over words with p > 0.

    >>> divergence([(0.5, 0.25), (0.5, 0.75)]) == 0.5 * log(2) + 0.5 * log(2 / 3)
    True
    """
    return _sum(p * _log_ratio(p, q) for p, q in pairs if p)


def jensen_shannon(pairs: list[tuple[float, float]]) -> float:
    """The Jensen-Shannon divergence: the mean of the divergences of both sides from their mean.

    >>> jensen_shannon([(1.0, 0.0), (0.0, 1.0)]) == log(2)
    True
    """
    left = divergence([(p, (p + q) / 2) for p, q in pairs])
    return (left + divergence([(q, (p + q) / 2) for p, q in pairs])) / 2


def likelihood_ratio(word: int, text: int, outside: int, background: int) -> float:
    """-2 ln of Dunning's ratio: one probability of the word for both, against one for each.

    The word occurs `word` times in the `text` tokens of an input and `outside` times in the
    `background` tokens of a background.

    >>> likelihood_ratio(1, 10, 10, 100)
    0.0
    """

    def fit(count: int, total: int, share: float) -> float:
        return _times_log(count, share) + _times_log(total - count, 1 - share)

    joint = (word + outside) / (text + background)
    apart = fit(word, text, word / text) + fit(outside, background, outside / background)
    return -2 * (fit(word, text, joint) + fit(outside, background, joint) - apart) + 0.0


def topic_words(
    source: Counts, background: Counts, cutoff: float, scale: float = 1.0
) -> frozenset[str]:
    """The words of an input with a likelihood ratio, times `scale`, above the cutoff."""
    text, outside = sum(source.values()), sum(background.values())
    return frozenset(
        word
        for word, count in source.items()
        if scale * likelihood_ratio(count, text, background.get(word, 0), outside) > cutoff
    )


def cosine(left: Mapping[str, float], right: Mapping[str, float]) -> float:
    """The cosine of two vectors; 0 if they share nothing.

    >>> cosine({"a": 3.0, "b": 4.0}, {"a": 1.0})
    0.6
    """
    dot = fsum(value * right.get(word, 0.0) for word, value in left.items())
    norms = [fsum(value * value for value in vector.values()) for vector in (left, right)]
    if not dot:
        return 0.0
    # The product of two very small sums of squares can underflow.
    both = sqrt(norms[0] * norms[1]) or sqrt(norms[0]) * sqrt(norms[1])
    return min(1.0, dot / both) if both else 1.0


def features(
    summary: Counts,
    source: Counts,
    *,
    background: Counts | None = None,
    idf: Mapping[str, float] | None = None,
    unknown_idf: float = 1.0,
    gamma: float = 0.005,
    bins: float = 1.5,
    log_scale: float = 1.0,
    ratio_scale: float = 1.0,
    topic_cutoff: float = 10.0,
    compat: bool = False,
) -> Features:
    """All features; unless `compat`, NaN for an empty source, and `worst` for an empty summary.

    >>> features({"a": 1}, {"b": 1}).unsmoothedJSD == log(2)
    True
    """
    if not compat and not source:
        return Features(*[nan] * len(Features._fields))
    if not compat and not summary:
        return worst(source, gamma, bins, log_scale, topic=0.0 if background is not None else nan)
    words = list(dict.fromkeys((*source, *summary)))
    rough = [(plain(source, word), plain(summary, word)) for word in words]
    size = bins * len(source)
    smooth = [
        (smoothed(source, word, gamma, size), smoothed(summary, word, gamma, size))
        for word in words
    ]
    known = idf or {}
    mine, theirs = (
        {word: count * known.get(word, unknown_idf) for word, count in side.items()}
        for side in (summary, source)
    )
    topics = nan, nan, nan
    if background is not None:
        found = topic_words(source, background, topic_cutoff, ratio_scale)
        tokens = sum(count for word, count in summary.items() if word in found)
        topics = (
            tokens / sum(summary.values()) if tokens else 0.0,
            len(found & summary.keys()) / len(found) if tokens else 0.0,
            cosine({word: theirs[word] for word in source if word in found}, mine),
        )
    unigram = fsum(
        count * log10(plain(source, word)) for word, count in summary.items() if word in source
    )
    ways = _log10_factorial(sum(summary.values()))
    return Features(
        log_scale * divergence(smooth),
        log_scale * divergence([(q, p) for p, q in smooth]),
        log_scale * jensen_shannon(rough),
        log_scale * jensen_shannon(smooth),
        cosine(theirs, mine),
        *topics,
        unigram,
        ways - fsum(_log10_factorial(count) for count in summary.values()) + unigram,
    )


def worst(
    source: Counts, gamma: float, bins: float, log_scale: float = 1.0, topic: float = nan
) -> Features:
    """Bounds for summaries of up to `MOST_WORDS` words, `MOST_TYPES` of them distinct.

    A divergence is at most that of the largest probabilities from the smallest. Each p and q adds
    at most (p + q) ln 2 / 2 to the mean of both. The least likely text repeats the rarest word.

    >>> worst({"a": 1, "b": 3}, 0.005, 1.5).unsmoothedJSD == log(2)
    True
    """
    size = bins * len(source)
    shares = [smoothed(source, word, gamma, size) for word in source]
    other = gamma / (sum(source.values()) + gamma * size)
    below = MOST_WORDS + gamma * size
    most = max(1 + gamma, 1 / bins)  # sum of a summary's probabilities
    forward = [p * log(p / (gamma / below)) for p in shares]
    forward.append(MOST_TYPES * other * max(0.0, log(other / ((1 + gamma) / below))))
    rarest = MOST_WORDS * log10(min(plain(source, word) for word in source))
    return Features(
        log_scale * fsum(forward),
        log_scale * most * log(most / other),
        log_scale * log(2),
        log_scale * log(2) * (fsum(shares) + MOST_TYPES * other + most) / 2,
        0.0,
        topic,
        topic,
        topic,
        rarest,
        rarest,
    )


def _log_ratio(p: float, q: float) -> float:
    if p == inf and q == inf:
        return nan
    if inf in (p, q):
        return p if p == inf else -inf
    return log(p / q)


def _sum(terms: Iterator[float]) -> float:
    found = list(terms)
    return nan if any(map(isnan, found)) else fsum(found)


def _times_log(count: int, share: float) -> float:
    return count * log(share) if count else 0.0


def _log10_factorial(n: int) -> float:
    return lgamma(n + 1) / log(10)
