"""Basic Elements as ROUGE-1.5.5 -3 counts them: head, modifier and relation.

Hovy, Lin, Zhou and Fukumoto 2006, "Automated summarization evaluation with Basic Elements".
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from typing import TypeAlias

from summeval._core.text import stemmer as kernel
from summeval.text import stemmers

Triple: TypeAlias = tuple[bytes, bytes, bytes]
Units: TypeAlias = Counter[Triple]
Stem: TypeAlias = Callable[[bytes], bytes]

MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")
_NIL = b"nil"
# The modes that count elements without, and with, a modifier.
_WITHOUT_MODIFIER = frozenset(("H", "HMR", "HM1", "HMR2"))
_WITH_MODIFIER = frozenset(("HM", "HMR", "HM1", "HMR1", "HMR2"))
_ALPHANUMERIC = re.compile(rb"[a-z0-9]")


def stem_field(field: bytes, stem: Stem) -> bytes:
    """Stem the words of a lower-case head or modifier, if it has more than three bytes.

    Words are parted by blanks; those without a letter or digit keep their form. ``stem`` gets
    words of any length.

    >>> stem_field(b"new  cities -", lambda word: word[:3]), stem_field(b"was", lambda word: b"be")
    (b'new cit -', b'was')
    """
    if len(field) <= 3:
        return field
    return b" ".join(stem(word) if _ALPHANUMERIC.search(word) else word for word in field.split())


@cache
def stem_word(word: bytes, stemmer: str = "rouge155") -> bytes:
    """Return the stem of a word of any length; by default that of ROUGE-1.5.5 -m.

    >>> stem_word(b"mice"), stem_word(b"new"), stem_word(b"mice", "porter")
    (b'mouse', b'new', b'mice')
    """
    if stemmer != "rouge155":
        return kernel.stem(stemmer, word)
    table = stemmers.exceptions()
    try:
        return table[word.decode("ascii")].encode("ascii")
    except (UnicodeDecodeError, KeyError):
        return kernel.stem("rouge155", word)


def units(elements: Iterable[Triple], mode: str, stem: Stem | None = None) -> Units:
    """Return the units of lower-case elements in one of MODES, with their numbers.

    ``nil`` means no modifier or no relation. H counts heads without modifier, HM heads with
    one, HM1 heads either way; HMR triples with a relation, HMR1 triples with a modifier, HMR2 all
    triples. What a mode does not count is empty in its units.

    >>> sorted(units([(b"plan", b"nil", b"nil"), (b"plan", b"new", b"mod")], "HM1"))
    [(b'plan', b'new', b''), (b'plan', b'nil', b'')]
    """
    found: Units = Counter()
    counts_none, counts_one = mode in _WITHOUT_MODIFIER, mode in _WITH_MODIFIER
    with_relation, keeps_relation = mode == "HMR", mode.startswith("HMR")
    for head, modifier, relation in elements:
        had_modifier = modifier != _NIL
        if stem:
            head, modifier = stem_field(head, stem), stem_field(modifier, stem)  # noqa: PLW2901
        # What a stemmer leaves decides in the first two modes.
        has_modifier = modifier != _NIL if mode in ("H", "HM") else had_modifier
        if not (counts_one if has_modifier else counts_none):
            continue
        if with_relation and relation == _NIL:
            continue
        if mode == "H":
            modifier = b""  # noqa: PLW2901
        found[head, modifier, relation if keeps_relation else b""] += 1
    return found


def counts(reference: Units, candidate: Units) -> tuple[float, ...]:
    """Hits, reference total, candidate total and the base that chooses the best reference.

    >>> counts(Counter({(b"plan", b"", b""): 2}), Counter({(b"plan", b"", b""): 3}))
    (2.0, 2.0, 3.0, 2.0)
    """
    total = float(reference.total())
    return float((reference & candidate).total()), total, float(candidate.total()), total
