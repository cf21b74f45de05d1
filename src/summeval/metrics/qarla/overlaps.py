"""The definitions of QARLA's similarity metrics, on words and on fragments of documents.

Amigó, Gonzalo, Peñas and Verdejo 2005, "QARLA: A Framework for the Evaluation of Text Summarization
Systems", section 4. The candidate is the contrastive summary of the paper. The similarity to a text
without words or fragments is 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from math import fsum, sqrt

Fragment = tuple[Hashable, Hashable]


def sentence_precision(candidate: Collection[Hashable], reference: Collection[Hashable]) -> float:
    """The number of common fragments divided by that of the reference.

    The paper divides by the reference here and by the candidate in `sentence_recall`, the reverse
    of common use. Repeated fragments count once.

    >>> sentence_precision(["a", "b", "x"], ["a", "b", "c", "d"])
    0.5
    """
    return sentence_recall(reference, candidate)


def sentence_recall(candidate: Collection[Hashable], reference: Collection[Hashable]) -> float:
    """The number of common fragments divided by that of the candidate; see `sentence_precision`.

    >>> round(sentence_recall(["a", "b", "x"], ["a", "b", "c", "d"]), 4)
    0.6667
    """
    own = set(candidate)
    return len(own & set(reference)) / len(own) if own else 0.0


def document_similarity(candidate: Collection[Fragment], reference: Collection[Fragment]) -> float:
    """DocSim: the documents used by both, relative to the fragments of the candidate.

    A fragment is (document, sentence).

    >>> document_similarity([("d1", 1), ("d1", 2)], [("d1", 7), ("d2", 1)])
    0.5
    """
    own = set(candidate)
    common = {document for document, _ in own} & {document for document, _ in reference}
    return len(common) / len(own) if own else 0.0


def word_recall(candidate: Sequence[str], reference: Sequence[str]) -> float:
    """ROUGESim: the share of the reference's words that the candidate has, with multiplicity.

    >>> word_recall(["a", "b", "b"], ["a", "a", "b", "c"])
    0.5
    """
    common = Counter(candidate) & Counter(reference)
    return sum(common.values()) / len(reference) if reference else 0.0


def vector_similarity(
    candidate: Sequence[str], reference: Sequence[str], most: int | None = None
) -> float:
    """VectModelSim: 1/(1 + d), d the Euclidean distance of the relative frequencies of words.

    With `most` it is TruncatedVectModel: only that many words of the reference count, the most
    frequent ones (among equals the first by alphabet); frequencies are relative to all words. The
    paper asks for some decreasing map of d; QARLA does not depend on which.

    >>> round(vector_similarity(["b", "b", "c"], ["a", "a", "a", "b"]), 4)
    0.5207
    >>> round(vector_similarity(["b", "b", "c"], ["a", "a", "a", "b"], most=1), 4)
    0.5714
    """
    if not (candidate and reference):
        return 0.0
    own, other = Counter(candidate), Counter(reference)
    words = sorted(other, key=lambda word: (-other[word], word))[:most]
    if most is None:
        words += sorted(own.keys() - other.keys())
    apart = [own[word] / len(candidate) - other[word] / len(reference) for word in words]
    return 1.0 / (1.0 + sqrt(fsum(difference**2 for difference in apart)))
