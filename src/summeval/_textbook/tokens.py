"""What a token is, in plain Python: the ROUGE-1.5.5 tokens and the tokens of any script."""

import re
import unicodedata

_ROUGE155 = re.compile(rb"[A-Za-z0-9]+")

# How Unicode names the letters of scripts that put no spaces between words: those whose line
# breaking class (UAX #14) is ideographic or South-East Asian, but for historic scripts. Tibetan is
# not here: the tsheg, which is no letter, already parts its syllables.
_UNSPACED = (
    "CJK ", "IDEOGRAPHIC ", "VERTICAL IDEOGRAPHIC ", "VERTICAL KANA ", "HIRAGANA ", "KATAKANA",
    "HALFWIDTH KATAKANA", "HENTAIGANA ", "BOPOMOFO ", "YI SYLLABLE ", "THAI ", "LAO ", "KHMER ",
    "MYANMAR ", "TAI LE ", "NEW TAI LUE ", "TAI THAM ", "TAI VIET ", "AHOM ",
)  # fmt: skip
# Voiced sound marks of the halfwidth katakana: letters by category, marks by use.
_HALFWIDTH_MARKS = "\uff9e\uff9f"


def rouge155(text: bytes) -> list[bytes]:
    """Maximal runs of ASCII letters and digits, lower-cased, as ROUGE-1.5.5 makes tokens.

    >>> rouge155("Don't pay $1,000 for state-of-the-art café".encode())
    [b'don', b't', b'pay', b'1', b'000', b'for', b'state', b'of', b'the', b'art', b'caf']
    """
    return [token.lower() for token in _ROUGE155.findall(text)]


def unicode(text: str) -> list[str]:
    """Maximal runs of letters, marks and numbers of any script, case folded (str.casefold).

    A mark belongs to the letter or number that it follows. In scripts that are written without
    spaces each letter, with its marks, is a token. Nothing is normalised: a composed and a
    decomposed accent make different tokens.

    >>> unicode("Die STRAẞE, naïve Ⅻ 東京タワー Москва́")
    ['die', 'strasse', 'naïve', 'ⅻ', '東', '京', 'タ', 'ワ', 'ー', 'москва́']
    """
    tokens: list[str] = []
    state = "outside"
    for character in text:
        kind = kind_of(character)
        if kind == "separator" or (kind == "mark" and state == "outside"):
            state = "outside"
            continue
        goes_on = kind == "mark" or (kind == "letter" and state == "letter")
        if goes_on:
            tokens[-1] += character.casefold()
        else:
            tokens.append(character.casefold())
        if kind != "mark":
            state = kind
    return tokens


def kind_of(character: str) -> str:
    """Whether a character is a "letter" (or number), "mark", "unspaced" letter or "separator"."""
    category = unicodedata.category(character)
    if category[0] == "M" or character in _HALFWIDTH_MARKS:
        return "mark"
    if category[0] not in "LN":
        return "separator"
    name = unicodedata.name(character, "")
    is_unspaced = name.startswith(_UNSPACED) and category[:2] not in ("Nd", "No")
    return "unspaced" if is_unspaced else "letter"
