"""TESLA-S: the machine translation metric TESLA for summaries.

Lin, Liu, Ng and Kan 2012, "Combining Coherence Models and Machine Translation Evaluation Metrics
for Summarization Evaluation", section 3. What the paper leaves open is an option.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from summeval._cached import cached_property
from summeval._core.overlap.tesla import TeslaKernel
from summeval._core.rows.record import Score
from summeval._core.text.analyzer import Analyzer
from summeval._options import option
from summeval.metrics import option_groups as group
from summeval.metrics.run.base import Metric, check_solver, solver_label
from summeval.metrics.run.runner import FIELDS, Runner, TextRunner, lowers
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.text_options import Splitter, Tokenizer
from summeval.metrics.tesla import reading
from summeval.text.tokenizers import CASED

if TYPE_CHECKING:
    from summeval.metrics.run.explain.items import Asked, Items
    from summeval.metrics.tesla.bags import Sentences

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
    case : {"lower", "keep", "auto"}
        "lower": "The" and "the" are the same.

        "auto" lower-cases the candidate and references of a row in which some text has letters but
        no capital and another has capitals.
    stemmer : {None, "rouge155", "porter", "porter-java"} or "snowball-LANGUAGE"
        As in `Rouge`; needs case="lower".
    keep_punctuation : bool
        Keep tokens without letters and digits, as function words, in tagged text and in the output
        of a callable tokenizer; the tokenizers of summeval return none.
    function_weight : float
        Weight of a function word, from 0 to 1; other words weigh 1.
    function_tags : iterable of str or None
        Tags of function words, for `score_units`; by default the closed categories of the Penn
        Treebank (CC DT EX IN MD PDT POS PRP PRP$ RP TO UH WDT WP WP$ WRB).
    function_words : iterable of str or None
        The function words of text without tags, found before stemming and in any (ASCII) case; by
        default `summeval.text.function_words.english()`.

        An empty list makes all words alike.
    gap : int or None
        Tokens allowed between the two of a skip-bigram; 4 is as in ROUGE-SU4, 2 is a literal window
        of four tokens, None is any number.
    skip_weight : {"product", "min"}
        Of the weights of its two words.
    cross_sentences : bool
        Whether the tokens of a skip-bigram may be in different sentences.
    aggregate : {"max", "max-per-bag", "average"}
        Over several references: the one with the highest score, the one with the highest F of each
        bag, or the means.

        Of references with equal scores (to 1e-9 of them) the first one counts.
    recall_weight : float
        F = P R / (w P + (1 - w) R) with w the recall weight: 0 gives precision, 1 recall.

        (It is 1 - alpha of `Rouge`.)
    tokenizer : {"rouge155", "unicode", "uax29", "icu"} or callable
        "rouge155" is runs of ASCII letters and digits, "unicode" of those of any script; or a
        function from str to tokens (slower: it runs in Python).
    language : str or None
        A code such as "de" sets tokenizer, stemmer and function words, unless they are given.
    sentences : {"newline", "rules"} or callable
        How to split a text without newlines into sentences, if `cross_sentences` is False.
    solver : str or None
        Solve the linear programme of each bag by this of
        ``summeval.solvers.list_solvers("transport")``, as the paper did, in place of its closed
        form; the numbers agree up to the solver's tolerance.

        Needs case="lower".
    label : str or None
        Its name in results; distinguishes metrics of the same name.

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
    summary = "tokens and pairs in common; function words weigh less"
    fields = FIELDS
    primary = "fmeasure"
    immutable = True
    case: str = group.CASE._replace(default="lower", choices=("lower", "keep", "auto"))
    stemmer: str | None = group.STEMMER
    keep_punctuation: bool = reading.KEEP_PUNCTUATION
    function_weight: float = reading.FUNCTION_WEIGHT
    function_tags: Iterable[str] | None = reading.FUNCTION_TAGS
    function_words: Iterable[str] | None = reading.FUNCTION_WORDS
    gap: int | None = option(
        default=4,
        choices=(None,),
        kind="whole",
        low=0,
        give="give a number of tokens, or None for any",
    )
    skip_weight: str = option(default="product", choices=("product", "min"))
    cross_sentences: bool = option(default=True, kind="bool")
    aggregate: str = group.AGGREGATE._replace(choices=("max", "max-per-bag", "average"))
    recall_weight: float = group.RECALL_WEIGHT
    tokenizer: str | Tokenizer = group.TOKENIZER
    language: str | None = group.LANGUAGE
    sentences: str | Splitter = group.SENTENCES
    solver: str | None = group.SOLVER._replace(default=None, choices=(None,))

    def __post_init__(self) -> None:
        for name, given in (("stemmer", self.stemmer), ("solver", self.solver)):
            if given is not None and self.case != "lower":
                raise ValueError(f'{name} is {given!r} and case {self.case!r}; set case="lower"')
        if self.solver is not None:
            check_solver("transport", self.solver)
        self._gap = -1 if self.gap is None else min(self.gap, MAX_GAP)
        self._scoring = (self.aggregate, self.recall_weight)
        self._tags, self._tags_label = reading.tag_list(self.function_tags)
        words, self._words_label = reading.function_list(
            self.function_words, unicode=self.tokenizer in ("unicode", *CASED)
        )
        self._text_options = reading.TeslaTextOptions(
            tokenizer=self.tokenizer,
            stemmer=self.stemmer,
            function_words=words,
            sentences="newline" if self.cross_sentences else self.sentences,
            lowercase=self.case == "lower",
            keep_punctuation=self.keep_punctuation,
            language=self.language,
            named=self.label,
        )

    def signed(self) -> Signed:
        """Return the options, resources and version that the numbers depend on.

        >>> TeslaS(gap=None, recall_weight=0.5).signature.split("|function-words")[0]
        'tesla-s|aggregate:max|recall-weight:0.5|gap:any|skip:product|function:0.1'
        """
        text_options = self._text_options.options
        solver = self.solver
        return [
            ("aggregate", self.aggregate),
            ("recall-weight", str(self.recall_weight)),
            ("gap", "any" if self._gap < 0 else str(self._gap)),
            ("skip", self.skip_weight),
            ("function", str(self.function_weight)),
            ("function-words", self._words_label),
            ("function-tags", self._tags_label),
            ("case", self.case),
            ("punctuation", "kept" if self.keep_punctuation else "dropped"),
            ("sentences", "crossed" if self.cross_sentences else "apart"),
            *([("solver", solver_label("transport", solver, self.label))] if solver else []),
            *((key if key != "sentences" else "splitter", value) for key, value in text_options),
        ]

    def new_runner(self) -> Runner[Sentences] | TextRunner:
        if self.solver is not None:
            from summeval.metrics.tesla.bags import read_plain

            return self._programmes(partial(read_plain, self._text_options))
        kernel = self._kernel(self._text_options.analyzer())
        # "lower" is the kernel's own
        case = "keep" if self.case == "lower" else self.case
        return TextRunner(kernel, self._text_options, case=case)

    def score_units(self, candidate: str | None, references: str | Iterable[str | None]) -> Score:
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
        >>> TeslaS().score_units("The/DT cat/NN sat/VBD", ["A/DT cat/NN"]).parts.unigram.S
        1.0
        """
        if self.solver is not None:
            return self._programmes(self._read_tagged).run_pair(candidate, references)[self.name]
        if isinstance(references, str):
            references = (references,)
        given = () if references is None else tuple(references)
        lowercase = self._text_options.lowercase
        if self.case == "auto":
            lowercase = lowers("auto", [reading.without_tags(text) for text in (candidate, *given)])
        texts = {"candidate": candidate} | {
            f"references[{i}]": text for i, text in enumerate(given)
        }
        own, *others = (
            self._text_options.tagged(text, place, self._tags, lowercase)
            for place, text in texts.items()
        )
        return self._runner_tagged.score_pair(own, tuple(others))[self.name]

    @cached_property
    def _runner_tagged(self) -> TeslaKernel:
        """The kernel for tagged text, where marks alone tell function words."""
        return self._kernel(
            Analyzer(
                "split",
                self._text_options.kernel_stemmer,
                self._text_options.exceptions(),
                function_words=(),
            )
        )

    def explain_texts(self, asked: Asked) -> Items:
        """An item for each token, and one for each skip-bigram, of the references that count.

        The share of a unit is its part of the flow S times what the F of its bag counts in the
        value, which is a half of it (of several references that are averaged, 1/2n); so the shares
        add up to the value. Details: the `flow` of the unit, its `similarity` (1, or 0 if one side
        lacks it), and prices, the dual of the programme: by how much S grows for more weight of
        the unit in the candidate (`price`) or in the reference (`reference_price`). With a `solver`
        F is that of the solver, and flow and prices are those of the closed form. More than 500
        skip-bigrams are grouped by their first word.

        Examples
        --------
        >>> explanation = TeslaS().explain("a cat sat", "the cat sat")
        >>> [(item.text, item.kind, round(item.share, 3)) for item in explanation.items][:3]
        [('a', 'extra', 0.0), ('cat', 'match', 0.238), ('sat', 'match', 0.238)]
        """
        from summeval.metrics.run.explain.spans import marked
        from summeval.metrics.tesla.bags import MOST_PAIRS, factors_of, words_of

        read = tuple(asked.cased if self.case == "auto" else asked.texts)
        candidate, *references = read
        single = len(references) == 1
        scores = [asked.score] if single else [self.score(candidate, text) for text in references]
        parts = tuple(
            {k: f * scores[k].parts[part].fmeasure for k, f in factors.items()}
            for part, factors in zip(reading.PARTS, factors_of(scores, self.aggregate), strict=True)
        )
        options = self._text_options
        if self.solver is None:
            kernel = cast("TeslaKernel", cast("TextRunner", self.runner())._kernel)
        else:
            kernel = self._kernel(options.analyzer())
        aligned = [*map(len, read)] == [*map(len, asked.texts)]
        if aligned and options.plain:
            return kernel.items(asked.texts, parts, MOST_PAIRS, (), read)
        words = words_of(options, asked.texts, self.case)
        return kernel.items(asked.texts, parts, MOST_PAIRS, tuple(map(marked, words)))

    def _read_tagged(self, text: str, place: str) -> Sentences:
        from summeval.metrics.tesla.bags import read_marked

        marked = self._text_options.tagged(text, place, self._tags, lowercase=True)
        assert marked is not None
        return read_marked(self._text_options, marked)

    def _programmes(self, read: Callable[[str, str], Sentences]) -> Runner[Sentences]:
        return Runner.of_pairs(
            self,
            read,
            self._solved,
            reading.score_of(reading.PARTS, [reading.NO_PART] * len(reading.PARTS)),
        )

    def _solved(self, candidate: Sentences, references: Sequence[Sentences]) -> Score:
        """Score texts by the definition, with `solver` for the programme of each bag."""
        from summeval.metrics.tesla.bags import bags_of, first_best, solved

        assert self.solver is not None
        forms: dict[str, int] = {}
        own, *others = (
            bags_of(text, forms, self._gap, self.cross_sentences)
            for text in (candidate, *references)
        )
        parts = [
            [
                solved(own[bag], other[bag], self._weights(bag), self.recall_weight, self.solver)
                for bag in range(len(reading.PARTS))
            ]
            for other in others
        ]
        if self.aggregate == "max":
            scores = [reading.score_of(reading.PARTS, each) for each in parts]
            return scores[first_best(scores)]
        kinds = list(zip(*parts, strict=True))
        if self.aggregate == "average":
            return reading.score_of(reading.PARTS, [reading.Part.mean(kind) for kind in kinds])
        return reading.score_of(reading.PARTS, [kind[first_best(kind)] for kind in kinds])

    def _weights(self, bag: int) -> tuple[float, float, float]:
        """Return the weights of a unit with no function word, with one, and with two."""
        weight = self.function_weight
        return 1.0, weight, weight * weight if bag and self.skip_weight == "product" else weight

    def _kernel(self, analyzer: Analyzer) -> TeslaKernel:
        weights = self._weights(1)
        return TeslaKernel(
            analyzer,
            self.name,
            self._gap,
            self.cross_sentences,
            weights[:2],
            weights,
            *self._scoring,
        )
