"""Word lists: the stop list of ROUGE, and lists given by users, with labels that identify them."""

from collections.abc import Iterable
from functools import cache
from os.path import dirname, join

from summeval._options import check_word

_NORWEGIAN = ("nb", "nn", "no")
LISTED = frozenset("da de es fi fr hu it ne nl pt ru sv tr".split()).union(_NORWEGIAN)


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


def of_language(language: str) -> frozenset[str]:
    """Return the stop list of a language: Snowball's, or for English that of ROUGE-1.5.5.

    >>> "und" in of_language("de"), len(of_language("sv"))
    (True, 114)
    """
    if language == "en":
        return rouge155()
    if language not in LISTED:
        raise ValueError(
            f"there is no stop list for the language {language!r}; pass stopwords=, a list of words"
        )
    return _lists()["no" if language in _NORWEGIAN else language]


@cache
def _lists() -> dict[str, frozenset[str]]:
    with open(join(dirname(__file__), "data", "stop_lists.txt"), encoding="utf-8") as file:
        lines = [line.split() for line in file]
    return {code: frozenset(words) for code, *words in lines}


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

    escaped = (word.replace("\\", "\\\\").replace("\n", "\\n") for word in sorted(found))
    digest = hashlib.sha256("\n".join(escaped).encode()).hexdigest()[:8]
    return found, f"{len(found)}-{digest}"


def stop_list(
    stopwords: bool | Iterable[str], language: str | None = None
) -> tuple[frozenset[str], str]:
    """Return the words given by `stopwords=`, and their label."""
    if stopwords is False or stopwords is None:
        return frozenset(), "none"
    if stopwords is True and language not in (None, "en"):
        return of_language(language), f"snowball-{language}"
    if stopwords is True:
        return rouge155(), "rouge155"
    return word_list("stopwords", stopwords)
