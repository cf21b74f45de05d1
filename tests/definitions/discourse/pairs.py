"""Features of pairs: two adjacent sentences, or a connective and an earlier sentence."""

from __future__ import annotations

from definitions.discourse.trees import VERBS, Tree

FURTHEST = 6  # earlier sentences tried as Arg1 of a connective

_OPEN_CLASS = ("NN", "VB", "JJ")


def preceding(tree: Tree, words: str, earlier: Tree, distance: int) -> list[str]:
    """Features of a sentence as a possible Arg1 of a connective in a later sentence."""
    shared = min(len(content(tree) & content(earlier)), 3)
    question = earlier.words[-1:] == ["?"]
    verb = _has_verb(earlier)
    length = min(len(earlier).bit_length(), 6)
    opening = earlier.at(0)[0]
    base = [
        f"d{distance}",
        f"o{distance}{shared}",
        f"q{distance}{question:d}",
        f"v{distance}{verb:d}",
        f"l{distance}{length}",
        f"f{opening}",
        f"f{distance}{opening}",
        f"e{earlier.at(len(earlier) - 1)[0]}",
        f"s{distance}{opening == tree.at(0)[0]:d}",
        f"lv{length}{verb:d}{shared}",
    ]
    return [*base, *[f"{words}|{name}" for name in base]]


def neighbours(one: Tree, two: Tree) -> list[str]:
    """Features of a sentence and the next one."""
    shared = min(len(content(one) & content(two)), 3)
    found = [
        f"last {one.at(len(one) - 1)[0]}",
        f"last2 {two.at(len(two) - 1)[0]}",
        f"shared {shared}",
        f"verbs {_has_verb(one):d}{_has_verb(two):d}",
        f"sizes {_size(one)} {_size(two)}",
        f"size2 {_size(two)}",
    ]
    for name, tree in (("a", one), ("b", two)):
        opening = tree.words[:3]
        found += [f"{name}{number} {word}" for number, word in enumerate(opening)]
        found.append(f"{name}12 {' '.join(opening[:2])}")
        found += [f"{name}t{number} {tag}" for number, tag in enumerate(tree.tags[:3])]
        root = next((node for node, head in enumerate(tree.heads) if head < 0), -1)
        if root >= 0:
            found.append(f"{name}r {tree.tags[root]}")
            found += [f"{name}rl {tree.labels[child]}" for child in tree.children[root]]
            found += [
                f"{name}rw {tree.words[child]}"
                for child in tree.children[root]
                if tree.labels[child] in ("aux", "neg", "nsubj", "advmod", "prep")
            ]
    found.append(f"tt {' '.join(one.tags[:2])}|{' '.join(two.tags[:2])}")
    return list(dict.fromkeys(found))


def content(tree: Tree) -> frozenset[str]:
    """The nouns, verbs and adjectives of a sentence, in lower case."""
    return frozenset(
        word for word, tag in zip(tree.words, tree.tags, strict=True) if tag[:2] in _OPEN_CLASS
    )


def _has_verb(tree: Tree) -> bool:
    return not VERBS.isdisjoint(tree.tags)


def _size(tree: Tree) -> int:
    return min(len(tree) // 8, 4)
