"""Texts compared by the likeness of their words: `tesla-e` over rows of texts."""

from libc.stdint cimport int8_t, int16_t
from libcpp.memory cimport make_shared, shared_ptr, unique_ptr
from libcpp.vector cimport vector

from summeval._core.columns.columns cimport View
from summeval._core.rows.arguments cimport (
    NO_CERTIFICATE, RAW, TABLE_TOO_LARGE, failure, read_text
)
from summeval._core.rows.items cimport CppItems, Items, give_places
from summeval._core.rows.kernel cimport TextEngine, TextKernel
from summeval._core.text.analyzer cimport Analyzer, CppAnalyzer


cdef extern from "likeness/graded_rows.hpp" namespace "summeval" nogil:
    cdef cppclass GradedSetup:
        CppAnalyzer forms, stems
        shared_ptr[const CppWordTable] table
        int aggregate
        bint flow

    cdef cppclass GradedEngine(TextEngine, GradedSetup):
        pass

    cdef cppclass CppEncodedText "summeval::EncodedText":
        size_t dimensions

    cdef cppclass EncodedMatching:
        EncodedMatching(const GradedSetup&) except +
        bint read(View, const int16_t*, size_t, size_t, CppEncodedText&) except +
        int score(
            const CppEncodedText&, const CppEncodedText* const*, size_t, double*
        ) except +


cdef extern from "likeness/graded_items.hpp" namespace "summeval" nogil:
    cdef struct GradedView:
        View text
        const int16_t* vectors
        size_t dimensions

    cdef cppclass GradedTeller:
        GradedTeller(const GradedSetup&, bint) except +
        int tell(const vector[GradedView]&, const vector[size_t]&, double, CppItems&) except +


AGGREGATES = {"max": 0, "average": 1, "best": 2}
cdef tuple FIELDS = ("recall", "precision", "pair", "flow", "value")
cdef dict MESSAGES = {
    TABLE_TOO_LARGE: (
        "the texts have too many different words: 2^27 pairs of them are compared, as two texts "
        "with 11,000 each have; shorten them"
    ),
    NO_CERTIFICATE: "rounding kept the flow from an optimum that can be proved; please report it",
}
# A pair takes so long that shorter texts are scored without the GIL, too.
cdef enum:
    HOLD_GIL_BYTES = 1024


cdef class WordTable:
    """Words with a weight each, the first of them with a vector; the arrays are not copied.

    Parameters
    ----------
    words : bytes
        UTF-8, each followed by a newline; a word that comes again keeps its first place.
    vectors : int8 or int16 array [vectors, dimensions]
        Of the first words, of a length of at most 32,768 each; the dimensions may be 0.
    weights : float64 array [words]
        Above 0.
    unknown : float
        The weight of other words.

    Raises
    ------
    ValueError
        If there are not as many words as weights, or fewer than vectors.
    """

    def __init__(self, const unsigned char[::1] words, vectors, const double[::1] weights, double unknown):
        cdef const signed char[:, ::1] narrow = None
        cdef const short[:, ::1] wide = None
        cdef const int8_t* first = NULL
        cdef const int16_t* other = NULL
        cdef Py_ssize_t size = weights.shape[0]
        cdef Py_ssize_t rows, dimensions
        if memoryview(vectors).itemsize == 1:
            narrow = vectors
            rows, dimensions = narrow.shape[0], narrow.shape[1]
            if rows and dimensions:
                first = <const int8_t*> &narrow[0, 0]
        else:
            wide = vectors
            rows, dimensions = wide.shape[0], wide.shape[1]
            if rows and dimensions:
                other = <const int16_t*> &wide[0, 0]
        if rows > size:
            raise ValueError(f"{size} weights but {rows} vectors")
        self.vectors = vectors
        self.weights = weights
        self.table = make_shared[CppWordTable]()
        if not self.table.get().set(
            <const char*> (&words[0] if words.shape[0] else NULL),
            words.shape[0],
            first,
            other,
            rows,
            dimensions,
            &weights[0] if size else NULL,
            size,
            unknown,
        ):
            raise ValueError(f"not {size} words that each end in a newline")


cdef class EncodedText:
    """A text that a `LikenessKernel` has read, whose words have vectors in context."""

    cdef CppEncodedText cpp


