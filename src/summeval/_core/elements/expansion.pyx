"""The matches of Basic Elements by transformations; see summeval.elements.transformations."""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.string cimport string
from libcpp.string_view cimport string_view
from libcpp.unordered_set cimport unordered_set
from libcpp.vector cimport vector

from summeval._core.elements.extraction cimport Cut, Elements
from summeval._core.rows.parallel cimport FirstFailure, Pool

from summeval._core.elements.extraction import Elements as _Elements


cdef extern from "<array>" namespace "std" nogil:
    cdef cppclass Coefficients "std::array<double, summeval::KINDS>":
        double& operator[](size_t)


cdef extern from "elements/lexicon.hpp" namespace "summeval" nogil:
    int KINDS

    cdef cppclass Words "summeval::Lexicon::Words":
        vector[uint32_t]& operator[](uint32_t)
        size_t count(uint32_t)

    cdef cppclass CppLexicon "summeval::Lexicon":
        Coefficients coefficients
        cbool original, hyper
        Words prepositions, places, words
        uint32_t tabled
        void open(const unsigned char*, uint32_t) except +
        uint32_t intern(const string&) except +
        uint32_t strings()
        void weigh(const Coefficients&) except +


cdef extern from "elements/names.hpp" namespace "summeval" nogil:
    cdef cppclass NameLists:
        unordered_set[string] titles, suffixes

    cdef cppclass Person "summeval::names::Person":
        string text, initials, last
        vector[string] others

    Person person "summeval::names::person"(string_view, const NameLists&, cbool) except +
    vector[string] acronyms "summeval::names::acronyms"(string_view, int, const NameLists&) except +
    cbool shortened "summeval::names::shortened"(
        string_view, int, const NameLists&, cbool, string&
    ) except +
    cbool redotted "summeval::names::redotted"(string_view, string&) except +


cdef extern from "elements/registry.hpp" namespace "summeval" nogil:
    cdef cppclass CppElement "summeval::Element":
        pass

    cdef cppclass CppDocument "summeval::Document":
        vector[CppElement] elements

    cdef cppclass PartKind:
        int group, cls
        cbool plural

    cdef cppclass Caller:
        void* self
        cbool (*kind)(void*, string_view, PartKind&) noexcept

    cdef cppclass Registry:
        NameLists lists
        vector[uint32_t] flags
        size_t parts()
        void open(CppLexicon&) except +
        void read(CppLexicon&, const Caller&, const Cut&, cbool, CppDocument&) except +
        void vary(CppLexicon&, CppDocument&) except +


cdef extern from "elements/expansion.hpp" namespace "summeval" nogil:
    cdef struct Edge:
        int64_t row, column
        double value

    cdef cppclass Matched:
        vector[vector[Edge]] edges
        vector[vector[int64_t]] units
        int64_t distinct

    cdef cppclass Pair:
        const CppDocument* candidate
        vector[const CppDocument*] references

    cdef cppclass Matcher:
        pass

    void match_pairs(
        const CppLexicon&, const vector[Pair]&, int, Pool[Matcher]&, vector[Matched]&, FirstFailure&
    ) except +


cdef extern from "elements/recalls.hpp" namespace "summeval" nogil:
    cdef cppclass RecallWork:
        pass

    size_t recalls_of(size_t, cbool)
    void recall_pairs(
        const CppLexicon&, const vector[Pair]&, int, cbool, int, Pool[RecallWork]&,
        const vector[size_t]&, double*, FirstFailure&,
    ) except +


# The order of summeval::Kind.
COEFFICIENTS = (
    "lemm", "syno", "prep", "abbr", "peri", "hype", "name", "pron", "pert", "memb", "swap", "nppp",
    "role", "nomi", "adjv",
)
# The order of summeval::RuleFlag, each twice the one before.
RULES = ("swap", "nppp", "role of a noun", "role of a verb")
GROUPS = ("noun", "verb", "adjective", "adverb", "other", "preposition")
ENTITIES = ("Person", "Organization", "Location")
# The order of summeval::WeightKind.
WEIGHTS = ("root", "binary", "total")


