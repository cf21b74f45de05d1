"""TESLA-M: bags of weighted n-grams, matched by a linear programme over graded similarity.

Liu, Dahlmeier and Ng 2010, "TESLA: Translation Evaluation of Sentences with
Linear-programming-based Analysis"; described again by Liu and Ng 2012, "Character-Level Machine
Translation Evaluation for Languages with Ambiguous Word Boundaries", section 2. The program was
never public; the definition here is what the papers say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, starmap
from math import fsum, prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from summeval._arrays import Floats
from summeval._core.rows.record import Score
from summeval._options import option
from summeval.elements.resources import ADJECTIVE, ADVERB, NOUN, VERB, wordnet
from summeval.metrics.option_groups import LANGUAGE, RECALL_WEIGHT, SOLVER, TOKENIZER
from summeval.metrics.run.base import PairMetric, check_solver, solver_label
from summeval.metrics.run.explain.items import Asked, ExplainedItem, Items, Place, Span, Token
from summeval.metrics.run.explain.spans import tokens_of
from summeval.metrics.run.runner import FIELDS, Runner
from summeval.metrics.run.signature import Signed, label_of
from summeval.metrics.run.text_options import Tokenizer, tokens_signed
from summeval.metrics.tesla import reading
from summeval.text.tokenizers import CASED

if TYPE_CHECKING:
    from summeval.learn.vectors import WordVectors
    from summeval.solvers.result import TransportResult

    Plan = TransportResult | None  # between two bags, of which both have weight


ORDERS = ("unigram", "bigram", "trigram")

NGram = tuple[reading.Word, ...]
Words = Sequence[reading.Word]
Units = Sequence[tuple[int, ...]]
Similarity = Callable[[reading.Word, reading.Word], float]
_MOST_PAIRS = 1 << 25  # of n-grams; a pair takes some 64 bytes
_WORDS: dict[Any, str] = {None: "graded", "wordnet": "wordnet-3.0"}  # in signatures


OF_TWO: Any = option(
    default=None, choices=(None,), kind="function", give="give a function of two arguments, or None"
)


class TeslaM(PairMetric):
    """N-grams of 1 to 3 words shared by candidate and reference, weighted by similarity.

    Two words are alike to 1 if they have the same lemma, and else to the mean of two numbers, each
    0 or 1: whether they are synonyms, and whether they have the same tag. Two n-grams are alike to
    the mean over their words, position by position, or to 0 if two words in one place are not alike
    at all. S is the greatest sum of likeness times weight that a plan can send between the n-grams
    of candidate and reference, each up to its weight (see `summeval.solvers.transport`); precision
    is S by the weight of the candidate, recall S by that of the reference. The score is the mean of
    the F of the three orders, then of the references. An order without weight, such as the trigrams
    of two words, has F 0; an empty candidate scores 0.

    With `similarity="wordnet"` lemmas are those of WordNet, and words are synonyms that have a
    synset in common, as published. Without it there is no dictionary: the lemma of a word is its
    form in lower case unless `lemma` gives it, and without `synonyms` no words are synonyms. Text
    without tags has no likeness of tags; `score_units` takes tags.

    Fields: `fmeasure` (which is `value`), `precision` and `recall`, the means of those of the three
    orders. `parts` of a single Score has `unigram`, `bigram`, `trigram`, each with `S`,
    `precision`, `recall`, `fmeasure` (means over the references).

    Parameters
    ----------
    lemma : callable or None
        A function from a word and its tag ("" if it has none) to its lemma.
    synonyms : callable or None
        A function of two `Word`: whether they can mean the same.
    similarity : {None, "wordnet", "vectors"} or callable
        "wordnet" takes lemmas (unless `lemma` gives them) and synonyms from WordNet 3.0, all senses
        of a word. "vectors" takes the cosine of the forms in the table of `tesla-e`, or 1 for equal
        lemmas; a `summeval.learn.vectors.WordVectors` that in another table. Or a function of
        a `Word` of the candidate and one of the reference: a number from 0 to 1, in place of the
        likeness of words above. It must depend on the two words alone.
    function_weight : float
        The weight of an n-gram is multiplied by this for each function word in it.
    function_tags, function_words : iterable of str, optional
        As in `TeslaS`.
    keep_punctuation : bool
        Keep tokens without letters and digits, as function words, in tagged text.
    recall_weight : float
        As in `TeslaS`.
    tokenizer : {"rouge155", "unicode", "uax29", "icu"} or callable
        For text without tags.
    language : str or None
        A code such as "de" sets the tokenizer and the function words, unless they are given.
    solver : str
        One of ``summeval.solvers.list_solvers("transport")``.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take, and when scoring for a similarity outside 0 to 1.

    Examples
    --------
    >>> alike = lambda a, b: {a.lemma, b.lemma} == {"cat", "feline"}
    >>> metric = TeslaM(synonyms=alike, label="cats")
    >>> score = metric.score_units("The/DT cat/NN sleeps/VBZ", "The/DT feline/NN sleeps/VBZ")
    >>> score.value
    1.0
    >>> round(TeslaM().score_units("a/DT cat/NN", "a/DT dog/NN").parts.unigram.S, 12)
    0.6
    >>> published = TeslaM(similarity="wordnet")
    >>> published.score_units("The/DT cars/NNS stopped/VBD", "The/DT car/NN stops/VBZ").value
    1.0
    """

    names = ("tesla-m",)
    summary = "n-grams of up to 3 tokens, matched by similarity of words"
    fields = FIELDS
    primary = "fmeasure"
    lemma: Callable[[str, str], str] | None = OF_TWO
    synonyms: Callable[[reading.Word, reading.Word], bool] | None = OF_TWO
    similarity: str | Similarity | WordVectors | None = option(
        default=None,
        choices=(None, "wordnet", "vectors"),
        kind="function",
        give='give a function of two arguments, a WordVectors, "wordnet", "vectors", or None',
    )
    function_weight: float = reading.FUNCTION_WEIGHT
    function_tags: Iterable[str] | None = reading.FUNCTION_TAGS
    function_words: Iterable[str] | None = reading.FUNCTION_WORDS
    keep_punctuation: bool = reading.KEEP_PUNCTUATION
    recall_weight: float = RECALL_WEIGHT
    tokenizer: str | Tokenizer = TOKENIZER
    language: str | None = LANGUAGE
    solver: str = SOLVER

    def __post_init__(self) -> None:
        if self.similarity is not None and self.synonyms is not None:
            raise ValueError("similarity and synonyms are both set; similarity says it all")
        check_solver("transport", self.solver)
        self._labels = {
            "lemma": label_of(self.lemma or "form", self.label),
            "synonyms": label_of(self.synonyms or "none", self.label),
            "similarity": _name(self.similarity, self.label),
        }
        self._tags, self._tags_label = reading.tag_list(self.function_tags)
        self._words, self._words_label = reading.function_list(
            self.function_words, unicode=self.tokenizer in ("unicode", *CASED)
        )

    def signed(self) -> Signed:
        """Return the options, resources and version that the numbers depend on.

        >>> TeslaM(recall_weight=0.5).signature.split("|orders:")[0]
        'tesla-m|aggregate:average|recall-weight:0.5'
        """
        return [
            ("aggregate", "average"),
            ("recall-weight", str(self.recall_weight)),
            ("orders", "1-3"),
            ("words", self._labels["similarity"]),
            ("lemma", self._labels["lemma"]),
            ("synonyms", self._labels["synonyms"]),
            ("function", str(self.function_weight)),
            ("function-words", self._words_label),
            ("function-tags", self._tags_label),
            ("punctuation", "kept" if self.keep_punctuation else "dropped"),
            *tokens_signed(self),
            ("solver", solver_label("transport", self.solver, self.label)),
        ]

    def unscored(self) -> Score:
        return reading.score_of(ORDERS, [reading.NO_PART] * len(ORDERS))

    def score_units(self, candidate: str | None, references: str | Iterable[str | None]) -> Score:
        """Score a text whose words have tags, `The/DT police/NN arrested/VBD two/CD men/NNS`.

        Tokens, parameters, result and errors are those of `TeslaS.score_units`; `tokenizer` and
        `function_words` play no part.
        """
        runner = Runner.of_pairs(self, self._read_tagged, self.compare, self.unscored())
        return runner.run_pair(candidate, references)[self.name]

    def explain_texts(self, asked: Asked) -> Items:
        """An item for each two n-grams between which the plan sends weight, then for the rest.

        The share of such a pair is its part of S (flow times similarity) times what the F of its
        order counts in the value, which is 1/3n with n references; so the shares add up to the
        value. Details: `flow`, `similarity`, and the prices of the plan that the solver found, if
        it tells any: by how much S grows for more weight of the n-gram of the candidate (`price`)
        or of the reference (`reference_price`). N-grams that get or send nothing have the share 0.

        Examples
        --------
        >>> explanation = TeslaM().explain("cats sleep", "cats slept")
        >>> [(item.text, item.kind, round(item.share, 3)) for item in explanation.items][:2]
        [('cats', 'match', 0.167), ('slept', 'missing', 0.0)]
        """
        grams = []
        for text in asked.texts:
            tokens = tokens_of(text, self.tokenizer)
            words = self._words_of([(token.form, "") for token in tokens])
            grams.append([_placed(text, tokens, words, order + 1) for order in range(len(ORDERS))])
        own, *others = (self.read(text, "") for text in asked.texts)
        items: list[ExplainedItem] = []
        missing: dict[NGram, tuple[str, list[Place]]] = {}
        extra = {unit: named for placed in grams[0] for unit, named in placed.items()}
        for number, other in enumerate(others):
            for order, plan in enumerate(self._plans(own, other)):
                left, right = (list(grams[side][order].items()) for side in (0, number + 1))
                flows = list(_flows(plan))
                total = sum(worth for _, _, worth, _ in flows)
                part = _part(plan, own[order], other[order], self.recall_weight).fmeasure
                part /= len(ORDERS) * len(others)
                for row, column, worth, details in flows:
                    (unit, (name, spans)), (_, (called, there)) = left[row], right[column]
                    text = name if name.lower() == called.lower() else f"{name} = {called}"
                    places = tuple((number, *span) for span in there)
                    share = part * worth / total
                    items.append(ExplainedItem(text, tuple(spans), places, share, details))
                    extra.pop(unit, None)
                receiving = {column for _, column, _, _ in flows}
                for column, (unit, (called, there)) in enumerate(right):
                    if column not in receiving:
                        known = missing.setdefault(unit, (called, []))[1]
                        known.extend((number, *span) for span in there)
        items += [ExplainedItem(name, (), tuple(places), 0.0) for name, places in missing.values()]
        items += [ExplainedItem(name, tuple(spans), (), 0.0) for name, spans in extra.values()]
        return items

    def read(self, text: str, place: str) -> list[Bag]:
        from summeval.text.tokenizers import words

        found = [(token, "") for token in words(text, self.tokenizer)]
        return self._bags(found, [token.lower() in self._words for token, _ in found])

    def _read_tagged(self, text: str, place: str) -> list[Bag]:
        lines = enumerate(text.split("\n"), 1)
        words = [word for n, line in lines for word in reading.read_line(line, place, n)]
        punctuation = [reading.is_punctuation(form) for form, _ in words]
        kept = [k for k, mark in enumerate(punctuation) if self.keep_punctuation or not mark]
        functions = [words[k][1] in self._tags or punctuation[k] for k in kept]
        return self._bags([words[k] for k in kept], functions)

    def _bags(self, tokens: Sequence[tuple[str, str]], functions: Sequence[bool]) -> list[Bag]:
        words = self._words_of(tokens)
        weights = [self.function_weight if function else 1.0 for function in functions]
        return [Bag.of(words, weights, order + 1) for order in range(len(ORDERS))]

    def _words_of(self, tokens: Sequence[tuple[str, str]]) -> list[reading.Word]:
        lemma = self.lemma or (lambda form, tag: form.lower())
        return [reading.Word(form, lemma(form, tag), tag) for form, tag in tokens]

    def compare(self, candidate: list[Bag], references: Sequence[list[Bag]]) -> Score:
        found = [self._parts(candidate, reference) for reference in references]
        return reading.score_of(
            ORDERS, [reading.Part.mean(same) for same in zip(*found, strict=True)]
        )

    def _parts(self, candidate: list[Bag], reference: list[Bag]) -> list[reading.Part]:
        plans = self._plans(candidate, reference)
        return [
            _part(plan, own, other, self.recall_weight)
            for plan, own, other in zip(plans, candidate, reference, strict=True)
        ]

    def _plans(self, candidate: list[Bag], reference: list[Bag]) -> list[Plan]:
        """Return the best plan between the n-grams of each order; None if a side has no weight."""
        from summeval.solvers import transport

        sides = list(zip(candidate, reference, strict=True))
        if max(len(own.units) * len(other.units) for own, other in sides) > _MOST_PAIRS:
            return [self._plan_of_equals(own, other) for own, other in sides]
        alike = self._alike(candidate[0].words, reference[0].words)

        def plan(own: Bag, other: Bag) -> Plan:
            if not (own.total and other.total):
                return None
            similarity = _similarity_of(own.units, other.units, alike)
            return transport(own.weights, other.weights, similarity, solver=self.solver)

        return list(starmap(plan, sides))

    def _plan_of_equals(self, own: Bag, other: Bag) -> Plan:
        """The same for long texts whose words are alike only where their lemmas are equal."""
        from summeval.solvers import result, transportation
        from summeval.solvers.weights import Weights

        places: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for column, unit in enumerate(other.units):
            places[tuple(other.words[at].lemma for at in unit)].append(column)
        found = [places.get(tuple(own.words[at].lemma for at in unit), []) for unit in own.units]
        sizes = [len(columns) for columns in found]
        plain = self.similarity is None and self.synonyms is None
        tagged = all(any(word.tag for word in side.words) for side in (own, other))
        if not plain or tagged or sum(sizes) > _MOST_PAIRS:
            raise ValueError(
                f"tesla-m compares {len(own.units):,} different n-grams with {len(other.units):,};"
                " 2^25 pairs are the most, as two texts with 5,700 each have; shorten them"
            )
        if not (own.total and other.total):
            return None
        rows = np.repeat(np.arange(len(found)), sizes)
        columns = np.fromiter(chain.from_iterable(found), np.int64, len(rows))
        shape = len(own.units), len(other.units)
        sides = np.array(own.weights), np.array(other.weights)
        similarity = Weights(shape, edges=(rows, columns, np.ones(len(rows))))
        solver = result.load("transport", self.solver, {})
        return transportation.transport_weights(*sides, similarity, solver)

    def _alike(self, own: Words, others: Words) -> Floats:
        """Return the likeness of words [of the candidate, of the reference]."""
        if self.similarity == "vectors" or hasattr(self.similarity, "cosines"):
            from summeval.learn.vectors import SHIPPED, vectors_of

            table = vectors_of(SHIPPED if self.similarity == "vectors" else self.similarity)
            assert table is not None
            cosines = table.cosines([w.form for w in own], [w.form for w in others])
            same = reading.equal([w.lemma for w in own], [w.lemma for w in others])
            return np.maximum(cosines, same)
        if self.similarity == "wordnet":
            return likeness(own, others, lemmas=self.lemma is not None)
        if self.similarity is None:
            lemmas = reading.equal([w.lemma for w in own], [w.lemma for w in others])
            tags = reading.equal([w.tag for w in own], [w.tag or None for w in others])
            means = (tags + _matrix(self.synonyms, own, others).astype(bool)) / 2
            return np.where(lemmas > 0, 1.0, means)
        assert callable(self.similarity)
        alike = _matrix(self.similarity, own, others)
        bad = np.argwhere(~((alike >= 0) & (alike <= 1)))
        if len(bad):
            i, j = bad[0]
            raise ValueError(
                f"similarity({own[i]}, {others[j]}) is {alike[i, j]}; give a number from 0 to 1"
            )
        return alike


def _matrix(of: Callable[..., Any] | None, own: Words, others: Words) -> Floats:
    """Return what a function gives for words [of the candidate, of the reference]; else 0."""
    if of is None:
        return np.zeros((len(own), len(others)))
    values = [[float(of(a, b)) for b in others] for a in own]
    return np.array(values, dtype=np.float64).reshape(len(own), len(others))


def _name(similarity: Any, label: str | None) -> str:
    """Return the likeness of words, for signatures."""
    if similarity == "vectors" or hasattr(similarity, "cosines"):
        from summeval.learn.vectors import shipped_label

        return shipped_label() if similarity == "vectors" else f"vectors-{similarity.label}"
    return label_of(_WORDS.get(similarity, similarity), label)


class Bag(NamedTuple):
    """The n-grams of one order: each type once, with the weight of all its occurrences.

    (Occurrences of a type are alike to the same others, so the programme may take them as one.)
    """

    words: Words  # the types of words
    units: Units  # the types of n-grams, as places in `words`
    weights: Sequence[float]
    total: float

    @classmethod
    def of(cls, words: Words, weights: Sequence[float], order: int) -> Bag:
        """Return the n-grams of a text of weighted words."""
        places: dict[reading.Word, int] = {}
        ids = [places.setdefault(word, len(places)) for word in words]
        units: dict[tuple[int, ...], list[float]] = {}
        for begin in range(len(ids) - order + 1):
            weight = prod(weights[begin : begin + order])
            units.setdefault(tuple(ids[begin : begin + order]), []).append(weight)
        sums = [fsum(parts) for parts in units.values()]
        return cls(list(places), list(units), sums, fsum(sums))


def _part(plan: Plan, own: Bag, other: Bag, recall_weight: float) -> reading.Part:
    """S, precision, recall and F of the n-grams of one order."""
    shared = 0.0 if plan is None else min(plan.value, own.total, other.total)
    return reading.Part.of(shared, own.total, other.total, recall_weight)


def _placed(
    text: str, tokens: Sequence[Token], words: Words, size: int
) -> dict[NGram, tuple[str, list[Span]]]:
    """Return what each n-gram of a text is called, and where it stands, in the order of a bag."""
    found: dict[NGram, tuple[str, list[Span]]] = {}
    for at in range(len(words) - size + 1):
        here = tokens[at : at + size]
        name = " ".join(text[token.begin : token.end] for token in here)
        _, spans = found.setdefault(tuple(words[at : at + size]), (name, []))
        spans.append((here[0].begin, here[-1].end))
    return found


def _flows(plan: Plan) -> Iterator[tuple[int, int, float, dict[str, float]]]:
    """Yield the rows and columns between which something goes, its worth and what is behind it."""
    if plan is None:
        return
    places = np.nonzero(plan.flow > 0)
    alike = plan.similarity.at(*places).tolist()
    for row, column, similarity in zip(*map(np.ndarray.tolist, places), alike, strict=True):
        flow = float(plan.flow[row, column])
        if flow * similarity <= 0:
            continue
        details = {"flow": flow, "similarity": similarity}
        if plan.prices is not None:
            details["price"] = float(plan.prices[0][row])
            details["reference_price"] = float(plan.prices[1][column])
        yield row, column, flow * similarity, details


def _similarity_of(own: Units, others: Units, alike: Floats) -> Floats:
    """Return the likeness of n-grams: the mean over their words, 0 if one pair is not alike."""
    left, right = np.array(own).T, np.array(others).T
    places = [alike[np.ix_(a, b)] for a, b in zip(left, right, strict=True)]
    least = np.minimum.reduce(places)
    return np.where(least > 0, sum(places[1:], places[0]) / len(places), 0.0)


_OF_TAGS = {"NN": NOUN, "VB": VERB, "JJ": ADJECTIVE, "RB": ADVERB}
_KEPT = 1 << 16  # words; the lemmas and synsets of one take about 1 kB


def likeness(own: Words, others: Words, lemmas: bool) -> Floats:
    """Return the likeness of words [of mine, of others]: 1, 0.5 or 0.

    1 if they can have one lemma; else the mean of two numbers, each 0 or 1: whether a synset of one
    is a synset of the other, and whether their tags are equal. All senses are looked at.

    Parameters
    ----------
    own, others : sequence of Word
    lemmas : bool
        Whether the words have their lemmas; else WordNet gives them. A word without a tag, or with
        one of none of WordNet's parts of speech, has the lemmas and synsets of all of these.

    Examples
    --------
    >>> from summeval.metrics.tesla.reading import Word
    >>> car, *others = [
    ...     Word(*line.split())
    ...     for line in ("car car NN", "Cars cars NNS", "auto auto NN", "dog dog NN", "red red JJ")
    ... ]
    >>> likeness([car], others, False)
    array([[1. , 1. , 0.5, 0. ]])
    """
    sides = [
        [_read(word.lemma if lemmas else word.form, word.tag, lemmas) for word in side]
        for side in (own, others)
    ]
    same, senses = (_overlap(*([found[k] for found in side] for side in sides)) for k in (0, 1))
    tags = reading.equal([w.tag for w in own], [w.tag or None for w in others])
    return np.where(same > 0, 1.0, (senses + tags) / 2)


@lru_cache(_KEPT)
def _read(text: str, tag: str, is_lemma: bool) -> tuple[frozenset[str], frozenset[int]]:
    """Return the lemmas that a word can have, and its synsets."""
    net, word = wordnet(), text.lower()
    pos = _OF_TAGS.get(tag[:2])
    entries = [(net.entry(word, one), one) for one in ((pos,) if pos is not None else range(4))]
    found = [(entry, one) for entry, one in entries if entry is not None]
    lemmas = {word} if is_lemma or not found else {entry for entry, _ in found}
    synsets = frozenset(synset for entry, one in found for synset in net.synsets(entry, one))
    return frozenset(lemmas | ({word} if pos is None else set())), synsets


def _overlap(own: Sequence[frozenset[Any]], others: Sequence[frozenset[Any]]) -> Floats:
    """1 where two sets share something [of mine, of others]."""
    places: dict[Any, list[int]] = defaultdict(list)
    for column, items in enumerate(others):
        for item in items:
            places[item].append(column)
    found = np.zeros((len(own), len(others)))
    for row, items in enumerate(own):
        for item in items:
            if item in places:
                found[row, places[item]] = 1
    return found
