"""Similarities of strings by edits, as in RapidFuzz."""

from __future__ import annotations

from summeval._core.field.similarity import FIELDS, SimilarityKernel
from summeval._core.field.wer import WerKernel
from summeval.metrics.option_groups import CASE
from summeval.metrics.run.base import KernelMetric
from summeval.metrics.run.explain.items import Asked, Items, whole
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.text_options import TextOptions
from summeval.metrics.wer import edit_items, unit_spans


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

    def __post_init__(self) -> None:
        self._text_options = TextOptions(tokenizer="unicode", named=self.label)

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
        >>> told = EditSimilarity().explain("raining", "rained")
        >>> [(item.text, item.kind, round(item.share, 3)) for item in told.items[1:]]
        [('rain', 'match', 0.0), ('i', 'extra', -0.143), ('ng', 'extra', -0.143), \
('ed', 'missing', -0.143)]
        """
        best = asked.best()
        own, other = asked.cased[0], asked.cased[best + 1]
        steps = WerKernel(self.name, "characters").align(own, other)
        spans = unit_spans(asked, best, lambda text: [(k, k + 1) for k in range(len(text))])
        weight = -1 / max(len(own), len(other), 1)
        return [whole("whole", 1.0), *edit_items(asked, best, steps, spans, weight)]
