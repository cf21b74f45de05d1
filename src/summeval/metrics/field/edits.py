"""Edits: error rates of words and characters, translation edit rate, similarities of strings.

Levenshtein 1966, "Binary codes capable of correcting deletions, insertions, and reversals"; Morris,
Maier and Green 2004, "From WER and RIL to MER and WIL", for the rates, which are counted as in
jiwer; Snover, Dorr, Schwartz, Micciulla and Makhoul 2006, "A Study of Translation Edit Rate with
Targeted Human Annotation", as in sacrebleu; similarities as in RapidFuzz.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby

from summeval._core.field.similarity import FIELDS, SimilarityKernel
from summeval._core.field.ter import TerKernel
from summeval._core.field.wer import WerKernel
from summeval._options import option
from summeval.metrics.field import tokens as field
from summeval.metrics.option_groups import CASE
from summeval.metrics.run.base import KernelMetric, Summed
from summeval.metrics.run.explain.items import Asked, ExplainedItem, Items, Span, whole
from summeval.metrics.run.explain.spans import lowered, original, places, tokens_of
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.text_options import Tokenizer
from summeval.text.tokenizers import NAMES, SENTENCEPIECE, tercom, tercom_kind

Spans = Sequence[Span]
# A blank alone parts words if it is U+0020.
_WORDS = re.compile(r"\S(?:\S|[^\S ](?=\S))*")
# Of the candidate alone, of the reference alone: `d` and `i` of tercom.
_SIDES = str.maketrans("di", "id")


class ErrorRate(Summed):
    """What `wer` and `cer` share."""

    fields = ("value", "mer", "wil", "wip", "hits", "substitutions", "insertions", "deletions")
    primary = "value"
    lower_is_better = frozenset(fields) - {"wip", "hits"}
    unbounded = frozenset({"hits"})

    def explain_texts(self, asked: Asked) -> Items:
        """Return the runs of units that are alike, changed, added and left out, in their order.

        The shares add up to the error rate: a unit added or left out has 1 by the number of units
        of the reference, a changed one half of that on each side. Of several references it is the
        one with the lowest rate.

        Examples
        --------
        >>> explanation = Wer().explain("it rained on Monday", "it snowed Monday morning")
        >>> [(item.text, item.kind, item.share) for item in explanation.items]
        [('it', 'match', 0.0), ('rained', 'extra', 0.25), ('on', 'extra', 0.125), \
('snowed', 'missing', 0.125), ('Monday', 'match', 0.0), ('morning', 'missing', 0.25)]
        """
        best, read = asked.best(), self._text_options.text
        own, other = asked.cased[0], asked.cased[best + 1]
        steps = self._kernel().align(read(own, "candidate") or "", read(other, "references") or "")
        score = asked.alone[best]
        units = score.hits + score.substitutions + score.deletions
        spans = unit_spans(asked, best, self._units)
        return edit_items(asked, best, steps, spans, 1 / max(units, 1))

    @abstractmethod
    def _units(self, text: str) -> list[Span]:
        """Return where the units of a text in its case stand."""

    @abstractmethod
    def _kernel(self) -> WerKernel: ...


class Wer(ErrorRate):
    """The word error rate, and rates like it, as jiwer counts them.

    Words of the reference and the candidate are aligned with the fewest errors: substitutions S,
    deletions D (words of the reference that the candidate lacks) and insertions I; H words are
    hits. Lower is better.

    - `value`: WER = (S + D + I) / (H + S + D), which can pass 1. An empty candidate has 1. Beside a
      reference without words it is I, a number of words, and 0 for no words at all.
    - `mer`: the match error rate (S + D + I) / (H + S + D + I).
    - `wip`, `wil`: the words' information preserved, H / (H + S + D) · H / (H + S + I), and lost,
      1 - wip. Only `wip` and `hits` rise with quality.
    - `hits`, `substitutions`, `insertions`, `deletions`.

    Of several alignments with as few errors it is the one that RapidFuzz finds. Of several
    references the one with the lowest rate counts. A corpus has the rates of the counts of all
    rows.

    Parameters
    ----------
    tokenizer : str or callable
        "whitespace": U+0020 and runs of two or more blanks part words, as in jiwer; any other blank
        alone is part of a word. Marks are part of words. Others as in `Bleu`.
    case : {"keep", "lower", "auto"}
        "lower" makes all letters small, "auto" those of rows where a text has no capital.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take, and for texts that differ over more than 2**36
        pairs of words.

    Examples
    --------
    >>> score = Wer().score("it rained on Monday", "it snowed Monday morning")
    >>> score.value, score.hits, score.substitutions, score.insertions, score.deletions
    (0.75, 2.0, 1.0, 1.0, 1.0)
    """

    names = ("wer",)
    summary = "share of words to change, add and leave out; lower is better"
    tokenizer: str | Tokenizer = option(
        default="whitespace",
        choices=tuple(name for name in NAMES if name not in SENTENCEPIECE),
        kind="function",
    )
    case: str = CASE

    def __post_init__(self) -> None:
        self._text_options = field.text_options_of(self)

    def signed(self) -> Signed:
        """Return the options and the version.

        >>> Wer().signature.split("|v:")[0]
        'wer|case:mixed|tok:whitespace'
        """
        return field.case_and_tokens(self)

    def _units(self, text: str) -> list[Span]:
        if self.tokenizer == "whitespace":
            return [one.span() for one in _WORDS.finditer(text)]
        return [(one.begin, one.end) for one in tokens_of(text, field.function_of(self))]

    def _kernel(self) -> WerKernel:
        return WerKernel(self.name, field.kernel_name(self))


class Cer(ErrorRate):
    """The character error rate, as jiwer counts it: `wer` of characters.

    Blanks within the text are characters, those at both ends are not. An empty candidate has 1.
    Lower is better. All else is as in `Wer`.

    Parameters
    ----------
    case : {"keep", "lower", "auto"}
        "lower" makes all letters small, "auto" those of rows where a text has no capital.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take, and for texts that differ over more than 2**36
        pairs of characters, which is about 262,000 characters each.

    Examples
    --------
    >>> Cer().score("raining", "rained").value
    0.5
    """

    names = ("cer",)
    summary = "share of characters to change, add and leave out; lower is better"
    case: str = CASE

    def signed(self) -> Signed:
        """Return the options and the version.

        >>> Cer(case="lower").signature.split("|v:")[0]
        'cer|case:lc|tok:characters'
        """
        return {"case": field.CASES[self.case], "tok": "characters"}

    def _units(self, text: str) -> list[Span]:
        begin = len(text) - len(text.lstrip())
        return [(k, k + 1) for k in range(begin, len(text.rstrip()))]

    def _kernel(self) -> WerKernel:
        return WerKernel(self.name, "inner")


class Ter(Summed):
    """The words to change, add, leave out and shift, by the length of the references.

    Edits make the candidate the reference: a word is changed, added or left out, or a stretch of
    up to 10 words that the reference has too is shifted, which is one edit. Shifts are chosen
    greedily, each the one that saves most. Lower is better; the value can pass 1.

    - `value`: edits / reference length; 1 if there are edits but no words in the references. An
      empty candidate has as many edits as the reference has words.
    - `edits`: those beside the reference that needs the fewest.
    - `reference_length`: the mean number of words of all references.

    A corpus has the edits of all rows by the lengths of all rows. The numbers are those of
    sacrebleu, with its limits: edits are looked for within 25 words of the diagonal, shifts to
    places of words that are up to 50 words away, and after 1,000 shifts that were tried no more is
    made.

    Parameters
    ----------
    normalized : bool
        Part marks from words and replace entities, as tercom does. References are read twice, as in
        sacrebleu, where a text such as "1...5" is parted further.
    punctuation : bool
        Whether marks count; False leaves out . , ? : ; ! " ( ).
    asian : bool
        With `normalized`, ideographs are words; without `punctuation`, Asian marks are left out.
    case : {"keep", "lower", "auto"}
        "lower" makes all letters small, "auto" those of rows where a text has no capital.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take.

    Examples
    --------
    >>> score = Ter().score("on Monday it rained", "It rained a lot on Monday")
    >>> score.edits, score.reference_length, score.value
    (3.0, 6.0, 0.5)
    """

    names = ("ter",)
    summary = (
        "words to change, add, leave out and shift, by words of the reference; lower is better"
    )
    fields = ("value", "edits", "reference_length")
    primary = "value"
    lower_is_better = frozenset({"value", "edits"})
    unbounded = frozenset({"reference_length"})
    normalized: bool = option(default=False, kind="bool")
    punctuation: bool = option(default=True, kind="bool")
    asian: bool = option(default=False, kind="bool")
    case: str = CASE._replace(default="lower")

    def signed(self) -> Signed:
        """Return the options, in sacrebleu's words, and the version.

        >>> Ter().signature.split("|v:")[0]
        'ter|case:lc|tok:tercom|norm:no|punct:yes|asian:no'
        """
        used = {"norm": self.normalized, "punct": self.punctuation, "asian": self.asian}
        flags = {name: "yes" if on else "no" for name, on in used.items()}
        return {"case": field.CASES[self.case], "tok": "tercom", **flags}

    def explain_texts(self, asked: Asked) -> Items:
        """Return the shifts, then the runs of words that are alike, changed, added and left out.

        Each edit has an equal share of the value, a changed word half of it on each side; the
        detail `shift` is 1 for a stretch that was shifted. Runs are in the order of the reference.

        Examples
        --------
        >>> explanation = Ter().explain("on Monday it rained", "it rained a lot on Monday")
        >>> [(item.text, item.kind, round(item.share, 3)) for item in explanation.items]
        [('on Monday', 'extra', 0.167), ('it rained', 'match', 0.0), ('a lot', 'missing', 0.333), \
('on Monday', 'match', 0.0)]
        """
        own, *others = asked.cased
        edits = [score.edits for score in asked.alone]
        best = edits.index(min(edits))
        weight = asked.value / edits[best] if edits[best] else 0.0
        words = places(asked.candidate, self._words(own))
        other = places(asked.references[best], self._words(others[best], True))
        shifts, steps = self._kernel().trace(own, others[best])
        items = []
        for start, begin, middle, end in shifts:
            parts = words[begin:middle], words[middle:end]
            spans, name = joined(asked.candidate, parts[start != begin])
            items.append(ExplainedItem(name, spans, (), weight, {"shift": 1.0}))
            words[begin:end] = parts[1] + parts[0]
        return items + edit_items(asked, best, steps.translate(_SIDES), (words, other), weight)

    def _words(self, text: str, reference: bool = False) -> list[str]:
        read = partial(
            tercom, normalized=self.normalized, punctuation=self.punctuation, asian=self.asian
        )
        return read(" ".join(read(text))) if reference else read(text)

    def _kernel(self) -> TerKernel:
        return TerKernel(self.name, tercom_kind(self.normalized, self.punctuation, self.asian))


class EditSimilarity(KernelMetric):
    """How alike two strings are by the characters to edit, as in RapidFuzz.

    n is the length of the longer text, in characters. Each field is from 0 to 1.

    - `value`: 1 - L / n, L the fewest characters to change, add and leave out (Levenshtein).
    - `damerau`: the same if two neighbours may also be swapped, whatever was or will be between
      them (Damerau and Levenshtein); `osa`: if nothing may be edited between them any more.
    - `lcs`: the longest common subsequence / n. `indel`: twice that by the sum of both lengths,
      the similarity by characters to add and leave out.
    - `jaro`, `jaro_winkler`: common characters at most half a text apart, and their order; a
      common beginning of up to four characters weighs more where jaro is above 0.7.
    - `token_sort`: `indel` of the words between blanks, sorted; `token_set`: the best `indel` of
      the common words, and of these with the other words of each side.

    Beside an empty text an empty text has 1, but 0 for `token_set`; any other has 0. Of several
    references each field is of the one where it is highest. The score of a corpus is the mean.

    Parameters
    ----------
    case : {"keep", "lower", "auto"}
        "lower" makes all letters small, "auto" those of rows where a text has no capital.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take, and for texts that differ over more than 2**32
        pairs of characters, which is 65,536 characters each.

    Examples
    --------
    >>> score = EditSimilarity().score("rained on Monday", "on Monday it rained")
    >>> round(score.value, 3), round(score.indel, 3), round(score.token_sort, 3)
    (0.158, 0.514, 0.914)
    """

    names = ("edit-similarity",)
    summary = "characters that need no edit, by several definitions"
    fields = FIELDS
    primary = "value"
    case: str = CASE

    def signed(self) -> Signed:
        """Return the options and the version.

        >>> EditSimilarity().signature.split("|v:")[0]
        'edit-similarity|case:keep'
        """
        return {"case": self.case}

    def _kernel(self) -> SimilarityKernel:
        return SimilarityKernel(self.name)

    def explain_texts(self, asked: Asked) -> Items:
        """Return the runs of characters that are alike, changed, added and left out.

        An item "whole" has 1, and each run of edits less than 0: its edits by the length of the
        longer text, half of them on each side where characters are changed.

        Examples
        --------
        >>> explanation = EditSimilarity().explain("raining", "rained")
        >>> [(item.text, item.kind, round(item.share, 3)) for item in explanation.items[1:]]
        [('rain', 'match', 0.0), ('i', 'extra', -0.143), ('ng', 'extra', -0.143), \
('ed', 'missing', -0.143)]
        """
        best = asked.best()
        own, other = asked.cased[0], asked.cased[best + 1]
        steps = WerKernel(self.name, "characters").align(own, other)
        spans = unit_spans(asked, best, lambda text: [(k, k + 1) for k in range(len(text))])
        weight = -1 / max(len(own), len(other), 1)
        return [whole("whole", 1.0), *edit_items(asked, best, steps, spans, weight)]


def unit_spans(asked: Asked, number: int, units: Callable[[str], Spans]) -> list[list[Span]]:
    """Return where the units of the candidate and a reference stand, in the texts as given."""
    read = [lowered(text, asked.lower) for text in (asked.candidate, asked.references[number])]
    return [[original(span, origin) for span in units(text)] for text, origin in read]


def edit_items(
    asked: Asked, number: int, steps: str, spans: Sequence[Spans], weight: float
) -> list[ExplainedItem]:
    """Return an item for each run of equal steps; for changes one for each side.

    Parameters
    ----------
    number : int
        That of the reference.
    steps : str
        `=` and `s` are of a unit of both sides, `i` of one of the candidate, `d` of the reference.
    spans : sequence of sequence of (int, int)
        Where the units of the candidate and of the reference stand.
    weight : float
        The share of an error.
    """
    items, at = [], [0, 0]
    texts = asked.candidate, asked.references[number]
    for step, run in groupby(steps):
        size = len(list(run))
        found: list[tuple[tuple[Span, ...], str]] = []
        for side, alone in enumerate("id"):
            count = size if step in ("=", "s", alone) else 0
            found.append(joined(texts[side], spans[side][at[side] : at[side] + count]))
            at[side] += count
        (own, name), (other, other_name) = found
        there = tuple((number, *span) for span in other)
        share = size * weight / (2 if step == "s" else 1)
        if step == "=":
            items.append(ExplainedItem(name, own, there, 0.0))
        else:
            items += [ExplainedItem(name, own, (), share)] if own else []
            items += [ExplainedItem(other_name, (), there, share)] if there else []
    return items


def joined(text: str, spans: Sequence[Span]) -> tuple[tuple[Span, ...], str]:
    """Return spans, of which those become one that follow each other, and what stands there.

    >>> joined("it rained a lot", [(3, 9), (10, 11), (0, 2)])
    (((3, 11), (0, 2)), 'rained a it')
    """
    made: list[Span] = []
    for begin, end in spans:
        if made and made[-1][1] <= begin and not text[made[-1][1] : begin].strip():
            made[-1] = made[-1][0], end
        else:
            made.append((begin, end))
    return tuple(made), " ".join(text[slice(*span)] for span in made)