cdef class Names:
    """What names are made of, in lower case; a kind is one of ENTITIES.

    Parameters
    ----------
    titles, suffixes : iterable of str
        Titles of persons, and final words of organisations.
    original : bool
        Whether to do as BEwT-E 0.5.1.
    """

    cdef NameLists lists
    cdef cbool original

    def __init__(self, titles, suffixes, cbool original):
        self.lists.titles = {word.encode() for word in titles}
        self.lists.suffixes = {word.encode() for word in suffixes}
        self.original = original

    def person(self, str text not None):
        """The name without periods, brackets and double quotes; with those periods that do not
        follow single letters; its last word; and the others, which names may share.

        Words have more than one letter. Generations (jr, sr, i to v) and titles are none; the
        original takes titles. A single word is both last and other.
        """
        cdef string given = encoded(text)
        cdef Person found = person(string_view(given), self.lists, self.original)
        others = frozenset([decoded(string_view(word)) for word in found.others])
        last = decoded(string_view(found.last))
        return decoded(string_view(found.text)), decoded(string_view(found.initials)), last, others

    def acronyms(self, str text not None, str kind not None):
        """Those of an organisation of several words or a person of more than two.

        For an organisation: the initials, with words in capitals kept whole, `of` as o, `and` or &
        as a, and `the` dropped; then variants without a and o, with & for a, without a, and with &
        for a but without o. For a person: the initials without titles, with the generation whole.
        """
        cdef string given = encoded(text)
        cdef vector[string] found = acronyms(string_view(given), group_of(kind), self.lists)
        return [decoded(string_view(one)) for one in found]

    def shortened(self, str text not None, str kind not None):
        """A shorter name; None if nothing changes or nothing is left.

        This drops the last word of an organisation if it is corp, inc, ..., and the words of a
        location that start with a direction.
        """
        cdef string given = encoded(text), found
        if shortened(string_view(given), group_of(kind), self.lists, self.original, found):
            return decoded(string_view(found))
        return None

    def redotted(self, str text not None):
        """Remove the periods of a text or, if it has none, add them; None if nothing changes.

        Periods are added after each letter of words in capitals of up to four letters.
        """
        cdef string given = encoded(text), found
        return decoded(string_view(found)) if redotted(string_view(given), found) else None


@cython.no_gc  # it is in no circle, and many are made
cdef class Document:
    """The elements of a text under the numbers of one lexicon; only that lexicon can use them."""

    cdef CppDocument cpp
    cdef readonly Lexicon lexicon

    def __len__(self):
        return self.cpp.elements.size()


cdef class Lexicon:
    """Numbers for strings and elements, and the facts known about them; it grows as it reads.

    Not safe for several threads at a time, except `match`, which only reads.

    Parameters
    ----------
    resources : object
        `summeval.elements.resources.Resources`.
    coefficients : dict of str to float
        For each of COEFFICIENTS, 0 to 1.
    kind_of : callable
        Maps a type of part to its name in GROUPS or ENTITIES, the class for equality, and
        whether it is a plural noun.
    rules : dict of str to set of str
        For each of RULES the rules that it allows.
    tables : dict
        "prepositions", "places" and "words": for each word the words that it can become.
    hyper : bool
    """

    cdef CppLexicon cpp
    cdef Registry registry
    cdef Pool[Matcher] pool
    cdef Pool[RecallWork] recall_pool
    cdef object resources, kind_of
    cdef dict rules
    cdef const uint8_t[::1] table

    def __init__(self, resources, dict coefficients, kind_of, dict rules, dict tables, cbool hyper):
        cdef size_t k
        self.resources, self.kind_of = resources, kind_of
        self.rules = {}
        for k, flag in enumerate(RULES):
            for rule in rules[flag]:
                self.rules[rule] = self.rules.get(rule, 0) | 1 << k
        for k, name in enumerate(COEFFICIENTS):
            self.cpp.coefficients[k] = coefficients[name]
        self.cpp.original, self.cpp.hyper = resources.original, hyper
        self.table = resources.wordnet.data
        self.cpp.open(&self.table[0], resources.senses)
        self.registry.open(self.cpp)
        self.fill(self.cpp.prepositions, tables["prepositions"])
        self.fill(self.cpp.places, tables["places"])
        self.fill(self.cpp.words, tables["words"])
        self.cpp.tabled = self.cpp.strings()
        cdef Names names = resources.names
        self.registry.lists = names.lists

    @property
    def strings(self) -> int:
        """The number of strings that it holds."""
        return self.cpp.strings()

    @property
    def parts(self) -> int:
        """The number of parts of elements that it holds."""
        return self.registry.parts()

    def weigh(self, dict coefficients) -> None:
        """Give the transformations other coefficients; documents that were read stay valid."""
        cdef Coefficients fresh
        cdef size_t k
        for k, name in enumerate(COEFFICIENTS):
            fresh[k] = coefficients[name]
        self.cpp.weigh(fresh)

    cdef uint32_t intern(self, str text) except? 0xFFFFFFFF:
        return self.cpp.intern(encoded(text))

    cdef int fill(self, Words& words, dict table) except -1:
        for word, others in table.items():
            for other in others:
                words[self.intern(word)].push_back(self.intern(other))
        return 0

    def read(self, elements, cbool duplicates=True) -> Document:
        """Number elements: `Elements`, or objects with `rule`, and `parts`, one to three pairs
        (text, type).

        Without `duplicates`, those that equal an earlier one are left out.
        """
        return self.read_all([elements], duplicates)[0]

    def read_all(self, list texts, cbool duplicates=True) -> list:
        """As `read`, the elements of many texts."""
        cdef list found = []
        cdef Document document
        cdef Elements given
        cdef Caller caller
        cdef object names = None
        caller.self = <void*>self
        caller.kind = tell_kind
        for elements in texts:
            if not isinstance(elements, _Elements):
                elements = _Elements.of([(element.rule, element.parts) for element in elements])
            given = elements
            if given.names is not names:
                names = given.names
                self.registry.flags = [self.rules.get(name, 0) for name in names]
            document = Document.__new__(Document)
            document.lexicon = self
            with nogil:
                self.registry.read(self.cpp, caller, given.cpp, duplicates, document.cpp)
            found.append(document)
        return found

    cdef int pair_up(self, list candidates, list references, vector[Pair]& pairs) except -1:
        """Pair documents of this lexicon, and learn what those of candidates turn into."""
        cdef Document document
        cdef Py_ssize_t k
        pairs.resize(len(candidates))
        for k in range(len(candidates)):
            document = candidates[k]
            with nogil:
                self.registry.vary(self.cpp, document.cpp)
            pairs[k].candidate = &document.cpp
            for reference in references[k]:
                document = reference
                pairs[k].references.push_back(&document.cpp)
        return 0

    def match(self, list candidates, list references, int workers=1) -> list:
        """The matches of each candidate against its list of references.

        All are Documents of this lexicon. Returns for each candidate (edges, units, distinct): for
        each reference the arrays (row, column, value); for each reference the number of the unit of
        each of its elements; and how many units there are.
        """
        cdef vector[Pair] pairs
        cdef vector[Matched] found
        cdef FirstFailure failed
        self.pair_up(candidates, references, pairs)
        with nogil:
            match_pairs(self.cpp, pairs, workers, self.pool, found, failed)
        if failed.any():
            raise MemoryError(f"row {failed.row()} needs more memory than there is")
        return [as_arrays(found[k]) for k in range(<Py_ssize_t> found.size())]

    def recalls(
        self, list candidates, list references, str weights, cbool jackknife, int workers=1
    ) -> list:
        """The recalls of each candidate against its list of references, as lists.

        All are Documents of this lexicon. First one for each reference, weighted by all; with
        `jackknife` and several references, then for each reference those of all others, weighted
        by the others.
        """
        cdef vector[Pair] pairs
        cdef vector[size_t] begin
        cdef vector[double] found
        cdef FirstFailure failed
        cdef size_t total = 0, row, k
        cdef int kind = WEIGHTS.index(weights)
        cdef double* out
        self.pair_up(candidates, references, pairs)
        for row in range(pairs.size()):
            begin.push_back(total)
            total += recalls_of(pairs[row].references.size(), jackknife)
        begin.push_back(total)
        found.resize(total + 1)
        out = found.data()
        with nogil:
            recall_pairs(
                self.cpp, pairs, kind, jackknife, workers, self.recall_pool, begin, out, failed
            )
        if failed.any():
            raise MemoryError(f"row {failed.row()} needs more memory than there is")
        return [
            [found[k] for k in range(begin[row], begin[row + 1])] for row in range(pairs.size())
        ]


