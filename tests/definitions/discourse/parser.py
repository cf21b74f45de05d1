"""A discourse parser for parsed text.

The steps are those of Lin, Ng and Kan (2014): find connectives; decide whether Arg1 lies in the
same sentence or in an earlier one; find the arguments; choose the sense; then relate adjacent
sentences that no connective links. Arguments come from the dependency tree (`arguments`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from definitions.discourse import connectives, pairs, stretches
from definitions.discourse.connectives import Style
from definitions.discourse.linear import Model, default
from definitions.discourse.trees import Tree
from summeval.annotate.discourse.document import (
    LEVEL_1,
    DiscourseDocument,
    Relation,
    Span,
    spans,
)
from summeval.annotate.document import Document

# Two-part connectives; both parts stand in the same sentence.
_PARTED = {
    ("if", "then"),
    ("either", "or"),
    ("neither", "nor"),
    ("not only", "but also"),
    ("not only", "but"),
    ("not only", "also"),
    ("not just", "but also"),
    ("not just", "but"),
    ("both", "and"),
    ("on the one hand", "on the other hand"),
    ("on one hand", "on the other hand"),
}


@dataclass(frozen=True, slots=True)
class Connective:
    """A connective of a sentence.

    Attributes
    ----------
    parts : tuple of (int, int)
        Token spans in the sentence.
    words : str
        Words of the first part.
    names : list of str
        Features of the first part.
    """

    parts: tuple[Span, ...]
    words: str
    names: list[str]

    @property
    def tokens(self) -> list[int]:
        """Token numbers in the sentence."""
        return [token for part in self.parts for token in range(*part)]


def parse(document: Document, model: Model | None = None) -> DiscourseDocument:
    """Find the relations of an annotated document, as `summeval.annotate.discourse.parse` says."""
    for number, sentence in enumerate(document.sentences):
        if sentence.tokens and not any(token.label for token in sentence.tokens):
            raise ValueError(
                f"sentence {number + 1} has no dependency parse; annotate the text with spacy"
            )
    known = default() if model is None else model
    trees = [Tree(sentence) for sentence in document.sentences]
    found = RelationFinder(trees, document.starts, known)
    return DiscourseDocument.of(document, found.all())


class RelationFinder:
    """Collects the relations of a document."""

    def __init__(self, trees: Sequence[Tree], starts: Sequence[int], model: Model) -> None:
        self.trees, self.starts, self.model = trees, starts, model
        self.linked: set[int] = set()  # sentences that a connective links to an earlier one
        self._style = Style.of(trees)
        self._connectives: dict[int, list[Connective]] = {}

    def all(self) -> list[Relation]:
        """Explicit relations in the order of their connectives; other relations in between."""
        found: list[Relation] = []
        for number in range(len(self.trees)):
            explicit = [
                relation
                for connective in self.connectives(number)
                if (relation := self.explicit(number, connective)) is not None
            ]
            if number and number not in self.linked:
                found += self._between(number)
            found += explicit
        return found

    def connectives(self, number: int) -> list[Connective]:
        """The connectives of a sentence."""
        if number not in self._connectives:
            found = find_connectives(self.trees[number], self._style, self.model)
            self._connectives[number] = found
        return self._connectives[number]

    def explicit(self, number: int, connective: Connective) -> Relation | None:
        """The relation of a sentence's connective; None if an argument has no tokens."""
        tree, model = self.trees[number], self.model
        earlier = number > 0 and model.components["position"].scores(connective.names)[0] > 0
        if earlier:
            self.linked.add(number)
            before = choose_preceding(self.trees, number, connective.words, model)
            if not len(self.trees[before]):
                return None
            arg1: tuple[Span, ...] = ((self.starts[before], self.starts[before + 1]),)
            left_out = set(connective.tokens)
            two = [token for token in range(len(tree)) if token not in left_out]
        else:
            last = connective.parts[-1]
            parts = [part for each in self.connectives(number) for part in each.parts]
            others = [part for part in parts if part != last]
            sight = stretches.Sight(tree, connective.tokens, last, others)
            one, two = stretches.within(
                sight, model.components["boundary"].scores, model.components["stretches"].scores
            )
            if not one or not two:
                return None
            arg1 = self._spans(number, one)
        start = self.starts[number]
        return Relation(
            "Explicit",
            (explicit_sense(tree, connective, model),),
            tuple(start + token for token in connective.tokens),
            arg1,
            self._spans(number, two),
        )

    def _spans(self, number: int, tokens: Sequence[int]) -> tuple[Span, ...]:
        start = self.starts[number]
        return spans([start + token for token in tokens])

    def _between(self, number: int) -> Iterator[Relation]:
        one, two = self.trees[number - 1], self.trees[number]
        if not len(one) or not len(two):
            return
        label = self.model.components["neighbours"].best(pairs.neighbours(one, two))
        starts = self.starts
        arg1 = ((starts[number - 1], starts[number]),)
        arg2 = ((starts[number], starts[number + 1]),)
        if label in LEVEL_1:
            yield Relation("Implicit", (self.model.senses[label],), (), arg1, arg2)
        else:
            yield Relation(label, (), (), arg1, arg2)


def find_connectives(tree: Tree, style: Style, model: Model) -> list[Connective]:
    """The connectives of a sentence, in order; of overlapping candidates the most probable."""
    scored = []
    linear = model.components["connective"]
    for first, end in connectives.candidates(tree, model.lexicon):
        names = connectives.features(tree, first, end, style)
        (score,) = linear.scores(names)
        if score > 0 and end - first < len(tree):
            scored.append((-score, first, end, names))
    taken: set[int] = set()
    found = []
    for _, first, end, names in sorted(scored):
        if taken.isdisjoint(range(first, end)):
            taken.update(range(first, end))
            found.append(Connective(((first, end),), tree.text(first, end), names))
    found.sort(key=lambda connective: connective.parts)
    return _joined(found, tree)


def _joined(found: list[Connective], tree: Tree) -> list[Connective]:
    """Merge the parts of two-part connectives."""
    joined: list[Connective] = []
    for connective in found:
        for number in range(len(joined) - 1, -1, -1):
            opener = joined[number]
            if len(opener.parts) == 1 and (opener.words, connective.words) in _PARTED:
                parts = opener.parts + connective.parts
                if len(tree) > sum(end - first for first, end in parts):
                    joined[number] = Connective(parts, opener.words, opener.names)
                    break
        else:
            joined.append(connective)
    return joined


def explicit_sense(tree: Tree, connective: Connective, model: Model) -> str:
    """The sense of a connective, completed with its most frequent lower levels."""
    names = connectives.sense_features(tree, *connective.parts[0], connective.names)
    level_1 = model.components["sense"].best(names)
    return model.senses.get(f"{connective.words}|{level_1}", model.senses[level_1])


def choose_preceding(trees: Sequence[Tree], number: int, words: str, model: Model) -> int:
    """The sentence before `number` that is Arg1 of a connective in `number`."""
    score = model.components["preceding"].scores
    best, chosen = float("-inf"), number - 1
    for distance in range(1, min(pairs.FURTHEST, number) + 1):
        earlier = trees[number - distance]
        if not len(earlier):
            continue
        (found,) = score(pairs.preceding(trees[number], words, earlier, distance))
        if found > best:
            best, chosen = found, number - distance
    return chosen
