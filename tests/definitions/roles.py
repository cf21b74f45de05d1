"""Matrices of roles and the sub-sequences of their columns, in plain Python.

Source: Lin, Ng and Kan 2011, "Automatically Evaluating Text Coherence Using Discourse Relations",
section 4; Lin, Liu, Ng and Kan 2012, "Combining Coherence Models and Machine Translation Evaluation
Metrics for Summarization Evaluation", section 4.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations, product

Role = int  # roles are numbers here; their order is that of the pairs
Span = tuple[int, int, Role]  # first token, token after the last, role
Cell = frozenset[Role]
Matrix = Mapping[str, Sequence[Cell]]  # stem -> its cell in each sentence
Symbol = Role | None  # None is nil


def matrix(
    sentences: Sequence[Sequence[tuple[str, str]]],
    spans: Iterable[Span],
    classes: Collection[str],
    stem: Callable[[str], str],
    highest: bool = False,
) -> dict[str, list[Cell]]:
    """The cells of each stem with a role, sentence by sentence.

    Words have a stem if the first two characters of their tag are in `classes`.

    >>> sentences = [[("cats", "NN")], [("a", "DT"), ("cat", "NN")]]
    >>> matrix(sentences, [(0, 1, 7)], ["NN"], lambda word: "cat")
    {'cat': [frozenset({7}), frozenset()]}
    """
    given = list(spans)
    found: dict[str, list[set[Role]]] = {}
    token = 0
    for number, sentence in enumerate(sentences):
        for form, tag in sentence:
            if tag[:2] in classes:
                row = found.setdefault(stem(form), [set() for _ in sentences])
                row[number] |= {role for first, last, role in given if first <= token < last}
            token += 1
    rows = {word: row for word, row in found.items() if any(row)}
    if highest:
        return {word: [frozenset(sorted(cell)[:1]) for cell in row] for word, row in rows.items()}
    return {word: [frozenset(cell) for cell in row] for word, row in rows.items()}


def transitions(rows: Matrix, length: int) -> Counter[tuple[Symbol, ...]]:
    """Counts of sub-sequences of that length, with nil-only ones; their sum is the denominator.

    >>> sorted(transitions({"cat": [frozenset({1, 2}), frozenset({3}), frozenset()]}, 2).items())
    [((1, 3), 1), ((2, 3), 1), ((3, None), 1)]
    """
    counts: Counter[tuple[Symbol, ...]] = Counter()
    for cells in rows.values():
        symbols: list[list[Symbol]] = [[*sorted(cell)] or [None] for cell in cells]
        for begin in range(len(symbols) - length + 1):
            counts.update(product(*symbols[begin : begin + length]))
    return counts


def pairs(rows: Matrix) -> Counter[tuple[Role, Role]]:
    """The pairs of roles within the cells.

    >>> pairs({"cat": [frozenset({2, 1}), frozenset({3})]})
    Counter({(1, 2): 1})
    """
    cells = [cell for row in rows.values() for cell in row]
    return Counter(pair for cell in cells for pair in combinations(sorted(cell), 2))


def occurrences(
    sentences: Sequence[Sequence[tuple[str, str]]],
    classes: Collection[str],
    stem: Callable[[str], str],
) -> Counter[str]:
    """How often each stem occurs in a text, with or without roles.

    >>> occurrences([[("a", "DT"), ("cat", "NN")], [("cats", "NN")]], ["NN"], lambda w: "cat")
    Counter({'cat': 2})
    """
    return Counter(stem(form) for each in sentences for form, tag in each if tag[:2] in classes)
