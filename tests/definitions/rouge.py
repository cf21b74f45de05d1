"""ROUGE by its definition: tokens, counts, scores.

The measures are those of ROUGE-1.5.5 (Lin 2004, "ROUGE: a package for automatic evaluation of
summaries") and, for ``rougeL``, those of the Python package rouge-score. All strings are bytes; a
text has one sentence per line. Stemming and stop words are passed in.

A measure is named ``rouge1`` … ``rouge9``, ``rougeL`` (one longest common subsequence over the
whole text), ``rougeLsum`` (the ROUGE-L of the Perl script), ``rougeW-1.2``, ``rougeS4``,
``rougeSU4``, ``rougeS*``, ``rougeSU*``. Confidence intervals resample rows as the script does.
"""

import operator
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from definitions.text.tokens import rouge155

Tokens = list[bytes]
Key = tuple[bytes, ...]

_MEASURE = re.compile(
    r"rouge(?:(?P<n>[1-9][0-9]*)|(?P<l>L)|(?P<lsum>Lsum)|W-(?P<w>.+)|(?P<s>SU?)(?P<gap>\*|[0-9]+))"
)


class Count(NamedTuple):
    """The overlap of one candidate and one reference.

    ``base`` is the denominator of the recall by which the best reference is chosen; it differs from
    ``reference`` for ROUGE-W only.
    """

    hits: float
    reference: float
    candidate: float
    base: float


class RougeScore(NamedTuple):
    """Precision, recall and F-measure."""

    precision: float
    recall: float
    fmeasure: float


@dataclass(frozen=True)
class RougeMeasure:
    """A parsed name of a measure.

    >>> parse_measure("rougeSU4")
    RougeMeasure(family='SU', n=0, gap=4, weight=1.0)
    """

    family: str
    n: int = 0
    gap: int = -1
    weight: float = 1.0


def parse_measure(name: str) -> RougeMeasure:
    """Parse a measure's name; ValueError if it is unknown."""
    match = _MEASURE.fullmatch(name)
    if match is None:
        raise ValueError(f"unknown measure {name!r}")
    if match["n"]:
        return RougeMeasure("N", n=int(match["n"]))
    if match["w"]:
        return RougeMeasure("W", weight=float(match["w"]))
    if match["s"]:
        return RougeMeasure(match["s"], gap=-1 if match["gap"] == "*" else int(match["gap"]))
    return RougeMeasure("L" if match["l"] else "Lsum")


# Text


def split_words(sentence: bytes) -> list[bytes]:
    """Split as Perl does: leading blanks give an empty word, trailing blanks do not.

    >>> split_words(b" a  b ")
    [b'', b'a', b'b']
    """
    words = re.split(rb"[ \t\n\r\f\v]+", sentence)
    while words and not words[-1]:
        words.pop()
    return words


def limit_words(sentences: Sequence[bytes], limit: int) -> list[bytes]:
    """Keep the first ``limit`` words (-l).

    >>> limit_words([b"a b", b"c  d e"], 4)
    [b'a b', b'c d']
    """
    kept: list[bytes] = []
    used = 0
    for sentence in sentences:
        words = split_words(sentence)
        if used + len(words) >= limit:
            return [*kept, b" ".join(words[: limit - used])]
        kept.append(sentence)
        used += len(words)
    return kept


def limit_bytes(sentences: Sequence[bytes], limit: int, running: bool) -> list[bytes]:
    """Keep the first ``limit`` bytes (-b), without counting the blanks that join sentences.

    Without ``running`` the bytes of earlier sentences are not counted, as in the script's ROUGE-L
    and ROUGE-W: each sentence is kept until one alone has ``limit`` bytes.

    >>> limit_bytes([b"abc", b"defg", b"hi"], 4, running=True)
    [b'abc', b'd']
    >>> limit_bytes([b"abc", b"defg", b"hi"], 4, running=False)
    [b'abc', b'defg']
    """
    kept: list[bytes] = []
    used = 0
    for sentence in sentences:
        if used + len(sentence) >= limit:
            return [*kept, sentence[: limit - used]]
        kept.append(sentence)
        if running:
            used += len(sentence)
    return kept


