"""The items of an explanation of TESLA-S, in plain Python."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import fsum
from operator import mul

from summeval.metrics.run.explain.items import ExplainedItem, Token

Words = Sequence[Sequence[tuple[Token, bool]]]  # of sentences; and whether it is a function word
Unit = tuple[str, ...]  # the forms of its words
DOTS = "\N{HORIZONTAL ELLIPSIS}"


def units(
    sentences: Words, pairs: bool, gap: int, cross: bool
) -> Iterator[list[tuple[Token, bool]]]:
    """Each token, or each pair of tokens with at most `gap` between (below 0: any number)."""
    lines = [[word for line in sentences for word in line]] if cross else sentences
    for line in lines:
        for first, word in enumerate(line):
            if not pairs:
                yield [word]
                continue
            for other in line[first + 1 :] if gap < 0 else line[first + 1 : first + gap + 2]:
                yield [word, other]


def bag_items(
    texts: Sequence[str],
    words: Sequence[Words],
    pairs: bool,
    parts: Mapping[int, float],
    weights: Sequence[float],
    *,
    gap: int,
    cross: bool,
    most: int,
) -> list[ExplainedItem]:
    """An item for each unit of a bag of the first text, then for those of the others alone.

    `parts`: of the references that count, what F adds to the value. More than `most` units are
    grouped by first words and by the sides that have them.
    """
    found: list[tuple[int, Unit, list[Token]]] = []
    weighed: list[dict[Unit, float]] = []
    for number in (-1, *parts):
        counts: dict[Unit, list[int]] = defaultdict(lambda: [0, 0, 0])
        for unit in units(words[number + 1], pairs, gap, cross):
            form = tuple(token.form for token, _ in unit)
            counts[form][sum(function for _, function in unit)] += 1
            found.append((number, form, [token for token, _ in unit]))
        weighed.append({u: sum(map(mul, each, weights)) for u, each in counts.items()})
    mine, *theirs = weighed
    names = list(dict.fromkeys(form for _, form, _ in found))
    flow, price, share = (dict.fromkeys(names, 0.0) for _ in range(3))
    for weight, part in zip(theirs, parts.values(), strict=True):
        sent = {unit: min(weight.get(unit, 0.0), mine.get(unit, 0.0)) for unit in names}
        total = sum(sent.values())
        for unit, each in sent.items():
            flow[unit] += each
            price[unit] += (weight.get(unit, 0.0) > mine.get(unit, 0.0)) / len(parts)
            share[unit] += part * each / total if total else 0.0
    sides = {unit: (unit in mine, any(unit in one for one in theirs)) for unit in names}
    grouped = pairs and len(names) > most
    groups: dict[object, list[tuple[int, Unit, list[Token]]]] = defaultdict(list)
    for one in found:
        groups[(one[1][0], sides[one[1]]) if grouped else one[1]].append(one)
    items = []
    for places in groups.values():
        number, first, tokens = places[0]
        members = {unit for _, unit, _ in places}
        details = {"flow": fsum(flow[unit] for unit in members)}
        if len(members) > 1:
            details["pairs"] = float(len(members))
        else:
            details |= {"similarity": float(all(sides[first])), "price": price[first]}
            details["reference_price"] = 1.0 - price[first]
        named = [texts[number + 1][token.begin : token.end] for token in tokens]
        items.append(
            ExplainedItem(
                f"{named[0]} {DOTS}" if grouped else f" {DOTS} ".join(named),
                tuple((t.begin, t.end) for k, _, each in places for t in each if k < 0),
                tuple((k, t.begin, t.end) for k, _, each in places for t in each if k >= 0),
                fsum(share[unit] for unit in members),
                details,
            )
        )
    return items
