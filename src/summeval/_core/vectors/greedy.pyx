"""Greedy matching of token vectors by cosine; the definition is tests/definitions/vectors/greedy.py."""

from libc.stdint cimport int64_t

from summeval._core.rows.parallel cimport FirstFailure


cdef extern from "vectors/greedy.hpp" namespace "summeval" nogil:
    cdef struct TokenVectors:
        const float* rows
        const double* weights
        const int64_t* starts
        int64_t texts, size
    void greedy_pairs(
        const TokenVectors& vectors, const int64_t* left, const int64_t* right, int64_t pairs,
        int workers, double* precision, double* recall, FirstFailure& failed,
    ) except +


def greedy(
    const float[:, ::1] vectors, const double[::1] weights, const int64_t[::1] starts,
    const int64_t[::1] candidates, const int64_t[::1] references, int workers=1
):
    """float64[2, pair]: precision and recall of pairs of texts by the cosines of their tokens.

    vectors[token, size] and weights[token] are those of all texts, one after the other: text t has
    the tokens starts[t] to starts[t + 1]. Pair k compares the texts candidates[k] and
    references[k]. Each token of one text takes the one of the other with the greatest cosine;
    precision is the mean of these over the tokens of the candidate by their weights, recall over
    those of the reference. NaN where a text has no tokens, or none with a weight. A vector of zeros
    has the cosine 0 with any other. Numbers must be finite. Raise ValueError for arrays that do not
    fit each other.
    """
    import numpy as np

    cdef TokenVectors given
    cdef FirstFailure failed
    cdef Py_ssize_t k, texts = starts.shape[0] - 1, pairs = candidates.shape[0]
    if texts < 0 or starts[0] != 0 or starts[texts] != vectors.shape[0]:
        raise ValueError("the starts do not go from 0 to the number of tokens")
    for k in range(texts):
        if starts[k] > starts[k + 1]:
            raise ValueError(f"text {k} ends before it starts")
    if weights.shape[0] != vectors.shape[0]:
        raise ValueError(f"{vectors.shape[0]} vectors but {weights.shape[0]} weights")
    if references.shape[0] != pairs:
        raise ValueError(f"{pairs} candidates but {references.shape[0]} references")
    for k in range(pairs):
        if not (0 <= candidates[k] < texts and 0 <= references[k] < texts):
            raise ValueError(f"pair {k} names a text that is not among the {texts}")
    found = np.full((2, pairs), np.nan)
    if pairs == 0 or vectors.shape[0] == 0:
        return found
    cdef double[:, ::1] view = found
    given.rows = &vectors[0, 0] if vectors.shape[1] else NULL
    given.weights = &weights[0]
    given.starts = &starts[0]
    given.texts = texts
    given.size = vectors.shape[1]
    with nogil:
        greedy_pairs(
            given, &candidates[0], &references[0], pairs, workers, &view[0, 0], &view[1, 0], failed
        )
    if failed.any():
        raise MemoryError("not enough memory to match the tokens; use fewer workers")
    return found
