"""Items of a score of shared units: their numbers, and the objects when they are read."""

from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject_GenericSetAttr
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from libc.math cimport isfinite, llrint
from libc.stdint cimport int64_t, uint32_t
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

from summeval._core.columns.columns cimport View
from summeval._core.rows.arguments cimport RAW, failure, read_text
from summeval._core.text.analyzer cimport CppAnalyzer
from summeval._core.text.unicode import tokens as unicode_tokens


cdef enum:
    PAIRS = 1
    FLOW = 2
    GROUP = 3
    ALIKE = 4


cdef int give_places(tuple tokens, vector[PlacedText]& out) except -1:
    cdef size_t k
    for k in range(<size_t> len(tokens)):
        out[k].begins = tokens[k][1]
        out[k].ends = tokens[k][2]
        if not out[k].size <= out[k].begins.size() == out[k].ends.size():
            raise ValueError(f"{out[k].size} tokens, but another number of places")
    return 0


cdef size_t place(
    unique_ptr[Placer]& kept, const CppAnalyzer& analyzer, tuple texts, tuple tokens, bint lcs,
    dict messages, vector[PlacedText]& out
) except? 0:
    cdef CppAnalyzer plain
    cdef unique_ptr[Placer] placer
    cdef vector[View] views
    cdef View view
    cdef int status
    cdef size_t k, numbers
    for k in range(<size_t> len(texts)):
        read_text(tokens[k][0] if tokens else texts[k], "text", &view, tokens != ())
        views.push_back(view)
    out.resize(views.size())
    if tokens:
        plain.tokenizer = RAW
        plain.flags_functions = analyzer.flags_functions
        placer.reset(new Placer(plain))
    else:
        placer.swap(kept)  # no other thread uses it
        if not placer:
            placer.reset(new Placer(analyzer))
    with nogil:
        status = placer.get().read(views, lcs, out)
    if status:
        raise failure(status, "candidate or references", messages)
    give_places(tokens, out)
    numbers = placer.get().numbers()
    if not tokens:
        kept.swap(placer)
    return numbers


cdef dict details_of(const Item& item):
    """The numbers of an item by their names."""
    if item.kind == PAIRS:
        return {"pairs": item.details[0]}
    if item.kind == FLOW:
        return {
            "flow": item.details[0], "similarity": item.details[1],
            "price": item.details[2], "reference_price": item.details[3],
        }
    if item.kind == GROUP:
        return {"flow": item.details[0], "pairs": item.details[1]}
    return {"alike": item.details[0]} if item.kind == ALIKE else {}


