"""Look-ups in the bytes of the table of WordNet; see summeval.elements.resources."""

from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport UINT32_MAX, uint8_t, uint32_t
from libcpp cimport bool as cbool
from libcpp.string cimport string
from libcpp.string_view cimport string_view
from libcpp.vector cimport vector


cdef extern from "elements/wordnet.hpp" namespace "summeval" nogil:
    cdef cppclass Numbers:
        size_t size()
        const uint32_t& operator[](size_t)

    cdef cppclass CppWordNet "summeval::WordNet":
        uint32_t most_senses
        void open(const unsigned char*)
        string_view text "string"(uint32_t)
        uint32_t place(string_view, int) except +
        uint32_t entry(string_view, int, string&) except +
        uint32_t entry_string(uint32_t, int)
        Numbers synsets(uint32_t, int)
        Numbers derived(uint32_t, int)
        Numbers pertainyms(uint32_t, int)
        Numbers words(uint32_t)
        Numbers members(uint32_t)
        Numbers kin(uint32_t)

    void inflect(const CppWordNet&, uint32_t, int, cbool, vector[string]&) except +

cdef uint32_t NONE = UINT32_MAX, STRING = (1 << 30) - 1


cdef class WordNet:
    """Look-ups in a table that was checked.

    Methods with `senses` look at the first senses of an entry, 0 is all of them; senses are in the
    order of their frequency. They raise KeyError for what is no entry.
    """

    cdef CppWordNet net
    cdef readonly object data
    cdef const uint8_t[::1] table

    def __init__(self, data):
        self.data = self.table = data
        self.net.open(&self.table[0])

    cdef str word_of(self, uint32_t number):
        cdef string_view found = self.net.text(number)
        return PyUnicode_DecodeASCII(found.data(), found.size(), NULL)

    cdef uint32_t place(self, str entry, int pos, uint32_t senses=1) except? 0xFFFFFFFF:
        """Return the place of an entry, of which so many senses are looked at from now on."""
        cdef string word = entry.encode("utf-8", "surrogatepass")
        cdef uint32_t found = self.net.place(string_view(word), pos)
        if found == NONE:
            raise KeyError(entry)
        self.net.most_senses = UINT32_MAX if senses == 0 else senses
        return found

    cdef list words(self, list synsets):
        """Return the words of synsets, each once."""
        cdef uint32_t synset
        cdef Numbers found
        cdef size_t k
        words = {}
        for synset in synsets:
            found = self.net.words(synset)
            for k in range(found.size()):
                words[self.word_of(found[k])] = None
        return list(words)

    cdef list targets(self, Numbers found):
        numbers = dict.fromkeys(listed(found))
        return [(self.word_of(number & STRING), number >> 30) for number in numbers]

    def entry(self, str form not None, int pos):
        """Look up the entry of a form; None if there is none.

        Tried in this order: the form itself in lower case with _ for blanks, a base form of the
        exception list, a base form by a suffix rule; then the same for the last run of letters (any
        non-ASCII character counts as a letter).
        """
        cdef string word = form.lower().encode("utf-8", "surrogatepass"), scratch
        cdef uint32_t found = self.net.entry(string_view(word), pos, scratch)
        return None if found == NONE else self.word_of(self.net.entry_string(found, pos))

    def synsets(self, str entry not None, int pos, uint32_t senses=0):
        """Return the numbers of the synsets of an entry's senses, by default of all."""
        return listed(self.net.synsets(self.place(entry, pos, senses), pos))

    def synonyms(self, str entry not None, int pos, uint32_t senses=1):
        """Return the words of an entry's senses, including the entry itself."""
        return self.words(self.synsets(entry, pos, senses))

    def derived(self, str entry not None, int pos, uint32_t senses=1):
        """Return the derivationally related forms of the entry's word in its senses."""
        return self.targets(self.net.derived(self.place(entry, pos, senses), pos))

    def pertainyms(self, str entry not None, int pos, uint32_t senses=1):
        """Return the pertainyms of an adjective, or the adjective that an adverb comes from."""
        return self.targets(self.net.pertainyms(self.place(entry, pos, senses), pos))

    def members(self, str entry not None, int pos, uint32_t senses=1):
        """Return the words of the member meronyms and holonyms of the senses."""
        synsets = self.synsets(entry, pos, senses)
        return self.words([linked for one in synsets for linked in listed(self.net.members(one))])

    def kin(self, str entry not None, int pos, uint32_t senses=1):
        """Return the words of the hypernyms and hyponyms of the senses, including instances."""
        synsets = self.synsets(entry, pos, senses)
        return self.words([linked for one in synsets for linked in listed(self.net.kin(one))])

    def inflections(self, str entry not None, int pos, cbool original=False):
        """Return the other forms of an entry, irregular ones first; the regular ones by rules.

        The original misses plurals in -ies, and adds -s to a verb only after e, -es only after s.
        """
        cdef vector[string] forms
        inflect(self.net, self.place(entry, pos), pos, original, forms)
        return list(dict.fromkeys((<bytes> form).decode("ascii") for form in forms))


cdef list listed(Numbers numbers):
    cdef size_t k
    return [numbers[k] for k in range(numbers.size())]
