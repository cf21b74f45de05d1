"""What a score of TESLA-S comes from: the flow between equal units, and its prices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from summeval._core.rows.record import Score
from summeval.metrics.run.casing import lowers
from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import by_unit, items_of, written
from summeval.metrics.run.explain.spans import (
    Span,
    Token,
    compared,
    lowered,
    original,
    sentences_of,
)
from summeval.metrics.tesla.tagged import is_punctuation
from summeval.metrics.tesla.text_options import TeslaTextOptions

PARTS = ("unigram", "skip")
MOST_PAIRS = 500  # skip-bigrams of a reference or the candidate that are told one by one
DOTS = "\N{HORIZONTAL ELLIPSIS}"
ROUNDING = 1e-9  # F that differ by less are equal

Unit = tuple[str, ...]


class Occurrence(NamedTuple):
    """A unit of a bag, and where its words stand."""

    unit: Unit
    weight: float
    spans: tuple[Span, ...]


class Weighing(NamedTuple):
    """The options of the bags."""

    function_weight: float
    gap: int | None
    skip_weight: str
    cross_sentences: bool


Weighted = tuple[Token, float]


def words_of(
    text_options: TeslaTextOptions, texts: Sequence[str], case: str, function_weight: float
) -> list[list[list[Weighted]]]:
    """The words of each sentence of each text of a row, as they are compared, and their weights."""
    low = lowers(case, texts) if case == "auto" else False
    functions = text_options.function_words or frozenset()
    found = []
    for text in texts:
        read, origin = lowered(text) if low else (text, range(len(text)))
        sentences = []
        for sentence in sentences_of(text_options, read):
            marks: list[tuple[Token, bool]] = []
            for token in sentence:
                form, mark = token.form, False
                if callable(text_options.tokenizer):
                    mark = is_punctuation(form)
                    if not form or (mark and not text_options.keep_punctuation):
                        continue
                    form = form.lower() if text_options.lowercase else form
                mark = mark or form in functions or _ascii_lower(form) in functions
                marks.append((Token(form, *original((token.begin, token.end), origin)), mark))
            stems = compared(text_options, (token for token, _ in marks))
            weights = [function_weight if mark else 1.0 for _, mark in marks]
            sentences.append(list(zip(stems, weights, strict=True)))
        found.append(sentences)
    return found


def bags_of(
    sentences: Sequence[Sequence[Weighted]], weighing: Weighing
) -> tuple[list[Occurrence], list[Occurrence]]:
    """Tokens, and pairs of tokens with at most `gap` between them."""
    flat = [word for sentence in sentences for word in sentence]
    unigrams = [Occurrence((t.form,), weight, ((t.begin, t.end),)) for t, weight in flat]
    lines = [flat] if weighing.cross_sentences else sentences
    return unigrams, [pair for line in lines for pair in _pairs(line, weighing)]


def _pairs(words: Sequence[Weighted], weighing: Weighing) -> Iterator[Occurrence]:
    for i, (first, one) in enumerate(words):
        end = len(words) if weighing.gap is None else min(len(words), i + weighing.gap + 2)
        for second, other in words[i + 1 : end]:
            yield Occurrence(
                (first.form, second.form),
                one * other if weighing.skip_weight == "product" else min(one, other),
                ((first.begin, first.end), (second.begin, second.end)),
            )


def factors_of(scores: Sequence[Score], aggregate: str) -> list[dict[int, float]]:
    """Of each bag the references that count, and what their F is multiplied by in the value.

    Parameters
    ----------
    scores : sequence of Score
        Of each reference alone.
    aggregate : {"max", "max-per-bag", "average"}

    Examples
    --------
    >>> import summeval
    >>> scores = [summeval.TeslaS().score("a cat", text) for text in ("cat", "a cat")]
    >>> factors_of(scores, "max"), factors_of(scores, "average")[0]
    ([{1: 0.5}, {1: 0.5}], {0: 0.25, 1: 0.25})
    """
    each = range(len(scores))
    if aggregate == "average":
        return [dict.fromkeys(each, 1 / len(PARTS) / len(scores))] * len(PARTS)
    found = []
    for part in PARTS:
        measured = [s.fmeasure if aggregate == "max" else s.parts[part].fmeasure for s in scores]
        least = max(measured) * (1 - ROUNDING)
        found.append({next(k for k in each if measured[k] >= least): 1 / len(PARTS)})
    return found


def explained_items(
    own: Sequence[Occurrence],
    others: Mapping[int, Sequence[Occurrence]],
    parts: Mapping[int, float],
    candidate: str,
    references: Sequence[str],
) -> tuple[ExplainedItem, ...]:
    """An item for each unit of a bag.

    More than `MOST_PAIRS` skip-bigrams are grouped by their first word: those that match, those
    that are missing, and those that are extra; the detail `pairs` is their number.

    Parameters
    ----------
    own : sequence of Occurrence
        The bag of the candidate.
    others : mapping of int to sequence of Occurrence
        The bags of the references that count.
    parts : mapping of int to float
        What F adds to the value with each of them.
    candidate, references
        The texts.
    """
    flows = _Flows.of(own, others, parts)
    keys: dict[Unit, Unit] = {unit: unit for unit in flows.units()}
    grouped = len(keys) > MOST_PAIRS and any(len(unit) > 1 for unit in keys)
    if grouped:
        keys = {unit: (unit[0], flows.kind(unit)) for unit in keys}
    members = by_unit((key, [unit]) for unit, key in keys.items())
    mine = by_unit((keys[one.unit], one.spans) for one in own)
    theirs = by_unit(
        (keys[one.unit], [(number, *span) for span in one.spans])
        for number, bag in others.items()
        for one in bag
    )
    name = written(
        candidate,
        references,
        mine,
        theirs,
        joint=f" {DOTS} ",
        size=(lambda unit: 1) if grouped else len,
    )
    return items_of(
        mine,
        theirs,
        {
            key: fsum(flows.shares.get(unit, 0.0) for unit in units)
            for key, units in members.items()
        },
        text=(lambda key: f"{name(key)} {DOTS}") if grouped else name,
        details=lambda key: flows.details(members[key]),
    )


class _Flows(NamedTuple):
    """What goes from the bag of the candidate to those of the references, by unit."""

    mine: Mapping[Unit, float]
    theirs: Mapping[Unit, int]  # how many references have it
    scarce: Mapping[Unit, float]  # the part of the references that have more of it
    sent: Mapping[Unit, float]
    shares: Mapping[Unit, float]

    @classmethod
    def of(
        cls,
        own: Sequence[Occurrence],
        others: Mapping[int, Sequence[Occurrence]],
        parts: Mapping[int, float],
    ) -> _Flows:
        mine = _by_type(own)
        theirs: Counter[Unit] = Counter()
        scarce: dict[Unit, float] = {}
        sent: dict[Unit, float] = {}
        shares: dict[Unit, float] = {}
        for number, bag in others.items():
            weights = _by_type(bag)
            theirs.update(weights.keys())
            flows = {unit: min(weight, mine.get(unit, 0.0)) for unit, weight in weights.items()}
            total = fsum(flows.values())
            for unit, flow in flows.items():
                sent[unit] = sent.get(unit, 0.0) + flow
                if weights[unit] > mine.get(unit, 0.0):
                    scarce[unit] = scarce.get(unit, 0.0) + 1 / len(others)
                if flow:
                    shares[unit] = shares.get(unit, 0.0) + parts[number] * flow / total
        return cls(mine, theirs, scarce, sent, shares)

    def units(self) -> dict[Unit, None]:
        """All units."""
        return dict.fromkeys((*self.mine, *self.theirs))

    def kind(self, unit: Unit) -> str:
        """On which sides a unit is."""
        return ("match" if unit in self.theirs else "extra") if unit in self.mine else "missing"

    def details(self, units: Sequence[Unit]) -> dict[str, float]:
        """Flow, similarity and prices of one unit; of several, their flow and number."""
        if len(units) > 1:
            flow = fsum(self.sent.get(unit, 0.0) for unit in units)
            return {"flow": flow, "pairs": float(len(units))}
        (unit,) = units
        price = self.scarce.get(unit, 0.0)
        return {
            "flow": self.sent.get(unit, 0.0),
            "similarity": float(unit in self.mine and unit in self.theirs),
            "price": price,
            "reference_price": 1.0 - price,
        }


def _by_type(bag: Sequence[Occurrence]) -> dict[Unit, float]:
    weights = by_unit((one.unit, [one.weight]) for one in bag)
    return {unit: fsum(parts) for unit, parts in weights.items()}


def _ascii_lower(form: str) -> str:
    return form.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
