"""The translation edit rate, as in sacrebleu.

Snover, Dorr, Schwartz, Micciulla and Makhoul 2006, "A Study of Translation Edit Rate with Targeted
Human Annotation".
"""

from __future__ import annotations

from functools import partial

from summeval._core.field.ter import TerKernel
from summeval._options import option
from summeval.metrics.option_groups import CASE
from summeval.metrics.run.base import Summed
from summeval.metrics.run.explain.items import Asked, ExplainedItem, Items
from summeval.metrics.run.explain.spans import places
from summeval.metrics.run.field_tokens import CASES
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.text_options import TextOptions
from summeval.metrics.wer import edit_items, joined
from summeval.text.tokenizers import tercom, tercom_kind


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

    def __post_init__(self) -> None:
        self._text_options = TextOptions(tokenizer="unicode", named=self.label)

    def signed(self) -> Signed:
        """Return the options, in sacrebleu's words, and the version.

        >>> Ter().signature.split("|v:")[0]
        'ter|case:lc|tok:tercom|norm:no|punct:yes|asian:no'
        """
        used = {"norm": self.normalized, "punct": self.punctuation, "asian": self.asian}
        told = {name: "yes" if on else "no" for name, on in used.items()}
        return {"case": CASES[self.case], "tok": "tercom", **told}

    def explain_texts(self, asked: Asked) -> Items:
        """Return the shifts, then the runs of words that are alike, changed, added and left out.

        Each edit has an equal share of the value, a changed word half of it on each side; the
        detail `shift` is 1 for a stretch that was shifted. Runs are in the order of the reference.

        Examples
        --------
        >>> told = Ter().explain("on Monday it rained", "it rained a lot on Monday")
        >>> [(item.text, item.kind, round(item.share, 3)) for item in told.items]
        [('on Monday', 'extra', 0.167), ('it rained', 'match', 0.0), ('a lot', 'missing', 0.333), \
('on Monday', 'match', 0.0)]
        """
        own, *others = asked.cased
        edits = [score.edits for score in asked.alone]
        best = edits.index(min(edits))
        weight = asked.value / edits[best] if edits[best] else 0.0
        mine = places(asked.candidate, self._words(own))
        other = places(asked.references[best], self._words(others[best], True))
        shifts, steps = self._kernel().trace(own, others[best])
        items = []
        for start, begin, middle, end in shifts:
            parts = mine[begin:middle], mine[middle:end]
            spans, name = joined(asked.candidate, parts[start != begin])
            items.append(ExplainedItem(name, spans, (), weight, {"shift": 1.0}))
            mine[begin:end] = parts[1] + parts[0]
        return items + edit_items(asked, best, steps.translate(_SIDES), (mine, other), weight)

    def _words(self, text: str, reference: bool = False) -> list[str]:
        read = partial(
            tercom, normalized=self.normalized, punctuation=self.punctuation, asian=self.asian
        )
        return read(" ".join(read(text))) if reference else read(text)

    def _kernel(self) -> TerKernel:
        return TerKernel(self.name, tercom_kind(self.normalized, self.punctuation, self.asian))


# Of the candidate alone, of the reference alone: `d` and `i` of tercom.
_SIDES = str.maketrans("di", "id")
