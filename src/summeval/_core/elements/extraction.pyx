"""The Basic Elements of packed documents; the definition is tests/definitions/elements."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.exc cimport PyErr_CheckSignals
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.pair cimport pair
from libcpp.string cimport string
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

from summeval._core.rows.parallel cimport FirstFailure, Pool


cdef extern from *:
    int PyUnicode_KIND(object)
    void* PyUnicode_DATA(object)
    Py_ssize_t PyUnicode_GET_LENGTH(object)


cdef extern from "<array>" namespace "std" nogil:
    cdef cppclass Order "std::array<int, 3>":
        int& operator[](size_t)


cdef extern from "elements/parses/patterns.hpp" namespace "summeval" nogil:
    cdef cppclass LabelSet:
        void add(uint8_t)

    cdef cppclass PatternNode:
        LabelSet labels
        cbool negated
        int words
        cbool words_negated, captured
        int captures
        uint32_t first, last

    cdef cppclass PatternLink:
        int relation
        LabelSet labels
        int mode
        uint32_t first, last

    cdef cppclass PatternRule:
        uint32_t name, root
        int size
        Order order

    cdef cppclass WordLists:
        void add(const string&, int) except +
        void add_end(const string&, int) except +

    size_t MOST_LEVELS_ "summeval::MOST_LEVELS"
    size_t MOST_LABELS "summeval::LabelSet::MOST"
    size_t MOST_CAPTURES
    int MOST_LETTERS "summeval::WordLists::MOST_LETTERS"


cdef extern from "elements/parses/parses.hpp" namespace "summeval" nogil:
    cdef cppclass Relation:
        uint8_t id

    cdef cppclass Grammar:
        vector[PatternNode] nodes
        vector[PatternLink] links
        vector[PatternRule] rules
        unordered_map[string, uint8_t] tags, relations
        WordLists lists
        vector[Relation] known
        vector[string] closed, verbs, clausal, clausal_kinds
        vector[vector[pair[uint8_t, uint32_t]]] renames
        vector[vector[uint32_t]] by_relation
        void list_anywhere(const vector[uint32_t]&) except +
        uint8_t cop, case_, prep, pobj, rcmod, pos, wrb
        int be, negations
        Relation relation(const string&) except +


cdef extern from "elements/strings.hpp" namespace "summeval" nogil:
    cdef cppclass PythonText:
        const void* data
        int width
        int64_t size


cdef extern from "elements/extraction.hpp" namespace "summeval" nogil:
    int EXTRACT_UNFIT, EXTRACT_MEMORY

    cdef cppclass GivenUnit:
        string label
        uint32_t first, last

    cdef cppclass GivenDocument:
        const unsigned char* data
        size_t size
        PythonText text
        cbool places, has_units
        vector[GivenUnit] units
        vector[uint32_t] over

    cdef cppclass Extractor:
        pass

    void extract_all(
        const Grammar&, const vector[GivenDocument]&, int, int, Pool[Extractor]&, vector[Cut*]&,
        FirstFailure&,
    ) except +


cdef extern from "elements/parses/cuts.hpp" namespace "summeval" nogil:
    cdef cppclass Unit:
        string text, kind


cdef extern from "elements/parses/phrases.hpp" namespace "summeval" nogil:
    cdef cppclass Phrases:
        vector[int] parent, head, token

    cdef cppclass PhraseReader:
        PhraseReader(const Grammar&, vector[Unit], vector[uint32_t], cbool, Cut&) except +
        Phrases tree
        cbool add(const vector[string]&, const vector[int]&, const vector[string]&) except +


# The order of summeval::RuleKind.
KINDS = ("auto", "dependencies", "trees")
MOST_LEVELS = <int>MOST_LEVELS_


@cython.no_gc  # it is in no circle, and many are made
cdef class Elements:
    """The elements of a document; `names` are those of rules."""

    @staticmethod
    def of(rows):
        """Elements that are given as (rule, parts), each part a pair (text, type)."""
        cdef Elements made = Elements.__new__(Elements)
        cdef dict numbers = {}, names = {}
        cdef CutPart place
        cdef bytes text, kind
        made.cpp.first.push_back(0)
        for rule, parts in rows:
            PyErr_CheckSignals()
            if not 1 <= len(parts) <= 3:
                raise ValueError(f"an element has {len(parts)} parts; give one to three")
            for part in parts:
                number = numbers.get(part)
                if number is None:
                    text = part[0].encode("utf-8", "surrogatepass")
                    kind = part[1].encode("utf-8", "surrogatepass")
                    place.begin = <uint32_t>made.cpp.bytes.size()
                    place.text, place.size = len(text), len(text) + 1 + len(kind)
                    if made.cpp.bytes.size() + place.size > 0x7FFFFFFF:
                        raise MemoryError("the elements of a text have more than 2^31 bytes")
                    made.cpp.bytes.append(<string>(text + b"|" + kind))
                    number = numbers[part] = made.cpp.parts.size()
                    made.cpp.parts.push_back(place)
                made.cpp.part.push_back(number)
            made.cpp.rule.push_back(names.setdefault(rule, len(names)))
            made.cpp.first.push_back(<uint32_t>made.cpp.part.size())
        made.names = tuple(names)
        return made

    def __len__(self):
        return self.cpp.size()

    def rows(self) -> list:
        """The elements as (rule, parts), each part a pair (text, type)."""
        cdef list parts = []
        cdef size_t p
        cdef uint32_t k
        cdef size_t e
        cdef const char* at
        for p in range(self.cpp.parts.size()):
            at = self.cpp.bytes.data() + self.cpp.parts[p].begin
            parts.append((
                PyUnicode_DecodeUTF8(at, self.cpp.parts[p].text, "surrogatepass"),
                PyUnicode_DecodeUTF8(
                    at + self.cpp.parts[p].text + 1,
                    self.cpp.parts[p].size - self.cpp.parts[p].text - 1,
                    "surrogatepass",
                ),
            ))
        cdef list rows = []
        for e in range(self.cpp.size()):
            rows.append((
                self.names[self.cpp.rule[e]],
                tuple([
                    parts[self.cpp.part[k]]
                    for k in range(self.cpp.first[e], self.cpp.first[e + 1])
                ]),
            ))
        return rows


    def places(self) -> list:
        """For each element the first and the last token of each part, if they were asked for."""
        cdef size_t e
        cdef uint32_t k
        return [
            tuple([
                (self.cpp.places[2 * k], self.cpp.places[2 * k + 1])
                for k in range(self.cpp.first[e], self.cpp.first[e + 1])
            ])
            for e in range(self.cpp.size() if self.cpp.places.size() else 0)
        ]


cdef string encoded(str text):
    return text.encode("utf-8", "surrogatepass")


cdef LabelSet as_set(numbers) except *:
    cdef LabelSet found
    for number in numbers:
        if not 0 < number < MOST_LABELS:
            raise ValueError(f"the rules name more than {MOST_LABELS - 1} labels")
        found.add(number)
    return found


cdef class Rules:
    """The rules over dependencies, or over trees, as summeval.elements.rules makes them."""

    cdef Grammar cpp
    cdef Pool[Extractor] pool
    cdef readonly tuple names

    def __init__(
        self, tuple names, nodes, links, rules, *, tags, relations, words, closed, verbs,
        clausal=(), clausal_kinds=(), int be=0, int negations=0, renames=None, by_relation=None,
        anywhere=(),
    ):
        self.names = names
        self.add_patterns(nodes, links, rules)
        for number, entries in enumerate(words):
            if number >= 32:
                raise ValueError("the rules name more than 32 lists of words")
            for entry in entries:
                if len(entry) > MOST_LETTERS or not entry.isascii():
                    raise ValueError(f"a listed word is long, or not ASCII: {entry!r}")
                if entry.startswith("*"):
                    self.cpp.lists.add_end(encoded(entry[1:]), number)
                else:
                    self.cpp.lists.add(encoded(entry), number)
        self.cpp.closed = [encoded(text) for text in closed]
        self.cpp.verbs = [encoded(text) for text in verbs]
        self.cpp.clausal = [encoded(text) for text in clausal]
        self.cpp.clausal_kinds = [encoded(text) for text in clausal_kinds]
        self.cpp.be, self.cpp.negations = be, negations
        self.add_labels(tags, relations)
        self.cpp.renames.resize(MOST_LABELS)
        self.cpp.by_relation.resize(MOST_LABELS)
        for label, found in (renames or {}).items():
            self.cpp.renames[<size_t>label] = found
        for label, found in (by_relation or {}).items():
            self.cpp.by_relation[<size_t>label] = found
        self.cpp.list_anywhere(anywhere)

    cdef int add_patterns(self, nodes, links, rules) except -1:
        cdef PatternNode node
        cdef PatternLink link
        cdef PatternRule rule
        cdef size_t k
        for labels, negated, words, words_negated, captured, captures, first, last in nodes:
            node.labels = as_set(labels)
            node.negated, node.words, node.words_negated = negated, words, words_negated
            node.captured, node.captures, node.first, node.last = captured, captures, first, last
            if captures > MOST_CAPTURES:
                raise ValueError(f"a pattern captures more than {MOST_CAPTURES} nodes")
            self.cpp.nodes.push_back(node)
        for relation, labels, mode, first, last in links:
            link.relation, link.labels, link.mode = relation, as_set(labels), mode
            link.first, link.last = first, last
            self.cpp.links.push_back(link)
        for name, root, order in rules:
            if not 1 <= len(order) <= 3:
                raise ValueError("a rule has not one to three parts")
            rule.name, rule.root, rule.size = name, root, len(order)
            for k, place in enumerate(order):
                rule.order[k] = place
            self.cpp.rules.push_back(rule)
        return 0

    cdef int add_labels(self, tags, relations) except -1:
        for label, number in tags.items():
            self.cpp.tags[encoded(label)] = number
        self.cpp.known.resize(MOST_LABELS)
        for label, number in relations.items():
            self.cpp.relations[encoded(label)] = number
        for label, number in relations.items():
            self.cpp.known[<size_t>number] = self.cpp.relation(encoded(label))
        self.cpp.cop, self.cpp.case_ = relations.get("cop", 0), relations.get("case", 0)
        self.cpp.prep, self.cpp.pobj = relations.get("prep", 0), relations.get("pobj", 0)
        self.cpp.rcmod = relations.get("rcmod", 0)
        self.cpp.pos, self.cpp.wrb = tags.get("POS", 0), tags.get("WRB", 0)
        return 0

    def extract(self, list blocks, list texts, str rules="auto", int workers=1, units=None,
                cbool places=False):
        """The elements of packed documents, whose texts are `texts`.

        `units` gives, for each document, its units (label, first, last) and for each of its tokens
        0 or one more than the number of its unit; without them the entities are the units. None
        for a document that lacks what the rules need, and for a block that is None or damaged. With
        `places` the tokens of parts are kept.
        """
        cdef vector[GivenDocument] given
        cdef vector[Cut*] out
        cdef FirstFailure failed
        cdef vector[uint8_t] statuses
        cdef list found = []
        cdef Elements elements
        cdef Py_ssize_t k
        cdef int kind = KINDS.index(rules)
        cdef bytes block
        cdef str text
        given.resize(len(blocks))
        for k in range(len(blocks)):
            block, text = blocks[k], texts[k]
            if block is not None:
                given[k].data = <const unsigned char*>PyBytes_AS_STRING(block)
                given[k].size = PyBytes_GET_SIZE(block)
            given[k].places = places
            given[k].text.data = PyUnicode_DATA(text)
            given[k].text.width = PyUnicode_KIND(text)
            given[k].text.size = PyUnicode_GET_LENGTH(text)
            if units is not None:
                spans, over = units[k]
                add_units(given[k], spans, over)
            elements = Elements.__new__(Elements)
            elements.names = self.names
            out.push_back(&elements.cpp)
            found.append(elements)
        statuses.resize(len(blocks) + 1)
        failed.keep(statuses.data())
        with nogil:
            extract_all(self.cpp, given, kind, workers, self.pool, out, failed)
        for k in range(len(blocks)):
            if statuses[k] == EXTRACT_MEMORY:
                raise MemoryError(f"document {k} needs more memory than there is")
            if statuses[k] == EXTRACT_UNFIT:
                found[k] = None
        return found

    def extract_trees(self, trees, units, over, cbool places=False) -> Elements:
        """The elements of the trees of a document; these are rules over trees.

        `units` are (text, kind), and `over` gives for each token 0 or one more than the number of
        its unit.
        """
        cdef vector[Unit] given
        cdef Unit unit
        cdef vector[uint32_t] numbers = over
        cdef vector[string] labels, forms
        cdef vector[int] tokens
        cdef cbool fits = True
        cdef unique_ptr[PhraseReader] reader
        cdef Elements found = Elements.__new__(Elements)
        found.names = self.names
        for text, kind in units:
            unit.text, unit.kind = encoded(text), encoded(kind)
            given.push_back(unit)
        reader.reset(new PhraseReader(self.cpp, given, numbers, places, found.cpp))
        for tree in trees:
            labels = [encoded(label) for label in tree.labels]
            forms = [encoded(form) for form in tree.forms]
            tokens = tree.tokens
            reader.get().tree.parent, reader.get().tree.head = tree.parents, tree.heads
            reader.get().tree.token = tree.head_tokens
            with nogil:
                fits = reader.get().add(labels, tokens, forms)
            if not fits:
                raise ValueError("the units are those of fewer tokens")
        return found


cdef int add_units(GivenDocument& given, units, over) except -1:
    cdef GivenUnit unit
    given.has_units = True
    for label, first, last in units:
        unit.label, unit.first, unit.last = encoded(label), first, last
        given.units.push_back(unit)
    given.over = over
    return 0
