"""The section of the parser's model for lemmas: spaCy's attribute ruler and rule lemmatizer.

"lemmas" has these parts; numbers are little-endian, `spelt` strings have their size (one byte)
before them. Kinds of words are numbered as in KINDS.

1. Words of the patterns in lower case: their number (2 bytes), the words.
2. Patterns: their number (2 bytes), and for each: number of its tokens, the one that it changes (a
   byte each); for each token what it must be: `choice` of tags, of labels, of words (0: any; 1: one
   of these; 2: none of these; their number; their names or, for words, numbers of 2 bytes), white
   space (0: any, 1: yes, 2: no); its kind + 1 (or 0), 1 + the kinds of which it is a base form as
   bits (2 bytes, or 0), 1 and its lemma (or 0).
3. For each kind of TABLES: the number of its rules (a byte), old and new endings; exceptions.
4. Words with their kinds, as bits of TABLES.

Lists of words are sorted, in columns: their number (4 bytes), how many bytes each has in common
with the one before it, how many more it has (a byte each), number of these bytes (4), the bytes.
Exceptions are a list of forms, the number of lemmas of each (a byte), number of all lemmas (4), how
many bytes each has in common with its form, how many more (a byte each), number of these (4), the
bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

from parser_machines import op, parsed
from parser_tokens import numbers, spelt

KINDS = ("", "propn", "noun", "verb", "adj", "adv", "punct")  # "": the lemma is the lower case
TABLES = KINDS[2:]


def sections(nlp: Any) -> dict[str, bytes]:
    """The section of a loaded pipeline."""
    lemmatizer = nlp.get_pipe("lemmatizer")
    tables = lemmatizer.lookups
    rules, exceptions, index = map(tables.get_table, ("lemma_rules", "lemma_exc", "lemma_index"))
    known = sum(kind in table for kind in TABLES for table in (rules, exceptions, index))
    if lemmatizer.mode != "rule" or known != len(rules) + len(exceptions) + len(index):
        raise ValueError("a lemmatizer of another kind")
    found = [patterns(nlp.get_pipe("attribute_ruler"), lemmatizer)]
    for kind in TABLES:
        found.append(bytes([len(rules[kind])]))
        found += [spelt(old) + spelt(new) for old, new in rules[kind]]
        found.append(written_exceptions(exceptions.get(kind, {})))
    kinds: dict[str, int] = {}
    for bit, kind in enumerate(TABLES):
        for word in index.get(kind, ()):
            if not any(map(str.isspace, word)):  # no token has white space inside
                kinds[word] = kinds.get(word, 0) | 1 << bit
    words = sorted(kinds, key=str.encode)
    found += [written_words(words), bytes(kinds[word] for word in words)]
    return {"lemmas": b"".join(found)}


def written_words(words: Sequence[str]) -> bytes:
    """A sorted list of words."""
    return struct.pack("<I", len(words)) + tails(zip(["", *words], words, strict=False))


def tails(pairs: Iterable[tuple[str, str]]) -> bytes:
    """What the second string of each pair has in common with the first, and its other bytes."""
    coded = [(one.encode(), other.encode()) for one, other in pairs]
    common = [
        next(
            (k for k, (a, b) in enumerate(zip(*pair, strict=False)) if a != b), min(map(len, pair))
        )
        for pair in coded
    ]
    rest = [other[size:] for (_, other), size in zip(coded, common, strict=True)]
    joined = b"".join(rest)
    return bytes(common) + bytes(map(len, rest)) + struct.pack("<I", len(joined)) + joined


def written_exceptions(table: dict[str, list[str]]) -> bytes:
    """Exceptions, which say for a form its lemmas."""
    forms = sorted(table, key=str.encode)
    pairs = [(form, lemma) for form in forms for lemma in table[form]]
    counts = bytes(len(table[form]) for form in forms)
    return written_words(forms) + counts + struct.pack("<I", len(pairs)) + tails(pairs)


def patterns(ruler: Any, lemmatizer: Any) -> bytes:
    """The words and patterns of an attribute ruler, as far as lemmas need them."""
    words: dict[str, int] = {}
    found = []
    for each in ruler.patterns:
        effect = effect_of(each["attrs"], lemmatizer)
        if effect is None:
            continue
        for pattern in each["patterns"]:
            tokens = b"".join(condition(token, words) for token in pattern)
            found.append(bytes([len(pattern), each["index"]]) + tokens + effect)
    vocabulary = struct.pack("<H", len(words)) + b"".join(map(spelt, words))
    return vocabulary + struct.pack("<H", len(found)) + b"".join(found)


def condition(token: dict[str, Any], words: dict[str, int]) -> bytes:
    """What a token must be."""
    if not {"TAG", "DEP", "LOWER", "IS_SPACE"}.issuperset(token):
        raise ValueError(f"a pattern looks at {', '.join(token)}")

    def choice(name: str) -> tuple[int, list[str]]:
        if name not in token:
            return 0, []
        value = token[name]
        if isinstance(value, str):
            return 1, [value]
        [(kind, inner)] = value.items()
        if kind == "REGEX":
            return 1, ["".join(one) for one in strings(parsed(inner))]
        return {"IN": 1, "NOT_IN": 2}[kind], list(inner)

    written = []
    for name in ("TAG", "DEP"):
        kind, names = choice(name)
        written += [bytes([kind, len(names)]), *map(spelt, names)]
    kind, names = choice("LOWER")
    places = [words.setdefault(word, len(words)) for word in names]
    written += [bytes([kind, len(places)]), numbers(2, places)]
    space = {None: 0, True: 1, False: 2}[token.get("IS_SPACE")]
    return b"".join(written) + bytes([space])


def strings(nodes: Iterable[tuple[Any, Any]]) -> Iterator[tuple[str, ...]]:
    """The strings that an expression without unlimited repetition matches as a whole."""
    parts: list[list[str]] = []
    for kind, value in nodes:
        if kind is op.LITERAL:
            parts.append([chr(value)])
        elif kind is op.IN and {item for item, _ in value} == {op.LITERAL}:
            parts.append([chr(code) for _, code in value])
        elif kind is op.MAX_REPEAT and value[:2] == (0, 1):
            parts.append(["", *("".join(one) for one in strings(value[2]))])
        elif kind is not op.AT:
            raise ValueError(f"{kind} is not known here")
    return product(*parts)


def effect_of(attributes: dict[str, str], lemmatizer: Any) -> bytes | None:
    """What a pattern changes; None if no lemma depends on it."""
    unknown = {*attributes} - {"POS", "MORPH", "LEMMA", "TAG", "DEP"}
    if unknown:
        raise ValueError(f"a pattern sets {', '.join(unknown)}")
    if not {"POS", "MORPH", "LEMMA"}.intersection(attributes):
        return None
    kind = base = 0
    if "POS" in attributes:
        name = attributes["POS"].lower()
        kind = 1 + (KINDS.index(name) if name in KINDS else 0)
    if "MORPH" in attributes:
        pairs = (pair.partition("=") for pair in attributes["MORPH"].split("|") if pair != "_")
        features = {name: value for name, _, value in pairs}
        morph = SimpleNamespace(to_dict=lambda: features)
        base = 1 + sum(
            1 << number
            for number, pos in enumerate(KINDS)
            if lemmatizer.is_base_form(SimpleNamespace(pos_=pos.upper(), morph=morph))
        )
    lemma = b"\1" + spelt(attributes["LEMMA"]) if "LEMMA" in attributes else b"\0"
    return bytes([kind]) + struct.pack("<H", base) + lemma
