"""Error rates of words and of characters, as jiwer counts them.

Levenshtein 1966, "Binary codes capable of correcting deletions, insertions, and reversals"; Morris,
Maier and Green 2004, "From WER and RIL to MER and WIL", for the rates.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from summeval._core.field.wer import WerKernel
from summeval._options import option
from summeval.metrics.option_groups import CASE
from summeval.metrics.run.explain.spans import lowered, original, tokens_of
from summeval.metrics.run.field_tokens import (
    CASES,
    function_of,
    in_case,
    kernel_name,
    signed,
    text_options_of,
)
from summeval.metrics.run.runner import lowers
from summeval.metrics.run.signature import Signature
from summeval.metrics.run.summed import Summed
from summeval.metrics.run.text_options import TextOptions, Tokenizer
from summeval.text.tokenizers import NAMES, SENTENCEPIECE

if TYPE_CHECKING:
    from summeval.metrics.run.explain.explanation import Explanation
    from summeval.metrics.run.explain.items import ExplainedItem, Span

# A blank alone parts words if it is U+0020.
_WORDS = re.compile(r"\S(?:\S|[^\S ](?=\S))*")


class ErrorRate(Summed):
    """What `wer` and `cer` share."""

    fields = ("value", "mer", "wil", "wip", "hits", "substitutions", "insertions", "deletions")
    primary = "value"
    unchanging = True
    higher_is_better = False
    falling = frozenset(fields) - {"wip", "hits"}
    unbounded = frozenset({"hits"})
    case: str
    _text_options: TextOptions

    def explain_texts(
        self, candidate: str, references: tuple[str, ...], sources: tuple[str, ...]
    ) -> Explanation:
        """Return the runs of units that are alike, changed, added and left out, in their order.

        The shares add up to the error rate: a unit added or left out has 1 by the number of units
        of the reference, a changed one half of that on each side. Of several references it is the
        one with the lowest rate.

        Examples
        --------
        >>> told = Wer().explain("it rained on Monday", "it snowed Monday morning")
        >>> [(item.text, item.kind, item.share) for item in told.items]
        [('it', 'match', 0.0), ('rained', 'extra', 0.25), ('on', 'extra', 0.125), \
('snowed', 'missing', 0.125), ('Monday', 'match', 0.0), ('morning', 'missing', 0.25)]
        """
        from summeval.metrics.run.explain.explanation import Explanation

        own, *others = in_case(self, candidate, references)
        scores = [self.score(own, other) for other in others]
        values = [float(score.value) for score in scores]
        best = values.index(min(values))
        texts = candidate, references[best]
        read = self._text_options.text
        steps = self._kernel().align(
            read(own, "candidate") or "", read(others[best], "references") or ""
        )
        units = sum(scores[best][name] for name in ("hits", "substitutions", "deletions"))
        lower = lowers(self.case, (candidate, *references))
        spans = self._spans(candidate, lower), self._spans(references[best], lower)
        items = edit_items(steps, texts, spans, best, 1 / max(units, 1))
        return Explanation(self.name, values[best], tuple(items), candidate, references)

    def _spans(self, text: str, lower: bool) -> list[Span]:
        """Return where the units of a text stand, in characters of the text as it is."""
        read, origin = lowered(text) if lower else (text, range(len(text)))
        return [original(span, origin) for span in self._units(read)]

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
        self._text_options = text_options_of(self)

    @property
    def signature(self) -> Signature:
        """The options and the version.

        >>> Wer().signature.split("|v:")[0]
        'wer|case:mixed|tok:whitespace'
        """
        return Signature.of("wer", signed(self))

    def _units(self, text: str) -> list[Span]:
        if self.tokenizer == "whitespace":
            return [one.span() for one in _WORDS.finditer(text)]
        return [(one.begin, one.end) for one in tokens_of(text, function_of(self))]

    def _kernel(self) -> WerKernel:
        return WerKernel(self.name, kernel_name(self))


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

    def __post_init__(self) -> None:
        self._text_options = TextOptions(tokenizer="unicode", named=self.label)

    @property
    def tokenizer(self) -> None:
        """It compares characters."""
        return None

    @property
    def signature(self) -> Signature:
        """The options and the version.

        >>> Cer(case="lower").signature.split("|v:")[0]
        'cer|case:lc|tok:characters'
        """
        return Signature.of("cer", {"case": CASES[self.case], "tok": "characters"})

    def _units(self, text: str) -> list[Span]:
        begin = len(text) - len(text.lstrip())
        return [(k, k + 1) for k in range(begin, len(text.rstrip()))]

    def _kernel(self) -> WerKernel:
        return WerKernel(self.name, "inner")


def edit_items(
    steps: str,
    texts: tuple[str, str],
    spans: tuple[Sequence[Span], Sequence[Span]],
    number: int,
    weight: float,
) -> list[ExplainedItem]:
    """Return an item for each run of equal steps; for changes one for each side.

    Parameters
    ----------
    steps : str
        `=` and `s` are of a unit of both sides, `i` of one of the candidate, `d` of the reference.
    texts, spans
        Candidate and reference, and where their units stand.
    number : int
        That of the reference.
    weight : float
        The share of an error.
    """
    from summeval.metrics.run.explain.items import ExplainedItem

    items, at = [], [0, 0]
    for step, run in groupby(steps):
        size = len(list(run))
        found: list[tuple[tuple[Span, ...], str]] = []
        for side, alone in enumerate("id"):
            count = size if step in ("=", "s", alone) else 0
            found.append(joined(texts[side], spans[side][at[side] : at[side] + count]))
            at[side] += count
        (own, name), (other, other_name) = found
        there = tuple((number, *span) for span in other)
        if step == "=":
            items.append(ExplainedItem(name, own, there, 0.0))
            continue
        share = size * weight / (2 if step == "s" else 1)
        if own:
            items.append(ExplainedItem(name, own, (), share))
        if there:
            items.append(ExplainedItem(other_name, (), there, share))
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
