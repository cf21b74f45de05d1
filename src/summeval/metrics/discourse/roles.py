"""Discourse role matrices, and frequencies of role transitions in them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from summeval.annotate.discourse import DiscourseDocument
from summeval.metrics.discourse.role_features import RoleSpace

if TYPE_CHECKING:
    from summeval.annotate.document import Document


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
