"""Chains of two labels with links; the definition is tests/definitions/label_chain.py."""

from libc.stdint cimport int64_t

cdef extern from "chains/label_chain.hpp" namespace "summeval" nogil:
    cdef struct ChainSettings:
        int order, most, most_cut, rounds
        double keep, close

    cdef cppclass CppChains "summeval::Chains":
        CppChains() except +
        void plan(
            int64_t documents, const int64_t* document_ptr, const int64_t* parents,
            const ChainSettings& settings,
        ) except +
        int64_t loopy()
        int widest()
        void sums(
            const Potentials& potentials, const double* times, double* log_totals, double* odds,
            double* context, double* link,
        ) except +
        void marginals(const Potentials& potentials, double* odds) except +
        void margins(const Potentials& potentials, double* margins) except +

    cdef cppclass Potentials "summeval::chains::Potentials":
        const double* scores
        const double* context
        const double* link
        bint local


MOST_LABELS, MOST_LABELS_CUT = 12, 7


cdef class Chains:
    """The labels of documents: the order in which they are summed out, and the room for it.

    Parameters
    ----------
    document_ptr : int64[document + 1]
        The labels of document d are those from document_ptr[d] to document_ptr[d + 1].
    parents : int64[label]
        The earlier label of the document, counted from 0 in it, that a label is linked to; or -1.
    order : int
        0 to 3.
    most, most_cut : int
        The largest number of labels in a table, more than `order` and at most 20. If a document
        needs more than `most`, links are cut until `most_cut` are enough.
    rounds, keep, close
        With cut links: the largest number of rounds of messages, the share of a message that stays
        in a round, and the largest change of a final message.

    The methods take float64 arrays. scores[label] is the log potential of label 1; context has that
    of the label y after the k labels h, bit 0 being the earliest, at (2 << k) - 2 + 2 h + y, with
    k = 0 to `order`; link[2 p + y] is that of the label y linked to the label p. With `local`, each
    factor is divided by its sum over y. An object serves one call at a time.
    """

    cdef CppChains chains
    cdef int64_t documents, labels
    cdef int contexts

    def __init__(
        self, const int64_t[::1] document_ptr, const int64_t[::1] parents, int order,
        int most=MOST_LABELS, int most_cut=MOST_LABELS_CUT, int rounds=100, double keep=0.5,
        double close=1e-8
    ):
        cdef ChainSettings settings
        settings.order, settings.most, settings.most_cut = order, most, min(most, most_cut)
        settings.rounds = rounds
        settings.keep, settings.close = keep, close
        cdef const int64_t* some = &parents[0] if parents.shape[0] else NULL
        self.documents = document_ptr.shape[0] - 1
        self.labels = parents.shape[0]
        self.contexts = (4 << order) - 2
        with nogil:
            self.chains.plan(self.documents, &document_ptr[0], some, settings)

    @property
    def loopy(self):
        """The number of documents with cut links."""
        return self.chains.loopy()

    @property
    def widest(self):
        """The number of labels in the largest table."""
        return self.chains.widest()

    def sums(
        self, const double[::1] scores, const double[::1] context, const double[::1] link,
        const double[::1] times
    ):
        """(log partition function[document], log odds[label], numbers as context, as link).

        The numbers are expectations, document d counted times[d] times; documents with times 0 are
        left out.
        """
        import numpy as np

        log_totals, odds = np.zeros(self.documents), np.zeros(self.labels)
        contexts, links = np.zeros(self.contexts), np.zeros(4)
        cdef double[::1] totals_view = log_totals
        cdef double[::1] odds_view = odds
        cdef double[::1] contexts_view = contexts
        cdef double[::1] links_view = links
        cdef Potentials potentials = potentials_of(self, scores, context, link, False)
        if self.labels:
            with nogil:
                self.chains.sums(
                    potentials, &times[0], &totals_view[0], &odds_view[0], &contexts_view[0],
                    &links_view[0],
                )
        return log_totals, odds, contexts, links

    def marginals(
        self, const double[::1] scores, const double[::1] context, const double[::1] link,
        bint local=False
    ):
        """float64[label]: the log odds of label 1."""
        import numpy as np

        odds = np.zeros(self.labels)
        cdef double[::1] view = odds
        cdef Potentials potentials = potentials_of(self, scores, context, link, local)
        if self.labels:
            with nogil:
                self.chains.marginals(potentials, &view[0])
        return odds

    def margins(
        self, const double[::1] scores, const double[::1] context, const double[::1] link,
        bint local=False
    ):
        """float64[label]: log potential of the best labelling with 1 there less that with 0."""
        import numpy as np

        margins = np.zeros(self.labels)
        cdef double[::1] view = margins
        cdef Potentials potentials = potentials_of(self, scores, context, link, local)
        if self.labels:
            with nogil:
                self.chains.margins(potentials, &view[0])
        return margins


cdef Potentials potentials_of(
    Chains chains, const double[::1] scores, const double[::1] context, const double[::1] link,
    bint local
) except *:
    cdef Potentials found
    if scores.shape[0] != chains.labels or context.shape[0] != chains.contexts or link.shape[0] != 4:
        raise ValueError("the potentials do not fit the labels; give one score for each")
    found.scores = &scores[0] if chains.labels else NULL
    found.context = &context[0]
    found.link = &link[0]
    found.local = local
    return found
