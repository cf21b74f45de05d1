"""What the Jensen-Shannon divergence of SIMetrix comes from, word by word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum, log

from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import by_unit, items_of, written
from summeval.metrics.run.explain.spans import Token, compared, sentences_of
from summeval.metrics.run.text_options import TextOptions

MOST_WORDS = 200  # of the source alone that are told one by one
HOLLOW = "empty word"  # what the program reads in a line of punctuation
Counts = Mapping[str, int]


def explained_items(
    candidate: str,
    sources: Sequence[str],
    counts: tuple[Counts, Counts],
    text_options: TextOptions,
    scale: float,
) -> tuple[ExplainedItem, ...]:
    """An item for each word of the candidate, then for those that only the source has.

    Parameters
    ----------
    candidate, sources
        The texts.
    counts : two mappings of str to int
        The words of the candidate and of the source.
    text_options : TextOptions
    scale : float
        What natural logarithms are multiplied by.
    """
    mine, theirs = counts
    sums = [sum(side.values()) for side in counts]
    shares = {
        word: scale * _divergence(mine.get(word, 0) / sums[0], theirs.get(word, 0) / sums[1])
        for word in dict.fromkeys((*mine, *theirs))
    }
    here = by_unit((t.form, [(t.begin, t.end)]) for t in _words(text_options, candidate))
    there = by_unit(
        (token.form, [(number, token.begin, token.end)])
        for number, text in enumerate(sources)
        for token in _words(text_options, text)
    )
    lacking = sorted(
        (word for word in theirs if word not in mine), key=lambda word: (-shares[word], word)
    )
    rest = lacking[MOST_WORDS:]
    order = {word: there.get(word, []) for word in lacking[:MOST_WORDS]}
    order |= {word: there.get(word, []) for word in mine}
    own = {word: here.get(word, []) for word in mine}

    def details(word: str) -> dict[str, float]:
        return {
            "candidate": float(mine.get(word, 0)),
            "source": float(theirs.get(word, 0)),
        }

    name = written(candidate, sources, own, order)
    items = items_of(
        own,
        order,
        shares,
        text=lambda word: name(word) or word or HOLLOW,
        details=details,
        in_source=True,
    )
    if not rest:
        return items
    told = {"source": float(sum(theirs[word] for word in rest))}
    share = fsum(shares[word] for word in rest)
    return (*items, ExplainedItem(f"{len(rest)} other words", (), (), share, told))


def _divergence(p: float, q: float) -> float:
    """What a word adds, of natural logarithms."""
    both = (p + q) / 2
    return fsum(share * log(share / both) for share in (p, q) if share) / 2


def _words(text_options: TextOptions, text: str) -> list[Token]:
    sentences = sentences_of(text_options, text)
    return [token for sentence in sentences for token in compared(text_options, sentence)]
