"""The sections of the parser's model for its tokenizer, from spaCy's own patterns and tables.

All numbers are little-endian; `spelt` strings have their size (one byte) before them.

"characters"
    Number of classes of characters (2 bytes), for each its properties (a byte; `PROPERTIES`); for
    each 256 characters the number of their block (2 bytes), number of blocks (2), the blocks with
    the class of each character (a byte). Number of characters whose lower case is another one (4);
    by columns: the character (4 bytes each), the characters of its lower case (2 × 4, or 0).
"tokens"
    Automata (see parser_machines.py) for prefixes, suffixes, infixes and addresses: number of
    states, columns and first states (2 bytes each), the column of each class (a byte), first
    states (2), table (2). Number of exceptions (2), and for each: its string; number of its tokens
    (a byte), for each the size of its form, its norm (empty: that of its form); number of tokens
    that affixes alone would make of it, if they make several or one affix of it (a byte), their
    sizes.
"norms"
    Number of spaCy's symbols (2 bytes), for each its number (2) and name; number of forms whose
    norm is not their lower case (2), for each the form and its norm.
"patterns"
    The expressions, as lines, in the order of the automata; for tests.
"""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from parser_machines import (
    CHARACTERS,
    SURROGATES,
    Alphabet,
    Machine,
    charsets,
    first_match,
    last_match,
    parsed,
    whole_match,
)
from spacy.lang.norm_exceptions import BASE_NORMS
from spacy.symbols import IDS, NORM, ORTH
from spacy.tokenizer import Tokenizer

# "ignorable" and "cased" decide which sigma is a final one (Unicode 3.13).
PROPERTIES = {
    "space": str.isspace,
    "alpha": str.isalpha,
    "digit": str.isdigit,
    "upper": str.isupper,
    "cased": lambda one: f"{one}Σ".lower().endswith("ς"),
    "ignorable": lambda one: (
        f"A{one}Σ".lower().endswith("ς") and not f"{one}Σ".lower().endswith("ς")
    ),
}
BLOCK = 256


def sections(nlp: Any) -> dict[str, bytes]:
    """The sections of a loaded pipeline."""
    found = patterns(nlp.tokenizer)
    machines = (first_match, last_match, first_match, whole_match)
    alphabet = Alphabet(
        [name for pattern in found for name in charsets(parsed(pattern))], PROPERTIES
    )
    automata = [
        machine(pattern, alphabet) for machine, pattern in zip(machines, found, strict=True)
    ]
    return {
        "characters": characters(alphabet),
        "tokens": b"".join(map(written, automata)) + exceptions(nlp.tokenizer),
        "norms": symbols() + norms(nlp.vocab),
        "patterns": "\n".join(found).encode(),
    }


def patterns(tokenizer: Tokenizer) -> tuple[str, ...]:
    """The expressions for prefixes, suffixes, infixes and addresses."""
    if tokenizer.token_match is not None or not tokenizer.faster_heuristics:
        raise ValueError("a tokenizer of another kind")
    uses = (
        tokenizer.prefix_search,
        tokenizer.suffix_search,
        tokenizer.infix_finditer,
        tokenizer.url_match,
    )
    return tuple(use.__self__.pattern for use in uses)


def spelt(text: str) -> bytes:
    """A string, its size before it."""
    data = text.encode()
    return bytes([len(data)]) + data


def numbers(size: int, values: Iterable[int]) -> bytes:
    """Numbers of so many bytes."""
    return b"".join(value.to_bytes(size, "little") for value in values)


def characters(alphabet: Alphabet) -> bytes:
    """The classes of characters, and their lower case."""
    if alphabet.size > 256:
        raise ValueError("too many classes of characters for a byte")
    properties = [
        sum((mask >> one & 1) << k for k, mask in enumerate(alphabet.having.values()))
        for one in range(alphabet.size)
    ]
    blocks: dict[bytes, int] = {}
    index = [
        blocks.setdefault(bytes(alphabet.of[start : start + BLOCK]), len(blocks))
        for start in range(0, len(alphabet.of), BLOCK)
    ]
    lower = [
        (code, *map(ord, one.lower()))
        for code, one in enumerate(CHARACTERS)
        if code not in SURROGATES and one.lower() != one
    ]
    columns = zip(*((*each, 0)[:3] for each in lower), strict=True)
    return b"".join(
        (
            struct.pack("<H", alphabet.size),
            bytes(properties),
            numbers(2, index),
            struct.pack("<H", len(blocks)),
            *blocks,
            struct.pack("<I", len(lower)),
            *(numbers(4, column) for column in columns),
        )
    )


def written(machine: Machine) -> bytes:
    """An automaton."""
    width = len(machine.table[0])
    sizes = struct.pack("<3H", len(machine.table), width, len(machine.starts))
    table = numbers(2, (each for row in machine.table for each in row))
    return sizes + bytes(machine.columns) + numbers(2, machine.starts) + table


def exceptions(tokenizer: Tokenizer) -> bytes:
    """The exceptions."""
    plain = Tokenizer(
        tokenizer.vocab,
        {},
        tokenizer.prefix_search,
        tokenizer.suffix_search,
        tokenizer.infix_finditer,
        None,
        tokenizer.url_match,
    )
    found = [struct.pack("<H", len(tokenizer.rules))]
    for text, tokens in tokenizer.rules.items():
        found += [spelt(text), bytes([len(tokens)])]
        for token in tokens:
            if not {ORTH, NORM}.issuperset(token):
                raise ValueError(f"{text!r} has more than norms")
            found += [bytes([len(token[ORTH].encode())]), spelt(token.get(NORM, ""))]
        # As in spaCy's `add_special_case`; these are looked for among the tokens at the end.
        again = (
            tokenizer.find_prefix(text)
            or tokenizer.find_infix(text)
            or tokenizer.find_suffix(text)
            or " " in text
        )
        forms = [token.orth_.encode() for token in plain(text)] if again else []
        found.append(bytes([len(forms), *map(len, forms)]))
    return b"".join(found)


def symbols() -> bytes:
    """Symbols of spaCy, whose numbers are no hashes."""
    named = {name: number for name, number in IDS.items() if name}
    return struct.pack("<H", len(named)) + b"".join(
        struct.pack("<H", number) + spelt(name) for name, number in named.items()
    )


def norms(vocab: Any) -> bytes:
    """Norms of forms that are not their lower case.

    The model's table has hashes for its keys; the package spacy-lookups-data has the same table
    with strings.
    """
    path = files("spacy_lookups_data") / "data" / "en_lexeme_norm.json.gz"
    table = json.loads(gzip.decompress(path.read_bytes()))
    shipped = vocab.lookups.get_table("lexeme_norm")
    if {vocab.strings[form]: norm for form, norm in table.items()} != dict(shipped):
        raise ValueError("the model's norms are not those of spacy-lookups-data; take 1.0.5 of it")
    found = {**BASE_NORMS, **table}
    if any(lexeme.norm_ != found.get(lexeme.orth_, lexeme.lower_) for lexeme in vocab):
        raise ValueError("words of the model have other norms than its tables say")
    kept = {form: norm for form, norm in found.items() if norm != form.lower()}
    return struct.pack("<H", len(kept)) + b"".join(
        spelt(form) + spelt(norm) for form, norm in sorted(kept.items())
    )
