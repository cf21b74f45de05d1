"""Porter's stemmer in the three variants used in summary evaluation.

M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980.

- `rouge155`: the variant of ROUGE-1.5.5: WordNet's exception lists first; its fourth step may drop
  several suffixes.
- `porter`: the stemmer of rouge-score, NLTK's default mode: Porter's later changes
  (`bli`, `logi`) and those of NLTK (short `-ies`, a list of irregular words, `-fulli`).
- `porter_java`: the algorithm of Porter's own Java release 4, which SIMetrix uses.

Words are expected in lower case. A letter is a byte of the word's UTF-8 form: every byte that is
not an ASCII vowel is a consonant, and non-ASCII bytes never form a double letter.
"""

from collections.abc import Callable, Iterable, Mapping

_STEP2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful",
    "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP4_ROUGE155 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip
_STEP4 = (*_STEP4_ROUGE155, "ment", "ent", "ion")
_IRREGULAR = {
    "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "inning": "inning", "innings": "inning", "outing": "outing", "outings": "outing",
    "canning": "canning", "cannings": "canning", "howe": "howe", "proceed": "proceed",
    "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip


def rouge155(word: str, exceptions: Mapping[str, str]) -> str:
    """The stem that ROUGE-1.5.5 -m gives a token; words of up to 3 bytes are unchanged.

    >>> rouge155("governmental", {}), rouge155("better", {"better": "well"}), rouge155("was", {})
    ('govern', 'well', 'was')
    """
    if len(word.encode("utf-8", "surrogatepass")) <= 3:
        return word
    return exceptions[word] if word in exceptions else rouge155_rules(word)


def rouge155_rules(word: str) -> str:
    """The suffix rules of ROUGE-1.5.5 alone, without its exceptions and its limit of 3 bytes.

    >>> rouge155_rules("experimental"), rouge155_rules("was")
    ('experi', 'wa')
    """
    return _on_bytes(word, _rouge155_steps)


def porter(word: str) -> str:
    """The stem that NLTK's PorterStemmer gives a lower-case word in its default mode.

    >>> porter("dying"), porter("skies"), porter("experimental"), porter("gracefully")
    ('die', 'sky', 'experiment', 'grace')
    """
    return _IRREGULAR[word] if word in _IRREGULAR else _on_bytes(word, _porter_steps)


def porter_of_characters(word: str) -> str:
    """The same with a letter for each character, of which any two may be a double letter.

    This is what NLTK does beyond ASCII.

    >>> porter_of_characters("cafés"), porter("baéed"), porter_of_characters("baéed")
    ('café', 'baé', 'baée')
    """
    if word in _IRREGULAR or len(word) < 3:
        return _IRREGULAR.get(word, word)
    return _porter_steps(word, lambda letter: True)


def porter_java(word: str) -> str:
    """The stem that Porter's Java program, release 4, gives a lower-case word.

    >>> porter_java("dying"), porter_java("news"), porter_java("analogi")
    ('dy', 'new', 'analog')
    """
    return _on_bytes(word, _porter_java_steps)


def _on_bytes(word: str, steps: Callable[[str], str]) -> str:
    letters = word.encode("utf-8", "surrogatepass").decode("latin-1")
    if len(letters) < 3:
        return word
    return steps(letters).encode("latin-1").decode("utf-8", "surrogatepass")


def _rouge155_steps(word: str) -> str:
    word = _drop_plural(word)
    word = _drop_ed_ing(word, doubles_kept="lszy", is_short=_is_one_short_syllable)
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, _STEP2)
    word = _replace(word, _STEP3)
    word = _drop(word, _STEP4_ROUGE155)
    word = _drop(word, ["ment"])
    ended_in_ent = word.endswith("ent")
    word = _drop(word, ["ent"])
    if not ended_in_ent and word.endswith(("sion", "tion")):
        word = _drop(word, ["ion"])
    return _tidy(word, is_short=_is_one_short_syllable)


