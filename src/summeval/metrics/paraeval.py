"""ParaEval: recall that counts paraphrases as well as words.

Zhou, Lin, Munteanu and Hovy 2006, "ParaEval: Using Paraphrases to Evaluate Summaries
Automatically". Their paraphrase table, made from a bilingual corpus, is not public, so users supply
one.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import nan
from operator import itemgetter
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from summeval._core.rows.record import Score
from summeval._options import option
from summeval.metrics.option_groups import AGGREGATE, LANGUAGE, STEMMER, TOKENIZER
from summeval.metrics.run.base import PairMetric
from summeval.metrics.run.explain.items import Asked, Items
from summeval.metrics.run.explain.spans import attribute_pairs
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.text_options import Tokenizer, tokens_signed
from summeval.text.background import read_text
from summeval.text.stemmers import stemmer, version

if TYPE_CHECKING:
    from summeval._arrays import Floats

Phrase: TypeAlias = tuple[str, ...]
Matched: TypeAlias = tuple[int, Sequence[int], Sequence[int]]
TIERS = ("optimal", "greedy", "literal")


class Match(NamedTuple):
    """A span of the reference and one of the candidate that paraphrase each other."""

    reference: range
    candidate: range


class ParaEval(PairMetric):
    """The share of the reference's words that the candidate has, literally or paraphrased.

    Words are matched in three tiers, each among the words that those before left over:

    - `optimal`: phrases of the table with more than one word on a side. Of all sets of pairs of
      spans that share no word, one that covers the most words of the reference is found (a binary
      programme), and of these one that takes the fewest words of the candidate.
    - `greedy`: pairs of single words of the table; each word of the reference, from the first on,
      takes the first word of the candidate that is left.
    - `literal`: equal words.

    A phrase of the top tier that is the same on both sides is not there to be matched: equal words
    belong to the last. Without a table this is the recall of ROUGE-1. What the published
    description leaves open, ties and the order of the greedy search, is as said here; the paper's
    numbers cannot be had without its table.

    Fields: `recall`, 0 for an empty text. `parts` of a single Score has the words of the reference
    that each tier matched, and all `words` of it, of the reference that counts.

    Parameters
    ----------
    paraphrases : iterable of pairs of str, or path
        Phrases that mean the same, in either direction; or a file with two phrases and a tab
        between on each line.
    aggregate : {"max", "average"}
        Over several references: the highest recall (of the first of equal ones), or the mean.
    stemmer : {None, "rouge155", "porter", "porter-java"} or "snowball-LANGUAGE"
        Of the words of the texts and of the table; see `summeval.text.stemmer`.
    tokenizer : {"rouge155", "unicode", "uax29", "icu"} or callable
        As in `Rouge`.
    language : str or None
        A code such as "de" sets tokenizer and stemmer, unless they are given.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    TypeError, ValueError
        For a table that cannot be used, or a value that an option does not take.

    Examples
    --------
    >>> metric = ParaEval(paraphrases=[("passed away", "died"), ("monarch", "king")])
    >>> score = metric.score("the king died", "the monarch passed away today")
    >>> score.recall, dict(score.parts)
    (0.8, {'optimal': 2, 'greedy': 1, 'literal': 1, 'words': 5})
    """

    names = ("paraeval",)
    summary = "words in common, or paraphrases from your table"
    fields = ("recall",)
    primary = "recall"
    paraphrases: Iterable[tuple[str, str]] | str | PathLike[str] = option(default=(), kind="path")
    aggregate: str = AGGREGATE
    stemmer: str | None = STEMMER
    tokenizer: str | Tokenizer = TOKENIZER
    language: str | None = LANGUAGE

    def __post_init__(self) -> None:
        self._table: dict[Phrase, set[Phrase]] = defaultdict(set)
        for left, right in _pairs(vars(self).pop("paraphrases")):
            phrases = tuple(self.read(left)), tuple(self.read(right))
            if not all(phrases):
                raise ValueError(f"paraphrases has {(left, right)!r}; give words on both sides")
            if phrases[0] != phrases[1]:
                self._table[phrases[0]].add(phrases[1])
                self._table[phrases[1]].add(phrases[0])
        self._singles = {
            phrase[0]: [other[0] for other in others if len(other) == 1]
            for phrase, others in self._table.items()
            if len(phrase) == 1
        }
        self._longest = max(map(len, self._table), default=0)

    def signed(self) -> Signed:
        """Return the options, the table and the version that the numbers depend on.

        >>> ParaEval().signature.split("|v:")[0]
        'paraeval|aggregate:max|paraphrases:none|tokenizer:rouge155|stemmer:none'
        """
        options = {
            "aggregate": self.aggregate,
            "paraphrases": "none",
            **dict(tokens_signed(self)),
            "stemmer": version(self.stemmer),
        }
        if self._table:
            import scipy

            content = repr(sorted((key, sorted(value)) for key, value in self._table.items()))
            digest = hashlib.sha256(content.encode()).hexdigest()[:8]
            options["paraphrases"] = f"{len(self._table)}-{digest}"
            options["solver"] = f"scipy-{scipy.__version__}"
        return options

    def unscored(self) -> Score:
        return _score(nan, (nan,) * len(TIERS), nan)

    def read(self, text: str, place: str = "") -> list[str]:
        from summeval.text.tokenizers import words

        found = words(text, self.tokenizer)
        return found if self.stemmer is None else list(map(stemmer(self.stemmer), found))

    def explain_texts(self, asked: Asked) -> Items:
        """An item for each match of phrases or words, then for the words that are not matched.

        The share of a match is the number of its words in the reference by all words of it, with
        which the shares add up to the recall; with aggregate="average" those of each reference are
        divided by the number of references. Details: the `tier`, 1 for phrases of the table, 2 for
        its single words, 3 for equal words; and the `words` of the reference.

        Examples
        --------
        >>> metric = ParaEval(paraphrases=[("passed away", "died")])
        >>> explanation = metric.explain("the king died", "the king passed away")
        >>> [(item.text, item.share) for item in explanation.items]
        [('died = passed away', 0.5), ('the', 0.25), ('king', 0.25)]
        """
        own, *references = map(self.read, asked.texts)
        found = [self._tiers(own, words) for words in references]
        counted = asked.counted(self.aggregate)
        matches = []
        for k in counted:
            for tier, there, here in found[k]:
                share = 1 / len(counted) * len(there) / len(references[k])
                details = {"tier": float(tier), "words": float(len(there))}
                matches.append((k, here, there, share, details))
        return attribute_pairs(asked, counted, matches)

    def compare(self, candidate: list[str], references: Sequence[list[str]]) -> Score:
        found = [(self._tiers(candidate, reference), len(reference)) for reference in references]
        counts = [(sum(len(places) for _, places, _ in tiers), words) for tiers, words in found]
        shares = [count / words if words else 0.0 for count, words in counts]
        best = shares.index(max(shares))
        recall = sum(shares) / len(shares) if self.aggregate == "average" else shares[best]
        tiers, words = found[best]
        covered = Counter(tier for tier, places, _ in tiers for _ in places)
        return _score(recall, [covered[tier] for tier, _ in enumerate(TIERS, 1)], words)

    def _tiers(self, candidate: list[str], reference: list[str]) -> list[Matched]:
        """Return what each tier matches: its number, and the places in reference and candidate."""
        matches = self._matches(candidate, reference)
        chosen = _optimal(matches, len(reference), len(candidate)) if matches else []
        found: list[Matched] = [(1, match.reference, match.candidate) for match in chosen]
        used = {place for match in chosen for place in match.reference}
        taken = {place for match in chosen for place in match.candidate}
        free: dict[str, list[int]] = defaultdict(list)  # the last place first
        for place in reversed(range(len(candidate))):
            if place not in taken:
                free[candidate[place]].append(place)
        for i, word in enumerate(reference if self._singles else ()):
            near = self._singles.get(word)
            if near and i not in used:
                lists = [places for other in near if (places := free.get(other))]
                if lists:
                    used.add(i)
                    found.append((2, (i,), (min(lists, key=itemgetter(-1)).pop(),)))
        for i, word in enumerate(reference):
            if i not in used and (places := free.get(word)):
                found.append((3, (i,), (places.pop(),)))
        return found

    def _matches(self, candidate: list[str], reference: list[str]) -> list[Match]:
        """Return all pairs of spans in the table, with more than one word on a side."""
        spans: dict[Phrase, list[range]] = defaultdict(list)
        for phrase, span in self._spans(candidate):
            spans[phrase].append(span)
        return [
            Match(span, other)
            for phrase, span in self._spans(reference)
            for paraphrase in sorted(self._table[phrase])
            if len(phrase) > 1 or len(paraphrase) > 1
            for other in spans.get(paraphrase, ())
        ]

    def _spans(self, words: Sequence[str]) -> Iterable[tuple[Phrase, range]]:
        """Yield the spans of a text that are phrases of the table."""
        for begin in range(len(words)):
            for end in range(begin + 1, min(begin + self._longest, len(words)) + 1):
                phrase = tuple(words[begin:end])
                if phrase in self._table:
                    yield phrase, range(begin, end)


def _optimal(matches: Sequence[Match], reference: int, candidate: int) -> list[Match]:
    """Matches without a common word that cover the most words of the reference.

    Of such sets it is one with the fewest words of the candidate.
    """
    import numpy as np

    gain = np.array([len(match.reference) for match in matches], dtype=np.float64)
    cost = np.array([len(match.candidate) for match in matches], dtype=np.float64)
    places = np.zeros((reference + candidate, len(matches)))
    for column, match in enumerate(matches):
        places[list(match.reference), column] = 1
        places[[reference + place for place in match.candidate], column] = 1
    best = _choose(-gain, places, np.ones(len(places)))
    # the same cover, as one more row: what is not covered is at most what is not covered now
    rows = np.vstack([places, -gain])
    limits = np.append(np.ones(len(places)), -float(gain @ best))
    chosen = _choose(cost, rows, limits)
    return [match for match, x in zip(matches, chosen, strict=True) if x]


def _choose(cost: Floats, rows: Floats, limits: Floats) -> Floats:
    """Return the 0-1 vector of least cost with rows @ x <= limits."""
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp

    limited = {"bounds": Bounds(0, 1), "constraints": LinearConstraint(rows, ub=limits)}
    found = milp(cost, integrality=np.ones(len(cost)), options={"mip_rel_gap": 0}, **limited)
    if found.x is None:
        raise RuntimeError(f"the solver found no matching: {found.message}")
    return np.asarray(np.round(found.x), dtype=np.float64)


def _score(recall: float, tiers: Sequence[float], words: float) -> Score:
    parts = Score((*TIERS, "words"), (*tiers, words), "words")
    return Score(("recall", "parts"), (recall, parts), "recall")


def _pairs(given: Any) -> Iterable[tuple[str, str]]:
    if isinstance(given, str | PathLike):
        given = _read(fspath(given))
    elif isinstance(given, Mapping) or not hasattr(given, "__iter__"):
        raise TypeError(f"paraphrases is {type(given).__name__}; give pairs of phrases or a path")
    for pair in given:
        whole = isinstance(pair, tuple | list) and len(pair) == 2
        if not whole or not all(isinstance(phrase, str) for phrase in pair):
            raise TypeError(f"paraphrases has {pair!r}; give pairs of str")
        yield pair[0], pair[1]


def _read(path: str) -> Iterable[tuple[str, str]]:
    for row, line in enumerate(read_text(path).split("\n"), 1):
        phrases = line.strip("\r").split("\t")
        if line.strip() and len(phrases) != 2:
            raise ValueError(f"{path}:{row}: {line[:40]!r} is not two phrases and a tab; mend it")
        if line.strip():
            yield phrases[0], phrases[1]
