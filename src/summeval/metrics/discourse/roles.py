"""Discourse role matrices: the roles of each feature set, and the sequences of roles counted."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy import int32, uint32
from numpy.typing import NDArray

from summeval._arrays import AnyArray, Bools, Floats, Ints
from summeval._cached import cached_property
from summeval._core.discourse import roles as kernel
from summeval._options import Option, check_workers, checked
from summeval.annotate.discourse import DiscourseDocument, Relation
from summeval.annotate.discourse.document import Span
from summeval.annotate.document import Document, packed
from summeval.text import stemmer

if TYPE_CHECKING:
    from summeval.annotate.discourse.parser import Related

    Cells = Mapping[str, Sequence[set[str]]]
    Spans = tuple[Ints, NDArray[int32], NDArray[uint32]]

Documents = Sequence[DiscourseDocument | Document]

OPEN = ("NN", "VB", "JJ", "RB")  # tags of words with a column: nouns, verbs, adjectives, adverbs
NOUNS = ("NN",)
SHORT = {"Comparison": "Comp", "Contingency": "Cont", "Expansion": "Exp", "Temporal": "Temp"}
NO_SENSE = {"EntRel": "EntRel", "NoRel": "NoRel", "Hypophora": "EntRel"}
FEATURES = ("lin", "lin+c", "lin+e", "dicomer", "presence", "roles", "grid")
_MANY = 2**31 - 1
_NIL = "nil"
_SALIENCE = "give a number of occurrences from 2, or None"
_ROUNDING = 1e-9  # more than a sum of shares may be off

_PLAIN = tuple(f"{name}.Arg{n}" for name in ("EntRel", "NoRel", *SHORT.values()) for n in (1, 2))
_EXTENDED = (
    *(f"E.{name}.Arg{n}" for name in SHORT.values() for n in (1, 2)),
    *(f"N.{role}" for role in _PLAIN),
)
_ALPHABETS = {
    "lin": tuple(sorted(_PLAIN)),
    "lin+e": tuple(sorted((*_PLAIN, *_EXTENDED))),
    "presence": ("any",),
    "roles": ("Arg1", "Arg2"),
    "grid": ("S", "O", "X"),  # by rank: a cell keeps its first
}
_ALPHABETS["lin+c"], _ALPHABETS["dicomer"] = _ALPHABETS["lin"], _ALPHABETS["lin+e"]

_SUBJECTS = frozenset(("nsubj", "nsubjpass", "nsubj:pass", "csubj", "csubjpass", "csubj:pass"))
_OBJECTS = frozenset(("dobj", "obj", "iobj", "dative"))
_INSIDE = frozenset(("compound", "nn"))  # nouns that head no phrase


class RoleRows(NamedTuple):
    """The features of documents, as the rows of a sparse matrix.

    Attributes
    ----------
    indptr : array [documents + 1]
    indices : array [features found]
        Rising in each row; `RoleSpace.name` names them.
    counts, denominators : arrays [features found]
    """

    indptr: Ints
    indices: NDArray[int32]
    counts: Ints
    denominators: Ints

    @property
    def values(self) -> Floats:
        """The features themselves: count by denominator."""
        return np.asarray(self.counts / self.denominators, dtype=np.float64)

    def where(self, chosen: Bools) -> RoleRows:
        """Return the features of some documents."""
        sizes = np.diff(self.indptr)
        kept = np.repeat(chosen, sizes)
        indptr = np.concatenate([[0], np.cumsum(sizes[chosen])])
        return RoleRows(indptr, self.indices[kept], self.counts[kept], self.denominators[kept])


OPTIONS: tuple[Any, ...] = (
    Option("features", "lin", FEATURES),
    Option("salience", None, (None,), "whole", 2, _MANY - 1, give=_SALIENCE),
    Option("intra_norm", "len2", ("len2", "pairs")),
    Option("ext", "union", ("union", "separate")),
    Option("keep_nil_only", False, kind="bool"),
    Option("drop_trivial", False, kind="bool"),
)


@dataclass(frozen=True)
class RoleSpace:
    """The features of a set with its options; see `transition_features`.

    Attributes
    ----------
    roles : tuple of str
        In the order of their bits, which is that of their names.
    extended : bool
        Whether roles say if their relation is explicit.
    pairs : bool
        Whether pairs of roles within a cell are features.
    grid : bool
    nil_only : bool
        Whether sub-sequences of nil alone are features; in the entity grid they always were.

    Examples
    --------
    >>> space = RoleSpace("presence")
    >>> space.size, space.name(8)
    (13, 'any->nil->nil')
    """

    features: str = "lin"
    salience: int | None = None
    intra_norm: str = "len2"
    ext: str = "union"
    keep_nil_only: bool = False
    drop_trivial: bool = False
    roles: tuple[str, ...] = field(init=False, repr=False)
    extended: bool = field(init=False, repr=False)
    pairs: bool = field(init=False, repr=False)
    grid: bool = field(init=False, repr=False)
    nil_only: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        made = vars(self)
        made |= checked(OPTIONS, made)
        made["roles"] = _ALPHABETS[self.features]
        made["extended"] = self.features in ("lin+e", "dicomer")
        made["pairs"] = self.features in ("lin+c", "dicomer")
        made["grid"] = self.features == "grid"
        made["nil_only"] = self.keep_nil_only or self.grid

    @property
    def options(self) -> list[tuple[str, str]]:
        """The options, as part of a metric's signature."""
        options = [("features", self.features), ("salience", str(self.salience))]
        if self.pairs:
            options.append(("intra", self.intra_norm))
            options.append(("trivial", str(not self.drop_trivial)))
        if self.extended:
            options.append(("ext", self.ext))
        return [*options, ("nil-only", str(self.nil_only))]

    @cached_property
    def ends(self) -> tuple[int, int, int]:
        """Where the indices of sequences of 2, of 3, and of pairs end in a group."""
        twos, threes = (len(self.roles) + 1) ** 2, (len(self.roles) + 1) ** 3
        return twos, twos + threes, twos + threes + len(self.roles) ** 2

    @property
    def size(self) -> int:
        """How many indices there are."""
        return len(self.groups) * self.ends[2]

    @cached_property
    def groups(self) -> list[tuple[str, int, int, int]]:
        """The parts of the matrix with denominators of their own: prefix, roles, least, most."""
        every = (1 << len(self.roles)) - 1
        parts = [("", every)]
        if self.extended and self.ext == "separate":
            extended = sum(1 << n for n, role in enumerate(self.roles) if role in _EXTENDED)
            parts = [("", every - extended), ("ext|", extended)]
        found = [("", 0, _MANY)]
        if self.salience is not None:
            found = [("sal|", self.salience, _MANY), ("non|", 0, self.salience - 1)]
        return [
            (prefix + name, roles, least, most)
            for prefix, least, most in found
            for name, roles in parts
        ]

    def name(self, index: int) -> str:
        """Return the name of a feature.

        >>> RoleSpace("lin+c").name(13**2 + 13**3 + 1)
        'Comp.Arg1<->Comp.Arg2'
        """
        twos, threes, size = self.ends
        group, rest = divmod(int(index), size)
        prefix, symbols = self.groups[group][0], (_NIL, *self.roles)
        if rest >= threes:
            left, right = divmod(rest - threes, len(self.roles))
            return f"{prefix}{self.roles[left]}<->{self.roles[right]}"
        length, rest = (2, rest) if rest < twos else (3, rest - twos)
        base = len(symbols)
        digits = [rest // base**power % base for power in reversed(range(length))]
        return prefix + "->".join(symbols[digit] for digit in digits)

    def matrices(
        self, documents: Documents, terms: Collection[str] | None
    ) -> list[dict[str, list[set[str]]]]:
        """For each document the roles of each stem that has one, sentence by sentence."""
        words, spans = self._read(documents, terms, named=True)
        found = []
        for stems, cells in zip(words.stems, kernel.cells(words, *spans, self.grid), strict=True):
            rows = zip(stems, cells.tolist(), strict=True)
            found.append({stem: [self._named(c) for c in row] for stem, row in rows if any(row)})
        return found

    def rows(
        self, documents: Documents, *, terms: Collection[str] | None = None, workers: int = 1
    ) -> RoleRows:
        """Return the features of documents."""
        return self._count(*self._read(documents, terms), workers)

    def related_rows(
        self, related: Sequence[Related], *, workers: int = 1
    ) -> tuple[RoleRows, Bools]:
        """Return the features of documents, not those of the grid; and which have an ASCII word."""
        kinds = related[0].kinds if related else ()
        bits = np.array([_bits(self.features, *kind) for kind in kinds], dtype=np.uint32)
        words, spans, plain = kernel.read_related(
            [packed(each.document) for each in related],
            [each.written for each in related],
            bits.reshape(-1, 2),
            [name.encode("ascii") for name in OPEN],
        )
        return self._count(words, spans, workers), plain

    def _count(self, words: kernel.Words, spans: Spans, workers: int) -> RoleRows:
        groups = np.array([group[1:] for group in self.groups], dtype=np.int64)
        found = kernel.features(
            words,
            *spans,
            groups,
            _skipped(self.roles, self.drop_trivial),
            triples=not self.grid,
            nil_only=self.nil_only,
            pairs=self.pairs,
            pair_norm=self.intra_norm == "pairs",
            highest=self.grid,
            workers=check_workers(workers),
        )
        return RoleRows(*found)

    def bounds(self, indices: AnyArray, weights: Floats) -> tuple[float, float]:
        """Return the bounds of the sum of a document's features, each by its weight.

        The shares of sequences of one length add up to 1 at most, and so do pairs within cells by
        all such pairs. By sequences of length 2 they add up to (roles - 1) / 2 at most, as in a
        cell with every role between empty ones.

        Parameters
        ----------
        indices : array [weights]
        weights : array [weights]

        Examples
        --------
        >>> import numpy as np
        >>> indices, weights = np.array([1, 2, 8]), np.array([3.0, -2.0, -4.0])
        >>> low, high = RoleSpace("presence").bounds(indices, weights)
        >>> round(low, 6), round(high, 6)
        (-6.0, 3.0)
        """
        twos, threes, size = self.ends
        group, rest = np.divmod(indices, size)
        part = (rest >= twos).astype(int) + (rest >= threes)
        found = np.zeros((2, len(self.groups), 3))
        np.minimum.at(found[0], (group, part), weights)
        np.maximum.at(found[1], (group, part), weights)
        if self.intra_norm == "len2":
            found[:, :, 2] *= [
                max(1.0, (roles.bit_count() - 1) / 2) for _, roles, *_ in self.groups
            ]
        low, high = found.sum(axis=(1, 2)) * (1 + _ROUNDING)
        return float(low), float(high)

    def _named(self, cell: int) -> set[str]:
        return {role for bit, role in enumerate(self.roles) if cell >> bit & 1}

    def _read(
        self, documents: Documents, terms: Collection[str] | None, named: bool = False
    ) -> tuple[kernel.Words, Spans]:
        """Return the words of documents, and the spans that have roles."""
        lines: list[Sentences] = []
        flat: list[int] = []  # first token, the one after the last, roles
        ends = [0]
        for number, document in enumerate(documents):
            read = _grid if self.grid else partial(_discourse, self.features)
            sentences = read(document, number, flat)
            lines.append(sentences if terms is None else _only(sentences, terms))
            ends.append(len(flat) // 3)
        table = np.fromiter(flat, np.int64, len(flat)).reshape(-1, 3).T
        classes = NOUNS if self.grid else OPEN
        return kernel.number_words(lines, classes, named), (
            np.array(ends, dtype=np.int64),
            np.ascontiguousarray(table[:2], dtype=np.int32),
            np.ascontiguousarray(table[2], dtype=np.uint32),
        )


Sentences = Sequence[Sequence[tuple[str, str]]]


def _discourse(
    features: str, document: DiscourseDocument | Document, number: int, spans: list[int]
) -> Sentences:
    """Return the sentences; adds the spans of the arguments."""
    if not isinstance(document, DiscourseDocument):
        given = type(document).__name__
        raise TypeError(f"documents[{number}] is {given}; pass DiscourseDocument, with relations")
    for relation in document.relations:
        one, two = _bits(features, relation.type, relation.senses)
        connective = relation.conn_tokens
        for argument, bits in ((relation.arg1, one), (relation.arg2, two)):
            for span in argument:
                if connective and connective[0] < span[1] and span[0] <= connective[-1]:
                    for part in _around(span, connective):
                        spans += (*part, bits)
                else:
                    spans += (*span, bits)
    return document.sentences


def _around(span: Span, connective: tuple[int, ...]) -> list[Span]:
    """Return what of an argument is not the relation's connective, which may stand within it.

    >>> _around((2, 6), (2, 4, 9))
    [(3, 4), (5, 6)]
    """
    first, end = span
    within = [token for token in connective if first <= token < end]
    parts = zip([first, *(token + 1 for token in within)], [*within, end], strict=True)
    return [(start, stop) for start, stop in parts if start < stop]


@cache
def _bits(features: str, kind: str, senses: tuple[str, ...]) -> tuple[int, int]:
    """Return the roles that a relation gives its first and second argument."""
    relation = Relation(kind, senses, (), (), ())
    sense = NO_SENSE.get(kind) or SHORT[relation.level_1]
    marked = f"{'E' if kind == 'Explicit' else 'N'}.{sense}"
    alphabet = _ALPHABETS[features]

    def of(argument: str) -> int:
        roles = ("any", argument, f"{sense}.{argument}", f"{marked}.{argument}")
        return sum(1 << alphabet.index(role) for role in roles if role in alphabet)

    return of("Arg1"), of("Arg2")


def _grid(document: DiscourseDocument | Document, number: int, spans: list[int]) -> Sentences:
    """The nouns of a text: subjects, objects and others where it is parsed, else all alike."""
    if isinstance(document, DiscourseDocument):
        spans += (0, document.starts[-1], 4)
        return document.sentences
    if not isinstance(document, Document):
        given = type(document).__name__
        raise TypeError(f"documents[{number}] is {given}; pass Document or DiscourseDocument")
    sentences = [sentence.tokens for sentence in document.sentences]
    for place, token in enumerate(chain(*sentences)):
        bit = 1 if token.label in _SUBJECTS else 2 if token.label in _OBJECTS else 4
        spans += (place, place + 1, bit)
    return [[(t.form, "" if t.label in _INSIDE else t.tag) for t in one] for one in sentences]


def _only(sentences: Sentences, terms: Collection[str]) -> Sentences:
    """Return the sentences with the tags of words of these stems alone."""
    if isinstance(terms, str):
        raise TypeError("terms is one str; pass a list of stems")
    stem, kept = stemmer("porter-java"), frozenset(terms)
    return [[(form, tag if stem(form) in kept else "") for form, tag in each] for each in sentences]


def _skipped(roles: Sequence[str], drop_trivial: bool) -> NDArray[uint32]:
    """For each role the later ones that say the same, as bits."""
    masks = [0] * len(roles)
    for (i, role), (j, other) in combinations(enumerate(roles if drop_trivial else ()), 2):
        if role.endswith("." + other) or other.endswith("." + role):
            masks[i] |= 1 << j
    return np.array(masks, dtype=np.uint32)


def role_matrix(
    document: DiscourseDocument, explicit: bool = False, *, terms: Collection[str] | None = None
) -> dict[str, list[set[str]]]:
    """Return the discourse role matrix of a text.

    Its columns are the Porter stems of nouns, verbs, adjectives and adverbs that stand in an
    argument of a relation, its rows the sentences. A cell holds the roles of all occurrences of the
    stem in that sentence: `Comp`, `Cont`, `Exp`, `Temp` (the first level of the first sense) or
    `EntRel`, `NoRel`, with `.Arg1` or `.Arg2`. Hypophora counts as EntRel. Connectives belong to no
    argument.

    Source: Lin, Liu, Ng and Kan 2012, "Combining Coherence Models and Machine Translation
    Evaluation Metrics for Summarization Evaluation", section 4.

    Parameters
    ----------
    document : DiscourseDocument
    explicit : bool
        Add to each role one that says whether its relation is explicit: `E.Temp.Arg1`, or
        `N.Temp.Arg1` for Implicit, AltLex, EntRel and NoRel.
    terms : collection of str, optional
        The only stems to look at.

    Returns
    -------
    dict of str to list of set of str
        For each stem, in the order of the text, the roles in each sentence.

    Raises
    ------
    TypeError
        Not a DiscourseDocument.

    Examples
    --------
    Table 2 of the paper:

    >>> for stem, cells in role_matrix(table_2()).items():
    ...     print(stem, *(" ".join(sorted(cell)) or "nil" for cell in cells), sep=" | ")
    depend | Comp.Arg1 | nil | nil | nil
    cananea | Comp.Arg1 | nil | Comp.Arg2 Exp.Arg1 Temp.Arg1 | Exp.Arg2
    copper | nil | Comp.Arg1 Comp.Arg2 | nil | nil
    oper | nil | nil | Comp.Arg2 Exp.Arg1 Temp.Arg1 | Exp.Arg1 Exp.Arg2
    """
    return RoleSpace("lin+e" if explicit else "lin").matrices([document], terms)[0]


def transition_features(
    document: DiscourseDocument | Document,
    features: str = "lin",
    salience: int | None = None,
    intra_norm: str = "len2",
    *,
    ext: str = "union",
    keep_nil_only: bool = False,
    drop_trivial: bool = False,
    terms: Collection[str] | None = None,
) -> dict[str, tuple[int, int]]:
    """Count the role transitions in the columns of a discourse role matrix.

    A window of 2 or 3 sentences in a column gives every sequence of one role from each cell, an
    empty cell giving `nil`: `Comp.Arg2->nil`. The denominator is the number of all such sequences
    of that length in the matrix. A text of fewer sentences has none.

    Source: as `role_matrix`; Barzilay and Lapata 2008, "Modeling Local Coherence: An Entity-Based
    Approach", for the grid.

    Parameters
    ----------
    document : DiscourseDocument
        For the grid also an annotated Document.
    features : {"lin", "lin+c", "lin+e", "dicomer", "presence", "roles", "grid"}
        "lin": as above. "lin+c": and the pairs of roles within a cell, `Comp.Arg1<->Exp.Arg2`,
        ordered by their names. "lin+e": the cells of `role_matrix(document, explicit=True)`.
        "dicomer": both. Baselines: "presence", one role `any`; "roles", `Arg1` and `Arg2` without
        sense; "grid", the entity grid, the sequences of length 2 of nouns as subjects, objects and
        others (S, O, X, the first of them in a cell) where the document is parsed, else of X.
    salience : int, optional
        Count words that occur so often in the text apart from the others, with denominators of
        their own: `sal|` and `non|` stand before the names.
    intra_norm : {"len2", "pairs"}
        The denominator of pairs within cells: the sequences of length 2, or all such pairs.
    ext : {"union", "separate"}
        Whether E and N roles stand in the cells with the others, or in a second matrix with
        denominators of its own (`ext|` before the names).
    keep_nil_only : bool
        Count the sequences of nil alone, which the denominators hold in any case; the grid does.
    drop_trivial : bool
        Leave out pairs of a role with its own E or N role; the denominators include them.
    terms : collection of str, optional
        The only stems to look at.

    Returns
    -------
    dict of str to (int, int)
        Count and denominator of each feature that occurs.

    Raises
    ------
    TypeError, ValueError
        For a document of another type, or a value that an option does not take.

    Examples
    --------
    The figure that the paper prints for its Table 2, 2 of 25:

    >>> transition_features(table_2())["Comp.Arg2->Exp.Arg2"]
    (2, 25)
    >>> transition_features(table_2(), "dicomer")["E.Comp.Arg2<->Temp.Arg1"]
    (2, 70)
    """
    space = RoleSpace(features, salience, intra_norm, ext, keep_nil_only, drop_trivial)
    rows = space.rows([document], terms=terms)
    columns = (rows.indices, rows.counts, rows.denominators)
    found = zip(*(column.tolist() for column in columns), strict=True)
    return {space.name(index): (count, denominator) for index, count, denominator in found}


def table_2() -> DiscourseDocument:
    """The worked example of the paper: the words of its Table 2, in the arguments that they have.

    >>> [[form for form, _ in sentence] for sentence in table_2().sentences][1:3]
    [['copper'], ['But', 'as', 'Cananea', 'operating', 'they']]
    """
    sentences = [
        [("depends", "VBZ"), ("Cananea", "NNP")],
        [("copper", "NN")],
        [("But", "CC"), ("as", "IN"), ("Cananea", "NNP"), ("operating", "VBG"), ("they", "PRP")],
        [("operating", "VBG"), ("and", "CC"), ("Cananea", "NNP")],
    ]
    relations = [
        ("Implicit", "Comparison", [], [0, 2], [2, 3]),
        ("Explicit", "Comparison", [3], [2, 3], [4, 8]),
        ("Explicit", "Temporal", [4], [5, 7], [7, 8]),
        ("Implicit", "Expansion", [], [3, 8], [8, 11]),
        ("Explicit", "Expansion", [9], [8, 9], [10, 11]),
    ]
    names = ("type", "sense", "conn_tokens", "arg1", "arg2")
    return DiscourseDocument(sentences, [dict(zip(names, each, strict=True)) for each in relations])


class RolePlaces:
    """Where the words stand whose roles a feature counts.

    Parameters
    ----------
    document : Document
        Of which the tokens say where they stand.
    cells : mapping
        Of each stem the roles in each sentence.
    """

    def __init__(self, document: Document, cells: Cells) -> None:
        stem = stemmer("porter")
        self._cells = cells
        self._spans: dict[tuple[str, int], list[Span]] = {}
        for number, sentence in enumerate(document.sentences):
            for token in sentence.tokens:
                own = stem(token.form.lower())
                if own in cells:
                    self._spans.setdefault((own, number), []).append((token.start, token.end))

    def of(self, feature: str) -> tuple[Span, ...]:
        """Return the words of a feature, such as "nil->Comp.Arg1" or "Comp.Arg1<->Exp.Arg2"."""
        if "|" in feature:  # words of one salience alone
            return ()
        roles = re.split("<->|->", feature)
        near = "<->" in feature
        found: set[Span] = set()
        for stem, cells in self._cells.items():
            steps = [0] * len(roles) if near else list(range(len(roles)))
            for first in range(len(cells) - steps[-1]):
                places = [first + step for step in steps]
                if all(_has(cells[k], role) for k, role in zip(places, roles, strict=True)):
                    found.update(span for k in places for span in self._spans.get((stem, k), ()))
        return tuple(sorted(found))


def readable(feature: str) -> str:
    """Return the name of a role feature as people read it.

    >>> readable("nil->Comp.Arg1"), readable("any->any"), readable("sal|S<->O")
    ('none, then Comp.Arg1', 'any, then any', 'salient: S and O together')
    """
    prefix, _, sequence = feature.rpartition("|")
    named = {"sal": "salient: ", "non": "not salient: ", "ext": "", "": ""}
    words = sequence.replace("<->", " and ").replace("->", ", then ").replace(_NIL, "none")
    meaning = named.get(prefix.partition("|")[0], "")
    return f"{meaning}{words}{' together' * ('<->' in sequence)}"


def _has(cell: set[str], role: str) -> bool:
    return not cell if role == _NIL else role in cell
