"""Word lists: the stop list of ROUGE, and lists given by users, with labels that identify them."""

from collections.abc import Iterable
from functools import cache
from os.path import dirname, join

from summeval._options import check_word


@cache
def rouge155() -> frozenset[str]:
    """Return the stop list of ROUGE-1.5.5 -s: the SMART list with news terms, 596 lower-case words.

    Tokens are compared with it before stemming. Its 53 entries with an apostrophe or a dot match no
    token of `rouge155` or `unicode`; they are kept so that the list equals the script's.

    Examples
    --------
    >>> words = rouge155()
    >>> len(words), "the" in words, "reuters" in words, "first" in words, "ll" in words
    (596, True, True, False, False)
    """
    with open(join(dirname(__file__), "data", "rouge155_stopwords.txt"), encoding="ascii") as file:
        return frozenset(file.read().split())


def word_list(option: str, words: Iterable[str]) -> tuple[frozenset[str], str]:
    """Check a user's word list; return it with a label that identifies it."""
    if isinstance(words, (str, bytes)) or not hasattr(words, "__iter__"):
        raise TypeError(f"{option} is a {type(words).__name__}; pass a list of str")
    found = frozenset(words)
    for word in found:
        if not isinstance(word, str):
            raise TypeError(f"{option} holds {type(word).__name__}; pass a list of str")
        check_word(option, word)
    import hashlib

    told = (word.replace("\\", "\\\\").replace("\n", "\\n") for word in sorted(found))
    digest = hashlib.sha256("\n".join(told).encode()).hexdigest()[:8]
    return found, f"{len(found)}-{digest}"


def stop_list(stopwords: bool | Iterable[str]) -> tuple[frozenset[str], str]:
    """Return the words given by `stopwords=`, and their label."""
    if stopwords is False or stopwords is None:
        return frozenset(), "none"
    if stopwords is True:
        return rouge155(), "rouge155"
    return word_list("stopwords", stopwords)