cdef class Items:
    """Items of a score of the first of `texts` beside the others."""

    def make(self, type kind not None) -> tuple:
        """An object of `kind` for each item, with the fields of an ExplainedItem.

        Its `__init__` is not called, which took half of the time.
        """
        cdef size_t k, own = 0, theirs = 0
        cdef list words = self.of_tokens(), spans = self.of_tokens()
        cdef tuple here, there, made = PyTuple_New(self.cpp.all.size())
        cdef Item* item
        cdef object one, new = kind.__new__
        for k in range(self.cpp.all.size()):
            if k & 0xFFF == 0xFFF:
                PyErr_CheckSignals()
            item = &self.cpp.all[k]
            here = self.places(spans, self.cpp.own, own, item.own)
            there = self.places(spans, self.cpp.theirs, theirs, item.theirs)
            one = new(kind)
            PyObject_GenericSetAttr(one, "text", self.name(words, k))
            PyObject_GenericSetAttr(one, "candidate_spans", here)
            PyObject_GenericSetAttr(one, "reference_spans", there)
            PyObject_GenericSetAttr(one, "share", item.share)
            PyObject_GenericSetAttr(one, "details", details_of(item[0]))
            PyObject_GenericSetAttr(one, "source_spans", ())
            Py_INCREF(one)
            PyTuple_SET_ITEM(made, k, one)
            own, theirs = item.own, item.theirs
        return made

    def compact(self, int digits) -> dict:
        """The items as plain lists, for many of them in little room.

        `i`: of each that adds something or has details, its share with so many digits as a whole number,
        its places, and, where they are not as they stand at the first place, its name and details.
        `c`, `r`: the places of the others in the candidate and in the references, joined. A place is
        three numbers: its text, its distance from the one before, and its length.
        """
        cdef double scale = 10.0**digits
        cdef list words = self.of_tokens(), items = [], made
        cdef vector[Place] idle[2]
        cdef vector[Place] here[2]
        cdef vector[int64_t] flat
        cdef int64_t at[2]
        cdef size_t begins[2]
        cdef size_t ends[2]
        cdef const Item* item
        cdef const Spot* spot
        cdef size_t k, n, side
        cdef dict places, packed, details
        cdef object name
        cdef str given
        begins[0] = begins[1] = 0
        at[0] = at[1] = 0
        for k in range(self.cpp.all.size()):
            if k & 0xFFF == 0xFFF:
                PyErr_CheckSignals()
            item = &self.cpp.all[k]
            ends[0], ends[1] = item.own, item.theirs
            for side in range(2):
                here[side].clear()
                for n in range(begins[side], ends[side]):
                    spot = &self.cpp.theirs[n] if side else &self.cpp.own[n]
                    here[side].push_back(self.cpp.at(spot[0]))
                begins[side] = ends[side]
            details = details_of(item[0])
            if item.share == 0 and not details and here[0].empty() != here[1].empty():
                side = here[0].empty()
                idle[side].insert(idle[side].end(), here[side].begin(), here[side].end())
                continue
            places = {}
            for side in range(2):
                if not here[side].empty():
                    flat.clear()
                    append_near(here[side], at[side], flat)
                    places["r" if side else "c"] = flat
            made = [llrint(item.share * scale) if isfinite(item.share) else None, places]
            side = here[0].empty()
            name = self.name(words, k)
            if not here[side].empty():
                given = self.texts[here[1][0].text + 1 if side else 0]
                if given[here[side][0].begin:here[side][0].end] == name:
                    name = None
            if name is not None or details:
                made.append(name)
            if details:
                made.append({
                    key: round(value, digits) if isfinite(value) else None
                    for key, value in details.items()
                })
            items.append(made)
        packed = {"i": items}
        for side in range(2):
            if not idle[side].empty():
                packed["r" if side else "c"] = joined(idle[side])
        return packed

    cdef list of_tokens(self):
        """Nothing for each token of each text."""
        cdef list found = []
        cdef size_t text
        cdef Py_ssize_t size
        for text in range(self.cpp.texts.size()):
            size = self.cpp.texts[text].size
            found.append([None] * size)
        return found

    cdef object name(self, list words, size_t k):
        """The name of an item, from words of one text or of two."""
        cdef const Item* item = &self.cpp.all[k]
        cdef size_t names = self.cpp.all[k - 1].other_names if k else 0
        cdef object name, also
        name = self.called(words[item.text], item.text, names, item.names, item.opens)
        if item.other_names > item.names:
            also = self.called(
                words[item.other_text], item.other_text, item.names, item.other_names, False
            )
            if also != name and also.lower() != name.lower():
                name = f"{name} = {also}"
        return name

    cdef object called(self, list words, size_t text, size_t begin, size_t end, bint opens):
        """Words as they stand in a text; each is cut out once."""
        cdef size_t k, token
        cdef list found
        cdef object word
        if end - begin == 1:
            word = self.word(words, text, self.cpp.names[begin])
            return word + " …" if opens else word
        found = []
        for k in range(begin, end):
            found.append(self.word(words, text, self.cpp.names[k]))
        return self.joiner.join(found)

    cdef object word(self, list words, size_t text, size_t token):
        cdef object word = words[token]
        if word is None and self.forms is not None:
            word = self.forms[text][token]
        elif word is None:
            word = (<str> self.texts[text])[
                self.cpp.texts[text].begins[token]:self.cpp.texts[text].ends[token]
            ]
            if self.folds:
                word = word.lower() if word.isascii() else b"".join(unicode_tokens(word.encode())).decode()
            words[token] = word
        return word

    cdef tuple places(self, list spans, vector[Spot]& spots, size_t begin, size_t end):
        """The places of spots, of which those of one token are made once."""
        cdef tuple found = PyTuple_New(end - begin)
        cdef const PlacedText* text
        cdef list known
        cdef object span
        cdef Spot spot
        cdef size_t k
        for k in range(begin, end):
            if (k - begin) & 0xFFFF == 0xFFFF:
                PyErr_CheckSignals()
            spot = spots[k]
            known = <list> spans[spot.text]
            span = known[spot.first] if spot.first == spot.last else None
            if span is None:
                text = &self.cpp.texts[spot.text]
                if spot.text:
                    span = spot.text - 1, text.begins[spot.first], text.ends[spot.last]
                else:
                    span = text.begins[spot.first], text.ends[spot.last]
                if spot.first == spot.last:
                    known[spot.first] = span
            Py_INCREF(span)
            PyTuple_SET_ITEM(found, k - begin, span)
        return found