def _porter_steps(word: str, doubles: Callable[[str], bool] = str.isascii) -> str:
    word = word[:-1] if len(word) == 4 and word.endswith("ies") else _drop_plural(word)
    if word.endswith("ied"):
        word = word[:-1] if len(word) == 4 else word[:-2]
    else:
        word = _drop_ed_ing(word, "lsz", _is_short_or_two_letters, doubles)
    if len(word) > 2 and word.endswith("y") and _shape(word)[-2] == "c":
        word = word[:-1] + "i"
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        word = word[:-2]
    if word.endswith("logi"):
        word = word[:-1] if _measure(word[:-3]) > 0 else word
    else:
        word = _replace(word, _STEP2 | {"fulli": "ful"})
    word = _replace(word, _STEP3)
    word = _drop_step4(word)
    return _tidy(word, is_short=_is_short_or_two_letters)


def _porter_java_steps(word: str) -> str:
    word = _drop_plural(word)
    word = _drop_ed_ing(word, doubles_kept="lsz", is_short=_is_short)
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, _STEP2)
    word = _replace(word, _STEP3)
    word = _drop_step4(word)
    return _tidy(word, is_short=_is_short)


def _shape(word: str) -> str:
    """A letter "c" or "v" for each letter of the word: consonant or vowel."""
    shape = ""
    for letter in word:
        is_vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if is_vowel else "c"
    return shape


def _measure(word: str) -> int:
    """Porter's m: how often a vowel is followed by a consonant."""
    return _shape(word).count("vc")


def _is_short(word: str) -> bool:
    """Porter's *o for a stem of m = 1: it ends consonant, vowel, consonant other than w, x, y."""
    return _measure(word) == 1 and _shape(word).endswith("cvc") and word[-1] not in "wxy"


def _is_one_short_syllable(word: str) -> bool:
    """*o as ROUGE-1.5.5 has it: the whole stem is consonants, one vowel, one consonant."""
    return _shape(word).lstrip("c") == "vc" and _is_short(word)


def _is_short_or_two_letters(word: str) -> bool:
    """*o as NLTK has it: a vowel and a consonant alone are short too."""
    return _is_short(word) or _shape(word) == "vc"


def _longest(word: str, suffixes: Iterable[str]) -> str | None:
    return max((suffix for suffix in suffixes if word.endswith(suffix)), key=len, default=None)


def _replace(word: str, rules: Mapping[str, str]) -> str:
    suffix = _longest(word, rules)
    if suffix is None or _measure(word[: -len(suffix)]) == 0:
        return word
    return word[: -len(suffix)] + rules[suffix]


def _drop(word: str, suffixes: Iterable[str]) -> str:
    suffix = _longest(word, suffixes)
    if suffix is None or _measure(word[: -len(suffix)]) < 2:
        return word
    return word[: -len(suffix)]


def _drop_plural(word: str) -> str:
    """Step 1a."""
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _drop_ed_ing(
    word: str,
    doubles_kept: str,
    is_short: Callable[[str], bool],
    doubles: Callable[[str], bool] = str.isascii,
) -> str:
    """Step 1b."""
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    suffix = _longest(word, ["ed", "ing"])
    if suffix is None or "v" not in _shape(word[: -len(suffix)]):
        return word
    word = word[: -len(suffix)]
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if word[-2:] == 2 * word[-1] and doubles(word[-1]) and _shape(word)[-1] == "c":
        return word if word[-1] in doubles_kept else word[:-1]
    return word + "e" if is_short(word) else word


def _drop_step4(word: str) -> str:
    """Step 4 of the paper: `ion` is removed only after s or t."""
    if word.endswith("ion") and not word.endswith(("sion", "tion")):
        return word
    return _drop(word, _STEP4)


def _tidy(word: str, is_short: Callable[[str], bool]) -> str:
    """Step 5: a final e, and one l of a final ll."""
    if word.endswith("e"):
        stem = word[:-1]
        if _measure(stem) > 1 or (_measure(stem) == 1 and not is_short(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
