"""How much of a summary is copied from its source, in how long stretches, and what is new in it.

Grusky, Naaman and Artzi 2018, "Newsroom: A Dataset of 1.3 Million Summaries with Diverse Extractive
Strategies", section 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from summeval._core.fragments.fragments import FIELDS, FragmentKernel
from summeval.metrics.option_groups import LANGUAGE, STEMMER, TOKENIZER
from summeval.metrics.run.base import KernelMetric
from summeval.metrics.run.explain.items import FLOOR, Asked, ExplainedItem, Items, Token, whole
from summeval.metrics.run.explain.spans import tokens_of
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.text_options import TextOptions, Tokenizer

Found = tuple[int, int, int, int]  # first word, number of words, document, first word there


class Extractiveness(KernelMetric):
    """Stretches of the summary that stand in the source, what is new, and what comes again.

    A fragment is the longest stretch of words that also stands in the source, beginning where the
    last one ended; words that the source lacks are passed over. S is the number of words of the
    summary, A that of the source.

    Fields:

    - `coverage` (which is `value`): the share of the summary's words that are in fragments. Higher
      is better here: less can be made up. 1 for a copy.
    - `density`: the mean length of the fragment that a word is in, the sum of squared lengths by S.
    - `compression`: A / S.
    - `novel1`, `novel2`, `novel3`: the share of the different words, pairs and triples of words in
      a row that the source lacks; 0 for a summary with fewer words. Lower is better.
    - `repetition`: the share of the triples of words in a row that came before in the summary.
      Lower is better.
    - `length_ratio`: S / A. Neither way is better; it counts as rising, because no text is 0.

    A summary without words has the worst value of each field: 0 for `coverage`, `density`,
    `compression` and `length_ratio`, 1 for what is new and for `repetition`. Beside a source
    without words `length_ratio` is NaN. The documents of a source are apart: no fragment goes from
    one into the next.

    Source: Grusky, Naaman and Artzi 2018, "Newsroom", section 4 and figure 2, for coverage, density
    and compression; the shares of new n-grams are those of SummEval's toolkit (Fabbri and others
    2021). As in figure 2, a longer match that begins within a match of the same beginning is passed
    over, which happens only where the words of a text come again at once.

    Parameters
    ----------
    stemmer : {None, "rouge155", "porter", "porter-java"} or "snowball-LANGUAGE"
        Compare stems; see `summeval.text.stemmer`.
    tokenizer : {"rouge155", "unicode", "uax29", "icu"} or callable
        As in `Rouge`; "unicode" takes letters and digits of any script.
    language : str or None
        A code such as "de" sets tokenizer and stemmer, unless they are given.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take.

    Examples
    --------
    >>> source = "The bridge was closed on Tuesday after cracks were found."
    >>> score = Extractiveness().score("The bridge was closed after a storm.", source=source)
    >>> round(score.coverage, 3), round(score.density, 3), round(score.novel2, 3)
    (0.714, 2.429, 0.5)
    """

    names = ("extractiveness",)
    summary = "what is copied from the source in stretches, and what is new"
    fields = FIELDS
    primary = "coverage"
    compared_with = "source"
    lower_is_better = frozenset({"novel1", "novel2", "novel3", "repetition"})
    unbounded = frozenset({"density", "compression", "length_ratio"})
    stemmer: str | None = STEMMER
    tokenizer: str | Tokenizer = TOKENIZER._replace(default="unicode")
    language: str | None = LANGUAGE

    def __post_init__(self) -> None:
        self._text_options = TextOptions.of(self)

    def signed(self) -> Signed:
        """Return the options, resources and version that the numbers depend on.

        >>> Extractiveness(tokenizer="rouge155").signature.split("|v:")[0]
        'extractiveness|tokenizer:rouge155|stemmer:none|stopwords:none'
        """
        options: Signed = self._text_options.options
        return options

    def explain_texts(self, asked: Asked) -> Items:
        """Return the fragments, and the words between them.

        The share of a fragment is its number of words by those of the summary, its detail `words`
        this number. Its span of the source is the first place where it stands. Words that are in no
        fragment add nothing.

        Examples
        --------
        >>> source = "The bridge was closed on Tuesday."
        >>> explanation = Extractiveness().explain("The bridge was shut.", source=source)
        >>> [(item.text, item.share, item.source_spans) for item in explanation.items]
        [('The bridge was', 0.75, ((0, 0, 14),)), ('shut', 0.0, ())]
        """
        candidate, sources, read = asked.candidate, asked.sources, self._text_options.text
        found = self._runner_kernel.find(
            read(candidate, "candidate") or "", [read(text, "source") for text in sources]
        )
        own = tokens_of(candidate, self.tokenizer)
        used = {document for _, _, document, _ in found}
        others = {number: tokens_of(sources[number], self.tokenizer) for number in used}
        return _items(candidate, own, found, others) or [whole(FLOOR, asked.value)]

    def _kernel(self) -> FragmentKernel:
        return FragmentKernel(self._text_options.analyzer(), self.name)


def _items(
    text: str, own: Sequence[Token], found: Sequence[Found], others: Mapping[int, Sequence[Token]]
) -> list[ExplainedItem]:
    """Return an item for each fragment, and for each stretch of words between two."""
    items, at = [], 0

    def add(first: int, last: int, share: float, *places: tuple[int, int, int]) -> None:
        span, details = (own[first].begin, own[last - 1].end), {"words": float(last - first)}
        name = text[slice(*span)]
        items.append(ExplainedItem(name, (span,), (), share, details, source_spans=places))

    for begin, size, document, place in found:
        if at < begin:
            add(at, begin, 0.0)
        at, other = begin + size, others[document]
        there = document, other[place].begin, other[place + size - 1].end
        add(begin, at, size / len(own), there)
    if at < len(own):
        add(at, len(own), 0.0)
    return items
