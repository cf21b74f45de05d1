"""How different the texts of groups are; the definition is tests/definitions/field/diversity.py."""

from libc.stdint cimport int64_t

from summeval._core.columns.columns cimport TextColumn
from summeval._core.field.tokens import TOKENIZERS as _TOKENIZERS
from summeval._core.rows.arguments cimport NO_MEMORY
from summeval._core.rows.parallel cimport FirstFailure
from summeval._core.text.views cimport View


cdef extern from "field/grams/diversity.hpp" namespace "summeval" nogil:
    cdef cppclass DiversitySetup:
        int tokenizer
        double near

    const size_t TEXT_FIELDS "summeval::DiversitySetup::TEXT_FIELDS"
    const size_t GROUP_FIELDS "summeval::DiversitySetup::GROUP_FIELDS"

    void read_groups(
        const View*, const View*, const int64_t*, int64_t, const DiversitySetup&, int, double*,
        double*, FirstFailure&
    ) except +


def read(
    TextColumn tokens not None, TextColumn texts not None, str tokenizer not None, double near,
    int workers=1
):
    """Two arrays: float64[group, field] and float64[text, field].

    Both columns have a list of texts in each row: `tokens` for the tokenizer, one of `TOKENIZERS`,
    and `texts` as they were given. Fields of a text: self-BLEU of the orders up to 2, 3 and 4,
    distinct n-grams of orders 1 to 4, self-repetition, mean ROUGE-L beside the others, 1 if another
    is near it, else 0. Fields of a group: the means of these, distinct n-grams of orders 1 to 4,
    their entropies, n-gram diversity. Raise ValueError for a group beyond 1 GiB.
    """
    import numpy as np

    cdef DiversitySetup setup
    cdef FirstFailure failed
    cdef int64_t group, groups = texts.size
    if tokens.row_offsets == NULL or texts.row_offsets == NULL or tokens.size != groups:
        raise ValueError("the columns must have as many lists")
    for group in range(groups + 1):
        if tokens.row_offsets[group] != texts.row_offsets[group]:
            raise ValueError(f"the lists of row {group - 1} differ in length")
    setup.tokenizer = _TOKENIZERS[tokenizer]
    setup.near = near
    cdef int64_t first = texts.row_offsets[0], count = texts.row_offsets[groups]
    found = np.empty((groups, GROUP_FIELDS))
    each = np.empty((count, TEXT_FIELDS))
    cdef double[:, ::1] out = found
    cdef double[:, ::1] rows = each
    if groups:
        with nogil:
            read_groups(
                tokens.views, texts.views, texts.row_offsets, groups, setup, workers, &out[0, 0],
                &rows[0, 0] if count else NULL, failed
            )
    if failed.any() and failed.status() == NO_MEMORY:
        raise MemoryError(f"groups[{failed.row()}] takes more memory than there is")
    if failed.any():
        raise ValueError(f"groups[{failed.row()}] is longer than 1 GiB; shorten it")
    return found, each[first:]
