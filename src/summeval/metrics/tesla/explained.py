"""What scores of TESLA-S and TESLA-M come from: the flow between units, and its prices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

from summeval._core.rows.record import Score
from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import Place, Span, Token, attribute
from summeval.metrics.run.explain.spans import compared, lowered, original, sentences_of
from summeval.metrics.run.runner import lowers
from summeval.metrics.tesla.tagged import Word, is_punctuation
from summeval.metrics.tesla.text_options import TeslaTextOptions

if TYPE_CHECKING:
    from summeval.solvers.result import TransportResult

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


def bag_items(
    texts: tuple[str, Sequence[str]],
    own: Sequence[Occurrence],
    others: Mapping[int, Sequence[Occurrence]],
    parts: Mapping[int, float],
) -> tuple[ExplainedItem, ...]:
    """Return an item for each unit of a bag.

    More than `MOST_PAIRS` skip-bigrams are grouped by their first word: those that match, those
    that are missing, and those that are extra; the detail `pairs` is their number.

    Parameters
    ----------
    texts : str and sequence of str
        The candidate and the references.
    own : sequence of Occurrence
        The bag of the candidate.
    others : mapping of int to sequence of Occurrence
        The bags of the references that count.
    parts : mapping of int to float
        What F adds to the value with each of them.
    """
    mine = _by_type(own)
    theirs = {number: _by_type(bag) for number, bag in others.items()}
    sent, shares = Counter[Unit](), Counter[Unit]()
    price = Counter[Unit]()  # the part of the references that have more of a unit
    for number, weights in theirs.items():
        flows = {unit: min(weight, mine.get(unit, 0.0)) for unit, weight in weights.items()}
        total = fsum(flows.values())
        for unit, flow in flows.items():
            sent[unit] += flow  # type: ignore[assignment]
            price[unit] += (weights[unit] > mine.get(unit, 0.0)) / len(others)  # type: ignore[assignment]
            if flow:
                shares[unit] += parts[number] * flow / total  # type: ignore[assignment]
    units = dict.fromkeys((*mine, *sent))
    grouped = len(units) > MOST_PAIRS and any(len(unit) > 1 for unit in units)

    def key(unit: Unit) -> tuple[object, ...]:
        return (unit[0], unit in mine, unit in sent) if grouped else unit

    members: dict[tuple[object, ...], list[Unit]] = {}
    for unit in units:
        members.setdefault(key(unit), []).append(unit)

    def details(one: tuple[object, ...]) -> dict[str, float]:
        unit, *more = members[one]
        flow = fsum(sent[each] for each in members[one])
        if more:
            return {"flow": flow, "pairs": float(len(members[one]))}
        return {
            "flow": flow,
            "similarity": float(unit in mine and unit in sent),
            "price": float(price[unit]),
            "reference_price": 1.0 - price[unit],
        }

    return attribute(
        texts,
        [(key(one.unit), one.spans) for one in own],
        [(k, [(key(one.unit), one.spans) for one in bag]) for k, bag in others.items()],
        {one: fsum(shares[unit] for unit in of) for one, of in members.items()},
        name=lambda _, words: f"{words[0]} {DOTS}" if grouped else f" {DOTS} ".join(words),
        details=details,
    )


def _by_type(bag: Sequence[Occurrence]) -> dict[Unit, float]:
    weights: dict[Unit, list[float]] = {}
    for one in bag:
        weights.setdefault(one.unit, []).append(one.weight)
    return {unit: fsum(parts) for unit, parts in weights.items()}


def _ascii_lower(form: str) -> str:
    return form.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


NGram = tuple[Word, ...]


class ReadText(NamedTuple):
    """A text, its words, and where they stand."""

    text: str
    words: Sequence[Word]
    spans: Sequence[Span]

    def n_grams(self, size: int) -> dict[NGram, tuple[str, list[Span]]]:
        """Return what each n-gram is called, and where it stands."""
        found: dict[NGram, tuple[str, list[Span]]] = {}
        for at in range(len(self.words) - size + 1):
            here = self.spans[at : at + size]
            name = " ".join(self.text[begin:end] for begin, end in here)
            _, spans = found.setdefault(tuple(self.words[at : at + size]), (name, []))
            spans.append((here[0][0], here[-1][1]))
        return found


class Side(NamedTuple):
    """One order of n-grams beside one reference.

    Attributes
    ----------
    reference, size : int
        Number of the reference, and words of an n-gram.
    own, other : list of tuple of Word
        The n-grams of the candidate and of the reference, the rows and columns of the plan.
    plan : TransportResult or None
        None if one of them has no weight.
    part : float
        What F adds to the value.
    """

    reference: int
    size: int
    own: list[NGram]
    other: list[NGram]
    plan: TransportResult | None
    part: float

    def pairs(self) -> Iterator[tuple[NGram, NGram, float, dict[str, float]]]:
        """Yield the n-grams between which something goes, its worth and the numbers behind it."""
        import numpy as np

        plan = self.plan
        if plan is None:
            return
        places = np.nonzero(plan.flow > 0)
        alike = plan.similarity.at(*places).tolist()
        for row, column, similarity in zip(*map(np.ndarray.tolist, places), alike, strict=True):
            flow = float(plan.flow[row, column])
            if flow * similarity <= 0:
                continue
            details = {"flow": flow, "similarity": similarity}
            if plan.prices is not None:
                details["price"] = float(plan.prices[0][row])
                details["reference_price"] = float(plan.prices[1][column])
            yield self.own[row], self.other[column], flow * similarity, details


def plan_items(
    candidate: ReadText, references: Sequence[ReadText], sides: Sequence[Side]
) -> tuple[ExplainedItem, ...]:
    """Return an item for each pair, by length, then for the n-grams that get or send nothing."""
    items: list[ExplainedItem] = []
    missing: dict[NGram, tuple[str, list[Place]]] = {}
    extra: dict[NGram, tuple[str, list[Span]]] = {}
    for size in sorted({side.size for side in sides}):
        extra |= candidate.n_grams(size)
    for side in sides:
        mine = candidate.n_grams(side.size)
        theirs = {
            unit: (called, [(side.reference, *span) for span in spans])
            for unit, (called, spans) in references[side.reference].n_grams(side.size).items()
        }
        pairs = list(side.pairs())
        total = sum(worth for _, _, worth, _ in pairs)
        for own, other, worth, details in pairs:
            name, spans = mine[own]
            called, places = theirs[other]
            text = name if name.lower() == called.lower() else f"{name} = {called}"
            share = side.part * worth / total
            items.append(ExplainedItem(text, tuple(spans), tuple(places), share, details))
            extra.pop(own, None)
        receiving = {other for _, other, _, _ in pairs}
        for unit, (called, places) in theirs.items():
            if unit not in receiving:
                missing.setdefault(unit, (called, []))[1].extend(places)
    items += [ExplainedItem(name, (), tuple(places), 0.0) for name, places in missing.values()]
    items += [ExplainedItem(name, tuple(spans), (), 0.0) for name, spans in extra.values()]
    return tuple(items)
