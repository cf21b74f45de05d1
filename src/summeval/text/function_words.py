"""English function words, used instead of closed-class tags if there is no tagger.

By them, and by letters, texts are told that are evidently not English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

# A word with several tags is listed under its most frequent one (Penn Treebank).
_WORDS = {
    "CC": "and but either neither nor or plus minus versus vs",
    "DT, PDT": "a all an another any both each every no some that the these this those",
    "EX": "there",
    "IN": """
        aboard about above across after against albeit along alongside although amid amidst among
        amongst around as astride at atop because before behind below beneath beside besides between
        betwixt beyond by circa cos coz cuz despite down during ere except for from if in inside
        insofar into lest like near notwithstanding of off on onto outside over per qua sans since
        than though through throughout til till toward towards under underneath unless unlike until
        unto up upon via vis whereas whether while whilst with within without
    """,
    "MD": """
        can cannot could d dare ll may might must ought shall should will would
        couldn daren mayn mightn mustn needn oughtn shan shouldn wouldn
    """,
    "POS": "s",
    "PRP, PRP$": """
        em he her hers herself him himself his i it its itself me mine my myself oneself our ours
        ourselves she thee their theirs them themself themselves they thine thou thy thyself us we
        ye you your yours yourself yourselves
    """,
    "RP": "aside forth out",
    "TO": "to",
    "UH": """
        ah aha alas alright amen aw aww bye eh er gee goodbye gosh ha haha hello hey hi hm hmm hmmm
        hooray huh hurrah mhm mm nah nope oh ok okay ooh oops ouch please uh uhm uhh um umm whoa wow
        yay yeah yep yes yikes
    """,
    "WDT, WP, WP$": "what whatever which whichever who whoever whom whomever whose",
    "WRB": """
        how whence whenever when where whereby wherein whereof whereupon wherever whither why
    """,
}

_CHARACTERS = 2000  # looked at of each text
_LEAST, _SHARE = 2, 10  # signs of another language: so many, and one in so many different words

# Frequent words of other languages of Latin script that English texts hardly have, not even in
# names. Words with other letters than a-z need not be here.
_OTHERS = """
    aan aber adalah akan als ama amb ancak anche ancora ang anni aos atau att auch auf aus av avec
    bei bij bir bisa ble blev bu byl byla ces cette che chez cho como contro csak cu cua cuando daha
    dal dalam dalla dans dari das dat dei del della delle dels dengan desde deze dhe di dijo din
    dira dla donde dopo dos drei duoc durch een efter egy ein eine einem einen einer eines el eller
    els em en entre esta este eta ett ez foi fost fra fue geen gegen gibi gli haben hanno har hasta
    hebben heeft het hii hij hogy ihre ikke ikkje il ile ils ini inte ir ist ito itu ja jag jak je
    jego jest joka jsou juga ka kad kadar kan kao karena katika kein keine kepada khong koji kui kun
    kuwa kwa las lebih les leur leurs maar mai mais med meg mereka mga mit mot muito mutta muy naar
    nach nel nella nem ng nga nhung nicht nie niet nije ning noch nog nos nous nur och od oder oedd
    og olan olarak oldu oleh om ont ook oraz os ovat pada para pas pe pela pelo pentru pero podle
    por porque prin przez que questa questo qui sebagai sein seine selon ser seu seva sich sido sind
    siya skal sob sobre som sono sont stato su sua sul sulla sunt sur sus tai tak telah tersebut
    tidak trong twee uit uma una und une untuk uz var voi volt voor vous vuoden wel werd werden wir
    wird worden wordt wurde wurden y yang yra za zij zijn zum zur zwei zwischen
"""
_OTHER_SCRIPT = re.compile("[\u0370-\u1dff\u1f00-\u1fff\u2c00-\u2dff\u3040-\ud7ff\uf900-\ufdff]")
_ACCENT = re.compile("[\u00df-\u00f6\u00f8-\u024f\u1e00-\u1eff]")


def by_tag() -> dict[str, frozenset[str]]:
    """Return the words of `english` by their usual tag; tags that are close stand together.

    >>> "could" in by_tag()["MD"], "whom" in by_tag()["WDT, WP, WP$"]
    (True, True)
    """
    return {tags: frozenset(words.split()) for tags, words in _WORDS.items()}


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
    return frozenset(word for words in _WORDS.values() for word in words.split())


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
    signs = 0
    if not text.isascii():
        words = {word for word in words if any(map(str.isalnum, word))}
        if 2 * sum(map(bool, map(_OTHER_SCRIPT.search, words))) >= len(words) > 0:
            return True
        signs = sum(word.islower() and bool(_ACCENT.search(word)) for word in words)
    signs += len(words & _others())
    if signs < max(_LEAST, len(words) / _SHARE):
        return False
    return signs > len({word.lower() for word in words} & english())


def _has_english(text: str) -> bool:
    """Return whether a text has a word that tells English at once, as most have; takes no time."""
    return " the " in text or " and " in text or " with " in text or " that " in text


@cache
def _others() -> frozenset[str]:
    return frozenset(_OTHERS.split())
