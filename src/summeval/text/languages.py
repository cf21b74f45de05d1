"""What the option `language` sets: tokenizer, stemmer and stop list of a language."""

from __future__ import annotations

from typing import Any

from summeval._options import unknown
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
