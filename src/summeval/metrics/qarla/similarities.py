"""The similarity metrics of the QARLA paper, on words and fragments of documents, and on texts.

Amigó, Gonzalo, Peñas and Verdejo 2005, "QARLA: A Framework for the Evaluation of Text Summarization
Systems", section 4. The candidate is the contrastive summary of the paper. The similarity to a text
without words or fragments is 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from math import fsum, sqrt
from typing import Any

from summeval._core.rows.record import Score
from summeval._options import option
from summeval.metrics.option_groups import SENTENCES, STEMMER, STOPWORDS, TOKENIZER
from summeval.metrics.run.base import Metric
from summeval.metrics.run.explain import items as pieces
from summeval.metrics.run.explain.items import whole
from summeval.metrics.run.explain.spans import places, tokens_of
from summeval.metrics.run.runner import Runner
from summeval.metrics.run.signature import Signed, label_of
from summeval.metrics.run.text_options import Splitter, TextOptions, Tokenizer
from summeval.text.stemmers import stemmer
from summeval.text.stopwords import word_list

Fragment = tuple[Hashable, Hashable]
Units = Sequence[tuple[Hashable, pieces.Span]]  # of a text: words, concepts or sentences, and where

_KEPT_TEXTS = 1024  # QARLA compares all pairs of texts


def sentence_precision(candidate: Collection[Hashable], reference: Collection[Hashable]) -> float:
    """Return the number of common fragments divided by that of the reference.

    The paper divides by the reference here and by the candidate in `sentence_recall`, the reverse
    of common use. Repeated fragments count once.

    >>> sentence_precision(["a", "b", "x"], ["a", "b", "c", "d"])
    0.5
    """
    return sentence_recall(reference, candidate)


def sentence_recall(candidate: Collection[Hashable], reference: Collection[Hashable]) -> float:
    """The number of common fragments divided by that of the candidate; see `sentence_precision`.

    >>> round(sentence_recall(["a", "b", "x"], ["a", "b", "c", "d"]), 4)
    0.6667
    """
    own = set(candidate)
    return len(own & set(reference)) / len(own) if own else 0.0


def document_similarity(candidate: Collection[Fragment], reference: Collection[Fragment]) -> float:
    """DocSim: the documents used by both, relative to the fragments of the candidate.

    A fragment is (document, sentence).

    >>> document_similarity([("d1", 1), ("d1", 2)], [("d1", 7), ("d2", 1)])
    0.5
    """
    own = set(candidate)
    common = {document for document, _ in own} & {document for document, _ in reference}
    return len(common) / len(own) if own else 0.0


def word_recall(candidate: Sequence[str], reference: Sequence[str]) -> float:
    """ROUGESim: the share of the reference's words that the candidate has, with multiplicity.

    >>> word_recall(["a", "b", "b"], ["a", "a", "b", "c"])
    0.5
    """
    common = Counter(candidate) & Counter(reference)
    return sum(common.values()) / len(reference) if reference else 0.0


def vector_similarity(
    candidate: Sequence[str], reference: Sequence[str], most: int | None = None
) -> float:
    """VectModelSim: 1/(1 + d), d the Euclidean distance of the relative frequencies of words.

    With `most` it is TruncatedVectModel: only that many words of the reference count, the most
    frequent ones (among equals the first by alphabet); frequencies are relative to all words. The
    paper asks for some decreasing map of d; QARLA does not depend on which.

    >>> round(vector_similarity(["b", "b", "c"], ["a", "a", "a", "b"]), 4)
    0.5207
    >>> round(vector_similarity(["b", "b", "c"], ["a", "a", "a", "b"], most=1), 4)
    0.5714
    """
    if not (candidate and reference):
        return 0.0
    squares = _squares(Counter(candidate), Counter(reference), most)
    return 1.0 / (1.0 + sqrt(fsum(squares.values())))


def _squares(
    own: Counter[Hashable], others: Counter[Hashable], most: int | None
) -> dict[Hashable, float]:
    """Return the parts that words have of the square of the distance."""
    words: list[Any] = sorted(others, key=lambda word: (-others[word], word))[:most]
    if most is None:
        words += [word for word in own if word not in others]
    totals = own.total(), others.total()
    return {word: (own[word] / totals[0] - others[word] / totals[1]) ** 2 for word in words}


_OF_SENTENCES = {"qarla-precision": sentence_precision, "qarla-recall": sentence_recall}
_SIMILARITIES = {
    "qarla-rouge": word_recall,
    "qarla-vector": vector_similarity,
    "qarla-nicos": vector_similarity,
    **_OF_SENTENCES,
}


_VECTORS = tuple(f"qarla-vector-{most}" for most in (1, 8, 64, 512))


class QarlaSimilarity(Metric):
    """A similarity metric of the QARLA paper, between candidate and reference.

    ``qarla-rouge``
        ROUGESim: the share of the reference's words that the candidate has.
    ``qarla-vector``
        VectModelSim: 1/(1 + d), d the Euclidean distance of the vectors of relative word
        frequencies.
    ``qarla-vector-<n>``
        TruncatedVectModel_n: the same over the n most frequent words of the reference.
    ``qarla-nicos``
        NICOS: the same as ``qarla-vector`` over key concepts, which `concepts` names.
    ``qarla-precision``, ``qarla-recall``
        SentencePrecision and SentenceRecall: the number of common sentences divided by that of the
        reference and by that of the candidate (the reverse of common use). Sentences are equal if
        their tokens are equal.

    For DocSim, which needs to know from which document a sentence comes, see `document_similarity`.
    Fields: `similarity` (which is `value`), the mean over the references; 0 where candidate or
    reference have no words.

    Parameters
    ----------
    name : str
        One of those above.
    concepts : iterable of str or None
        For ``qarla-nicos``: the key concepts, words or phrases.
    lemma : callable or None
        A function from a word to its lemma.

        Without it a word is its own.
    stemmer : {None, "rouge155", "porter", "porter-java"} or "snowball-LANGUAGE"
        Used in place of `lemma`; see `summeval.text.stemmer`.
    stopwords : bool or iterable of str
        Words that do not count: True for those of ROUGE-1.5.5.
    tokenizer : {"rouge155", "unicode", "uax29", "icu"} or callable
        As in `Rouge`.
    sentences : {"newline", "rules"} or callable
        How to split a text without newlines into sentences.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take; for ``qarla-nicos`` without `concepts`, and for
        `concepts` with another metric.

    Examples
    --------
    >>> QarlaSimilarity("qarla-rouge").score("the cat slept", "a cat slept well").value
    1.0
    >>> nicos = QarlaSimilarity("qarla-nicos", concepts=["flood wall", "river"])
    >>> round(nicos.score("The flood wall held.", "A flood wall for the river.").value, 6)
    0.585786
    """

    names = ("qarla-rouge", "qarla-vector", *_VECTORS, "qarla-precision", "qarla-recall")
    others = r"qarla-nicos|qarla-vector-[1-9]\d*"
    summary = (
        ("qarla-rouge", "words of the reference that are in the candidate (QARLA)"),
        ("qarla-vector", "similarity of the vectors of word frequencies (QARLA)"),
        (r"qarla-vector-(\d+)", "the same over the {} most frequent words of the reference"),
        ("qarla-precision", "share of the reference's sentences in common (QARLA)"),
        ("qarla-recall", "share of the candidate's sentences in common (QARLA)"),
    )
    fields = ("similarity",)
    primary = "similarity"
    immutable = True
    name: str = option(default="", kind="any", kw_only=False)
    concepts: Iterable[str] | None = option(default=None, choices=(None,), kind="words")
    lemma: Callable[[str], str] | None = option(
        default=None, choices=(None,), kind="function", give="give a function of a word, or None"
    )
    stemmer: str | None = STEMMER
    stopwords: bool | Iterable[str] = STOPWORDS._replace(default=True)
    tokenizer: str | Tokenizer = TOKENIZER
    sentences: str | Splitter = SENTENCES

    def __post_init__(self) -> None:
        self._called = name = self.name
        _similarity(name)  # is there
        if (name == "qarla-nicos") != (self.concepts is not None):
            what = "needs concepts=" if name == "qarla-nicos" else "takes no concepts"
            raise ValueError(f"{name} {what}; key concepts are what qarla-nicos compares")
        if self.lemma is not None and self.stemmer is not None:
            raise ValueError("lemma and stemmer are both set; set one of them")
        self.name = self.label or name
        self._lemma_label = label_of(self.lemma or "form", self.label)
        self._text_options = TextOptions.of(self)
        listed, self._concepts_label = word_list("concepts", self.concepts or ())
        self._concepts = sorted({tuple(self._tokens(concept)) for concept in listed} - {()})
        if name == "qarla-nicos" and not self._concepts:
            raise ValueError("concepts holds no words; name the key concepts")

    def signed(self) -> Signed:
        """Return the options, resources and version that the numbers depend on.

        >>> QarlaSimilarity("qarla-rouge").signature.split("|v:")[0]
        'qarla-rouge|aggregate:average|lemma:form|tokenizer:rouge155|stemmer:none|stopwords:rouge155'
        """
        return [
            ("aggregate", "average"),
            *([("concepts", self._concepts_label)] if self._concepts else []),
            ("lemma", self._lemma_label),
            *self._text_options.options,
        ]

    def new_runner(self) -> Runner[Sequence[Any]]:
        read = lru_cache(_KEPT_TEXTS)(self._read)
        return Runner.of_pairs(self, lambda text, _: read(text), self._compare)

    def _tokens(self, text: str) -> list[str]:
        from summeval.text.tokenizers import words

        return words(text, self._text_options.tokenizer)

    def _read(self, text: str) -> Sequence[Any]:
        """Return the words, concepts or sentences of a text."""
        if self._called in _OF_SENTENCES:
            lines = (tuple(self._tokens(line)) for line in self._text_options.lines(text))
            return [line for line in lines if line]
        found = self._tokens(text)
        if self._called == "qarla-nicos":
            return [" ".join(found[begin:end]) for begin, end in self._named_in(found)]
        return self._forms([word for word in found if word not in self._text_options.stopwords])

    def _named_in(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """Return where the key concepts are in a text, concept by concept."""
        return [
            (begin, begin + len(concept))
            for concept in self._concepts
            for begin in range(len(words) - len(concept) + 1)
            if tuple(words[begin : begin + len(concept)]) == concept
        ]

    def _forms(self, words: list[str]) -> list[str]:
        if self.lemma is not None:
            return [self.lemma(word) for word in words]
        name = self._text_options.stemmer
        return words if name is None else list(map(stemmer(name), words))

    def explain_texts(self, asked: pieces.Asked) -> pieces.Items:
        """Return an item for each word, key concept or sentence of the texts.

        ``qarla-rouge`` and the two of sentences are sums over what both texts have, of which each
        word or sentence has its part; of several references the mean. A similarity 1/(1 + d) is no
        sum: it is 1, the item "intercept", less d/(1 + d), of which each word or concept takes the
        part that it has of the square of the distance d. So the shares add up to the value.
        Details: the counts in `candidate` and in all references (`reference`).

        Examples
        --------
        >>> explanation = QarlaSimilarity("qarla-vector").explain("cats sleep", "cats eat")
        >>> [(item.text, round(item.share, 3)) for item in explanation.items]
        [('intercept', 1.0), ('cats', 0.0), ('sleep', -0.207), ('eat', -0.207)]
        """
        return explained_items(asked, [self._placed(text) for text in asked.texts], self._called)

    def _placed(self, text: str) -> list[tuple[Any, tuple[int, int]]]:
        """As `_read`, each with its place in the text."""
        if self._called in _OF_SENTENCES:
            lines = self._text_options.lines(text)
            spans = places(text, [line.strip() for line in lines])
            words = [tuple(self._tokens(line)) for line in lines]
            return [pair for pair in zip(words, spans, strict=True) if pair[0]]
        found = tokens_of(text, self._text_options.tokenizer)
        forms = [token.form for token in found]
        if self._called == "qarla-nicos":
            return [
                (" ".join(forms[begin:end]), (found[begin].begin, found[end - 1].end))
                for begin, end in self._named_in(forms)
            ]
        kept = [token for token in found if token.form not in self._text_options.stopwords]
        spans = [(token.begin, token.end) for token in kept]
        return list(zip(self._forms([token.form for token in kept]), spans, strict=True))

    def _compare(self, candidate: Sequence[Any], references: Sequence[Sequence[Any]]) -> Score:
        compare = _similarity(self._called)
        return _score(sum(compare(candidate, other) for other in references) / len(references))


def _similarity(name: str) -> Callable[..., float]:
    most = re.fullmatch(r"qarla-vector-([1-9]\d*)", name, re.ASCII)
    if most:
        return partial(vector_similarity, most=int(most[1]))
    if name not in _SIMILARITIES:
        raise ValueError(f"no similarity of QARLA is called {name!r}")
    return _SIMILARITIES[name]


def _score(value: float) -> Score:
    return Score(("similarity",), (value,), "similarity")


def explained_items(
    asked: pieces.Asked, units: Sequence[Units], kind: str
) -> tuple[pieces.ExplainedItem, ...]:
    """Return an item for each unit; for vectors also the item "intercept".

    Parameters
    ----------
    candidate, references
        The texts.
    units : sequence of units
        Of the candidate, then of each reference.
    kind : str
        The name of the similarity.
    """
    own, *others = ([unit for unit, _ in of] for of in units)
    shares: dict[Hashable, float] = {}
    intercept = 0.0
    for other in others:
        for unit, share in _shares(kind, own, other):
            shares[unit] = shares.get(unit, 0.0) + share / len(others)
        intercept += bool(own and other) / len(others)
    counts: list[Counter[Any]] = [Counter(own), Counter(unit for of in others for unit in of)]
    items = pieces.attribute(
        asked,
        [(unit, [span]) for unit, span in units[0]],
        [(unit, [(k, *span)]) for k, of in enumerate(units[1:]) for unit, span in of],
        shares,
        details=lambda unit: {
            "candidate": float(counts[0][unit]),
            "reference": float(counts[1][unit]),
        },
    )
    if kind.startswith(("qarla-vector", "qarla-nicos")) and intercept:
        return (whole(pieces.INTERCEPT, intercept), *items)
    return items


def _shares(
    kind: str, own: Sequence[Hashable], other: Sequence[Hashable]
) -> Iterator[tuple[Hashable, float]]:
    """Yield what each unit adds to the similarity to one reference, the intercept left out."""
    own_counts: Counter[Hashable] = Counter(own)
    other_counts: Counter[Hashable] = Counter(other)
    common = own_counts & other_counts
    if kind == "qarla-rouge":
        yield from ((unit, count / len(other)) for unit, count in common.items())
    elif kind in ("qarla-precision", "qarla-recall"):
        whole = len(other_counts if kind == "qarla-precision" else own_counts)
        yield from ((unit, 1 / whole) for unit in common)
    elif own and other:
        most = kind.removeprefix("qarla-vector-")
        squares = _squares(own_counts, other_counts, int(most) if most.isdecimal() else None)
        total = fsum(squares.values())
        for word, square in squares.items() if total else ():
            yield word, -sqrt(total) / (1 + sqrt(total)) * square / total
