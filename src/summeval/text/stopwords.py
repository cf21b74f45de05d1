"""Stop lists: words that a metric removes before counting."""

from functools import cache
from os.path import dirname, join


@cache
def rouge155() -> frozenset[str]:
    """The stop list of ROUGE-1.5.5 -s: the SMART list with news terms, 596 lower-case words.

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
