"""Explanations of ROUGE: what the kernel needs to know of the texts, and of the score.

The kernel tells where the units stand that it counts, or the runs of a common subsequence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from summeval.metrics.rouge import measures
from summeval.metrics.run.explain.spans import compared, marked, sentences_of
from summeval.text import tokens

if TYPE_CHECKING:
    from summeval._core.overlap.rouge import RougeKernel
    from summeval._core.rows.items import Items
    from summeval.metrics.rouge.measures import Measure
    from summeval.metrics.run.explain.spans import MarkedText
    from summeval.metrics.run.text_options import TextOptions

MOST_PAIRS = 1000  # skip-bigrams of all texts; of more the items are by their first words

Counts: TypeAlias = tuple[float, float, float, float]  # hits, reference, candidate, base
Weights: TypeAlias = Sequence[tuple[int, float]]  # of the references that count: number, weight


class Scoring(NamedTuple):
    """How counts become a score: options of `Rouge`."""

    aggregate: str
    jackknife: bool
    rounded: bool
    alpha: float


def explained_items(
    kernel: RougeKernel,
    kind: str,
    options: TextOptions,
    texts: tuple[str, ...],
    weigh: Callable[[Sequence[Counts]], Weights],
) -> Items:
    """Return the items of a score of the first text beside the others, by the kernel of it.

    `weigh` tells the references that count, and what a unit that the candidate has of each adds.
    """
    if options.plain:
        return kernel.items(texts, weigh, MOST_PAIRS)
    marks = tuple(read(kernel, kind, options, text) for text in texts)
    given = tuple(options.text(text, "") or "" for text in texts)
    return kernel.items(texts, weigh, MOST_PAIRS, marks, given)


def weights_of(
    measure: Measure, scoring: Scoring, value: float, counts: Sequence[Counts]
) -> Weights:
    """Return the references that count, and what a unit that the candidate has of each adds."""
    if len(counts) == 1:
        return [(0, value / counts[0][0] if counts[0][0] else 0.0)]
    weights = unscaled(measure, scoring, counts)
    total = fsum(weight * counts[k][0] for k, weight in weights.items())
    scale = value / total if total else 0.0  # next to 1
    return [(k, weight * scale) for k, weight in sorted(weights.items())]


def unscaled(measure: Measure, scoring: Scoring, counts: Sequence[Counts]) -> dict[int, float]:
    """Return the same before the rounding of the last digit is shared out."""
    script = measures.ScriptMeasure("", measure)

    def score(chosen: Sequence[int]) -> float:
        """F of the sums of counts."""
        hits, reference, candidate, _ = map(
            measures.added, zip(*[counts[k] for k in chosen], strict=True)
        )
        p, r = (
            measures.ratio(hits, total) ** (1 / script.weight) for total in (candidate, reference)
        )
        if not scoring.rounded:
            return measures.fmeasure(p, r, scoring.alpha)
        return measures.as_printed(
            measures.fmeasure(measures.as_printed(p), measures.as_printed(r), scoring.alpha)
        )

    every = range(len(counts))
    rounds: list[Sequence[int]] = [every]
    if scoring.jackknife and len(counts) > 1:
        rounds = [[k for k in every if k != without] for without in every]
    weights: dict[int, float] = {}
    for among in rounds:
        chosen = among
        if scoring.aggregate == "max":
            chosen = [max(among, key=lambda k: score([k]))]
        elif scoring.aggregate == "best":
            chosen = [among[measures.pool_best(script, [counts[k] for k in among])]]
        hits = measures.added(counts[k][0] for k in chosen)
        share = score(chosen) / hits if hits else 0.0
        for k in chosen:
            weights[k] = weights.get(k, 0.0) + share / len(rounds)
    return weights


def read(kernel: RougeKernel, kind: str, options: TextOptions, text: str) -> MarkedText:
    """Return the tokens of a text, or of the beginning of its lines that is kept."""
    left = None
    if options.max_words or options.max_bytes:
        joined = text if options.sentences == "newline" else "\n".join(options.lines(text))
        size = kernel.kept(joined)[kind in ("union-lcs", "weighted-lcs")]
        kept = joined.encode()[:size].decode(errors="ignore")
        left = tokens(kept, options.tokenizer)[::-1]
    lines = []
    for sentence in sentences_of(options, text):
        here = sentence
        if left is not None:
            here = []
            for token in sentence[: len(left)]:
                form = left.pop()  # the last may be cut
                end = token.end if form == token.form else token.begin + len(form)
                here.append(token._replace(form=form, end=end))
        lines.append([(token, False) for token in compared(options, here)])
    return marked(lines)
