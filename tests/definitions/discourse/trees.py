"""A sentence prepared for features: normalised words, tags and the dependency tree."""

from __future__ import annotations

from collections.abc import Sequence

from summeval.annotate.document import Sentence

NO_TOKEN = -1
PUNCTUATION = frozenset({".", ",", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP"})
VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})
SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})

_PLAIN = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"}
)
_QUOTES = {"``": '"', "''": '"'}


class Tree:
    """A parsed sentence.

    Attributes
    ----------
    forms : list of str
        As written.
    words : list of str
        In lower case, with ASCII quotes and dashes.
    tags, labels : list of str
    heads : list of int
        -1 for roots.
    children : list of list of int
        Children of each token, in order.
    first, end : list of int
        The first token of each subtree and the one after its last.
    """

    __slots__ = ("_edges", "children", "end", "first", "forms", "heads", "labels", "tags", "words")

    def __init__(self, sentence: Sentence) -> None:
        tokens = sentence.tokens
        self.forms = [token.form for token in tokens]
        self.words = [plain(token.form) for token in tokens]
        self.tags = [token.tag for token in tokens]
        self.heads = [token.head for token in tokens]
        self.labels = [token.label for token in tokens]
        length = len(tokens)
        self.children: list[list[int]] = [[] for _ in tokens]
        self.first = list(range(length))
        self.end = list(range(1, length + 1))
        for position, head in enumerate(self.heads):
            if head >= 0:
                self.children[head].append(position)
            above = head
            while above >= 0:
                if self.first[above] > position:
                    self.first[above] = position
                elif self.end[above] <= position:
                    self.end[above] = position + 1
                above = self.heads[above]
        self._edges: tuple[list[int], list[int]] | None = None

    def __len__(self) -> int:
        return len(self.words)

    def at(self, position: int) -> tuple[str, str]:
        """The word and tag at a position; `^` before the sentence and `$` after it."""
        if position < 0:
            return "^", "^"
        if position >= len(self.words):
            return "$", "$"
        return self.words[position], self.tags[position]

    def text(self, first: int, end: int) -> str:
        """The words of a span."""
        return " ".join(self.words[first:end])

    def top(self, first: int, end: int) -> int:
        """The first token of a span that has its head outside the span."""
        for position in range(first, end):
            if not first <= self.heads[position] < end:
                return position
        return first

    def kind(self, first: int, end: int) -> str:
        """Tag and label of the span's top token."""
        top = self.top(first, end)
        return f"{self.tags[top]}.{self.labels[top]}"

    def path(self, position: int) -> list[int]:
        """The token and its heads up to the root."""
        found = []
        while position >= 0:
            found.append(position)
            position = self.heads[position]
        return found

    def place(self, first: int) -> str:
        """Whether a span is at the start of the sentence (0), near it (1) or further away (m)."""
        return "0" if first == 0 else "1" if first < 3 else "m"

    def has_subject(self, position: int) -> bool:
        """Whether the token has a subject."""
        labels = self.labels
        return any(labels[child] in SUBJECTS for child in self.children[position])

    def edges(self) -> tuple[list[int], list[int]]:
        """The tops of the longest subtrees that start and that end before each token.

        Both lists have one entry more than there are tokens; -1 means no subtree.
        """
        if self._edges is None:
            begin = [NO_TOKEN] * (len(self) + 1)
            finish = [NO_TOKEN] * (len(self) + 1)
            for node in range(len(self)):
                first, end = self.first[node], self.end[node]
                if begin[first] < 0 or end > self.end[begin[first]]:
                    begin[first] = node
                if finish[end] < 0 or first < self.first[finish[end]]:
                    finish[end] = node
            self._edges = begin, finish
        return self._edges


def plain(form: str) -> str:
    """Return a word in lower case, with ASCII quotes and dashes.

    >>> plain("Don’t"), plain("``")
    ("don't", '"')
    """
    lowered = form.lower()
    if not lowered.isascii():
        lowered = lowered.translate(_PLAIN)
    return _QUOTES.get(lowered, lowered)


def crossed(base: Sequence[str], kind: str, words: str) -> list[str]:
    """Features alone, combined with the kind of a connective, and combined with its words.

    >>> crossed(["p ,"], "CC.cc", "and")
    ['p ,', 'CC.cc|p ,', 'and|p ,']
    """
    return [*base, *[f"{kind}|{name}" for name in base], *[f"{words}|{name}" for name in base]]
