"""spaCy's attribute ruler and rule lemmatizer for English by the tables of the parser's model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from definitions.parsing.tables import Tables

KINDS = ("", "propn", "noun", "verb", "adj", "adv", "punct")


class Word(NamedTuple):
    form: str
    tag: str
    label: str


class Pattern(NamedTuple):
    tokens: list[list[tuple[int, list[str]]]]  # what tag, label, lower case and space must be
    index: int
    kind: int
    base: int
    lemma: str | None


class Lemmatizer:
    """Lemmas of the words of a line."""

    def __init__(self, sections: dict[str, bytes]) -> None:
        tables = Tables(sections["lemmas"])
        vocabulary = [tables.spelt() for _ in range(tables.number(2))]
        self.patterns = [pattern(tables, vocabulary) for _ in range(tables.number(2))]
        self.endings: dict[str, list[tuple[str, str]]] = {}
        self.exceptions: dict[str, dict[str, list[str]]] = {}
        for kind in KINDS[2:]:
            self.endings[kind] = [(tables.spelt(), tables.spelt()) for _ in range(tables.number())]
            forms = tables.tails(tables.number(4))
            pairs = [form for form in forms for _ in range(tables.number())]
            found: dict[str, list[str]] = {form: [] for form in forms}
            for form, lemma in zip(pairs, tables.tails(tables.number(4), pairs), strict=True):
                found[form].append(lemma)
            self.exceptions[kind] = found
        words = tables.tails(tables.number(4))
        self.index = {
            (word, kind)
            for word, kinds in zip(words, tables.take(len(words)), strict=True)
            for bit, kind in enumerate(KINDS[2:])
            if kinds >> bit & 1
        }

    def lemmas(self, words: Sequence[Word]) -> list[str]:
        """The lemma of each word."""
        kinds, bases = [0] * len(words), [0] * len(words)
        lemmas = [""] * len(words)
        for one in self.patterns:  # later ones override
            for first in range(len(words) - len(one.tokens) + 1):
                if all(map(holds, one.tokens, words[first:])):
                    at = first + one.index
                    kinds[at] = one.kind - 1 if one.kind else kinds[at]
                    bases[at] = one.base - 1 if one.base else bases[at]
                    lemmas[at] = lemmas[at] if one.lemma is None else one.lemma
        found = zip(words, lemmas, kinds, bases, strict=True)
        return [lemma or self.lemma(word.form, kind, base) for word, lemma, kind, base in found]

    def lemma(self, form: str, number: int, base: int) -> str:
        """The lemma of a word of a kind; `base` has the kinds of which it is a base form."""
        lower, kind = form.lower(), KINDS[number]
        if kind == "" or base >> number & 1:
            return lower
        return form if kind == "propn" else next(self.by_rules(form, lower, kind))

    def by_rules(self, form: str, lower: str, kind: str) -> Iterator[str]:
        made = [
            lower[: len(lower) - len(old)] + new
            for old, new in self.endings[kind]
            if lower.endswith(old)
        ]
        made = [one for one in made if one]
        known = [one for one in made if (one, kind) in self.index]
        others = [one for one in made if (one, kind) not in self.index and not one.isalpha()]
        exceptions = self.exceptions[kind].get(lower, [])
        yield from (one for one in reversed(exceptions) if one not in known + others)
        yield from reversed(known)
        yield from others
        yield from made
        yield form


def pattern(tables: Tables, vocabulary: list[str]) -> Pattern:
    count, index = tables.number(), tables.number()
    tokens = []
    for _ in range(count):
        token = []
        for _ in ("tag", "label"):
            choice, size = tables.number(), tables.number()
            token.append((choice, [tables.spelt() for _ in range(size)]))
        choice, size = tables.number(), tables.number()
        token.append((choice, [vocabulary[tables.number(2)] for _ in range(size)]))
        token.append((tables.number(), ["space"]))
        tokens.append(token)
    kind, base = tables.number(), tables.number(2)
    return Pattern(tokens, index, kind, base, tables.spelt() if tables.number() else None)


def holds(token: list[tuple[int, list[str]]], word: Word) -> bool:
    """Whether a word is what a pattern wants: 0: anything, 1: one of these, 2: none of these."""
    has = (word.tag, word.label, word.form.lower(), "space" if word.form.isspace() else "")
    return all(
        choice == 0 or (one in wanted) == (choice == 1)
        for (choice, wanted), one in zip(token, has, strict=True)
    )
