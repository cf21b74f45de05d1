"""The guards of rewards, and the rewards that presets make of scores and guards."""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libcpp cimport bool as cbool
from libcpp.memory cimport make_shared, shared_ptr
from libcpp.string cimport string
from libcpp.vector cimport vector

from summeval._core.columns.columns cimport TextColumn, View
from summeval._core.rows.arguments cimport TEXT_TOO_LONG, failure, read_references, read_text
from summeval._core.rows.kernel cimport PreparedTexts, Ready, TextEngine, TextKernel

from summeval._problem import of_row


cdef extern from "guards/guard_rows.hpp" namespace "summeval" nogil:
    enum: UNKNOWN_CHARACTER "summeval::UNKNOWN_CHARACTER"
    enum: GUARDS "summeval::GUARDS"
    enum: SEAMS "summeval::SEAMS"
    enum: WORD "summeval::Letter::WORD"
    enum: MARK "summeval::Letter::MARK"
    enum: APART "summeval::Letter::APART"
    enum: DIGIT "summeval::Letter::DIGIT"
    enum: BREAKS "summeval::Letter::BREAKS"
    enum: SPACE "summeval::Letter::SPACE"
    enum: CASED "summeval::Letter::CASED"
    enum: IGNORED "summeval::Letter::IGNORED"
    enum: ENDS "summeval::Letter::ENDS"

    cdef cppclass Letters:
        Letters() except +
        void learn(uint32_t, uint32_t, uint32_t) except +

    cdef cppclass KnownWord "summeval::WordOrder::Known":
        cbool has_class
        cbool function
        uint8_t of_class

    cdef cppclass OrderWord "summeval::WordOrder::Word":
        string form
        KnownWord known

    cdef cppclass Ending "summeval::WordOrder::Ending":
        string letters
        uint8_t of_class

    cdef cppclass WordOrder:
        WordOrder() except +
        void set(
            const vector[OrderWord]&, const vector[Ending]&, uint8_t, uint8_t,
            const vector[uint8_t]&, size_t
        ) except +

    cdef cppclass Ngrams:
        Ngrams() except +
        cbool read(View) except +

    cdef cppclass SeamFit:
        double weights[20]
        double low, high

    cdef cppclass GuardSetup:
        shared_ptr[Letters] letters
        shared_ptr[WordOrder] order
        shared_ptr[Ngrams] ngrams
        SeamFit of_references, of_source
        size_t run

    cdef cppclass GuardEngine(TextEngine, GuardSetup):
        pass

    cdef cppclass CppUnknown "summeval::UnknownCharacters":
        vector[uint32_t] codes
        void look(View, const Letters&) except +


cdef extern from "guards/presets.hpp" namespace "summeval" nogil:
    cdef struct PresetTerm:
        size_t column
        double share
        cbool rises

    cdef cppclass PresetPart:
        vector[PresetTerm] terms
        double weight
        double worst
        double cap
        double minimum
        double top

    cdef cppclass CppPreset "summeval::Preset":
        vector[PresetPart] parts
        double form
        double beyond
        double repetition
        size_t width()
        double reward(const double*, double)

    cdef struct ReadySide:
        TextEngine* engine
        const Ready* ready

    void score_sides(
        const vector[ReadySide]&, const View*, int64_t, int, double*, uint8_t*
    ) except +
    void judge_rows(
        const CppPreset&, const double*, const double*, size_t, double*, double*
    ) except +


# What is known of a character; `describe` returns a sum of them.
BITS = {
    "word": WORD,
    "mark": MARK,
    "apart": APART,
    "digit": DIGIT,
    "breaks": BREAKS,
    "space": SPACE,
    "cased": CASED,
    "ignored": IGNORED,
    "ends": ENDS,
}
cdef dict MESSAGES = {TEXT_TOO_LONG: "a text is longer than 1 GiB; shorten it"}
cdef tuple NAMES = ("guards",)
cdef size_t MARKS = 4  # the classes of marks, which are the first


cdef cbool any_of(const uint8_t* statuses, size_t size) noexcept nogil:
    cdef size_t k
    for k in range(size):
        if statuses[k]:
            return True
    return False


