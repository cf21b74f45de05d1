"""The matches of Basic Elements by transformations; see summeval._textbook.expansion."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.string cimport string
from libcpp.vector cimport vector

from summeval._core.rows.parallel cimport FirstFailure, Pool


cdef extern from "<array>" namespace "std" nogil:
    cdef cppclass Three "std::array<uint64_t, 3>":
        uint64_t& operator[](size_t)

    cdef cppclass Coefficients "std::array<double, summeval::KINDS>":
        double& operator[](size_t)


cdef extern from "elements/lexicon.hpp" namespace "summeval" nogil:
    ctypedef uint64_t Code
    Code NO_CODE
    uint32_t NO_STRING
    int NOUN_PART, LOCATION_PART, KINDS

    Code make_code(uint32_t, int, int, cbool, cbool)
    uint32_t string_of(Code)

    cdef cppclass Words "summeval::Lexicon::Words":
        vector[uint32_t]& operator[](uint32_t)
        size_t count(uint32_t)

    cdef cppclass CppElement "summeval::Element":
        int rule
        int size
        Three parts
        Three redotted

    cdef cppclass Name:
        int group
        uint32_t lower, text, initials, last, shortened
        vector[uint32_t] others, acronyms

    cdef cppclass CppLexicon "summeval::Lexicon":
        Coefficients coefficients
        cbool original, hyper
        Words prepositions, places, words
        vector[CppElement] elements
        void open(const unsigned char*, uint32_t) except +
        uint32_t intern(const string&) except +
        uint32_t strings()
        uint32_t add_name(Name) except +
        void learn_lemma(Code) except +
        void learn_name(uint32_t) except +
        void learn(CppElement&) except +
        void weigh(const Coefficients&) except +


cdef extern from "elements/expansion.hpp" namespace "summeval" nogil:
    cdef cppclass CppDocument "summeval::Document":
        vector[uint32_t] elements, names, persons, groups
        void add(const CppDocument&) except +
        void close()

    cdef struct Edge:
        int64_t row
        int64_t column
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


# The order of summeval::Kind.
COEFFICIENTS = (
    "lemm", "syno", "prep", "abbr", "peri", "hype", "name", "pron", "pert", "memb", "swap", "nppp",
    "role", "nomi", "adjv",
)
# The order of summeval::RuleFlag, each twice the one before.
RULES = ("swap", "nppp", "role of a noun", "role of a verb")
GROUPS = ("noun", "verb", "adjective", "adverb", "other", "preposition")
ENTITIES = ("Person", "Organization", "Location")


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
        The argument of the twin, with the bytes of the table as `wordnet.data`.
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
    cdef Pool[Matcher] pool
    cdef object resources, kind_of
    cdef dict rules, parts, elements, units, kinds, names
    cdef vector[CppDocument] alone  # by element: a document that has only it
    cdef vector[uint32_t] unit  # by element: a number that equal elements share
    cdef vector[uint64_t] seen  # by that number: the last document that has it
    cdef uint64_t documents
    cdef const uint8_t[::1] table

    def __init__(self, resources, dict coefficients, kind_of, dict rules, dict tables, cbool hyper):
        cdef size_t k
        self.resources, self.kind_of = resources, kind_of
        self.rules, self.parts, self.elements, self.units = {}, {}, {}, {}
        self.kinds, self.names = {}, {}
        for k, flag in enumerate(RULES):
            for rule in rules[flag]:
                self.rules[rule] = self.rules.get(rule, 0) | 1 << k
        for k, name in enumerate(COEFFICIENTS):
            self.cpp.coefficients[k] = coefficients[name]
        self.cpp.original, self.cpp.hyper = resources.original, hyper
        self.table = resources.wordnet.data
        self.cpp.open(&self.table[0], resources.senses)
        self.fill(self.cpp.prepositions, tables["prepositions"])
        self.fill(self.cpp.places, tables["places"])
        self.fill(self.cpp.words, tables["words"])

    @property
    def strings(self) -> int:
        """The number of strings that it holds."""
        return self.cpp.strings()

    def weigh(self, dict coefficients) -> None:
        """Give the transformations other coefficients; documents that were read stay valid."""
        cdef Coefficients fresh
        cdef size_t k
        for k, name in enumerate(COEFFICIENTS):
            fresh[k] = coefficients[name]
        self.cpp.weigh(fresh)

    cdef uint32_t intern(self, str text) except? 0xFFFFFFFF:
        return self.cpp.intern(text.encode("utf-8", "surrogatepass"))

    cdef int fill(self, Words& words, dict table) except -1:
        for word, others in table.items():
            for other in others:
                words[self.intern(word)].push_back(self.intern(other))
        return 0

    cdef tuple kind(self, str kind):
        known = self.kinds.get(kind)
        if known is None:
            group, cls, plural = self.kind_of(kind)
            known = self.kinds[kind] = ((GROUPS + ENTITIES).index(group), cls, plural)
        return known

    cdef tuple part(self, tuple part):
        """Its code, the code of its form with other periods, and the number of its name or None."""
        known = self.parts.get(part)
        if known is None:
            known = self.parts[part] = self.new_part(part)
        return known

    cdef tuple new_part(self, tuple part):
        text, kind = part
        cdef int group
        group, cls, plural = self.kind(kind)
        cdef str lower = text.lower()
        cdef uint32_t number = self.intern(lower)
        name = self.new_name(text, kind, group, number) if group >= NOUN_PART + 6 else None
        cdef Code code = make_code(number, group, cls, plural, name is not None and text != lower)
        self.cpp.learn_lemma(code)
        if self.cpp.places.count(number) or self.cpp.words.count(number):
            self.cpp.learn_name(number)
        redotted = self.resources.redotted(text)
        # Forms with other periods are parts too, but their own such forms are not needed.
        other = NO_CODE
        if redotted is not None:
            lower = redotted.lower()
            number = self.intern(lower)
            if name is not None:
                self.new_name(redotted, kind, group, number)
            other = make_code(number, group, cls, plural, name is not None and redotted != lower)
        return code, other, name

    cdef object new_name(self, str text, str kind, int group, uint32_t number):
        known = self.names.get((text, kind))
        if known is not None:
            return known
        cdef Name name
        name.group, name.lower = group, number
        name.text = name.initials = name.last = name.shortened = NO_STRING
        if kind == ENTITIES[0]:
            person = self.resources.person(text)
            name.text, name.initials = self.intern(person.text), self.intern(person.initials)
            if person.last:
                name.last = self.intern(person.last)
            name.others = [self.intern(word) for word in sorted(person.others)]
        else:
            shortened = self.resources.shortened(text, kind)
            if shortened is not None:
                name.shortened = self.intern(shortened)
        name.acronyms = [self.intern(word) for word in self.resources.acronyms(text, kind)]
        self.names[text, kind] = self.cpp.add_name(name)
        return self.names[text, kind]

    cdef uint32_t new_element(self, str rule, tuple parts) except? 0xFFFFFFFF:
        cdef CppElement element
        cdef CppDocument document
        cdef Py_ssize_t k
        element.rule = self.rules.get(rule, 0)
        element.size = len(parts)
        for k in range(len(parts)):
            code, redotted, name = self.part(parts[k])
            element.parts[k], element.redotted[k] = code, redotted
            self.describe(document, code, name, parts[k][1])
        number = self.elements[rule, parts] = self.cpp.elements.size()
        self.cpp.elements.push_back(element)
        document.elements.push_back(number)
        self.alone.push_back(document)
        key = tuple([(text.lower(), self.kind(kind)[1]) for text, kind in parts])
        self.unit.push_back(self.units.setdefault(key, len(self.units)))
        self.seen.resize(len(self.units), 0)
        return number

    cdef int describe(self, CppDocument& document, Code code, name, str kind) except -1:
        """Record in a document the facts about a part that names and pronouns need."""
        group, _, plural = self.kind(kind)
        if name is not None:
            document.names.push_back(name)
        if group == NOUN_PART + 6:
            document.persons.push_back(string_of(code))
        elif plural or group == NOUN_PART + 7:
            document.groups.push_back(string_of(code))
        return 0

    def read(self, elements, cbool duplicates=True) -> Document:
        """Number elements: `rule`, and `parts`, one to three pairs (text, type).

        Without `duplicates`, those that equal an earlier one are left out.
        """
        cdef Document document = Document.__new__(Document)
        cdef uint32_t number
        document.lexicon = self
        self.documents += 1
        for element in elements:
            PyErr_CheckSignals()
            rule, parts = element.rule, element.parts
            known = self.elements.get((rule, parts))
            number = self.new_element(rule, parts) if known is None else known
            if not duplicates:
                if self.seen[self.unit[number]] == self.documents:
                    continue
                self.seen[self.unit[number]] = self.documents
            document.cpp.add(self.alone[number])
        document.cpp.close()
        return document

    def match(self, list candidates, list references, int workers=1) -> list:
        """The matches of each candidate against its list of references.

        All are Documents of this lexicon. Returns for each candidate (edges, units, distinct): for
        each reference the arrays (row, column, value); for each reference the number of the unit of
        each of its elements; and how many units there are.
        """
        cdef vector[Pair] pairs
        cdef vector[Matched] found
        cdef FirstFailure failed
        cdef Document document
        cdef Py_ssize_t k
        pairs.resize(len(candidates))
        for k in range(len(candidates)):
            document = candidates[k]
            for number in document.cpp.elements:
                PyErr_CheckSignals()
                self.cpp.learn(self.cpp.elements[<size_t> number])
            pairs[k].candidate = &document.cpp
            for reference in references[k]:
                document = reference
                pairs[k].references.push_back(&document.cpp)
        with nogil:
            match_pairs(self.cpp, pairs, workers, self.pool, found, failed)
        if failed.any():
            raise MemoryError(f"row {failed.row()} needs more memory than there is")
        return [as_arrays(found[k]) for k in range(<Py_ssize_t> found.size())]


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
