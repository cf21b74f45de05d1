"""Tokenisers by name."""

import re
from collections.abc import Callable, Iterable, Sequence

from summeval._core.text import unicode as kernel
from summeval._options import unknown
from summeval.text.field_tokenizers import NAMES, TERCOM, tokenizer_of


def tokens(text: str, tokenizer: str | Callable[[str], Iterable[str]] = "rouge155") -> list[str]:
    """Return the tokens of a text, in order.

    Parameters
    ----------
    text : str
        An unpaired surrogate separates tokens, as a blank does.
    tokenizer : str or callable
        "rouge155": runs of ASCII letters and digits, A-Z lower-cased, as in ROUGE-1.5.5; other
        characters are blanks. "unicode": runs of letters, numbers and the marks on them, of any
        script, with full case folding; in scripts without spaces between words (Han, kana,
        Bopomofo, Yi, Thai, Lao, Khmer, Myanmar and the Tai scripts) each letter is a token. The
        text is not normalised, so convert all texts to one form (NFC) first if they may differ. On
        ASCII text both give the same tokens. "13a", "intl", "zh", "char", "none", "whitespace",
        "treebank", "ja-mecab", "ko-mecab" and those of SentencePiece are those of other packages:
        see `summeval.Bleu`. "uax29": the words of Unicode Standard
        Annex 29 that hold a letter or a number; "icu": those of ICU, which knows the words of Thai,
        Lao, Khmer, Burmese, Chinese and Japanese (extra `languages`); both keep the case, which
        metrics of words fold. "tercom", "tercom-normalized", "tercom-normalized-asian" and
        "tercom-nopunct-asian" are those of `summeval.Ter` with these options, in lower case. A
        callable gets the text and returns its tokens.

    Raises
    ------
    ValueError
        There is no tokeniser of this name.
    TypeError
        The text is not a str, or a callable does not return strings.

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
    if tokenizer in NAMES or tokenizer in TERCOM:
        return list(tokenizer_of(tokenizer)(text))
    if tokenizer not in _TOKENIZERS:
        raise ValueError(unknown("tokenizer", tokenizer, (*_TOKENIZERS, *NAMES, *TERCOM)))
    found = _TOKENIZERS[tokenizer](text.encode("utf-8", "surrogatepass"))
    return [token.decode() for token in found]


def words(text: str, tokenizer: str | Callable[[str], Iterable[str]] = "rouge155") -> list[str]:
    """Return the tokens as metrics of words compare them: those of a name without case.

    >>> words("In CAFÉS", "uax29"), words("In CAFÉS", str.split)
    (['in', 'cafés'], ['In', 'CAFÉS'])
    """
    found = tokens(text, tokenizer)
    return [token.casefold() for token in found] if tokenizer in CASED else found


def tokens_of_all(texts: Sequence[str]) -> tuple[list[bytes], list[int]]:
    r"""The tokens of `rouge155` of many texts, one after the other, and the number of each text.

    Reads short texts several times as fast as a call of `tokens` for each.

    >>> tokens_of_all(["The cat.", "", "It\nsat"])
    ([b'the', b'cat', b'it', b'sat'], [2, 0, 2])
    """
    data = _MARK.join(texts) + _MARK
    if data.count(_MARK) != len(texts):  # a text has the mark
        data = "".join(text.replace(_MARK, " ") + _MARK for text in texts)
    found = _RUNS_AND_MARKS.findall(data.encode("utf-8", "surrogatepass").lower())
    mark = _MARK.encode()
    counts, start = [], 0
    for _ in texts:
        end = found.index(mark, start)
        counts.append(end - start)
        start = end + 1
    return [token for token in found if token != mark], counts


def _rouge155(text: bytes) -> list[bytes]:
    return _RUNS.findall(text.lower())


CASED = ("uax29", "icu")  # those that metrics of words fold
_RUNS = re.compile(rb"[a-z0-9]+")
_MARK = "\n"
_RUNS_AND_MARKS = re.compile(rb"[a-z0-9]+|\n")
_TOKENIZERS = {"rouge155": _rouge155, "unicode": kernel.tokens}


def _checked(found: Iterable[str]) -> list[str]:
    if isinstance(found, str) or not hasattr(found, "__iter__"):
        raise TypeError(f"the tokenizer gave {type(found).__name__}; it must give a list of str")
    result = list(found)
    for token in result:
        if not isinstance(token, str):
            raise TypeError(f"the tokenizer gave {type(token).__name__}; it must give str")
    return result