cdef cbool has(const uint8_t* statuses, size_t size, uint8_t status) noexcept:
    cdef size_t k
    for k in range(size):
        if statuses[k] == status:
            return True
    return False


cdef SeamFit fitted(tuple told) except *:
    """The weights of seams, and the bounds of their sum."""
    cdef SeamFit fit
    weights, fit.low, fit.high = told
    if len(weights) != SEAMS or not fit.low < fit.high:
        raise ValueError(f"give {SEAMS} weights of seams, and two bounds that rise")
    for k in range(SEAMS):
        fit.weights[k] = weights[k]
    return fit


cdef class GuardTables:
    """What guards know of words and characters; those that share it learn together.

    Parameters
    ----------
    words : dict of bytes to (int or None, bool)
        Words, with the class of their own and whether they are function words.
    endings : list of (bytes, int)
        Endings with their classes, the longest first.
    number, other : int
        The class of a word that begins with a digit, and that of one with none of the endings.
    pairs : bytes
        [class][class after it]: 128 and the logarithm in steps of 0.05.
    ngrams : bytes, optional
        A model of runs of words (ngrams.hpp); without one no text looks stitched together.
    fits : dict of str to (list of float, float, float)
        For "references" and "source" the weights of the numbers of seams.hpp, and between which
        sums the factor falls from 1 to 0.
    describe : callable
        Of a character: the character in lower case or the mark it stands for, a sum of BITS, and
        its script: "" if it has none, None if it is odd. Called once for each, with the GIL.
    """

    cdef shared_ptr[Letters] letters
    cdef shared_ptr[WordOrder] order
    cdef shared_ptr[Ngrams] ngrams
    cdef SeamFit of_references, of_source
    cdef object describe
    cdef dict scripts

    def __init__(
        self,
        dict words,
        list endings,
        int number,
        int other,
        bytes pairs,
        describe,
        bytes ngrams=None,
        dict fits=None,
    ):
        cdef vector[OrderWord] known
        cdef vector[Ending] tried
        cdef OrderWord word
        cdef Ending ending
        cdef vector[uint8_t] table = list(pairs)
        cdef size_t classes = 0
        while classes * classes < table.size():
            classes += 1
        if classes * classes != table.size() or not MARKS <= classes <= 256:
            raise ValueError(f"{table.size()} pairs of classes; give a square of {MARKS} or more")
        for form, (own, function) in words.items():
            word.form = form
            word.known.has_class = own is not None
            word.known.of_class = 0 if own is None else self.checked(own, classes)
            word.known.function = function
            known.push_back(word)
        for letters, own in endings:
            if not letters:
                raise ValueError("an ending is empty")
            ending.letters = letters
            ending.of_class = self.checked(own, classes)
            tried.push_back(ending)
        self.letters = make_shared[Letters]()
        self.order = make_shared[WordOrder]()
        cdef uint8_t digits = self.checked(number, classes), others = self.checked(other, classes)
        self.order.get().set(known, tried, digits, others, table, classes)
        if ngrams is not None:
            self.ngrams = make_shared[Ngrams]()
            if not self.ngrams.get().read(View(<const char*> ngrams, len(ngrams))):
                raise ValueError("the model of runs of words is damaged")
            self.of_references = fitted(fits["references"])
            self.of_source = fitted(fits["source"])
        self.describe = describe
        self.scripts = {"": 0, None: 1, "LATIN": 2}
        for code in range(128):
            self.learn(code)

    cdef uint8_t checked(self, object own, size_t classes) except? 255:
        if not 0 <= own < classes:
            raise ValueError(f"there is no class {own}")
        return own

    cdef object learn(self, uint32_t code):
        lower, bits, script = self.describe(chr(code))
        number = self.scripts.setdefault(script, len(self.scripts))
        self.letters.get().learn(code, ord(lower) | bits, number)

    cdef object learn_all(self, const View* views, size_t size):
        """Learn the characters of some texts."""
        cdef CppUnknown unknown
        cdef size_t k
        for k in range(size):
            if views[k].data != NULL:
                unknown.look(views[k], self.letters.get()[0])
        for k in range(unknown.codes.size()):
            self.learn(unknown.codes[k])