cdef class LikenessKernel(TextKernel):
    """One `tesla-e`, ready to score.

    `forms` and `stems` read the same tokens: as they are, function words flagged; and their stems.
    `aggregate` is one of AGGREGATES.
    """

    cdef GradedEngine* graded
    cdef WordTable words
    cdef unique_ptr[GradedTeller] teller  # while no thread uses it
    cdef unique_ptr[EncodedMatching] encoded  # used under the lock of the interpreter

    def __cinit__(self):
        self.graded = new GradedEngine()
        self.engine.reset(self.graded)

    def __init__(
        self, Analyzer forms, Analyzer stems, WordTable table, str name, str aggregate
    ):
        self.fields, self.primary = FIELDS, 4
        self.describe(
            (name,), MESSAGES, forms.cpp.tokenizer == RAW, "references", HOLD_GIL_BYTES
        )
        self.words = table
        self.graded.forms = forms.cpp
        self.graded.stems = stems.cpp
        self.graded.table = <shared_ptr[const CppWordTable]> table.table
        self.graded.aggregate = AGGREGATES[aggregate]

    def without_flow(self) -> LikenessKernel:
        """The same with 0 for `flow`."""
        cdef LikenessKernel other = LikenessKernel.__new__(LikenessKernel)
        other.fields, other.primary = FIELDS, 4
        other.describe(self.names, MESSAGES, self.raw, self.against, self.hold_gil)
        other.words = self.words
        other.graded.forms, other.graded.stems = self.graded.forms, self.graded.stems
        other.graded.table = self.graded.table
        other.graded.aggregate, other.graded.flow = self.graded.aggregate, False
        return other

    def encode(self, bytes words, const short[:, ::1] vectors) -> EncodedText:
        """A text by its words, each followed by the byte 0xFF, and their vectors [word, dimension].

        The analyzers are those of "split"; vectors have a length of at most 32,768. ValueError if
        there are not as many words.
        """
        cdef EncodedText text = EncodedText.__new__(EncodedText)
        cdef const short* first = NULL
        if not self.encoded:
            self.encoded.reset(new EncodedMatching(self.graded[0]))
        if vectors.shape[0] and vectors.shape[1]:
            first = &vectors[0, 0]
        if not self.encoded.get().read(
            View(<const char*> words, len(words)), <const int16_t*> first, vectors.shape[0],
            vectors.shape[1], text.cpp
        ):
            raise ValueError(f"{vectors.shape[0]} vectors, but another number of words")
        return text

    def score_encoded(self, EncodedText candidate, tuple references) -> dict:
        """Scores of one candidate against at least one reference: {name: Score}."""
        cdef vector[const CppEncodedText*] others
        cdef vector[double] values
        cdef EncodedText reference
        cdef int status
        if not self.encoded:
            self.encoded.reset(new EncodedMatching(self.graded[0]))
        for reference in references:
            if reference.cpp.dimensions != candidate.cpp.dimensions and candidate.cpp.dimensions and (
                reference.cpp.dimensions
            ):
                raise ValueError(
                    f"vectors of {candidate.cpp.dimensions} dimensions and of"
                    f" {reference.cpp.dimensions}"
                )
            others.push_back(&reference.cpp)
        if others.empty():
            return self.finish(values)
        values.resize(len(FIELDS))
        status = self.encoded.get().score(
            candidate.cpp, others.data(), others.size(), values.data()
        )
        if status:
            raise failure(status, "candidate or references", MESSAGES)
        return self.collect(values)

    def items(self, tuple texts, tuple chosen, double value, tuple tokens=()) -> Items:
        """What the value of the first text beside some of the others comes from.

        Parameters
        ----------
        texts : tuple of str
        chosen : tuple of int
            Numbers, from 0, of the references that count.
        value : float
            Their mean, to which the shares add up.
        tokens : tuple, optional
            Of each text its tokens, in the form of the analyzer's "split", where they begin and end,
            as sequences of int, their forms, and their vectors in context or None; where Python
            makes them.
        """
        cdef Items explained = Items.__new__(Items)
        cdef unique_ptr[GradedTeller] teller
        cdef vector[GradedView] views
        cdef vector[size_t] counting
        cdef GradedView view
        cdef const short[:, ::1] vectors
        cdef int status
        cdef size_t k
        cdef list held = []
        for k in range(<size_t> len(texts)):
            read_text(tokens[k][0] if tokens else texts[k], "text", &view.text, tokens != ())
            view.vectors = NULL
            view.dimensions = 0
            if tokens and tokens[k][4] is not None:
                vectors = tokens[k][4]
                held.append(vectors)
                view.dimensions = vectors.shape[1]
                if vectors.shape[0] and vectors.shape[1]:
                    view.vectors = <const int16_t*> &vectors[0, 0]
                if vectors.shape[0] != len(tokens[k][1]):
                    raise ValueError(f"{vectors.shape[0]} vectors, but another number of words")
            views.push_back(view)
        for number in chosen:
            counting.push_back(number + 1)
        if not tokens:
            teller.swap(self.teller)
        if not teller:
            teller.reset(new GradedTeller(self.graded[0], tokens != ()))
        with nogil:
            status = teller.get().tell(views, counting, value, explained.cpp)
        if status:
            raise failure(status, "candidate or references", MESSAGES)
        explained.joiner, explained.texts, explained.folds = " ", texts, True
        if tokens:
            give_places(tokens, explained.cpp.texts)
            explained.forms = tuple([each[3] for each in tokens])
        else:
            self.teller.swap(teller)
        return explained
