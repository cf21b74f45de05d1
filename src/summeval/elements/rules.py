"""Rule tables: reading them and matching their rules.

A table is a text file. A line is a comment (#), or a keyword and fields separated by tabs:

    group   NAME    LABEL LABEL ...                   a name for labels, in patterns of the table
    words   name    word word ...                     a name for words, `{name}` in patterns
    label   to      pattern                           (dependencies) the new label of a relation
    rule    id      name    order of parts    pattern
    in      an example: a tree, or the rows of a parse joined by ` / `
    out     the elements that the rule above finds in it, joined by ` ; `, or nothing
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.resources import files

from summeval.elements.patterns import Pattern, Relations, Vocabulary, compile_pattern

_FIELDS = {"group": 2, "words": 2, "label": 2, "rule": 4, "in": 1, "out": 1}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: a pattern and the order in which its captures make a Basic Element.

    Attributes
    ----------
    name : str
        `r1` to `r52`; rules for variants of a phrase share a name.
    title : str
    order : tuple of int
        For each part of the element, its position in the pattern's captures.
    pattern : Pattern
    """

    name: str
    title: str
    order: tuple[int, ...]
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Example:
    """An example of a rule: the input and the elements found in it."""

    rule: Rule
    given: str
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RuleTable:
    """The rules of a table in order, the label patterns applied before them, and the examples."""

    rules: tuple[Rule, ...]
    labels: tuple[tuple[str, Pattern], ...] = ()
    examples: tuple[Example, ...] = ()


@dataclass(slots=True)
class _Draft:
    vocabulary: Vocabulary = field(default_factory=lambda: Vocabulary({}, {}))
    rules: list[Rule] = field(default_factory=list)
    labels: list[tuple[str, Pattern]] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)
    given: str = ""


def read_table(text: str, relations: Relations, place: str = "rules") -> RuleTable:
    r"""Read a table of rules and compile its patterns.

    Raises
    ------
    ValueError
        An unknown keyword, missing fields, or a malformed pattern; the message names place and
        line.

    Examples
    --------
    >>> from summeval.elements.trees import tree_relations
    >>> table = read_table("rule\tr13\tby-agent\ty x\tVP < VBN=x < (PP < NP=y)", tree_relations)
    >>> table.rules[0].name, table.rules[0].order
    ('r13', (1, 0))
    """
    draft = _Draft()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        keyword, *cells = (cell.strip() for cell in line.split("\t"))
        try:
            if _FIELDS.get(keyword) != len(cells):
                raise ValueError(f"{keyword!r} with {len(cells)} fields between tabs")
            _add(draft, keyword, cells, relations)
        except (ValueError, IndexError) as error:
            raise ValueError(f"{place}:{number}: {error}") from None
    return RuleTable(tuple(draft.rules), tuple(draft.labels), tuple(draft.examples))


def _add(draft: _Draft, keyword: str, cells: list[str], relations: Relations) -> None:
    groups, words = draft.vocabulary.groups, draft.vocabulary.words
    if keyword == "group":
        more = {cells[0]: frozenset(cells[1].split())}
        draft.vocabulary = Vocabulary({**groups, **more}, words)
    elif keyword == "words":
        more = {cells[0]: frozenset(cells[1].split())}
        draft.vocabulary = Vocabulary(groups, {**words, **more})
    elif keyword == "label":
        draft.labels.append((cells[0], compile_pattern(cells[1], relations, draft.vocabulary)))
    elif keyword == "rule":
        pattern = compile_pattern(cells[3], relations, draft.vocabulary)
        wanted = cells[2].split()
        if sorted(wanted) != sorted(pattern.names):
            raise ValueError(f"order {cells[2]!r} of the captures {' '.join(pattern.names)!r}")
        order = tuple(pattern.names.index(name) for name in wanted)
        draft.rules.append(Rule(cells[0], cells[1], order, pattern))
    elif keyword == "in":
        draft.given = cells[0]
    else:
        found = () if cells[0] == "nothing" else tuple(cells[0].split(" ; "))
        draft.examples.append(Example(draft.rules[-1], draft.given, found))


def resource(name: str, relations: Relations) -> RuleTable:
    """Load a bundled rule table."""
    text = (files(__package__) / "data" / name).read_text(encoding="utf-8")
    return read_table(text, relations, name)


# The name of a rule, and the tokens that it found, as positions in the sentence.
Found = tuple[str, tuple[int, ...]]
