"""Error rates of words and of characters, as jiwer counts them.

Levenshtein 1966, "Binary codes capable of correcting deletions, insertions, and reversals"; Morris,
Maier and Green 2004, "From WER and RIL to MER and WIL", for the rates.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from itertools import groupby

from summeval._core.field.wer import WerKernel
from summeval._options import option
from summeval.metrics.option_groups import CASE
from summeval.metrics.run import field_tokens as field
from summeval.metrics.run.base import Summed
from summeval.metrics.run.explain.items import Asked, ExplainedItem, Items, Span
from summeval.metrics.run.explain.spans import lowered, original, tokens_of
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.text_options import TextOptions, Tokenizer
from summeval.text.tokenizers import NAMES, SENTENCEPIECE

# A blank alone parts words if it is U+0020.
_WORDS = re.compile(r"\S(?:\S|[^\S ](?=\S))*")


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
        >>> told = Wer().explain("it rained on Monday", "it snowed Monday morning")
        >>> [(item.text, item.kind, item.share) for item in told.items]
        [('it', 'match', 0.0), ('rained', 'extra', 0.25), ('on', 'extra', 0.125), \
('snowed', 'missing', 0.125), ('Monday', 'match', 0.0), ('morning', 'missing', 0.25)]
        """
        best, read = asked.best(), self._text_options.text
        texts = (asked.cased[0], "candidate"), (asked.cased[best + 1], "references")
        steps = self._kernel().align(*(read(text, place) or "" for text, place in texts))
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

    def __post_init__(self) -> None:
        self._text_options = TextOptions(tokenizer="unicode", named=self.label)

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


def unit_spans(
    asked: Asked, number: int, units: Callable[[str], Sequence[Span]]
) -> list[list[Span]]:
    """Return where the units of the candidate and a reference stand, in the texts as given."""
    texts = asked.candidate, asked.references[number]
    read = [lowered(text, asked.lower) for text in texts]
    return [[original(span, origin) for span in units(text)] for text, origin in read]


def edit_items(
    asked: Asked, number: int, steps: str, spans: Sequence[Sequence[Span]], weight: float
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
