"""Guards of a reward: what no good summary lacks, each a factor from 0 to 1.

A guard reads the completion and, for what is usual, the references or the source that it is
compared with. Each is 1 for almost every text that a person wrote, so it pushes a model nowhere; it
falls for texts that a metric of words would be fooled by. `_core.guards` computes them; here stands
what it is told of words and characters.
"""

from __future__ import annotations

import json
import re
import unicodedata
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

from summeval._core.guards.guards import BITS, GuardKernel, GuardTables
from summeval._core.rows.kernel import PreparedTexts
from summeval.text import function_words
from summeval.text.word_order import shipped

VERSION = 3  # changes with any factor
NAMES = ("order", "function_words", "ending", "length", "strays", "characters", "seamless")

Fit = tuple[list[float], float, float]  # weights of seams, and the bounds of their sum
_NGRAMS = "english.ngrams"
_MARKS = frozenset(".,;:!?")
_NUMBER = "0"  # stands for what begins with a digit
# Ends of sentences: full-width, Devanagari, Arabic, Urdu, Ethiopic, Armenian, Burmese, Khmer.
_STOPS, _ASKS, _SHOUTS = "…。．｡।॥۔።։။។", "？؟", "！"
_AS_ENGLISH = {
    **dict.fromkeys(_STOPS, "."),
    **dict.fromkeys(_ASKS, "?"),
    **dict.fromkeys(_SHOUTS, "!"),
    **dict.fromkeys("，、،", ","),
    **dict.fromkeys("；؛", ";"),
    "：": ":",
}
# Thai, Lao, Burmese, Khmer, kana and Chinese characters.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)
_ENDS = frozenset(".!?\"'”’)»」』）") | {*_STOPS, *_ASKS, *_SHOUTS}


class Ground:
    """The usual values beside given references or a given source; made by `ground_of`."""

    def __init__(self, kernel: GuardKernel, prepared: PreparedTexts) -> None:
        self._kernel, self.prepared = kernel, prepared

    def guards(self, text: str) -> tuple[float, ...]:
        """Return the factors of a text in the order of NAMES.

        >>> ground = ground_of(["The storm hit the coast on Monday."], [])
        >>> ground.guards("The storm hit the coast on Monday.")
        (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
        >>> ground.guards("coast storm Monday hit")[1] < 0.01
        True
        """
        return self._kernel.factors(self.prepared, text)

    def seams(self, text: str) -> tuple[float, ...]:
        """Return the numbers that the last factor is made of; zeros where it does not look."""
        return self._kernel.seams(self.prepared, text)


def ground_of(references: Iterable[str], sources: Iterable[str]) -> Ground:
    """Return what is usual beside these references, or beside the source where there are none."""
    kernel = kernel_of(3)
    return Ground(kernel, kernel.ground((*references,), (*sources,)))


@cache
def kernel_of(run: int) -> GuardKernel:
    """Return the kernel that counts repeated runs of so many words beside the guards."""
    return GuardKernel(_tables(), run)


@cache
def _tables() -> GuardTables:
    return tables_of(shipped_fits())


def shipped_fits() -> Mapping[str, Fit]:
    """Return what benchmarks/people/seams.py fitted, for each kind of text that may be copied."""
    told = json.loads(_data("interop", "seams.json"))
    return {kind: (one["weights"], one["low"], one["high"]) for kind, one in told.items()}


def tables_of(fits: Mapping[str, Fit]) -> GuardTables:
    """Return what guards know, with these weights of seams."""
    ngrams = _data("text", _NGRAMS)
    if zlib.crc32(ngrams[:-4]) != int.from_bytes(ngrams[-4:], "little"):
        raise ValueError(f"{_NGRAMS} is damaged; install summeval again")
    order, few = shipped(), function_words.english()
    classes, endings = order.own_classes, order.endings
    words = {word: (classes.get(word), word in few) for word in {*classes, *few} - _MARKS}
    by_length = sorted(filter(None, endings), key=len, reverse=True)
    return GuardTables(
        {word.encode(): kind for word, kind in words.items()},
        [(ending.encode(), endings[ending]) for ending in by_length if ending != _NUMBER],
        endings[_NUMBER],
        endings[""],
        order.pairs,
        _described,
        ngrams,
        dict(fits),
    )


def _data(folder: str, name: str) -> bytes:
    return resources.files(f"summeval.{folder}").joinpath("data", name).read_bytes()


def _described(character: str) -> tuple[str, int, str | None]:
    """Return what a character is read as, a sum of BITS, and its script.

    >>> _described("É") == ("é", BITS["word"] + BITS["cased"], "LATIN")
    True
    >>> _described("。")[0], _described("岸")[1] == BITS["word"] + BITS["apart"]
    ('.', True)
    """
    read = _AS_ENGLISH.get(character, character)
    apart = _UNSPACED.match(read) is not None
    whole = read.lower()
    lower = whole[0]
    properties = {
        "word": lower.isalnum() or lower == "_",
        "mark": lower in _MARKS,
        "apart": apart,
        "digit": lower.isdigit(),
        "breaks": len(whole) > 1,  # the dot of a capital i with one is as a blank
        "space": read.isspace(),
        "cased": not apart and f"{read}Σ".lower().endswith("ς"),
        "ignored": False,
        "ends": character in _ENDS,
    }
    # blanks stand around what is apart, so that a sigma beside it begins or ends a word
    if not apart and not properties["cased"]:
        properties["ignored"] = f"A{read}Σ".lower().endswith("ς")
    return lower, sum(bit for name, bit in BITS.items() if properties[name]), script_of(character)


def script_of(character: str) -> str | None:
    r"""The script of a letter, "" of other characters, None if it is invisible or a stand-in.

    >>> [script_of(character) for character in ("é", "а", "—", "\u200b", "ｆ")]
    ['LATIN', 'CYRILLIC', '', None, None]
    """
    category = unicodedata.category(character)
    if category in ("Cf", "Cc", "Co", "Cn", "Cs"):
        return "" if character in "\n\t\r" else None
    if category[0] == "M":
        return None
    if category[0] not in "LN":
        return ""
    if unicodedata.normalize("NFKC", character) != character:
        return None
    if category[0] == "N":
        return ""
    return unicodedata.name(character, "").partition(" ")[0]
