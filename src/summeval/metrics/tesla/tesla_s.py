"""TESLA-S: the machine translation metric TESLA for summaries.

Lin, Liu, Ng and Kan 2012, "Combining Coherence Models and Machine Translation Evaluation Metrics
for Summarization Evaluation", section 3. What the paper leaves open is an option.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from summeval._core.overlap.tesla import TeslaKernel
from summeval._core.text.analyzer import Analyzer
from summeval._options import check_choice, check_label, check_share, whole
from summeval.metrics.run.base import Metric, check_solver, solver_label
from summeval.metrics.run.pair_runner import PairRunner
from summeval.metrics.run.protocols import Runner
from summeval.metrics.run.signature import Signature
from summeval.metrics.run.text_options import Splitter, Tokenizer
from summeval.metrics.run.text_runner import FIELDS, TextRunner
from summeval.metrics.tesla import linear_program as tesla_lp
from summeval.metrics.tesla import tagged
from summeval.metrics.tesla.text_options import TeslaTextOptions, function_list, tag_list

if TYPE_CHECKING:
    from summeval._core.rows.record import Score

MAX_GAP = 1 << 30  # no text has more tokens


class TeslaS(Metric):
    """Tokens and skip-bigrams that candidate and reference share, function words weighing less.

    Each text is two bags of weighted units: its tokens, and its pairs of tokens with at most `gap`
    tokens between them. S is the weight that the bags of candidate and reference can match, a unit
    of one with the same unit of the other, each up to its weight; precision is S by the weight of
    the candidate, recall S by that of the reference. The score is the mean of the F of both bags,
    and of several references the best counts. A bag without weight, such as the skip-bigrams of a
    single token, has F 0; an empty candidate scores 0.

    Fields: `fmeasure` (which is `value`), `precision` and `recall` are the means of those of the
    two bags, of the best reference; so `fmeasure` is no function of the other two. `parts` of a
    single Score has `unigram` and `skip`, each with `S`, `precision`, `recall`, `fmeasure`.

    Parameters
    ----------
    lowercase : bool
        Whether "The" and "the" are the same.
    stem : bool
        Stem tokens as ROUGE-1.5.5 -m does; needs `lowercase`.
    keep_punctuation : bool
        Keep tokens without letters and digits, as function words, in tagged text and in what a
        callable tokenizer gives; the tokenizers of summeval give none.
    function_weight : float
        Weight of a function word, from 0 to 1; other words weigh 1.
    function_tags : iterable of str, optional
        Tags of function words, for `score_tagged`; by default the closed categories of the Penn
        Treebank (CC DT EX IN MD PDT POS PRP PRP$ RP TO UH WDT WP WP$ WRB).
    function_words : iterable of str, optional
        The function words of text without tags, found before stemming and in any (ASCII) case; by
        default `summeval.text.function_words.english()`. An empty list makes all words alike.
    gap : int or None
        Tokens allowed between those of a skip-bigram; 4 is that of ROUGE-SU4, 2 a window of four
        tokens taken literally, None any number.
    skip_weight : {"product", "min"}
        Of the weights of its two words.
    cross_sentences : bool
        Whether the tokens of a skip-bigram may be of two sentences.
    aggregate : {"max", "max-per-bag", "mean"}
        Over several references: that of the highest score, that of the highest F of each bag, or
        the means. Of references with equal scores (to 1e-9 of them) the first one counts.
    alpha : float
        F = P R / (alpha P + (1 - alpha) R). The larger it is, the more recall counts; the alpha of
        `Rouge` is the other way round.
    tokenizer : {"rouge155", "unicode"} or callable
        Runs of ASCII letters and digits; of letters and digits of any script; or a function from
        str to tokens (slower: it runs in Python).
    sentences : {"newline", "rules"} or callable
        What parts sentences in a text without newlines, where `cross_sentences` is False.
    solver : str, optional
        Solve the linear programme of each bag by this of
        ``summeval.solvers.methods("transport")``, as the paper did, in place of its closed form;
        the numbers agree up to the solver's tolerance. Needs `lowercase`.
    label : str
        A name of its own in results, to tell two apart.

    Raises
    ------
    ValueError
        For a value that an option does not take.

    Examples
    --------
    >>> score = TeslaS().score("the cat sat on a mat", "the cat lay on the mat")
    >>> round(score.fmeasure, 4), round(score.parts.unigram.recall, 4)
    (0.5127, 0.6667)
    """

    names = ("tesla-s",)
    fields = FIELDS
    primary = "fmeasure"

    def __init__(
        self,
        *,
        lowercase: bool = True,
        stem: bool = False,
        keep_punctuation: bool = False,
        function_weight: float = 0.1,
        function_tags: Iterable[str] | None = None,
        function_words: Iterable[str] | None = None,
        gap: int | None = 4,
        skip_weight: str = "product",
        cross_sentences: bool = True,
        aggregate: str = "max",
        alpha: float = 0.8,
        tokenizer: str | Tokenizer = "rouge155",
        sentences: str | Splitter = "newline",
        solver: str | None = None,
        label: str | None = None,
    ) -> None:
        flags = {
            "lowercase": lowercase,
            "stem": stem,
            "keep_punctuation": keep_punctuation,
            "cross_sentences": cross_sentences,
        }
        for option, value in flags.items():
            check_choice(option, value, (True, False))
        if stem and not lowercase:
            raise ValueError("stem is True and lowercase False; the stemmer needs lower case")
        if solver is not None and not lowercase:
            raise ValueError("solver is set and lowercase False; a solver needs lower case")
        if solver is not None:
            check_solver("transport", solver)
        check_choice("skip_weight", skip_weight, ("product", "min"))
        check_choice("aggregate", aggregate, ("max", "max-per-bag", "mean"))
        between = -1 if gap is None else whole(gap)
        if between is None or (gap is not None and between < 0):
            raise ValueError(f"gap is {gap!r}; give a number of tokens, or None for any")
        check_label(label)
        self.name = label or "tesla-s"
        self._named = label
        self._cross = bool(cross_sentences)
        self._gap = min(between, MAX_GAP)
        self._skip_weight = skip_weight
        self._scoring = (aggregate, check_share("alpha", alpha))
        self._solver = solver
        self._weight = check_share("function_weight", function_weight)
        self._tags, self._tags_label = tag_list(function_tags)
        words, self._words_label = function_list(function_words, unicode=tokenizer == "unicode")
        self._text_options = TeslaTextOptions(
            tokenizer=tokenizer,
            stemmer="rouge155" if stem else None,
            function_words=words,
            sentences="newline" if cross_sentences else sentences,
            lowercase=bool(lowercase),
            keep_punctuation=bool(keep_punctuation),
            named=label,
        )

    @property
    def signature(self) -> Signature:
        """The options, resources and version that the numbers depend on.

        >>> TeslaS(gap=None, alpha=0.5).signature.split("|function-words")[0]
        'tesla-s|agg:max|alpha:0.5|gap:any|skip:product|function:0.1'
        """
        aggregate, alpha = self._scoring
        text_options = self._text_options.options
        solver = self._solver
        options = [
            ("agg", aggregate),
            ("alpha", str(alpha)),
            ("gap", "any" if self._gap < 0 else str(self._gap)),
            ("skip", self._skip_weight),
            ("function", str(self._weight)),
            ("function-words", self._words_label),
            ("function-tags", self._tags_label),
            ("case", "lower" if self._text_options.lowercase else "kept"),
            ("punctuation", "kept" if self._text_options.keep_punctuation else "dropped"),
            ("sentences", "crossed" if self._cross else "apart"),
            *([("solver", solver_label("transport", solver, self._named))] if solver else []),
            *((key if key != "sentences" else "splitter", value) for key, value in text_options),
        ]
        return Signature.of("tesla-s", options)

    @staticmethod
    def fuse(metrics: Sequence[TeslaS]) -> Runner:
        metric = metrics[0]
        if metric._solver is not None:
            return metric._programmes(partial(tesla_lp.read_plain, metric._text_options))
        return TextRunner(metric._kernel(metric._text_options.analyzer()), metric._text_options)

    def score_tagged(self, candidate: str | None, references: str | Iterable[str | None]) -> Score:
        """Score a text whose words have tags, `The/DT police/NN arrested/VBD two/CD men/NNS`.

        Tokens stand between blanks, and the last slash of each separates word and tag; sentences
        stand on lines. The words are taken as they are: `tokenizer`, `function_words` and
        `sentences` play no part.

        Parameters
        ----------
        candidate : str or None
        references : str or iterable of str
            References that are None are left out.

        Returns
        -------
        Score
            As `score`; NaN if the candidate is None or there is no reference.

        Raises
        ------
        TypeError, ValueError
            A text is not a str or contains an unpaired surrogate, or a token lacks its word or tag;
            the message names it.

        Examples
        --------
        >>> TeslaS().score_tagged("The/DT cat/NN sat/VBD", ["A/DT cat/NN"]).parts.unigram.S
        1.0
        """
        if self._solver is not None:
            return self._programmes(self._read_tagged).score(candidate, references)[self.name]
        kernel: TeslaKernel | None = self.__dict__.get("_runner_tagged")
        if kernel is None:
            kernel = self.__dict__["_runner_tagged"] = self._kernel(
                self._text_options.tagged_analyzer()
            )
        if isinstance(references, str):
            references = (references,)
        given = () if references is None else references
        found = kernel.score(
            self._encode(candidate, "candidate"),
            tuple(self._encode(text, f"references[{i}]") for i, text in enumerate(given)),
        )
        return found[self.name]

    def _encode(self, text: str | None, place: str) -> bytes | None:
        text_options = self._text_options
        return tagged.encode(
            text,
            place,
            self._tags,
            lowercase=text_options.lowercase,
            keep_punctuation=text_options.keep_punctuation,
        )

    def _read_tagged(self, text: str, place: str) -> tesla_lp.Text:
        marked = self._encode(text, place)
        assert marked is not None
        return tesla_lp.read_marked(self._text_options, marked)

    def _programmes(self, read: Callable[[str, str], tesla_lp.Text]) -> PairRunner[tesla_lp.Text]:
        assert self._solver is not None
        aggregate, alpha = self._scoring
        options = {
            "function_weight": self._weight,
            "gap": None if self._gap < 0 else self._gap,
            "skip_weight": self._skip_weight,
            "cross_sentences": self._cross,
            "aggregate": aggregate,
            "alpha": alpha,
        }
        return tesla_lp.runner(self, read, self._solver, options)

    def _kernel(self, analyzer: Analyzer) -> TeslaKernel:
        weight = self._weight
        both = weight * weight if self._skip_weight == "product" else weight
        return TeslaKernel(
            analyzer,
            self.name,
            self._gap,
            self._cross,
            (1.0, weight),
            (1.0, weight, both),
            *self._scoring,
        )
