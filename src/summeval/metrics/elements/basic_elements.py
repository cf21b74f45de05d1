"""Basic Elements: heads with their modifiers that a candidate shares with its references."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from summeval._core.rows.record import Score
from summeval._options import option
from summeval.elements.elements import Element
from summeval.metrics import option_groups as group
from summeval.metrics.elements import be_counts
from summeval.metrics.elements.be_counts import Units
from summeval.metrics.parsed import COREFERENCE, Parser
from summeval.metrics.rouge import measures
from summeval.metrics.run.base import Metric
from summeval.metrics.run.runner import FIELDS, Runner
from summeval.metrics.run.signature import Signed

if TYPE_CHECKING:
    from summeval.metrics.run.explain.items import Asked, Items

Counted = TypeVar("Counted")

MODES = tuple(mode.lower() for mode in be_counts.MODES)
_MEASURE = measures.ScriptMeasure("BE")
_NIL = "NIL"

# What the parts of an element are to each other, by the rule that made it.
_RELATIONS = {
    **dict.fromkeys(("r5", "r9"), "mod"),
    **dict.fromkeys(("r6", "r7"), "gen"),
    "r3": "prt",
    "r8": "nn",
    "r10": "appo",
    **dict.fromkeys(("r11", "r12", "r14", "r15", "r16", "r17", "r50", "r51", "r52"), "subj"),
    "r13": "by",
    **dict.fromkeys(("r18", "r19", "r21", "r22", "r23", "r24"), "obj"),
    "r25": "pred",
    **dict.fromkeys(("r44", "r45"), "comp"),
    "r46": "amod",
    "r47": "pred",
    **dict.fromkeys(("r48", "r49"), "title"),
}
# Two nominal parts, the first of which is the head.
_FIRST_IS_HEAD = frozenset(("r47",))
_VERBS = ("VB", "AUX", "MD")


class BasicElements(Metric):
    """Basic Elements in common, as ROUGE-1.5.5 -3 counts them.

    A Basic Element is a head, or a head with a modifier and their relation. Each mode counts some
    of them and compares part of what they hold: `h` heads without modifier, `hm` heads with one,
    `hm1` heads either way; `hmr` triples with a relation, `hmr1` triples with a modifier, `hmr2`
    all triples. Case does not count
    when elements are compared. Recall is what candidate and references share (clipped as in
    ROUGE-N) by what the references hold, precision by what the candidate holds, in fractions.

    The breakers that cut the elements of 2005 are lost; `score` cuts texts by the rules of BEwT-E
    over a dependency parse (`summeval.elements`), and takes head, modifier and relation from them.
    Elements of another program go through `score_units`.

    Source: Hovy, Lin, Zhou and Fukumoto 2006, "Automated summarization evaluation with Basic
    Elements"; the scorer of ROUGE-1.5.5, option -3. DUC 2006 to TAC 2011 printed `hm` with stems.

    Fields: `precision`, `recall` (which is `value`), `fmeasure`; of an empty text all are 0.

    Parameters
    ----------
    mode : {"h", "hm", "hmr", "hm1", "hmr1", "hmr2"}
        What is counted, as above.
    stemmer : {None, "rouge155", "porter", "porter-java"}
        Of the words of heads and modifiers; "rouge155" is the script's -m.

        Heads and modifiers of at most three bytes are left as they are.
    aggregate : {"average", "best"}
        Sum over the references (-f A), or the one with the best recall (-f B).
    jackknife : bool
        Mean over the sets that leave one reference out.

        DUC and TAC compared people with systems in this way.
    digits : {5, None}
        Recall and precision to five decimals and F from these, as the script prints; None rounds
        nothing.
    alpha : float
        F = P R / ((1 - alpha) P + alpha R), as in `Rouge`.
    coreference : {None, "simple"}, str, Resolver or callable
        As in `BEwTE`.
    case : {"keep", "lower", "auto"}
        "lower" lower-cases texts before they are parsed (`str.lower`); "auto" the candidate and
        references of a row in which some text has letters but no capital and another has capitals.
    parser : str or Provider
        The parser of texts; see `summeval.annotate.provider`.
    cache : bool
        Keep parses on disk, so that later runs need not parse again.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take; an element that is not three fields.

    Examples
    --------
    >>> be = BasicElements(mode="hm")
    >>> be.score_units(["drink|cat|subj", "cat|NIL|NIL"], [["drink|cat|s", "drink|milk|obj"]])
    Score(precision=1.0, recall=0.5, fmeasure=0.66667)
    """

    names = ("be",)
    summary = "heads with their modifiers in common, in parsed text"
    fields = FIELDS
    primary = "recall"
    languages = ("en",)
    immutable = True
    mode: str = option(default="hm", choices=MODES)
    stemmer: str | None = group.STEMMER._replace(kind="")
    aggregate: str = group.AGGREGATE._replace(default="average", choices=("average", "best"))
    jackknife: bool = group.JACKKNIFE
    digits: int | None = option(default=5, choices=(5, None))
    alpha: float = group.ALPHA
    coreference: Any = COREFERENCE
    case: str = group.CASE
    parser: Any = group.PARSER
    cache: bool = group.CACHE

    def __post_init__(self) -> None:
        self._parser = Parser(self)
        self.parsers = (self._parser,)

    def signed(self) -> Signed:
        """Return the options, resources and version that the numbers depend on."""
        return [
            ("mode", self.mode),
            ("stemmer", self.stemmer or "none"),
            ("aggregate", self.aggregate),
            ("jackknife", self.jackknife),
            ("digits", str(self.digits)),
            ("alpha", str(self.alpha)),
            *self._parser.options,
        ]

    def new_runner(self) -> Runner[Any]:
        # Counting is a small part of the parsing that comes before it; threads would not help.
        return self._parser.runner(
            self,
            lambda elements: self._units(triple_of(*row) for row in elements.rows()),
            lambda rows, workers: [self._score(*row) for row in rows],
        )

    def score_units(
        self, candidate: Iterable[str] | None, references: Iterable[Iterable[str] | None]
    ) -> Score:
        """Score elements `head|modifier|relation` against those of one or more references.

        Parameters
        ----------
        candidate : iterable of str, or None
            `NIL` means no modifier or no relation.
        references : iterable of iterables of str
            References that are None are left out.

        Returns
        -------
        Score
            NaN in every field if the candidate is None or there is no reference; 0 where there is
            nothing to count.

        Raises
        ------
        TypeError, ValueError
            Naming the element that is not three fields parted by bars.

        Examples
        --------
        >>> BasicElements(mode="h").score_units(["cat|NIL|NIL"], [["cat|NIL|NIL"]]).recall
        1.0
        """
        if isinstance(references, str):
            raise TypeError("references is one str; pass a list with the elements of each")
        given = [(one, f"references[{n}]") for n, one in enumerate(references) if one is not None]
        read = [self._read(*one) for one in given]
        own = None if candidate is None else self._read(candidate, "candidate")
        return self._score(own, read)

    def explain_texts(self, asked: Asked) -> Items:
        """An item for each element that is counted, head|modifier|relation without what is NIL.

        Its share is the recall times its part of the hits, with which the shares add up to the
        recall as printed; jackknifed, the mean over the sets. Of aggregate="best" only the
        references that count are shown. Details: `hits`, and its count in the `reference`.
        """
        from summeval.metrics.elements.explain import placed_row, unit_items, units_of

        row = placed_row(self._parser, asked.texts)
        own, *others = (units_of(one, lambda p: as_triple(p.element), self._units) for one in row)
        candidate, *references = (Units(unit for unit, _, _ in units) for units in (own, *others))
        counts = [be_counts.counts(units, candidate) for units in references]
        sets = []
        for numbers in self._sets(list(range(len(others)))):
            if self.aggregate == "best":
                best = measures.pool_best(_MEASURE, [counts[number] for number in numbers])
                numbers = [numbers[best]]  # noqa: PLW2901
            sets.append((numbers, self._pooled([counts[number] for number in numbers])[1]))
        return unit_items(asked, own, others, sets)

    def _read(self, elements: Iterable[str], place: str) -> Units:
        if isinstance(elements, str):
            raise TypeError(f"{place} is one str; pass a list of head|modifier|relation")
        return self._units(triple(one, f"{place}[{n}]") for n, one in enumerate(elements))

    def _units(self, triples: Iterable[tuple[str, str, str]]) -> Units:
        encoded = (
            (h.lower().encode(), m.lower().encode(), r.lower().encode()) for h, m, r in triples
        )
        stem = partial(be_counts.stem_word, stemmer=self.stemmer) if self.stemmer else None
        return be_counts.units(encoded, self.mode.upper(), stem)

    def _score(self, candidate: Units | None, references: Sequence[Units]) -> Score:
        if candidate is None or not references:
            return Score(FIELDS, (float("nan"),) * 3, self.primary)
        counts = [be_counts.counts(reference, candidate) for reference in references]
        found = [self._pooled(some) for some in self._sets(counts)]
        means = [measures.added(values) / len(found) for values in zip(*found, strict=True)]
        return Score(FIELDS, tuple(means), self.primary)

    def _sets(self, counts: list[Counted]) -> list[list[Counted]]:
        """Return all references, or the sets that leave one out."""
        if not self.jackknife or len(counts) < 2:
            return [counts]
        return [[*counts[:out], *counts[out + 1 :]] for out in range(len(counts))]

    def _pooled(self, counts: Sequence[tuple[float, ...]]) -> tuple[float, float, float]:
        """Precision, recall and F over some references."""
        totals = measures.pool(_MEASURE, counts, self.aggregate == "best")
        shown = (lambda value: value) if self.digits is None else measures.as_printed
        recall = shown(measures.ratio(totals.hits, totals.reference))
        precision = shown(measures.ratio(totals.hits, totals.candidate))
        return precision, recall, shown(measures.fmeasure(precision, recall, self.alpha))


def triple(written: str, place: str) -> tuple[str, str, str]:
    """Head, modifier and relation of an element as it is written.

    >>> triple("drink|cat|subj", "candidate[0]")
    ('drink', 'cat', 'subj')
    """
    if not isinstance(written, str):
        raise TypeError(f"{place} is {type(written).__name__}; pass a str head|modifier|relation")
    fields = written.split("|")
    if len(fields) != 3:
        raise ValueError(
            f"{place}: {written!r} has {len(fields)} fields; write head|modifier|relation, with"
            " NIL for what is absent"
        )
    head, modifier, relation = fields
    return head, modifier, relation


def as_triple(element: Element) -> tuple[str, str, str]:
    """Head, modifier and relation of an element that the rules of BEwT-E cut.

    One part is a head. Of two, the verb is the head if the other is none, and else the last, or
    the first of two verbs. Of three the middle is the relation and the first the head.

    >>> from summeval.elements.elements import parse
    >>> as_triple(parse("r11 cat|NN+drank|VBD"))
    ('drank', 'cat', 'subj')
    >>> as_triple(parse("r26 invasion|NN+of|IN+Iraq|Location"))
    ('invasion', 'Iraq', 'of')
    """
    return triple_of(element.rule, element.parts)


def triple_of(rule: str, parts: Sequence[tuple[str, str]]) -> tuple[str, str, str]:
    """As `as_triple`, of the rule and the parts (text, type) of an element."""
    (first, kind), *others = parts
    if "|" in first:
        first = first.replace("|", "/")
    if not others:
        return first, _NIL, _NIL
    last, last_kind = others[-1]
    if "|" in last:
        last = last.replace("|", "/")
    if len(others) == 2:
        return first, last, others[0][0].replace("|", "/")
    is_first = kind.startswith(_VERBS) or (
        rule in _FIRST_IS_HEAD and not last_kind.startswith(_VERBS)
    )
    relation = _RELATIONS.get(rule, "mod")
    return (first, last, relation) if is_first else (last, first, relation)