cdef class GuardKernel(TextKernel):
    """The guards, and the repetition of runs of so many words."""

    cdef GuardEngine* guards
    cdef readonly GuardTables tables

    def __cinit__(self):
        self.guards = new GuardEngine()
        self.engine.reset(self.guards)

    def __init__(self, GuardTables tables, size_t run=3):
        self.describe(NAMES, MESSAGES, False)
        self.tables = tables
        self.guards.letters = tables.letters
        self.guards.order = tables.order
        self.guards.ngrams = tables.ngrams
        self.guards.of_references = tables.of_references
        self.guards.of_source = tables.of_source
        self.guards.run = run if run else 1

    def ground(self, tuple references, tuple source) -> PreparedTexts:
        """Read what a text is compared with: references, and documents of a source."""
        cdef PreparedTexts prepared = PreparedTexts.__new__(PreparedTexts)
        cdef vector[View] views
        cdef TextEngine* engine = self.engine.get()
        cdef int status
        prepared.size = read_references(references, views, False, "references")
        views.push_back(View(NULL, 0))
        prepared.size += read_references(source, views, False, "source")
        prepared.kernel = self
        prepared.held = (references, source)
        with nogil:
            status = engine.build(views.data(), views.size(), prepared.ready)
        if status == UNKNOWN_CHARACTER:
            self.tables.learn_all(views.data(), views.size())
            with nogil:
                status = engine.build(views.data(), views.size(), prepared.ready)
        if status:
            raise failure(status, "references or source", MESSAGES)
        return prepared

    cdef list numbers(self, PreparedTexts ground, str text):
        cdef vector[double] found
        cdef View view
        cdef TextEngine* engine = self.engine.get()
        cdef int status
        read_text(text, "text", &view, False)
        with nogil:
            status = engine.score_ready(ground.ready.get()[0], view, found)
        if status == UNKNOWN_CHARACTER:
            self.tables.learn_all(&view, 1)
            with nogil:
                status = engine.score_ready(ground.ready.get()[0], view, found)
        if status:
            raise failure(status, "text", MESSAGES)
        return found

    def factors(self, PreparedTexts ground not None, str text not None) -> tuple:
        """The guards of a text."""
        return tuple(self.numbers(self.own(ground), text)[:GUARDS])

    def repeated(self, PreparedTexts ground not None, str text not None) -> float:
        """The share of a text's words that end a run met before."""
        return self.numbers(self.own(ground), text)[GUARDS]

    def seams(self, PreparedTexts ground not None, str text not None) -> tuple:
        """The numbers that tell how a text is put together; zeros without a model."""
        return tuple(self.numbers(self.own(ground), text)[GUARDS + 2:])

    cdef PreparedTexts own(self, PreparedTexts ground):
        if not isinstance(ground.kernel, GuardKernel):
            raise TypeError("give what `ground` returned")
        return ground


