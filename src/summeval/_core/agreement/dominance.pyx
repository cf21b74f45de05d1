"""QUEEN, KING and JACK by bitsets; the definition is tests/definitions/dominance.py."""

from libc.stdint cimport int64_t

from summeval._core.rows.parallel cimport FirstFailure


cdef extern from "agreement/dominance.hpp" namespace "summeval" nogil:
    cdef struct Similarities:
        const double* values
        int64_t metrics, texts, models, stride


cdef extern from "agreement/dominance_sets.hpp" namespace "summeval" nogil:
    void cpp_king_counts "summeval::king_counts"(
        const Similarities& s, int reading, bint ties_win, bint merged, int64_t sets, int workers,
        int64_t* counts, FirstFailure& failed,
    ) except +
    void cpp_jack_counts "summeval::jack_counts"(
        const Similarities& s, int reading, int variant, bint merged, int64_t sets, int workers,
        int64_t* counts, FirstFailure& failed,
    ) except +
    void cpp_peer_hits "summeval::peer_hits"(
        const Similarities& s, int reading, int workers, int64_t* hits, FirstFailure& failed
    ) except +
    void cpp_set_hits "summeval::set_hits"(
        const Similarities& s, int reading, int workers, int64_t* hits, FirstFailure& failed
    ) except +
    cdef struct RowsOfSets:
        Similarities sets
        const int64_t* cells
        const int64_t* sizes
        const double* peers
        int64_t items
        const int64_t* begins
        const int64_t* set_of_row
        int64_t rows
    void cpp_row_hits "summeval::row_hits"(
        const RowsOfSets& s, int reading, int workers, int64_t* hits, FirstFailure& failed
    ) except +
    void cpp_left_out_hits "summeval::left_out_hits"(
        const Similarities& s, int reading, int workers, int64_t* hits, FirstFailure& failed
    ) except +


ctypedef void (*Counting)(
    const Similarities& s, int reading, int workers, int64_t* hits, FirstFailure& failed
) except + nogil

TRIPLES = ("pairs", "distinct", "all")
VARIANTS = ("one_sided", "both_sides", "queen_positive")


MOST_METRICS = 30  # a set of metrics is a bit mask
MOST_MODELS = 1 << 20  # so that the number of triples fits an int64


cdef Similarities whole(
    const double[:, :, ::1] values, int64_t models, bint every_set=False
) except *:
    """Raise ValueError for shapes that would make the loops read outside their arrays."""
    cdef Similarities s
    if values.shape[0] < 1 or values.shape[1] != values.shape[2]:
        raise ValueError("similarities are no [metric, text, text] of one metric or more")
    if every_set and values.shape[0] > MOST_METRICS:
        raise ValueError(f"{values.shape[0]} metrics; give at most {MOST_METRICS}")
    if not 0 <= models <= values.shape[1]:
        raise ValueError(f"{models} models of {values.shape[1]} texts; give as many at most")
    s.values = &values[0, 0, 0] if values.shape[1] else NULL
    s.metrics = values.shape[0]
    s.texts = values.shape[1]
    s.models = models
    s.stride = s.texts * s.texts
    return s


cdef int check(FirstFailure& failed) except -1:
    if failed.any():
        raise MemoryError("not enough memory for the sets of metrics; use fewer workers")
    return 0


def king_counts(
    const double[:, :, ::1] similarities, int64_t models, str triples, bint ties_win,
    bint every_set, int workers=1
):
    """int64[set]: how many models win. A set has one bit per metric; or set 1 is all metrics."""
    import numpy as np

    cdef Similarities s = whole(similarities, models, every_set)
    cdef int reading = TRIPLES.index(triples)
    counts = np.zeros(1 << (<object> s.metrics if every_set else 1), dtype=np.int64)
    cdef int64_t[::1] view = counts
    cdef int64_t sets = view.shape[0]
    cdef FirstFailure failed
    with nogil:
        cpp_king_counts(s, reading, ties_win, not every_set, sets, workers, &view[0], failed)
    check(failed)
    return counts


def jack_counts(
    const double[:, :, ::1] similarities, int64_t models, str variant, str triples, bint every_set,
    int workers=1
):
    """int64[set]: for how many models such peers as JACK asks for exist; sets as in king_counts."""
    import numpy as np

    cdef Similarities s = whole(similarities, models, every_set)
    cdef int reading = TRIPLES.index(triples)
    cdef int way = VARIANTS.index(variant)
    cdef int64_t sets = (<int64_t> 1) << (s.metrics if every_set else 1)
    counts = np.zeros(sets, dtype=np.int64)
    cdef int64_t[::1] view = counts
    cdef FirstFailure failed
    with nogil:
        cpp_jack_counts(s, reading, way, not every_set, sets, workers, &view[0], failed)
    check(failed)
    return counts


