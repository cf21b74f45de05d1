"""What the option `language` sets: tokenizer, stemmer and stop list of a language."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from importlib.util import find_spec
from typing import Any

from summeval._options import unknown
from summeval.text.stemmers import is_snowball
from summeval.text.stopwords import LISTED, of_language

# Languages with a stemmer of Snowball, by their ISO 639-1 codes.
_SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian",
    "ne": "nepali", "nl": "dutch", "nn": "norwegian", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
_UNSPACED = "ja km lo my th zh".split()  # no blanks between words: ICU has dictionaries
_SPACED = """
    af am as az be bg bn br bs cy fo fy gd gl gu ha he hr ig is ka kk kn ko ku ky lb lv mg mk ml mn
    mr ms mt om or pa ps rw si sk sl sn so sq su sw te tg ti tk tl tt ug uk ur uz vi xh yo zu
""".split()
# Where letters begin that tell a language; those of several languages, as Cyrillic, tell none.
_LETTERS = {
    0x0370: "el", 0x0400: "", 0x0530: "hy", 0x0590: "he", 0x0600: "", 0x0980: "bn", 0x0A00: "pa",
    0x0A80: "gu", 0x0B00: "or", 0x0B80: "ta", 0x0C00: "te", 0x0C80: "kn", 0x0D00: "ml",
    0x0D80: "si", 0x0E00: "th", 0x0E80: "lo", 0x0F00: "", 0x1000: "my", 0x10A0: "ka", 0x1100: "ko",
    0x1200: "am", 0x13A0: "", 0x1780: "km", 0x1800: "", 0x1F00: "el", 0x2000: "", 0x3040: "ja",
    0x3100: "", 0x4E00: "zh", 0xA000: "", 0xAC00: "ko", 0xD7B0: "",
}  # fmt: skip
_STARTS = sorted(_LETTERS)
CODES = tuple(sorted(["en", *_SNOWBALL, *_UNSPACED, *_SPACED]))


def settings(language: str) -> dict[str, Any]:
    """Return the options that a language sets where they are not given.

    >>> found = settings("de")
    >>> found["tokenizer"], found["stemmer"], "nicht" in found["function_words"]
    ('unicode', 'snowball-german', True)
    >>> settings("th")["tokenizer"], settings("th")["stopwords"]
    ('icu', False)
    >>> settings("german")
    Traceback (most recent call last):
    ValueError: unknown language 'german'; did you mean de?
    """
    if language == "en":
        return {"tokenizer": "unicode", "stemmer": "porter"}
    if language not in CODES:
        code = next((code for code, name in _SNOWBALL.items() if name == language), None)
        if code is not None:
            raise ValueError(f"unknown language {language!r}; did you mean {code}?")
        raise ValueError(unknown("language", language, CODES))
    name = _SNOWBALL.get(language)
    found: dict[str, Any] = {
        "tokenizer": "icu" if language in _UNSPACED else "unicode",
        "stemmer": name and f"snowball-{name}",
        "function_words": tuple(sorted(of_language(language))) if language in LISTED else (),
        "background": None,  # that which ships is English
    }
    return found if language in LISTED else found | {"stopwords": False}


def of_letters(text: str) -> str | None:
    """Return the language that most letters of a text tell, if what it needs is installed.

    Latin letters, and those of several languages, tell none.

    >>> of_letters("Компания"), of_letters("café")
    (None, None)
    """
    far = [ord(letter) for letter in text if letter >= "\u0370" and letter.isalpha()]
    counts = Counter(_LETTERS[_STARTS[bisect_right(_STARTS, code) - 1]] for code in far)
    if counts["ja"]:  # kanji are among kana
        counts["ja"] += counts.pop("zh", 0)
    code, count = counts.most_common(1)[0] if far else ("", 0)
    return code if code and 2 * count > len(far) and _is_usable(code) else None


def _is_usable(language: str) -> bool:
    """Return whether the packages for a language are installed."""
    found = settings(language)
    if found["tokenizer"] == "icu" and not find_spec("icu"):
        return False
    stems = is_snowball(found["stemmer"])
    return not stems or any(map(find_spec, ("Stemmer", "snowballstemmer")))
