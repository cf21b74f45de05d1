"""SIMetrix: evaluation of summaries by comparing their words with those of the input.

Louis and Nenkova 2009, "Automatically Evaluating Content Selection in Summarization without Human
Models"; 2013, "Automatically Assessing Machine Summary Content Without a Gold Standard"; and their
program SIMetrix, version 1.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from math import fsum, log
from os import PathLike
from typing import TYPE_CHECKING, Any

from summeval._core.columns import columns
from summeval._core.divergence.divergence import FIELDS, DivergenceKernel
from summeval._core.rows.record import Score
from summeval._options import option
from summeval.metrics.option_groups import LANGUAGE, STEMMER, STOPWORDS, TOKENIZER
from summeval.metrics.run.base import KernelMetric
from summeval.metrics.run.explain.items import Asked, ExplainedItem, Items, Span, attribute, whole
from summeval.metrics.run.explain.spans import compared, sentences_of
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.text_options import TextOptions, Tokenizer, one_or_more
from summeval.text import background as word_tables

if TYPE_CHECKING:
    from summeval.text.background import Idf

PRESETS: dict[str, dict[str, Any]] = {
    "simetrix": {"gamma": 0.005, "bins": 1.5, "divergence_log": "ln", "llr_log": "log10"},
    "2013": {"gamma": 0.0005, "bins": 1.5, "divergence_log": "log2", "llr_log": "ln"},
}
PROGRAM = "simetrix-1"
MOST_WORDS = 200  # of the source alone that are explained one by one
HOLLOW = "empty word"  # what SIMetrix reads in a line of punctuation
SMOOTHING: Any = option(default=None, choices=(None,), kind="number", low=0, above=True)
_LOGS: dict[str | None, float] = {"ln": 1.0, "log2": 1 / log(2), "log10": 1 / log(10)}


class Simetrix(KernelMetric):
    """Divergences and similarities between the words of a summary and those of its input.

    A text is the counts of its words; the documents of an input are counted together. With c(w)
    the count of a word, N the sum of the counts, and V the number of types of the input,
    p(w) = c(w) / N and the smoothed p~(w) = (c(w) + gamma) / (N + gamma * bins * V); sums run over
    the types of both texts. Fields:

    - `KLInputSummary`, `KLSummaryInput`: the divergences of p~, in either direction.
    - `unsmoothedJSD` (which is `value`), from 0 to ln 2, and `smoothedJSD`: the mean of the
      divergences of both distributions from their mean, for p and for p~. Of these four fields a
      lower number is better, of the others a higher one.
    - `cosineAllWords`: the cosine of the counts, each times the idf of its word.
    - `percentTopicTokens`: the share of the summary's tokens that are topic words of the input;
      `fractionTopicWords`: the share of the topic words that the summary has; `topicWordOverlap`:
      the cosine as above of the topic words of the input and all words of the summary. NaN without
      a background, 0 where the summary has no topic word.
    - `unigramProb`: the log10 of the likelihood of the summary's words under p of the input, those
      that the input lacks left out; `multinomialProb`: with the multinomial coefficient of the
      counts of all of the summary's words.

    A word of the input is a topic word if -2 log of the likelihood ratio (Dunning 1993) of its
    counts in input and background is above `topic_cutoff`, whichever side has more of it.

    A summary without words, stop words left out, has the worst value of each field (the formulas
    would call it nearly perfect): `unsmoothedJSD` ln 2, cosines and topic fields 0, and where the
    formulas have no bound, what no summary of 2^31 words, 2^20 of them different, goes beyond
    beside this input. An input without words has NaN in every field.

    Parameters
    ----------
    preset : {"simetrix", "2013"}
        The numbers of the program (gamma 0.005, natural logarithms in divergences, log10 in
        likelihood ratios) or those recalled of the 2013 article (gamma 0.0005, log2, natural
        logarithms); both have bins 1.5.

        The options of these names go before it.
    stemmer : {None, "rouge155", "porter", "porter-java"} or "snowball-LANGUAGE"
        "porter-java" is the program's, for words of three letters and more; the others stem words
        of four and more, as in `Rouge`.
    stopwords : bool or iterable of str
        True drops the words of the program's list, which is the one of ROUGE-1.5.5; or the words.
    topic_cutoff : float
        Of the likelihood ratio; under log10, 10 is 23.03 of a chi-square.
    gamma, bins : float or None
        Of the smoothing.
    background : dict of str to int, or path
        Counts of words in other texts, not stemmed; those of equal stems are added.

        A file of `summeval background`, or of lines `word count`. "wordfreq" is the list of English
        words that the package brings; None knows no topic words.
    idf : (dict of str to float, number of documents), or path
        The inverse document frequency of words, stemmed as the texts are; others get the logarithm
        of the number of documents.

        A file of `summeval background`, or one whose first line is the number of documents and the
        others `word idf`. "wordfreq" estimates it from the counts that the package brings; None
        gives all words the weight 1.
    llr_log : {None, "log10", "ln"}
        The logarithm of likelihood ratios: the program's, or that of the chi-square scale.
    divergence_log : {None, "ln", "log2"}
        The logarithm of the four divergences.
    compat : {None, "simetrix-1"}
        "simetrix-1" does as the program: a line of punctuation alone counts as one empty word, and
        empty texts have the numbers of the formulas.

        Needs the tokenizer "rouge155".
    tokenizer : {"rouge155", "unicode", "uax29", "icu"} or callable
        "rouge155" is runs of ASCII letters and digits, "unicode" of those of any script; or a
        function from str to tokens (slower: it runs in Python).
    language : str or None
        A code such as "de" sets tokenizer, stemmer and stop words, and no background, unless they
        are given.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    TypeError, ValueError
        For a value that an option does not take, or a table that cannot be used.

    Notes
    -----
    The background of the program was counted in newswire that may not be passed on. "wordfreq" has
    as many words, so that `topic_cutoff` means the same: the frequencies of wordfreq 3.1.1 (Speer
    2022; Wikipedia, news, books, subtitles, web pages) without stop words. For idf, a word with c
    occurrences is taken to be in D (1 - exp(-c / D)) of D = 5,000 documents.

    Examples
    --------
    >>> source = ["The bridge was closed on Tuesday.", "Cracks closed the bridge."]
    >>> score = Simetrix().score("Cracks closed the bridge.", source=source)
    >>> round(score.unsmoothedJSD, 4), round(score.cosineAllWords, 4)
    (0.0719, 0.9129)
    >>> background = {"bridge": 2, "close": 900, "tuesday": 900}
    >>> Simetrix(background=background, topic_cutoff=1.0).topic_words(source)
    ['bridg', 'crack', 'tuesdai']
    """

    names = ("simetrix",)
    summary = "divergences, cosines and topic words, compared with the source"
    fields = FIELDS
    primary = "unsmoothedJSD"
    compared_with = "source"
    lower_is_better = frozenset(
        {"KLInputSummary", "KLSummaryInput", "unsmoothedJSD", "smoothedJSD"}
    )
    unbounded = frozenset({"KLInputSummary", "KLSummaryInput", "multinomialProb"})
    preset: str = option(default="simetrix", choices=tuple(PRESETS))
    stemmer: str | None = STEMMER._replace(default="porter-java")
    stopwords: bool | Iterable[str] = STOPWORDS._replace(default=True)
    topic_cutoff: float = option(default=10.0, kind="number")
    gamma: float | None = SMOOTHING
    bins: float | None = SMOOTHING
    background: Mapping[str, int] | str | PathLike[str] | None = option(
        default=word_tables.SHIPPED, choices=(None, word_tables.SHIPPED), kind="path"
    )
    idf: Idf | str | PathLike[str] | None = option(
        default=None, choices=(None, word_tables.SHIPPED), kind="path"
    )
    llr_log: str | None = option(default=None, choices=(None, "log10", "ln"))
    divergence_log: str | None = option(default=None, choices=(None, "ln", "log2"))
    compat: str | None = option(default=None, choices=(None, PROGRAM))
    tokenizer: str | Tokenizer = TOKENIZER
    language: str | None = LANGUAGE

    def __post_init__(self) -> None:
        if self.compat and self.tokenizer != "rouge155":
            raise ValueError(f"compat is {self.compat!r} and the tokenizer another; set rouge155")
        for name, value in PRESETS[self.preset].items():
            if getattr(self, name) is None:
                setattr(self, name, value)
        unstemmed = 2 if self.stemmer == "porter-java" else 3
        self._text_options = TextOptions.of(self, unstemmed=unstemmed)
        given = vars(self)  # what is read of these takes their place
        background, idf = given.pop("background"), given.pop("idf")
        self._background, self._background_label = word_tables.background(background, self.stemmer)
        self._idf, self._unknown_idf, self._idf_label = word_tables.idf(idf, self.stemmer)
        if not self._background:
            self.lacking = self.name, FIELDS[5:8], ("simetrix.background", "simetrix.idf")

    def signed(self) -> Signed:
        """Return the options, resources and version that the numbers depend on.

        >>> Simetrix().signature.split("|cutoff")[0]
        'simetrix|gamma:0.005|bins:1.5|log:ln|llr:log10'
        """
        return [
            ("gamma", repr(self.gamma)),
            ("bins", repr(self.bins)),
            ("log", str(self.divergence_log)),
            ("llr", str(self.llr_log)),
            ("cutoff", repr(self.topic_cutoff)),
            ("background", self._background_label),
            ("idf", self._idf_label),
            *self._text_options.options,
            ("compat", self.compat or "none"),
        ]

    def counts(self, texts: str | Iterable[str]) -> dict[str, int]:
        """Return the words of a text, or of the documents of an input, and how often each occurs.

        >>> Simetrix().counts(["The bridges", "A bridge closed."])
        {'bridg': 2, 'close': 1}
        """
        from summeval.text.stemmers import token_stemmer
        from summeval.text.tokenizers import words

        text_options, found = self._text_options, Counter[str]()
        for number, text in enumerate(one_or_more(texts, "texts")):
            columns.check_text(text, f"texts[{number}]")
            if text is None:
                continue
            found.update(words(text, text_options.tokenizer))
            if self.compat and (hollow := word_tables.lines_without_words(text)):
                found[""] += hollow
        stem = token_stemmer(text_options.stemmer, text_options.unstemmed)
        counts: dict[str, int] = defaultdict(int)
        for word, count in found.items():
            if word not in text_options.stopwords:
                counts[stem(word)] += count
        return dict(counts)

    def explain_texts(self, asked: Asked) -> Items:
        """Return an item for each word, with what it adds to `unsmoothedJSD`.

        With the shares p and q of a word in summary and input and m = (p + q) / 2, a word adds
        (p log(p / m) + q log(q / m)) / 2, so that the shares add up to the value: a small share is
        good. Words of the input that the summary lacks come by their share; after the first 200 of
        them the others are one item. A text without words, or an empty summary, has one item.
        Details: the counts in `candidate` and `source`.

        Examples
        --------
        >>> explanation = Simetrix().explain("The bridge fell.", source="The bridge closed.")
        >>> [(item.text, item.kind, round(item.share, 3)) for item in explanation.items]
        [('bridge', 'match', 0.0), ('fell', 'extra', 0.173), ('closed', 'missing', 0.173)]
        """
        counts = self.counts(asked.candidate), self.counts(asked.sources)
        if not all(counts):
            return [whole("no words", asked.value)]
        return simetrix_items(asked, counts, self._text_options, _LOGS[self.divergence_log])

    def score_counts(self, candidate: Mapping[str, int], source: Mapping[str, int]) -> Score:
        """Score words that were counted elsewhere; they are neither stemmed nor dropped.

        Raises
        ------
        TypeError, ValueError
            A count is not a whole number of at least 1; the message names the word.

        Examples
        --------
        >>> Simetrix().score_counts({"a": 1, "d": 1}, {"a": 2, "b": 1, "c": 1}).unsmoothedJSD
        0.34657359027997264
        """
        sides = {"candidate": candidate, "source": source}
        found: Score = self._runner_kernel.score_counts(
            *(word_tables.encoded(name, counts, least=1) for name, counts in sides.items())
        )
        return found

    def likelihood_ratios(self, documents: str | Iterable[str]) -> dict[str, float]:
        """-2 log of the likelihood ratio of each word of an input, by `llr_log`.

        Raises
        ------
        ValueError
            If no background was given.

        Examples
        --------
        >>> ratios = Simetrix(background={"bridge": 2, "steel": 98}).likelihood_ratios("a bridge")
        >>> {word: round(ratio, 4) for word, ratio in ratios.items()}
        {'bridg': 3.2143}
        """
        if self._background is None:
            raise ValueError("topic words need a background; give background={word: count}")
        counts = {word.encode(): count for word, count in self.counts(documents).items()}
        ratios = self._runner_kernel.likelihood_ratios(counts)
        return {word.decode(): ratio for word, ratio in zip(counts, ratios, strict=True)}

    def topic_words(self, documents: str | Iterable[str]) -> list[str]:
        """Return the topic words of an input, stemmed as the texts are, in alphabetical order.

        Raises
        ------
        ValueError
            If no background was given.
        """
        ratios = self.likelihood_ratios(documents)
        return sorted(word for word, ratio in ratios.items() if ratio > self.topic_cutoff)

    def _kernel(self) -> DivergenceKernel:
        counts, weights, stemmer = self._background, self._idf, self._text_options.stemmer
        return DivergenceKernel(
            self._text_options.analyzer(),
            self.name,
            word_tables.shipped_counts(stemmer) if isinstance(counts, str) else counts,
            word_tables.shipped_idf(stemmer) if isinstance(weights, str) else weights,
            self._unknown_idf,
            (self.gamma, self.bins),  # type: ignore[arg-type]  # the preset tells them
            _LOGS[self.divergence_log],
            _LOGS[self.llr_log],
            self.topic_cutoff,
            self.compat is not None,
        )


def simetrix_items(
    asked: Asked,
    counts: tuple[Mapping[str, int], Mapping[str, int]],
    text_options: TextOptions,
    scale: float,
) -> tuple[ExplainedItem, ...]:
    """Return an item for each word of the candidate, then for those that only the source has.

    Parameters
    ----------
    candidate, sources
        The texts.
    counts : two mappings of str to int
        The words of the candidate and of the source.
    text_options : TextOptions
    scale : float
        What natural logarithms are multiplied by.
    """
    own, source = counts
    sums = [sum(side.values()) for side in counts]
    shares = {
        word: scale * _divergence(own.get(word, 0) / sums[0], source.get(word, 0) / sums[1])
        for word in dict.fromkeys((*own, *source))
    }
    here, *there = (_places(text_options, text) for text in (asked.candidate, *asked.sources))
    missing = sorted(
        (word for word in source if word not in own), key=lambda word: (-shares[word], word)
    )
    rest = missing[MOST_WORDS:]
    shown = [*missing[:MOST_WORDS], *own]
    spans = {w: [(k, *at) for k, of in enumerate(there) for at in of.get(w, [])] for w in shown}
    items = attribute(
        asked,
        [(word, here.get(word, [])) for word in own],
        [*spans.items()],
        shares,
        name=lambda word, words: words[0] if words else word or HOLLOW,
        details=lambda w: {"candidate": float(own.get(w, 0)), "source": float(source.get(w, 0))},
    )
    if not rest:
        return items
    share = fsum(shares[word] for word in rest)
    count = float(sum(source[word] for word in rest))
    return (*items, whole(f"{len(rest)} other words", share, {"source": count}))


def _divergence(p: float, q: float) -> float:
    """Return what a word adds, of natural logarithms."""
    both = (p + q) / 2
    return fsum(share * log(share / both) for share in (p, q) if share) / 2


def _places(text_options: TextOptions, text: str) -> dict[str, list[Span]]:
    """Return where the words of a text stand."""
    places: dict[str, list[Span]] = {}
    for sentence in sentences_of(text_options, text):
        for form, begin, end in compared(text_options, sentence):
            places.setdefault(form, []).append((begin, end))
    return places
