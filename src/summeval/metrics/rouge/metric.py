"""ROUGE: recall-oriented understudy for gisting evaluation.

Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries", and the program ROUGE-1.5.5.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from summeval._core.overlap.rouge import RougeKernel
from summeval._options import option, unknown
from summeval.metrics import option_groups as group
from summeval.metrics.rouge.measures import ROUGE_NAMES, parse
from summeval.metrics.run.base import Metric
from summeval.metrics.run.runner import FIELDS, TextRunner
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.text_options import Splitter, TextOptions, Tokenizer

if TYPE_CHECKING:
    from summeval.metrics.run.explain.items import Asked, Items

# Below 1 a run would count less than its tokens, and scores would pass 1; above 5 the weights of
# long texts leave the range of a double.
WEIGHT: Any = option(
    default=1.2,
    kind="number",
    low=1,
    high=5,
    give="give a number from 1 to 5 (the script's is 1.2)",
)


class Rouge(Metric):
    """One ROUGE measure.

    Recall is the share of the reference's units that the candidate has, precision the share of the
    candidate's that the reference has; units are n-grams (`rouge1` to `rouge9`), tokens on a
    longest common subsequence (`rougeL` over the text, `rougeLsum` over sentences on lines and
    `rougeW` with runs weighted by length to the power `weight`), or skip-bigrams (`rougeS4`,
    `rougeSU4` with unigrams; `*` for any gap). `value` is `fmeasure`. An empty text
    scores 0 in all fields.

    Parameters
    ----------
    measure : str
        The measure; `rougeW-1.5` sets `weight` too.
    stemmer : {None, "rouge155", "porter", "porter-java"} or "snowball-LANGUAGE"
        "rouge155" is the script's -m, "porter" rouge-score's `use_stemmer`, "porter-java" that of
        SIMetrix; "snowball-german" and others are in `summeval.text.stemmer`.

        Tokens of at most three bytes are left as they are, but for Snowball's.
    stopwords : bool or iterable of str
        True drops the words of the script's list (-s); or the words to drop.
    max_words : int
        The length limit -l of the script, in words of candidate and references; 0 is none.
    max_bytes : int
        The length limit -b of the script, in bytes of candidate and references; 0 is none.
    aggregate : {"max", "average", "best"}
        Over several references: the highest F (as rouge-score), the script's -f A (pooled counts)
        or -f B (the highest recall).
    jackknife : bool
        Mean over the sets that leave one reference out.
    alpha : float
        F = P R / ((1 - alpha) P + alpha R); the script's -p.
    weight : float
        For `rougeW`: a run of k tokens has the weight k to this power; the script's -w.
    tokenizer : {"rouge155", "unicode", "uax29", "icu"} or callable
        "rouge155" is runs of ASCII letters and digits, "unicode" of those of any script; the others
        and a function from str to tokens run in Python, which is slower.
    language : str or None
        A code such as "de" sets the tokenizer and the stemmer, unless they are given, and the list
        that `stopwords=True` means.
    sentences : {"newline", "rules"} or callable
        How to split a text without newlines into sentences, for `rougeLsum` and `rougeW`.
    digits : {"auto", None, 5}
        5 gives the numbers that the script prints: R and P to five decimals, F from these to five
        decimals.

        None rounds nothing. "auto" is 5 for "average" and "best", None for "max".
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take. When scoring, for a text of more than 1 GiB and,
        before any memory is asked for, for two lines of more than about 65,000 tokens each
        (`rougeLsum`: their product passes 2^32) or 23,000 (`rougeW`: 2^29, or 2^36 for whole texts)
        and texts of more than 2^31 skip-bigrams; the message names the row and the limit. `rougeL`
        has no other limit than the first: its time grows with the product of the lengths.

    Examples
    --------
    >>> Rouge("rouge1").score("the cat sat", "the cat sat down").recall
    0.75
    >>> Rouge("rouge2", aggregate="average").score("the cat sat", ["the cat", "cat sat down"])
    Score(precision=0.5, recall=0.66667, fmeasure=0.57143)
    """

    names = ROUGE_NAMES
    others = r"rougeSU?\d{1,6}|rougeW-\d+(\.\d+)?"
    summary = (
        ("rouge1", "tokens in common with the reference"),
        (r"rouge(\d)", "runs of {} tokens in common"),
        ("rougeL", "longest common subsequence of the texts"),
        ("rougeLsum", "common subsequences by sentence: the ROUGE-L of ROUGE-1.5.5"),
        ("rougeW", "common subsequences by sentence, unbroken runs weighted more"),
        (r"rougeS\*", "pairs of tokens in common, in order, any distance apart"),
        (r"rougeS(\d)", "pairs of tokens in common, in order, at most {} tokens between"),
        (r"rougeSU\*", "as rougeS*, and single tokens"),
        (r"rougeSU(\d)", "as rougeS{}, and single tokens"),
    )
    fields = FIELDS
    primary = "fmeasure"
    immutable = True
    measure: str = option(default="rouge1", kind="any", kw_only=False)
    stemmer: str | None = group.STEMMER
    stopwords: bool | Iterable[str] = group.STOPWORDS
    max_words: int = group.MAX_WORDS
    max_bytes: int = group.MAX_BYTES
    aggregate: str = group.AGGREGATE._replace(choices=("max", "average", "best"))
    jackknife: bool = group.JACKKNIFE
    alpha: float = group.ALPHA
    weight: float = WEIGHT
    tokenizer: str | Tokenizer = group.TOKENIZER
    language: str | None = group.LANGUAGE
    sentences: str | Splitter = group.SENTENCES
    digits: str | int | None = option(default="auto", choices=("auto", None, 5))

    def __post_init__(self) -> None:
        measured = parse(self.measure, self.weight) if isinstance(self.measure, str) else None
        if measured is None:
            raise ValueError(unknown("ROUGE measure", self.measure, ROUGE_NAMES))
        if measured[0] == "weighted-lcs":
            self.declared["weight"].check(measured[3])
        self.name, self._called = self.label or self.measure, self.measure
        self._kernel_measure = measured
        self._text_options = TextOptions.of(self)
        self.needs_sentences = self.measure == "rougeLsum" and self.sentences == "newline"
        script = self.aggregate != "max" if self.digits == "auto" else self.digits == 5
        self._scoring = (self.aggregate, self.jackknife, script, self.alpha)

    def signed(self) -> Signed:
        """Return the options and version that the numbers depend on.

        >>> Rouge("rouge1").signature.split("|v:")[0]
        'rouge1|aggregate:max|alpha:0.5|tokenizer:rouge155|stemmer:none|stopwords:none'
        """
        aggregate, jackknife, script, alpha = self._scoring
        kind, _, _, weight = self._kernel_measure
        return [
            ("aggregate", aggregate),
            ("alpha", repr(alpha)),
            ("jackknife", jackknife),
            *([("digits", "5")] if script else []),
            *([("weight", repr(weight))] if kind == "weighted-lcs" else []),
            *self._text_options.options,
        ]

    def explain_texts(self, asked: Asked) -> Items:
        """Return the units that both texts have, and those of one alone, whose share is 0.

        Units are n-grams, skip-bigrams, or runs of the longest common subsequence. The share of one
        is the value times its part of the matches; for `rougeW` a run's part is its weight. The
        references are those that the value comes from: the best one, or with
        `aggregate="average"` or `jackknife` several. Texts with more than 1,000 skip-bigrams have
        an item for each first word, with the number of pairs that both texts have.

        Raises
        ------
        ValueError
            For `rougeW`, if two lines have more than 2^24 pairs of tokens (4,096 tokens each).

        Examples
        --------
        >>> explanation = Rouge("rouge2").explain("The cat sat.", "the cat ran")
        >>> [(item.text, item.kind, item.share) for item in explanation.items]
        [('The cat', 'match', 0.5), ('cat ran', 'missing', 0.0), ('cat sat', 'extra', 0.0)]
        >>> explanation.items[0].candidate_spans, explanation.items[0].reference_spans
        (((0, 7),), ((0, 0, 7),))
        """
        from summeval.metrics.rouge.explained import Scoring, explained_items, weights_of

        measure = self._kernel_measure
        weigh = partial(weights_of, measure, Scoring(*self._scoring), asked.value)
        kernel = cast("TextRunner", self.runner())._kernel
        return explained_items(kernel, measure[0], self._text_options, asked.texts, weigh)

    def fusion_key(self) -> Hashable:
        return (Rouge, self._text_options, self._scoring)

    @staticmethod
    def fuse(metrics: Sequence[Rouge]) -> TextRunner:
        first = metrics[0]
        kernel = RougeKernel(
            first._text_options.analyzer(),
            [metric._kernel_measure for metric in metrics],
            tuple(metric.name for metric in metrics),
            *first._scoring,
        )
        return TextRunner(kernel, first._text_options)
