"""Bracketed Penn Treebank trees, and files of trees with named entities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from summeval._options import shown
from summeval.annotate.conllu import DocumentReader, Place, is_new_document
from summeval.annotate.document import Document, Token

MOST_DEPTH = 250
"""Maximum nesting of trees, so that code may walk them recursively."""

_PIECE = re.compile(r"[()]|[^\s()]+")
_TRACE = "-NONE-"


@dataclass(frozen=True, slots=True)
class Tree:
    """A node: a category with children, or a part of speech with a word.

    >>> str(Tree("NP", (Tree("DT", word="the"), Tree("NN", word="cat"))))
    '(NP (DT the) (NN cat))'
    """

    label: str
    children: tuple[Tree, ...] = ()
    word: str | None = None

    def leaves(self) -> Iterator[Tree]:
        """Yield the preterminal nodes, from left to right."""
        if self.word is not None:
            yield self
        for child in self.children:
            yield from child.leaves()

    def __str__(self) -> str:
        inside = self.word if self.word is not None else " ".join(map(str, self.children))
        return f"({self.label} {inside})"


class _Open:
    """A node with a bracket still open."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.label: str | None = None
        self.word: str | None = None
        self.children: list[Tree] = []
        self.empty = True


class _Builder:
    """Takes tokens one by one and returns each tree when it is closed."""

    def __init__(self) -> None:
        self.stack: list[_Open] = []

    def take(self, piece: str, place: Place) -> Tree | None:
        """Return the tree that the piece closes; a tree of traces alone has the label -NONE-."""
        if piece == "(":
            self._open(place)
            return None
        if not self.stack and piece == ")":
            raise place.error("this bracket closes nothing", "remove it, or add the missing (")
        if not self.stack:
            raise place.error(f"{shown(piece)} stands outside a tree", "write bracketed trees")
        if piece == ")":
            return self._close()
        node = self.stack[-1]
        if node.label is None and node.empty:
            node.label = piece
        elif node.word is None and node.empty:
            node.word = piece
            node.empty = False
        else:
            raise place.error(
                f"{shown(piece)} stands beside another word or bracket",
                "give each word a bracket of its own, with its part of speech",
            )
        return None

    def finish(self) -> None:
        """Raise if a tree is not closed."""
        if self.stack:
            raise self.stack[-1].place.error("this bracket is never closed", "add the missing )")

    def _open(self, place: Place) -> None:
        if self.stack:
            if self.stack[-1].word is not None:
                raise place.error(
                    f"a bracket opens beside the word {shown(self.stack[-1].word)}",
                    "give each word a bracket of its own, with its part of speech",
                )
            if self.stack[-1].label is None and len(self.stack) > 1:
                raise place.error("a bracket opens where a label is expected", "write (CAT (...))")
            self.stack[-1].empty = False
        if len(self.stack) == MOST_DEPTH:
            raise place.error(f"more than {MOST_DEPTH} brackets are open", "check for a missing )")
        self.stack.append(_Open(place))

    def _close(self) -> Tree | None:
        node = self.stack.pop()
        if node.empty:
            raise node.place.error("this bracket holds no word", "write (TAG word) or (CAT (...))")
        # A node that holds only traces is removed too.
        gone = node.label == _TRACE or (node.word is None and not node.children)
        tree = Tree(_TRACE if gone else node.label or "", tuple(node.children), node.word)
        if not self.stack:
            return tree
        if not gone:
            self.stack[-1].children.append(tree)
        return None


def parse_tree(written: str, place: str = "tree") -> Tree:
    """Read one bracketed tree.

    Traces (`-NONE-`) and nodes that hold nothing else are removed.

    Raises
    ------
    ValueError
        Unbalanced brackets, a word without a tag, nesting deeper than `MOST_DEPTH`, or not exactly
        one tree. The message names `place`, line and column.

    Examples
    --------
    >>> tree = parse_tree("(S1 (S (NP (NN milk)) (VP (VBD ran) (NP (-NONE- *)))))")
    >>> str(tree)
    '(S1 (S (NP (NN milk)) (VP (VBD ran))))'
    """
    found = list(_trees(written.split("\n"), place))
    if len(found) != 1:
        raise ValueError(f"{place}: {len(found)} trees instead of one; write exactly one")
    return found[0]


def _trees(lines: Iterable[str], name: str) -> Iterator[Tree]:
    builder = _Builder()
    for number, line in enumerate(lines, 1):
        for match in _PIECE.finditer(line):
            tree = builder.take(match[0], Place(name, number, match.start() + 1))
            if tree is not None:
                yield tree
    builder.finish()


def read_trees(lines: Iterable[str], name: str = "trees") -> Iterator[Document]:
    r"""Read a file of bracketed trees: one per sentence, each on one or more lines.

    Comment lines between trees: `#ner LABEL first last` is a person (PER), organisation (ORG) or
    location (LOC) in the preceding tree, with tokens counted from 1; `# newdoc` starts another
    document; others are ignored. A file without `# newdoc` is one document.

    Raises
    ------
    ValueError
        As for `parse_tree`, or an entity out of range. The message names file, line and column.

    Examples
    --------
    >>> document, = read_trees(["(S1 (S (NP (NNP John)) (VP (VBD left))))", "#ner PER 1 1"])
    >>> [(token.form, token.tag) for token in document.sentences[0].tokens]
    [('John', 'NNP'), ('left', 'VBD')]
    >>> document.entities
    (Entity(label='PER', first=0, last=0),)
    """
    reader, builder = DocumentReader("trees"), _Builder()
    for number, line in enumerate(lines, 1):
        place = Place(name, number)
        if not builder.stack and line.lstrip().startswith("#"):
            if is_new_document(line):
                yield from reader.end(place)
            else:
                reader.comment(line, place)
            continue
        for match in _PIECE.finditer(line):
            tree = builder.take(match[0], Place(name, number, match.start() + 1))
            if tree is not None and tree.label != _TRACE:
                tokens = tuple(Token(leaf.word or "", leaf.label) for leaf in tree.leaves())
                reader.add(tokens, str(tree))
    builder.finish()
    yield from reader.end(Place(name, 1))
