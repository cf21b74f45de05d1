"""Explanations of TESLA-S and TESLA-M: the flow between units, and its prices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from summeval._core.rows.record import Score
from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import Place, Span, Token, attribute
from summeval.metrics.run.explain.spans import compared, lowered, original, sentences_of
from summeval.metrics.run.runner import lowers
from summeval.metrics.tesla.reading import TeslaTextOptions, Word, is_punctuation

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from summeval.solvers.result import TransportResult

Where = TypeVar("Where")
PARTS = ("unigram", "skip")
MOST_PAIRS = 500  # skip-bigrams of a reference or the candidate that are told one by one
DOTS = "\N{HORIZONTAL ELLIPSIS}"
ROUNDING = 1e-9  # F that differ by less are equal


Weighted = tuple[Token, bool]  # and whether it is a function word


def words_of(
    text_options: TeslaTextOptions, texts: Sequence[str], case: str
) -> list[list[list[Weighted]]]:
    """Return the words of each sentence of each text of a row, as they are compared."""
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
            sentences.append([(stem, mark) for stem, (_, mark) in zip(stems, marks, strict=True)])
        found.append(sentences)
    return found


class Bag(NamedTuple):
    """The units of a text in their order: its tokens, or its skip-bigrams.

    Attributes
    ----------
    words : array [unit, 1 or 2]
        Numbers of forms, the same in all texts of a row.
    places : array [unit, 1 or 2]
        Numbers of tokens.
    functions : array [unit]
        How many of the words are function words.
    spans : list of (int, int)
        Where each token stands.
    """

    words: NDArray[int64]
    places: NDArray[int64]
    functions: NDArray[int64]
    spans: list[Span]


def bags_of(
    sentences: Sequence[Sequence[Weighted]], forms: dict[str, int], gap: int, cross_sentences: bool
) -> tuple[Bag, Bag]:
    """Return tokens, and pairs of tokens with at most `gap` between them (below 0: any number).

    `forms` numbers the forms of a row; new ones are added.
    """
    import numpy as np

    flat = [word for sentence in sentences for word in sentence]
    sizes = np.array([len(sentence) for sentence in sentences], np.int64)
    spans = [(token.begin, token.end) for token, _ in flat]
    ids = np.array([forms.setdefault(token.form, len(forms)) for token, _ in flat], np.int64)
    functions = np.array([function for _, function in flat], np.int64)
    numbers = np.arange(len(flat))
    ends = np.full(len(flat), len(flat)) if cross_sentences else np.repeat(np.cumsum(sizes), sizes)
    if gap >= 0:
        ends = np.minimum(ends, numbers + gap + 2)
    counts = ends - numbers - 1
    first = np.repeat(numbers, counts)
    second = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + first + 1
    pairs = np.stack([first, second], axis=1)
    return (
        Bag(ids[:, None], numbers[:, None], functions, spans),
        Bag(ids[pairs], pairs, functions[pairs].sum(axis=1), spans),
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
    own: Bag,
    others: Mapping[int, Bag],
    parts: Mapping[int, float],
    weights: Sequence[float],
) -> tuple[ExplainedItem, ...]:
    """Return an item for each unit of a bag.

    More than `MOST_PAIRS` skip-bigrams are grouped by their first word: those that match, those
    that are missing, and those that are extra; the detail `pairs` is their number.

    Parameters
    ----------
    texts : str and sequence of str
        The candidate and the references.
    own : Bag
        Of the candidate.
    others : mapping of int to Bag
        Those of the references that count.
    parts : mapping of int to float
        What F adds to the value with each of them.
    weights : sequence of float
        Of a unit with no function word, with one, and with two.
    """
    import numpy as np

    bags = [own, *others.values()]
    width = own.words.shape[1]
    codes = np.concatenate([bag.words[:, 0] << 32 | bag.words[:, -1] for bag in bags])
    found, unit = np.unique(codes, return_inverse=True)
    units = np.split(unit, np.cumsum([len(bag.words) for bag in bags])[:-1])
    counts = [
        np.bincount(3 * of + bag.functions, minlength=3 * len(found)).reshape(-1, 3)
        for of, bag in zip(units, bags, strict=True)
    ]
    mine, *theirs = (each @ np.array(weights) for each in counts)
    sent, price, shares = np.zeros((3, len(found)))
    for weight, part in zip(theirs, parts.values(), strict=True):
        flow = np.minimum(weight, mine)
        sent += flow
        price += (weight > mine) / len(others)  # the part of the references that have more of it
        shares += part * flow / (flow.sum() or 1.0)
    is_own, is_theirs = counts[0].any(axis=1), np.any(counts[1:], axis=(0, 2))
    grouped = width > 1 and len(found) > MOST_PAIRS
    group = np.arange(len(found))
    if grouped:
        _, group = np.unique(4 * (found >> 32) + 2 * is_own + is_theirs, return_inverse=True)
    size = int(group.max(initial=-1)) + 1
    members = np.bincount(group, minlength=size).tolist()
    flows = np.bincount(group, sent, size).tolist()
    alike, prices = (is_own & is_theirs).tolist(), price.tolist()
    lone = np.zeros(size, np.int64)
    lone[group] = np.arange(len(found))  # the unit of a group of one

    def occurrences(
        of: NDArray[int64], bag: Bag, spans: Sequence[Where]
    ) -> Iterator[tuple[int, list[Where]]]:
        here = group[of]
        groups, first = np.unique(here, return_index=True)
        places = bag.places[np.argsort(here, kind="stable")].ravel().tolist()
        ends = np.cumsum(width * np.bincount(here, minlength=size)).tolist()
        for one in groups[np.argsort(first)].tolist():
            begin = ends[one - 1] if one else 0
            yield one, [spans[place] for place in places[begin : ends[one]]]

    def details(one: int) -> dict[str, float]:
        if members[one] > 1:
            return {"flow": flows[one], "pairs": float(members[one])}
        k = lone[one]
        told = {"flow": flows[one], "similarity": float(alike[k]), "price": prices[k]}
        return told | {"reference_price": 1.0 - prices[k]}

    placed = [
        occurrences(of, bag, [(number, *span) for span in bag.spans])
        for of, (number, bag) in zip(units[1:], others.items(), strict=True)
    ]
    return attribute(
        texts,
        occurrences(units[0], own, own.spans),
        chain.from_iterable(placed),
        dict(enumerate(np.bincount(group, shares, size).tolist())),
        name=lambda _, words: f"{words[0]} {DOTS}" if grouped else f" {DOTS} ".join(words[:width]),
        details=details,
    )


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
