"""Items of a score of shared units: their numbers, and the objects when they are read."""

from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject_GenericSetAttr
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from libc.stdint cimport uint32_t
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


cdef class Items:
    """Items of a score of the first of `texts` beside the others."""

    def make(self, type kind not None) -> tuple:
        """An object of `kind` for each item, with the fields of an ExplainedItem.

        Its `__init__` is not called, which took half of the time.
        """
        cdef size_t k, names = 0, own = 0, theirs = 0, text
        cdef Py_ssize_t size
        cdef list words = [], spans = []
        cdef tuple here, there, made = PyTuple_New(self.cpp.all.size())
        cdef Item* item
        cdef object name, also, details, one, new = kind.__new__
        for text in range(self.cpp.texts.size()):
            size = self.cpp.texts[text].size
            words.append([None] * size)
            spans.append([None] * size)
        for k in range(self.cpp.all.size()):
            if k & 0xFFF == 0xFFF:
                PyErr_CheckSignals()
            item = &self.cpp.all[k]
            name = self.called(words[item.text], item.text, names, item.names, item.opens)
            if item.other_names > item.names:
                also = self.called(
                    words[item.other_text], item.other_text, item.names, item.other_names,
                    False,
                )
                if also != name and also.lower() != name.lower():
                    name = f"{name} = {also}"
            here = self.places(spans, self.cpp.own, own, item.own)
            there = self.places(spans, self.cpp.theirs, theirs, item.theirs)
            if item.kind == PAIRS:
                details = {"pairs": item.details[0]}
            elif item.kind == FLOW:
                details = {
                    "flow": item.details[0], "similarity": item.details[1],
                    "price": item.details[2], "reference_price": item.details[3],
                }
            elif item.kind == GROUP:
                details = {"flow": item.details[0], "pairs": item.details[1]}
            elif item.kind == ALIKE:
                details = {"alike": item.details[0]}
            else:
                details = {}
            one = new(kind)
            PyObject_GenericSetAttr(one, "text", name)
            PyObject_GenericSetAttr(one, "candidate_spans", here)
            PyObject_GenericSetAttr(one, "reference_spans", there)
            PyObject_GenericSetAttr(one, "share", item.share)
            PyObject_GenericSetAttr(one, "details", details)
            PyObject_GenericSetAttr(one, "source_spans", ())
            Py_INCREF(one)
            PyTuple_SET_ITEM(made, k, one)
            names, own, theirs = item.other_names, item.own, item.theirs
        return made

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
