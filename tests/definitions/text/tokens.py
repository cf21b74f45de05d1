"""The tokenizers in plain Python: ROUGE-1.5.5 tokens, and tokens of any script."""

import re
import unicodedata

_ROUGE155 = re.compile(rb"[A-Za-z0-9]+")

# Unicode name prefixes of letters in scripts without spaces between words: line breaking class (UAX
# #14) ideographic or South-East Asian, except historic scripts. Tibetan is not included, because
# the tsheg, which is not a letter, already separates its syllables.
_UNSPACED = (
    "CJK ", "IDEOGRAPHIC ", "VERTICAL IDEOGRAPHIC ", "VERTICAL KANA ", "HIRAGANA ", "KATAKANA",
    "HALFWIDTH KATAKANA", "HENTAIGANA ", "BOPOMOFO ", "YI SYLLABLE ", "THAI ", "LAO ", "KHMER ",
    "MYANMAR ", "TAI LE ", "NEW TAI LUE ", "TAI THAM ", "TAI VIET ", "AHOM ",
)  # fmt: skip
# Voiced sound marks of halfwidth katakana: letters by category, but used as marks.
_HALFWIDTH_MARKS = "\uff9e\uff9f"


def rouge155(text: bytes) -> list[bytes]:
    """Maximal runs of ASCII letters and digits, lower-cased, as ROUGE-1.5.5 makes tokens.

    >>> rouge155("Don't pay $1,000 for state-of-the-art café".encode())
    [b'don', b't', b'pay', b'1', b'000', b'for', b'state', b'of', b'the', b'art', b'caf']
    """
    return [token.lower() for token in _ROUGE155.findall(text)]


def unicode(text: str) -> list[str]:
    """Maximal runs of letters, marks and numbers of any script, case folded (str.casefold).

    A mark belongs to the letter or number that it follows. In scripts written without spaces each
    letter, with its marks, is a token. Nothing is normalised: a composed and a decomposed accent
    make different tokens.

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


WHOLE = 4096  # bytes; of a longer text four windows of this size are examined:
PLACE = 1024
WORD = 6  # bytes of an English word and the blank after it


def is_foreign_letter(character: str) -> bool:
    """Whether a non-ASCII character belongs to words; an accent that combines does.

    >>> [is_foreign_letter(character) for character in "éж猫”🙂"]
    [True, True, True, False, False]
    """
    code = ord(character)
    blocks = ((0xC0, 0x2000), (0x2C00, 0x2E00), (0x3040, 0xE000), (0xF900, 0xFE00))
    rare = 0x20000 <= code < 0x38000
    return character not in "×÷" and (rare or any(low <= code < high for low, high in blocks))


def cut_words(text: str | None) -> tuple[int, int, int]:
    """The number of words of a text, of those that an ASCII tokenizer cuts, and those it drops.

    A word is a run of letters and digits; it is cut if one of them is not ASCII, dropped if none
    is. Where no word is cut, each six bytes count as one.

    >>> [cut_words(text) for text in ("don’t stop", "das ist schön", "3 猫, 1 犬", None)]
    [(2, 0, 0), (3, 1, 0), (4, 2, 2), (0, 0, 0)]
    """
    data = (text or "").encode()
    step = len(data) - PLACE
    whole = len(data) <= WHOLE
    places = [data] if whole else [data[i * step // 3 :][:PLACE] for i in range(4)]
    words: list[str] = []
    plain = 0
    for place in places:
        if not any(map(is_foreign_letter, place.decode(errors="ignore"))):
            plain += len(place) // WORD
            continue
        marks = [
            "a" if c.isascii() and c.isalnum() else "x" if is_foreign_letter(c) else " "
            for c in place.decode(errors="ignore")
        ]
        words += "".join(marks).split()
    cut = [word for word in words if "x" in word]
    return plain + len(words), len(cut), sum("a" not in word for word in cut)


def is_foreign(text: str | None) -> bool:
    """Whether an ASCII tokenizer drops at least half of the words of a text.

    >>> [is_foreign(text) for text in ("the cat", "das Schöne", "кошка", "3 猫, 1 犬", None)]
    [False, False, True, True, False]
    """
    words, _, lost = cut_words(text)
    return lost > 0 and 2 * lost >= words
