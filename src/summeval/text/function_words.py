"""English function words, used instead of closed-class tags if there is no tagger.

By them, and by letters, texts are told that are evidently not English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from os.path import dirname, join

_OTHER = "other"
_CHARACTERS = 2000  # looked at of each text
_LEAST, _SHARE = 2, 10  # signs of another language: so many, and one in so many different words

_OTHER_SCRIPT = re.compile("[\u0370-\u1dff\u1f00-\u1fff\u2c00-\u2dff\u3040-\ud7ff\uf900-\ufdff]")
_ACCENT = re.compile("[\u00df-\u00f6\u00f8-\u024f\u1e00-\u1eff]")


def by_tag() -> dict[str, frozenset[str]]:
    """Return the words of `english` by their usual tag; tags that are close stand together.

    >>> "could" in by_tag()["MD"], "whom" in by_tag()["WDT, WP, WP$"]
    (True, True)
    """
    return {tags: words for tags, words in _listed().items() if tags != _OTHER}


@cache
def english() -> frozenset[str]:
    """Words whose usual tag is CC DT EX IN MD PDT POS PRP PRP$ RP TO UH WDT WP WP$ or WRB.

    These are the function tags of TESLA, whose words weigh a tenth of others (Liu, Dahlmeier and Ng
    2010, "TESLA: Translation Evaluation of Sentences with Linear-programming-based Analysis").
    Lower case, in the form of `rouge155` tokens: "they'll" leaves `ll`, "dog's" `s`,
    "couldn't" `couldn`. As with tags, adverbs ("not", hence `t`) and the verbs be, have and do
    (`m`, `re`, `ve`) do not count as function words.

    Examples
    --------
    >>> words = english()
    >>> [word for word in "they ll say that it was not on the table".split() if word in words]
    ['they', 'll', 'that', 'it', 'on', 'the']
    """
    return frozenset().union(*by_tag().values())


def is_not_english(texts: Iterable[str | None]) -> bool:
    """Return whether some texts, such as those of a row, are evidently not English.

    They are if half of their words are of another script; or if words that tell of another language
    outnumber the function words of English. Those are function words of some thirty languages, and
    words with accents, each without a capital: names tell nothing. Texts of which too little can be
    told, such as headlines of names, count as English.

    >>> is_not_english(["Der Hund und die Katze schlafen nicht ein."]), is_not_english(["кошка"])
    (True, True)
    >>> is_not_english(["Zoë Saldaña, Pelé at Cannes café"]), is_not_english(["A cat", None])
    (False, False)
    """
    strange = [text[:_CHARACTERS] for text in texts if text and not _has_english(text)]
    if not strange:
        return False
    text = " ".join(strange)
    words = set(text.split())
    odd = [] if text.isascii() else [word for word in words if not word.isascii()]
    odd = [word for word in odd if any(map(str.isalnum, word))]
    others = sum(map(bool, map(_OTHER_SCRIPT.search, odd)))
    signs = len(words & _listed()[_OTHER])
    signs += sum(word.islower() and bool(_ACCENT.search(word)) for word in odd)
    if not others and signs < _LEAST:  # as of most English texts, with a name or a typographic mark
        return False
    if not text.isascii():
        words = {word for word in words if any(map(str.isalnum, word))}
        if 2 * others >= len(words) > 0:
            return True
    if signs < max(_LEAST, len(words) / _SHARE):
        return False
    return signs > len({word.lower() for word in words} & english())


def _has_english(text: str) -> bool:
    """Return whether a text has a word that tells English at once, as most have; takes no time."""
    return " the " in text or " and " in text or " with " in text or " that " in text


@cache
def _listed() -> dict[str, frozenset[str]]:
    """Return the words of the file by their tags, those of other languages by `_OTHER`."""
    with open(join(dirname(__file__), "data", "function_words.txt"), encoding="ascii") as file:
        pairs = [line.split(": ") for line in file if line[0] != "#"]
    return {tags: frozenset(words.split()) for tags, words in pairs}