@dataclass(frozen=True)
class RougeText:
    """A prepared text, the input of the measures.

    ``flat`` is the whole (limited) text; ``sentences`` is what ROUGE-L and ROUGE-W read, which
    differs from it under a limit in bytes.
    """

    flat: Tokens
    sentences: list[Tokens]


def analyse(
    text: bytes,
    *,
    stem: Callable[[bytes], bytes] | None = None,
    stopwords: Collection[bytes] = frozenset(),
    max_words: int = 0,
    max_bytes: int = 0,
    tokenizer: Callable[[bytes], Tokens] = rouge155,
) -> RougeText:
    """Limit, tokenise, drop stop words, stem tokens of more than three bytes; in this order."""

    def analyse_sentence(sentence: bytes) -> Tokens:
        kept = [token for token in tokenizer(sentence) if token not in stopwords]
        return [stem(token) if stem and len(token) > 3 else token for token in kept]

    lines = [line for line in text.lower().split(b"\n") if line]
    limited = whole = lines
    if max_words:
        limited = whole = limit_words(lines, max_words)
    elif max_bytes:
        whole = limit_bytes(lines, max_bytes, running=True)
        limited = limit_bytes(lines, max_bytes, running=False)
    flat = [token for line in whole for token in analyse_sentence(line)]
    return RougeText(flat, [analyse_sentence(line) for line in limited])


# Counts


def ngrams(words: Tokens, n: int) -> Counter[Key]:
    """Every run of n tokens, with its number."""
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def skip_bigrams(words: Tokens, gap: int, unigrams: bool) -> Counter[Key]:
    """Every pair with at most ``gap`` tokens between (a negative gap: any number).

    The script adds the unigrams while it walks the first words of pairs, so the last token of a
    text has none.
    """
    found: Counter[Key] = Counter()
    for i in range(len(words) - 1):
        if unigrams:
            found[(words[i],)] += 1
        end = len(words) if gap < 0 else min(len(words), i + gap + 2)
        found.update((words[i], words[j]) for j in range(i + 1, end))
    return found


def clipped(reference: Counter[Key], candidate: Counter[Key]) -> Count:
    """Hits of two multisets: each unit counts with the smaller of its two counts."""
    total = float(reference.total())
    return Count(float((reference & candidate).total()), total, float(candidate.total()), total)


