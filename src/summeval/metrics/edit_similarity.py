"""Similarities of strings by edits, as in RapidFuzz."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from summeval._core.field.similarity import FIELDS, SimilarityKernel
from summeval._core.field.wer import WerKernel
from summeval.metrics.option_groups import CASE
from summeval.metrics.run.base import Metric
from summeval.metrics.run.explain.spans import lowered, original
from summeval.metrics.run.field_tokens import in_case
from summeval.metrics.run.runner import TextRunner, lowers
from summeval.metrics.run.signature import Signature
from summeval.metrics.run.text_options import TextOptions
from summeval.metrics.wer import edit_items

if TYPE_CHECKING:
    from summeval.metrics.run.explain.explanation import Explanation
    from summeval.metrics.run.explain.items import Span


class EditSimilarity(Metric):
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
    unchanging = True
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

        >>> EditSimilarity().signature.split("|v:")[0]
        'edit-similarity|case:keep'
        """
        return Signature.of("edit-similarity", {"case": self.case})

    @staticmethod
    def fuse(metrics: Sequence[EditSimilarity]) -> TextRunner:
        metric = metrics[0]
        return TextRunner(
            SimilarityKernel(metric.name), metric._text_options, len(FIELDS), case=metric.case
        )

    def explain_texts(
        self, candidate: str, references: tuple[str, ...], sources: tuple[str, ...]
    ) -> Explanation:
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
        from summeval.metrics.run.explain.explanation import Explanation
        from summeval.metrics.run.explain.items import whole

        own, *others = in_case(self, candidate, references)
        scores = [self.score(own, other).value for other in others]
        best = scores.index(max(scores))
        lower = lowers(self.case, (candidate, *references))
        sides = [_places(text, lower) for text in (candidate, references[best])]
        steps = WerKernel(self.name, "characters").align(own, others[best])
        weight = -1 / max(len(own), len(others[best]), 1)
        items = edit_items(steps, (candidate, references[best]), (sides[0], sides[1]), best, weight)
        return Explanation(
            self.name, scores[best], (whole("whole", 1.0), *items), candidate, references
        )


def _places(text: str, lower: bool) -> list[Span]:
    """Return where the characters stand that are compared."""
    read, origin = lowered(text) if lower else (text, range(len(text)))
    return [original((k, k + 1), origin) for k in range(len(read))]