cdef bytes encoded(str text):
    return text.encode("utf-8", "surrogatepass")


cdef int group_of(str kind) except -1:
    return (GROUPS + ENTITIES).index(kind)


cdef str decoded(string_view text):
    return PyUnicode_DecodeUTF8(text.data(), text.size(), "surrogatepass")


# What C++ asks of the object that it reads for; it is called without the GIL. False: an exception
# of Python is set.


cdef cbool tell_kind(void* self, string_view written, PartKind& out) noexcept with gil:
    try:
        group, out.cls, out.plural = (<Lexicon>self).kind_of(decoded(written))
        out.group = (GROUPS + ENTITIES).index(group)
        return True
    except BaseException as error:
        restore(error)
        return False


cdef extern from *:
    void PyErr_SetObject(object, object)


cdef void restore(error) noexcept:
    """Set an exception that was caught."""
    PyErr_SetObject(type(error), error)


cdef tuple as_arrays(Matched& found):
    import numpy as np

    cdef size_t r, k
    cdef int64_t[:, ::1] pairs
    cdef double[::1] values
    cdef int64_t[::1] numbers
    edges, units = [], []
    PyErr_CheckSignals()
    for r in range(found.edges.size()):
        ends = np.empty((2, found.edges[r].size()), dtype=np.int64)
        weights = np.empty(found.edges[r].size())
        pairs, values = ends, weights
        for k in range(found.edges[r].size()):
            pairs[0, k] = found.edges[r][k].row
            pairs[1, k] = found.edges[r][k].column
            values[k] = found.edges[r][k].value
        its = np.empty(found.units[r].size(), dtype=np.int64)
        numbers = its
        for k in range(found.units[r].size()):
            numbers[k] = found.units[r][k]
        edges.append((ends[0], ends[1], weights))
        units.append(its)
    return edges, units, found.distinct