def common_pairs(rows: Tokens, columns: Tokens, weight: float) -> dict[int, int]:
    """Positions in ``rows`` of one longest common subsequence, and where it is in ``columns``.

    Runs of k neighbours weigh k^weight. If there are several, the script's choice: equal tokens are
    always paired; otherwise a row is dropped unless dropping a column costs less.
    """
    best = [[0.0] * (len(columns) + 1) for _ in range(len(rows) + 1)]
    run = [[0] * (len(columns) + 1) for _ in range(len(rows) + 1)]
    for i, row in enumerate(rows, start=1):
        for j, column in enumerate(columns, start=1):
            if row == column:
                k = run[i - 1][j - 1]
                gain = best[i - 1][j - 1] + float(k + 1) ** weight
                best[i][j] = gain - float(k) ** weight
                run[i][j] = k + 1
            else:
                best[i][j] = max(best[i - 1][j], best[i][j - 1])
    found = {}
    i, j = len(rows), len(columns)
    while i and j:
        if rows[i - 1] == columns[j - 1]:
            i, j = i - 1, j - 1
            found[i] = j
        elif best[i - 1][j] >= best[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found


def union_hits(reference: RougeText, candidate: RougeText, measure: RougeMeasure) -> float:
    """Hits of the summary-level ROUGE-L and ROUGE-W.

    The positions of a reference sentence in its subsequences with all candidate sentences are
    united. A position counts as long as both texts have its token left. In ROUGE-W a run of
    positions ends where the next is in no subsequence; positions without a token left neither end
    nor lengthen it, and a run still open at the end of its sentence is lost.
    """
    left = Counter(reference.flat) & Counter(candidate.flat)
    hits = 0.0
    for sentence in reference.sentences:
        mask: set[int] = set()
        for other in candidate.sentences:
            mask |= common_pairs(sentence, other, measure.weight).keys()
        run = 0
        for position in sorted(mask):
            if not left[sentence[position]]:
                continue
            left[sentence[position]] -= 1
            run += 1
            if measure.family == "Lsum":
                hits += 1
            elif position + 1 not in mask:
                hits += float(run) ** measure.weight
                run = 0
    return hits


def runs(
    reference: RougeText, candidate: RougeText, measure: RougeMeasure
) -> list[tuple[float, list[int], list[int]]]:
    """The runs of common subsequences: weight, and tokens of the reference and the candidate.

    As in `count`, over the whole texts of ROUGE-L and by sentences of others. Of several partners
    of a token the first counts. A run of ROUGE-L is one on both sides.
    """
    whole = measure.family == "L"
    theirs = [reference.flat] if whole else reference.sentences
    mine = [candidate.flat] if whole else candidate.sentences
    left = Counter(reference.flat) & Counter(candidate.flat)
    found: list[tuple[float, list[int], list[int]]] = []
    begin = 0
    for sentence in theirs:
        partners: dict[int, int] = {}
        first = 0
        for other in mine:
            for row, column in common_pairs(sentence, other, measure.weight).items():
                partners.setdefault(row, first + column)
            first += len(other)
        rows: list[int] = []
        for row in sorted(partners):
            if not whole:
                if not left[sentence[row]]:
                    continue
                left[sentence[row]] -= 1
            apart = rows and (row, partners[row]) != (rows[-1] + 1, partners[rows[-1]] + 1)
            if measure.family != "W" and apart:
                found.append(_run(float(len(rows)), rows, partners, begin))
                rows = []
            rows.append(row)
            if measure.family == "W" and row + 1 not in partners:
                found.append(_run(float(len(rows)) ** measure.weight, rows, partners, begin))
                rows = []
        if rows:
            weight = 0.0 if measure.family == "W" else float(len(rows))
            found.append(_run(weight, rows, partners, begin))
        begin += len(sentence)
    return found


def _run(
    weight: float, rows: list[int], partners: dict[int, int], begin: int
) -> tuple[float, list[int], list[int]]:
    return weight, [begin + row for row in rows], [partners[row] for row in rows]


def count(reference: RougeText, candidate: RougeText, measure: RougeMeasure) -> Count:
    """The four numbers of one measure for one reference and one candidate."""
    if measure.family == "N":
        return clipped(ngrams(reference.flat, measure.n), ngrams(candidate.flat, measure.n))
    if measure.family in ("S", "SU"):
        unigrams = measure.family == "SU"
        return clipped(
            skip_bigrams(reference.flat, measure.gap, unigrams),
            skip_bigrams(candidate.flat, measure.gap, unigrams),
        )
    tokens_read = float(len(candidate.flat))
    if measure.family == "L":
        hits = float(len(common_pairs(reference.flat, candidate.flat, 1.0)))
        return Count(hits, float(len(reference.flat)), tokens_read, float(len(reference.flat)))
    hits = union_hits(reference, candidate, measure)
    base = added(float(len(sentence)) ** measure.weight for sentence in reference.sentences)
    # The script applies the weight to the denominator of recall a second time.
    return Count(hits, base**measure.weight, tokens_read**measure.weight, base)


def added(numbers: Iterable[float]) -> float:
    """The sum as in the script; from Python 3.12 on, sum() compensates rounding errors."""
    return reduce(operator.add, numbers, 0.0)


# Scores


def rounded(value: float, digits: int | None) -> float:
    """The decimal that sprintf prints: the exact value of the double, rounded."""
    return value if digits is None else float(f"{value:.{digits}f}")


def ratio(hits: float, total: float, weight: float = 1.0) -> float:
    """hits/total under the inverse of f(k) = k^weight; 0 if total is 0."""
    return (hits / total) ** (1.0 / weight) if total else 0.0


def fmeasure(precision: float, recall: float, alpha: float) -> float:
    """The weighted harmonic mean; alpha=1 gives precision, alpha=0 recall."""
    denominator = (1.0 - alpha) * precision + alpha * recall
    return precision * recall / denominator if denominator > 0.0 else 0.0


def score(
    found: Count, measure: RougeMeasure, *, alpha: float = 0.5, digits: int | None = None
) -> RougeScore:
    """Precision, recall and F of one count; with ``digits`` each rounded, F from the rounded."""
    recall = rounded(ratio(found.hits, found.reference, measure.weight), digits)
    precision = rounded(ratio(found.hits, found.candidate, measure.weight), digits)
    return RougeScore(precision, recall, rounded(fmeasure(precision, recall, alpha), digits))


def pool(
    counts: Sequence[Count],
    measure: RougeMeasure,
    *,
    aggregate: str = "average",
    alpha: float = 0.5,
    digits: int | None = None,
) -> Count:
    """Combine the counts of several references.

    ``average`` sums them (-f A), ``best`` takes the reference with the highest recall (-f B),
    ``max`` the one with the highest F, as rouge-score's ``score_multi``. The first wins a tie.
    """
    if aggregate == "average":
        return Count(*map(added, zip(*counts, strict=True)))

    def recall(found: Count) -> float:
        # L and W compare doubles; the others compare values rounded to five decimals.
        places = None if measure.family in ("L", "Lsum", "W") else 5
        return rounded(ratio(found.hits, found.base, measure.weight), places)

    def quality(found: Count) -> float:
        return score(found, measure, alpha=alpha, digits=digits).fmeasure

    return max(counts, key=recall if aggregate == "best" else quality)


def aggregate_score(
    counts: Sequence[Count],
    measure: RougeMeasure,
    *,
    aggregate: str = "average",
    alpha: float = 0.5,
    digits: int | None = None,
    jackknife: bool = False,
) -> RougeScore:
    """The score against several references.

    With ``jackknife`` the mean over the sets that leave one reference out (Lin 2004, section 2);
    with one reference the score against it.
    """
    if jackknife and len(counts) > 1:
        parts = [
            aggregate_score(
                [*counts[:k], *counts[k + 1 :]],
                measure,
                aggregate=aggregate,
                alpha=alpha,
                digits=digits,
            )
            for k in range(len(counts))
        ]
        return RougeScore(*(added(column) / len(parts) for column in zip(*parts, strict=True)))
    pooled = pool(counts, measure, aggregate=aggregate, alpha=alpha, digits=digits)
    return score(pooled, measure, alpha=alpha, digits=digits)


def drand48(seed: int) -> Iterator[float]:
    """The numbers of POSIX drand48 after srand48(seed): what Perl's rand returns.

    >>> [round(value, 6) for value, _ in zip(drand48(0), range(3))]
    [0.170828, 0.749902, 0.096372]
    """
    state = (seed << 16) + 0x330E
    while True:
        state = (state * 0x5DEECE66D + 0xB) % 2**48
        yield state / 2**48


def resample_sums(values: Sequence[Sequence[float]], samples: int) -> list[list[float]]:
    """Sum the rows of each sample, column by column, in the order drawn.

    Sample s takes as many rows as there are, with replacement, by drand48 seeded with s; all
    columns share the draw.

    >>> resample_sums([[1.0, 10.0], [2.0, 20.0]], 2)
    [[3.0, 30.0], [2.0, 20.0]]
    """
    sums = []
    for seed in range(samples):
        random = drand48(seed)
        drawn = [values[int(next(random) * len(values))] for _ in values]
        sums.append([added(column) for column in zip(*drawn, strict=True)])
    return sums
