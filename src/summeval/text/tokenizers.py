"""Tokenisers by name."""

import re
from collections.abc import Callable, Iterable

from summeval._core.text import unicode as kernel
from summeval._options import unknown


def tokens(text: str, tokenizer: str | Callable[[str], Iterable[str]] = "rouge155") -> list[str]:
    """The tokens of a text, in order.

    Parameters
    ----------
    text : str
        An unpaired surrogate, like a blank, is part of no token.
    tokenizer : {"rouge155", "unicode"} or callable
        "rouge155": runs of ASCII letters and digits, A-Z lower-cased, as in ROUGE-1.5.5; other
        characters are blanks. "unicode": runs of letters, numbers and the marks on them, of any
        script, with full case folding; each letter is a token where a script puts no spaces between
        words (Han, kana, Bopomofo, Yi, Thai, Lao, Khmer, Myanmar and the Tai scripts). Nothing is
        normalised, so bring texts to one form (NFC) if they may differ. On ASCII text the two are
        equal. A callable gets the text and gives str.

    Raises
    ------
    ValueError
        No tokeniser has this name.
    TypeError
        The text, or what a callable gave, is not str.

    Examples
    --------
    >>> tokens("State-of-the-art CAFÉ, isn't it?")
    ['state', 'of', 'the', 'art', 'caf', 'isn', 't', 'it']
    >>> tokens("Größe 東京 ไทย", tokenizer="unicode")
    ['grösse', '東', '京', 'ไ', 'ท', 'ย']
    >>> tokens("to be", tokenizer=str.split)
    ['to', 'be']
    """
    if not isinstance(text, str):
        raise TypeError(f"text is {type(text).__name__}; pass a str")
    if callable(tokenizer):
        return _checked(tokenizer(text))
    if tokenizer not in _TOKENIZERS:
        raise ValueError(unknown("tokenizer", tokenizer, _TOKENIZERS))
    found = _TOKENIZERS[tokenizer](text.encode("utf-8", "surrogatepass"))
    return [token.decode() for token in found]


def _rouge155(text: bytes) -> list[bytes]:
    return _RUNS.findall(text.lower())


_RUNS = re.compile(rb"[a-z0-9]+")
_TOKENIZERS = {"rouge155": _rouge155, "unicode": kernel.tokens}


def _checked(found: Iterable[str]) -> list[str]:
    if isinstance(found, str) or not hasattr(found, "__iter__"):
        raise TypeError(f"the tokenizer gave {type(found).__name__}; it must give a list of str")
    result = list(found)
    for token in result:
        if not isinstance(token, str):
            raise TypeError(f"the tokenizer gave {type(token).__name__}; it must give str")
    return result
