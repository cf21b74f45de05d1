"""The features of `readability`: how each is counted, and its direction.

The direction fixes the effect of a feature: more of it makes a text read better (1) or worse (-1),
even if some judgements disagree; with 0 the judgements decide. Directions keep a model from
learning the habits of the systems that wrote its training texts; see `Readability`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, NamedTuple

from summeval.annotate.discourse.trees import SUBJECTS, plain
from summeval.annotate.document import Document, Token
from summeval.metrics.discourse.role_features import OPEN, RoleSpace

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval.annotate.discourse import DiscourseDocument


class Feature(NamedTuple):
    """A feature: its direction and its description."""

    direction: int
    meaning: str


_CHAINS = RoleSpace("presence")
_CHAIN_NAMES = tuple(
    _CHAINS.name(place)
    for place in range(_CHAINS.base**2 + _CHAINS.base**3)
    if set(_CHAINS.name(place).split("->")) != {"nil"}
)

SURFACE = {
    "sentence_length": Feature(1, "log of 1 + words by sentences"),
    "shortest_sentence": Feature(1, "log of 1 + words of the shortest sentence"),
    "sentence_length_spread": Feature(-1, "standard deviation by mean of the words of sentences"),
    "short_sentences": Feature(-1, "share of sentences of at most 4 words"),
    "long_sentences": Feature(-1, "share of sentences of 35 words or more"),
    "one_sentence": Feature(-1, "1 for a text of a single sentence"),
    "word_length": Feature(1, "mean letters of words"),
    "distinct_words": Feature(1, "distinct words by the square root of all"),
    "quotation_marks": Feature(-1, "share of tokens"),
    "symbols": Feature(-1, "share of tokens that are brackets, symbols or unknown"),
    "unbalanced": Feature(-1, "1 where quotation marks or brackets are left open"),
}
REPETITION = {
    "repeated_words": Feature(-1, "share of words that came before"),
    "repeated_bigrams": Feature(-1, "the same of runs of 2 words, across sentences"),
    "repeated_trigrams": Feature(-1, "of 3 words"),
    "repeated_4grams": Feature(-1, "of 4 words"),
    "bigrams_within": Feature(-1, "mean over sentences of the share repeated within one"),
    "trigrams_within": Feature(-1, "the same of 3 words"),
    "most_bigrams_within": Feature(-1, "the greatest such share of a sentence, of 2 words"),
    "soon_again": Feature(-1, "words of 4 letters or more that stand among the 4 before, by words"),
    "doubled_words": Feature(-1, "words that follow themselves, by words"),
    "repeated_content": Feature(-1, "share of content lemmas that came before"),
    "content_within": Feature(-1, "mean over sentences of that share within one"),
    "repeated_nouns": Feature(-1, "share of the lemmas of nouns that came before"),
    "repeated_names": Feature(-1, "share of proper nouns that came before"),
    "commonest_content": Feature(-1, "share of the commonest content lemma"),
    "shared_content": Feature(-1, "most that two sentences share, by the smaller set of lemmas"),
    "alike_sentences": Feature(-1, "greatest Jaccard likeness of the words of two sentences"),
    "shared_bigrams": Feature(-1, "most runs of 2 words that two sentences share, by the shorter"),
    "equal_sentences": Feature(-1, "share of sentences equal to an earlier one"),
    "new_content": Feature(1, "mean share of new content lemmas in sentences after the first"),
    "least_new_content": Feature(1, "the least share of new content lemmas of a sentence"),
    "new_content_at_end": Feature(1, "that share in the last sentence"),
}
ENTITIES = {
    "carried_content": Feature(1, "mean Jaccard likeness of content lemmas of neighbours"),
    "least_carried": Feature(1, "the least of them"),
    "unlinked": Feature(-1, "share of neighbouring sentences without a lemma in common"),
    "dangling_pronoun": Feature(-1, "1 where a pronoun of the third person precedes all nouns"),
    "opens_with_pronoun": Feature(-1, "1 where the first word is one, or a demonstrative"),
    "first_person": Feature(-1, "share of words"),
}
SYNTAX = {
    "verbless": Feature(-1, "share of sentences without a verb"),
    "not_finite": Feature(-1, "without a finite verb"),
    "subjectless": Feature(-1, "without a subject"),
    "root_no_verb": Feature(-1, "whose root is no verb"),
    "root_not_finite": Feature(-1, "whose root is a bare form or one in -ing"),
    "broken_off": Feature(-1, "whose last word is one that wants another (the, of, and)"),
    "broken_end": Feature(-1, "1 where the last sentence is such"),
    "unclear": Feature(-1, "share of tokens whose dependency the parser could not name"),
    "unknown_tags": Feature(-1, "share of tokens tagged as foreign, list marks or not known"),
    "interjections": Feature(-1, "share of tokens"),
    "parataxis": Feature(-1, "clauses side by side, by sentences"),
    "tense_mixture": Feature(-1, "the rarer of past and present by both"),
    "depth": Feature(1, "mean depth of dependency trees"),
    "clauses": Feature(1, "dependent clauses by sentences"),
    "adverbial_clauses": Feature(1, "by sentences"),
    "relative_clauses": Feature(1, "and other clauses at nouns, by sentences"),
    "conjuncts": Feature(1, "by sentences"),
    "conjunctions": Feature(1, "share of tokens"),
    "prepositions": Feature(1, "and subordinating conjunctions, share of tokens"),
    "verbs": Feature(1, "share of tokens"),
}
DISCOURSE = {
    "explicit_relations": Feature(1, "by sentences"),
    "opening_relations": Feature(1, "those whose connective opens a sentence, by sentences"),
    "opens_with_connective": Feature(-1, "1 where the text does (but, also, however)"),
    "no_relation": Feature(-1, "share of NoRel among relations without a connective"),
    **{
        name: Feature(0, "sub-sequences in the columns of the role matrix, as of `presence`")
        for name in _CHAIN_NAMES
    },
}
STYLE = {
    "lower_case_starts": Feature(0, "share of sentences that begin in lower case"),
    "capitals": Feature(0, "share of tokens that begin with a capital"),
    "spaced_marks": Feature(0, "full stops, commas and apostrophes after a blank, by tokens"),
    "no_final_mark": Feature(0, "1 where the text does not end with . ! or ?"),
}
GROUPS: Mapping[str, Mapping[str, Feature]] = {
    "surface": SURFACE,
    "repetition": REPETITION,
    "entities": ENTITIES,
    "syntax": SYNTAX,
    "discourse": DISCOURSE,
    "style": STYLE,
}

_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_VERBS = _FINITE | {"VB", "VBG", "VBN"}
_CLAUSES = frozenset(("advcl", "ccomp", "relcl", "acl", "xcomp", "csubj"))
_WANTING = frozenset(("DT", "IN", "CC", "TO", "PRP$", "MD", "WDT", "WP", "JJ", "RB"))
_MARKS = frozenset(
    (".", ",", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "SYM", "$", "#", "LS", "_SP", "XX")
)
_UNKNOWN = ("XX", "ADD", "FW", "LS", "AFX")
_SYMBOLS = frozenset(("SYM", "#", "NFP", "XX", "-LRB-", "-RRB-"))
_THIRD = frozenset("he she it they him her them his hers its their theirs".split())
_DEMONSTRATIVE = frozenset("this that these those such".split())
_FIRST = frozenset("i we me us my our mine ours 'm".split())
_OPENERS = frozenset("but and so however because also then meanwhile yet or".split())
_SPACED = re.compile(r"\s[.,'](?=\s|$|s )")
_ENDED = re.compile(r"[.!?][\"'”’)\]\s]*$")


class _Text:
    """The sentences of a document that have words; the words and content lemmas of each."""

    def __init__(self, document: Document) -> None:
        self.text = document.text
        self.sentences: list[Sequence[Token]] = []
        self.lines: list[list[str]] = []
        for sentence in document.sentences:
            words = [plain(t.form) for t in sentence.tokens if any(map(str.isalnum, t.form))]
            if words:
                self.sentences.append(sentence.tokens)
                self.lines.append(words)
        self.words = [word for line in self.lines for word in line]
        self.tokens = [token for sentence in self.sentences for token in sentence]
        self.lemmas = [[_lemma(t) for t in s if t.tag.startswith(OPEN)] for s in self.sentences]
        self.tags = Counter(token.tag for token in self.tokens)
        self.labels = Counter(token.label for token in self.tokens)

    def share(self, *beginnings: str) -> float:
        """The share of tokens with a tag that begins with one of these."""
        found = sum(times for tag, times in self.tags.items() if tag.startswith(beginnings))
        return found / max(1, len(self.tokens))

    def each(self, of: Callable[[Sequence[Token]], object]) -> float:
        """The share of sentences that meet a condition."""
        return mean(float(bool(of(sentence))) for sentence in self.sentences)

    def per_sentence(self, *labels: str) -> float:
        """How many dependencies have these labels, per sentence."""
        return sum(self.labels[label] for label in labels) / max(1, len(self.sentences))


def names_of(groups: Collection[str]) -> tuple[str, ...]:
    """The features of some groups, in order.

    >>> len(names_of(["surface"])), names_of(["entities"])[0]
    (11, 'carried_content')
    """
    return tuple(name for group, found in GROUPS.items() if group in groups for name in found)


def features_of(document: Document, relations: DiscourseDocument) -> dict[str, float]:
    """All features of a text except those of the role matrix; 0 if there is nothing to count.

    Parameters
    ----------
    document : Document
        With tags and dependencies in the labels of CLEAR.
    relations : DiscourseDocument
        The relations of the same text.

    Examples
    --------
    >>> from summeval.annotate import DiscourseDocument, Sentence, Token
    >>> cats = Document((Sentence((Token("Cats", "NNS"), Token("Cats", "NNS"))),))
    >>> found = features_of(cats, DiscourseDocument.of(cats))
    >>> found["repeated_words"], found["doubled_words"], found["verbless"]
    (0.5, 0.5, 1.0)
    """
    text = _Text(document)
    return {
        **_surface(text),
        **_repetition(text),
        **_between_sentences(text),
        **_reference(text),
        **_clauses(text),
        **_proportions(text),
        **_relations(text, relations),
        **_style(text),
    }


def feature_rows(
    documents: Sequence[Document],
    relations: Sequence[DiscourseDocument],
    names: Sequence[str],
    workers: int = 1,
) -> NDArray[float64]:
    """The features of documents [document, name]."""
    import numpy as np

    table = np.zeros((len(documents), len(names)))
    places = {name: place for place, name in enumerate(names)}
    chains = _CHAINS.rows(relations, workers=workers)
    rows = np.repeat(np.arange(len(documents)), np.diff(chains.indptr))
    for number, place, value in zip(rows, chains.indices, chains.values, strict=True):
        at = places.get(_CHAINS.name(place))
        if at is not None:
            table[number, at] = value
    for row, pair in enumerate(zip(documents, relations, strict=True)):
        for name, value in features_of(*pair).items():
            if name in places:
                table[row, places[name]] = value
    return table


def _surface(text: _Text) -> dict[str, float]:
    lengths = [len(line) for line in text.lines]
    average, number = mean(lengths), max(1, len(lengths))
    spread = math.sqrt(mean((length - average) ** 2 for length in lengths))
    tokens = max(1, len(text.tokens))
    brackets = text.text.count("(") != text.text.count(")")
    return {
        "sentence_length": math.log1p(average),
        "shortest_sentence": math.log1p(min(lengths, default=0)),
        "sentence_length_spread": spread / average if average else 0.0,
        "short_sentences": sum(length <= 4 for length in lengths) / number,
        "long_sentences": sum(length >= 35 for length in lengths) / number,
        "one_sentence": float(len(lengths) == 1),
        "word_length": mean(map(len, text.words)),
        "distinct_words": len(set(text.words)) / math.sqrt(max(1, len(text.words))),
        "quotation_marks": (text.tags["``"] + text.tags["''"]) / tokens,
        "symbols": sum(text.tags[tag] for tag in _SYMBOLS) / tokens,
        "unbalanced": float(brackets or text.text.count('"') % 2 == 1),
    }


def _repetition(text: _Text) -> dict[str, float]:
    words, lines = text.words, text.lines
    content = [lemma for line in text.lemmas for lemma in line]
    nouns = [_lemma(token) for token in text.tokens if token.tag.startswith("NN")]
    proper = [plain(token.form) for token in text.tokens if token.tag.startswith("NNP")]
    pairs_within = [repeated(runs(line, 2)) for line in lines]
    soon = sum(
        len(word) > 3 and word in line[max(0, place - 4) : place]
        for line in lines
        for place, word in enumerate(line)
    )
    doubled = sum(one == two for line in lines for one, two in pairwise(line))
    return {
        "repeated_words": repeated(words),
        "repeated_bigrams": repeated(runs(words, 2)),
        "repeated_trigrams": repeated(runs(words, 3)),
        "repeated_4grams": repeated(runs(words, 4)),
        "bigrams_within": mean(pairs_within),
        "trigrams_within": mean(repeated(runs(line, 3)) for line in lines),
        "most_bigrams_within": max(pairs_within, default=0.0),
        "soon_again": soon / max(1, len(words)),
        "doubled_words": doubled / max(1, len(words)),
        "repeated_content": repeated(content),
        "content_within": mean(map(repeated, text.lemmas)),
        "repeated_nouns": repeated(nouns),
        "repeated_names": repeated(proper),
        "commonest_content": max(Counter(content).values(), default=0) / max(1, len(content)),
    }


def _between_sentences(text: _Text) -> dict[str, float]:
    lemmas = [frozenset(line) for line in text.lemmas]
    words = [frozenset(line) for line in text.lines]
    pairs = [frozenset(runs(line, 2)) for line in text.lines]
    every = list(combinations(range(len(lemmas)), 2))
    beside = [jaccard(one, two) for one, two in pairwise(lemmas)]
    seen: set[str] = set()
    new = []
    for found in lemmas:
        if found:
            new.append(len(found - seen) / len(found))
        seen |= found
    shortest = (max(1, min(len(text.lines[i]), len(text.lines[j])) - 1) for i, j in every)
    bigrams = (len(pairs[i] & pairs[j]) for i, j in every)
    return {
        "shared_content": max((_contained(lemmas[i], lemmas[j]) for i, j in every), default=0.0),
        "alike_sentences": max((jaccard(words[i], words[j]) for i, j in every), default=0.0),
        "shared_bigrams": max((n / k for n, k in zip(bigrams, shortest, strict=True)), default=0.0),
        "equal_sentences": repeated([tuple(line) for line in text.lines]),
        "new_content": mean(new[1:]),
        "least_new_content": min(new, default=0.0),
        "new_content_at_end": new[-1] if new else 0.0,
        "carried_content": mean(beside),
        "least_carried": min(beside, default=0.0),
        "unlinked": mean(float(likeness == 0) for likeness in beside),
    }


def _reference(text: _Text) -> dict[str, float]:
    dangling = False
    for token in text.tokens:
        if token.tag.startswith("NN"):
            break
        dangling = dangling or plain(token.form) in _THIRD
    first = text.words[0] if text.words else ""
    return {
        "dangling_pronoun": float(dangling),
        "opens_with_pronoun": float(first in _THIRD or first in _DEMONSTRATIVE),
        "opens_with_connective": float(first in _OPENERS),
        "first_person": mean(float(word in _FIRST) for word in text.words),
    }


def _clauses(text: _Text) -> dict[str, float]:
    def roots(sentence: Sequence[Token]) -> Iterator[str]:
        return (token.tag for token in sentence if token.head < 0)

    broken = [_last(sentence).tag in _WANTING for sentence in text.sentences]
    return {
        "verbless": text.each(lambda each: not any(token.tag in _VERBS for token in each)),
        "not_finite": text.each(lambda each: not any(token.tag in _FINITE for token in each)),
        "subjectless": text.each(lambda each: not any(token.label in SUBJECTS for token in each)),
        "root_no_verb": text.each(lambda each: next(roots(each), "") not in _VERBS),
        "root_not_finite": text.each(lambda each: next(roots(each), "") in ("VB", "VBG")),
        "broken_off": mean(map(float, broken)),
        "broken_end": float(bool(broken) and broken[-1]),
        "depth": mean(map(_depth, text.sentences)),
        "clauses": text.per_sentence(*_CLAUSES),
        "adverbial_clauses": text.per_sentence("advcl"),
        "relative_clauses": text.per_sentence("relcl", "acl"),
        "conjuncts": text.per_sentence("conj"),
        "parataxis": text.per_sentence("parataxis"),
    }


def _proportions(text: _Text) -> dict[str, float]:
    past, present = text.tags["VBD"], text.tags["VBZ"] + text.tags["VBP"]
    return {
        "unclear": (text.labels["dep"] + text.labels["meta"]) / max(1, len(text.tokens)),
        "unknown_tags": text.share(*_UNKNOWN),
        "interjections": text.share("UH"),
        "tense_mixture": min(past, present) / max(1, past + present),
        "conjunctions": text.share("CC"),
        "prepositions": text.share("IN"),
        "verbs": text.share("VB"),
    }


def _relations(text: _Text, document: DiscourseDocument) -> dict[str, float]:
    sentences, starts = max(1, len(text.sentences)), frozenset(document.starts)
    explicit = [each for each in document.relations if each.type == "Explicit"]
    others = len(document.relations) - len(explicit)
    none = sum(each.type == "NoRel" for each in document.relations)
    opening = sum(bool(starts.intersection(each.conn_tokens[:1])) for each in explicit)
    return {
        "explicit_relations": len(explicit) / sentences,
        "opening_relations": opening / sentences,
        "no_relation": none / max(1, others),
    }


def _style(text: _Text) -> dict[str, float]:
    forms = [token.form[:1] for token in text.tokens]
    return {
        "lower_case_starts": text.each(lambda each: each[0].form[:1].islower()),
        "capitals": mean(float(form.isupper()) for form in forms),
        "spaced_marks": len(_SPACED.findall(text.text)) / max(1, len(forms)),
        "no_final_mark": float(not _ENDED.search(text.text.rstrip())),
    }


def mean(values: Iterable[float]) -> float:
    """The mean; 0 for an empty sequence.

    >>> mean([1, 2]), mean([])
    (1.5, 0.0)
    """
    found = list(values)
    return sum(found) / len(found) if found else 0.0


def runs(words: Sequence[str], length: int) -> list[tuple[str, ...]]:
    """The n-grams of words.

    >>> runs(["a", "b", "c"], 2)
    [('a', 'b'), ('b', 'c')]
    """
    return list(zip(*(words[place:] for place in range(length)), strict=False))


def repeated(items: Sequence[object]) -> float:
    """The share of items that also occur earlier.

    >>> repeated("abcb")
    0.25
    """
    return 1 - len(set(items)) / len(items) if items else 0.0


def jaccard(one: frozenset[str], two: frozenset[str]) -> float:
    """The size of the intersection divided by that of the union; 0 if both sets are empty.

    >>> jaccard(frozenset("ab"), frozenset("bc"))
    0.3333333333333333
    """
    union = len(one | two)
    return len(one & two) / union if union else 0.0


def _contained(one: frozenset[str], two: frozenset[str]) -> float:
    return len(one & two) / min(len(one), len(two)) if one and two else 0.0


def _lemma(token: Token) -> str:
    return token.lemma.lower() or plain(token.form)


def _last(sentence: Sequence[Token]) -> Token:
    """The last token that is not punctuation; the last token if all are."""
    return next((each for each in reversed(sentence) if each.tag not in _MARKS), sentence[-1])


def _depth(sentence: Sequence[Token]) -> int:
    """How many heads are above the deepest token."""
    depths: dict[int, int] = {}
    for start in range(len(sentence)):
        path: list[int] = []
        place = start
        while place >= 0 and place not in depths and place not in path:
            path.append(place)
            place = sentence[place].head
        above = depths.get(place, -1)
        for node in reversed(path):
            above += 1
            depths[node] = above
    return max(depths.values(), default=0)