cdef object hits_of(
    Counting counting, const double[:, :, ::1] similarities, int64_t models, str triples,
    int workers, tuple shape, bint every_set=False,
):
    """Return what is counted, int64 of that shape."""
    import numpy as np

    cdef Similarities s = whole(similarities, models, every_set)
    cdef int reading = TRIPLES.index(triples)
    hits = np.zeros(shape, dtype=np.int64)
    cdef int64_t[::1] view = hits.reshape(-1)
    cdef FirstFailure failed
    if view.shape[0]:
        with nogil:
            counting(s, reading, workers, &view[0], failed)
    check(failed)
    return hits


def peer_hits(
    const double[:, :, ::1] similarities, int64_t models, str triples, int workers=1
):
    """int64[peer]: how many triples of the models each peer dominates under every metric."""
    shape = (similarities.shape[1] - models,)
    return hits_of(cpp_peer_hits, similarities, models, triples, workers, shape)


def set_hits(
    const double[:, :, ::1] similarities, int64_t models, str triples, int workers=1
):
    """int64[set, peer]: the same under every set of metrics; set i has metric j if i >> j & 1."""
    shape = 1 << <object> similarities.shape[0], similarities.shape[1] - models
    return hits_of(cpp_set_hits, similarities, models, triples, workers, shape, True)


def left_out_hits(
    const double[:, :, ::1] similarities, int64_t models, str triples, int workers=1
):
    """int64[model, 1 + peer]: how many triples of the other models it and each peer dominate."""
    shape = models, 1 + similarities.shape[1] - models
    return hits_of(cpp_left_out_hits, similarities, models, triples, workers, shape)


def row_hits(
    const double[:, ::1] sets, const int64_t[::1] sizes, const double[:, ::1] peers,
    const int64_t[::1] set_of_row, str triples, int workers=1
):
    """int64[row]: how many triples of the models of its set each text dominates under every metric.

    sets[metric, cell] has the similarities of the models of one set after the other, of each
    [candidate, reference]; sizes[set] says how many models there are. peers[metric, item] has the
    similarities of one text after the other with the models of its set, which set_of_row[row]
    names. Raise ValueError for arrays that do not fit each other.
    """
    import numpy as np

    cdef RowsOfSets s
    cdef int reading = TRIPLES.index(triples)
    cdef int64_t rows = set_of_row.shape[0]
    cdef Py_ssize_t i
    cdef FirstFailure failed
    if sets.shape[0] < 1 or sets.shape[0] != peers.shape[0]:
        raise ValueError(f"{sets.shape[0]} metrics of the sets, {peers.shape[0]} of the texts")
    cells = np.zeros(sizes.shape[0] + 1, dtype=np.int64)
    begins = np.zeros(rows + 1, dtype=np.int64)
    hits = np.zeros(rows, dtype=np.int64)
    cdef int64_t[::1] cell_view = cells, begin_view = begins, view = hits
    for i in range(sizes.shape[0]):
        if not 0 <= sizes[i] <= MOST_MODELS:
            raise ValueError(f"set {i} has {sizes[i]} models; give at most {MOST_MODELS}")
        cell_view[i + 1] = cell_view[i] + sizes[i] * sizes[i]
    for i in range(rows):
        if not 0 <= set_of_row[i] < sizes.shape[0]:
            raise ValueError(f"row {i} names set {set_of_row[i]} of {sizes.shape[0]}")
        begin_view[i + 1] = begin_view[i] + sizes[set_of_row[i]]
    if (cell_view[sizes.shape[0]], begin_view[rows]) != (sets.shape[1], peers.shape[1]):
        raise ValueError("the similarities are not as many as the sets and the rows need")
    if rows == 0 or peers.shape[1] == 0:
        return hits
    s.sets = Similarities(&sets[0, 0], sets.shape[0], 0, 0, sets.shape[1])
    s.cells, s.sizes, s.peers = &cell_view[0], &sizes[0], &peers[0, 0]
    s.items, s.rows = peers.shape[1], rows
    s.begins, s.set_of_row = &begin_view[0], &set_of_row[0]
    with nogil:
        cpp_row_hits(s, reading, workers, &view[0], failed)
    check(failed)
    return hits