cdef class PresetKernel:
    """The rewards of one preset.

    Parameters
    ----------
    guards : GuardKernel
    parts : list of (list of (int, float, bool), float, float, float, float, float)
        Of each part the terms - the column of scores, its share, and whether a higher score is
        better -, the weight, the worst score, the cap, the minimum and the top.
    form, beyond : float
        What form alone gives; how fast a part grows beyond its cap.
    repetition : float
        The weight of the share of repeated words.
    """

    cdef readonly GuardKernel guards
    cdef CppPreset preset
    cdef size_t columns

    def __init__(
        self, GuardKernel guards not None, list parts, double form, double beyond, double repetition
    ):
        cdef PresetPart part
        cdef PresetTerm term
        self.guards = guards
        self.columns = 0
        for terms, part.weight, part.worst, part.cap, part.minimum, part.top in parts:
            part.terms.clear()
            for term.column, term.share, term.rises in terms:
                self.columns = max(self.columns, term.column + 1)
                part.terms.push_back(term)
            self.preset.parts.push_back(part)
        self.preset.form, self.preset.beyond = form, beyond
        self.preset.repetition = repetition

    def reward(self, scaled, double guard) -> float:
        """The reward of parts on their scales and the product of the guards."""
        cdef vector[double] numbers = [float(one) for one in scaled]
        if numbers.size() != self.preset.parts.size():
            raise ValueError(f"{numbers.size()} parts; give {self.preset.parts.size()}")
        return self.preset.reward(numbers.data(), guard)

    def judge(
        self,
        tuple prepared not None,
        PreparedTexts ground not None,
        TextColumn texts not None,
        int workers=1,
        refused=None,
    ) -> tuple:
        """The rewards of texts, the values of each part and guard, and whether all look English.

        `prepared` has read what the scores compare with, and `ground` what the guards do. A text
        without a score, or that is None, has 0 in everything. If a kernel refuses a text, raise;
        or, if `refused` is given, pass the row to its `add`.
        """
        cdef vector[ReadySide] sides, last
        cdef vector[double] numbers, rewards, values
        cdef vector[uint8_t] statuses
        cdef PreparedTexts one
        cdef Py_ssize_t rows = texts.size, width = 0, k, row
        for one in prepared:
            if one is None or one.kernel is None:
                raise TypeError("give what kernels have read")
            sides.push_back(ReadySide(one.kernel.engine.get(), one.ready.get()))
            width += one.kernel.engine.get().width()
        if <size_t> width < self.columns:
            raise ValueError(f"{width} columns of scores; the parts need {self.columns}")
        ground = self.guards.own(ground)
        last.push_back(ReadySide(ground.kernel.engine.get(), ground.ready.get()))
        sides.push_back(last[0])
        numbers.resize((width + GUARDS + 2 + SEAMS) * rows)
        rewards.resize(rows)
        values.resize(self.preset.width() * rows)
        statuses.resize(sides.size() * rows)
        cdef double* guards = numbers.data() + width * rows
        cdef uint8_t* looked = statuses.data() + (sides.size() - 1) * rows
        cdef cbool settled
        with nogil:
            score_sides(sides, texts.views, rows, workers, numbers.data(), statuses.data())
            settled = not any_of(statuses.data(), statuses.size())
            if settled:  # usually, and to take the lock and let go of it takes longer
                judge_rows(
                    self.preset, numbers.data(), guards, rows, rewards.data(), values.data()
                )
        if has(looked, rows, UNKNOWN_CHARACTER):
            self.guards.tables.learn_all(texts.views, rows)
            for row in range(rows):
                looked[row] = 0
            with nogil:
                score_sides(last, texts.views, rows, workers, guards, looked)
        if any_of(statuses.data(), statuses.size()):
            self.refuse(prepared, texts, statuses, refused)
            for row in range(rows):
                for k in range(<Py_ssize_t> sides.size()):
                    if statuses[k * rows + row]:  # no score of a row is that of another text
                        for place in range(width):
                            numbers[place * rows + row] = float("nan")
        if not settled:
            with nogil:
                judge_rows(
                    self.preset, numbers.data(), guards, rows, rewards.data(), values.data()
                )
        english = True
        for row in range(rows):
            if texts.views[row].data != NULL and guards[(GUARDS + 1) * rows + row] != 1:
                english = False
        width = self.preset.width()
        columns = [[values[row * width + k] for row in range(rows)] for k in range(width)]
        return [rewards[row] for row in range(rows)], columns, english

    cdef object refuse(
        self, tuple prepared, TextColumn texts, const vector[uint8_t]& statuses, object refused
    ):
        """Raise for the first row of the first kernel that refused one; or record them all."""
        cdef Py_ssize_t k, row, rows = texts.size
        cdef TextKernel kernel
        for k in range(len(prepared) + 1):
            kernel = self.guards
            if k < len(prepared):
                kernel = (<PreparedTexts> prepared[k]).kernel
            for row in range(rows):
                if statuses[k * rows + row]:
                    place = texts.first + row
                    error = failure(statuses[k * rows + row], f"row {place}", kernel.messages)
                    if refused is None:
                        raise of_row(error, place)
                    refused.add(place, error)
