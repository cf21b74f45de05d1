"""spaCy's English tokenizer (spacy/tokenizer.pyx of 3.8) by the tables of the parser's model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from definitions.parsing.tables import Tables


class Token(NamedTuple):
    form: str
    norm: str
    start: int
    end: int
    blank_follows: bool
    is_space: bool


class Tokenizer:
    """Tokenizes and gives attributes.

    `exceptions` has the forms and norms of the tokens of a string, `phrases` what affixes alone
    make of some of them.
    """

    def __init__(self, sections: dict[str, bytes]) -> None:
        patterns = sections["patterns"].decode().split("\n")
        self.prefix, self.suffix, self.infix, self.address = map(re.compile, patterns)
        norms = Tables(sections["norms"])
        self.symbols = {}
        for _ in range(norms.number(2)):
            number = norms.number(2)
            self.symbols[norms.spelt()] = number
        self.norms = {norms.spelt(): norms.spelt() for _ in range(norms.number(2))}
        self.exceptions: dict[str, list[tuple[str, str]]] = {}
        self.phrases: set[tuple[str, ...]] = set()
        tokens = Tables(sections["tokens"])
        for _ in patterns:
            states, columns, starts = (tokens.number(2) for _ in range(3))
            tokens.take(Tables(sections["characters"]).number(2) + 2 * (starts + states * columns))
        for _ in range(tokens.number(2)):
            text, at = tokens.spelt(), 0
            self.exceptions[text] = []
            for _ in range(tokens.number()):
                size = tokens.number()
                form = text.encode()[at : at + size].decode()
                self.exceptions[text].append((form, tokens.spelt() or self.norm(form)))
                at += size
            self.phrases.add(tuple(tokens.pieces(text)))
        self.phrases.discard(())

    def norm(self, form: str) -> str:
        return self.norms.get(form, form.lower())

    def tokens(self, line: str) -> list[Token]:
        """The tokens of a document."""
        found: list[Token] = []
        at = 0
        for is_space, group in groupby(line, str.isspace):
            chunk = "".join(group)
            if is_space and found and chunk[0] == " ":
                found[-1] = found[-1]._replace(blank_follows=True)
                chunk, at = chunk[1:], at + 1
            parts = [(chunk, self.norm(chunk))] if is_space else self.split(chunk)
            for form, norm in self.exceptions.get(chunk, parts) if chunk else ():
                found.append(Token(form, norm, at, at + len(form), False, is_space))
                at += len(form)
        return self.joined(line, found)

    def split(self, chunk: str) -> Iterator[tuple[str, str]]:
        """The forms and norms of a chunk without white space."""
        prefixes, suffixes = [], []
        while chunk and chunk not in self.exceptions:
            prefix = found[0] if (found := self.prefix.match(chunk)) else ""
            if prefix and chunk[len(prefix) :] in self.exceptions:
                prefixes.append(prefix)
                chunk = chunk[len(prefix) :]
                break
            rest = chunk[len(prefix) :]
            suffix = found[0] if (found := self.suffix.search(rest)) else ""
            if suffix and chunk[: -len(suffix)] in self.exceptions:
                suffixes.append(suffix)
                chunk = chunk[: -len(suffix)]
                break
            if not prefix and not suffix:
                break
            prefixes += [prefix] if prefix else []
            suffixes += [suffix] if suffix else []
            chunk = rest[: len(rest) - len(suffix)]
        for prefix in prefixes:
            yield prefix, self.norm(prefix)
        if chunk in self.exceptions:
            yield from self.exceptions[chunk]
        else:
            for form in self.inner(chunk):
                yield form, self.norm(form)
        for suffix in reversed(suffixes):
            yield suffix, self.norm(suffix)

    def inner(self, chunk: str) -> Iterator[str]:
        """What is left without affixes, split at infixes; one at the beginning is overlooked."""
        at = 0
        if not self.address.match(chunk):
            for infix in self.infix.finditer(chunk):
                if infix.start() > 0:
                    yield from filter(None, (chunk[at : infix.start()], infix[0]))
                    at = infix.end()
        if at < len(chunk):
            yield chunk[at:]

    def joined(self, line: str, tokens: list[Token]) -> list[Token]:
        """The tokens, with exceptions that affixes had split; longer ones go first."""
        forms = [token.form for token in tokens]
        spans = [
            (first, end)
            for size in sorted({len(phrase) for phrase in self.phrases}, reverse=True)
            for first in range(len(forms) - size + 1)
            if tuple(forms[first : (end := first + size)]) in self.phrases
        ]
        seen: set[int] = set()
        ends = {}
        for first, end in spans:
            if not {first, end - 1} & seen:
                ends[first] = end
            seen.update(range(first, end))
        found: list[Token] = []
        at = 0
        while at < len(tokens):
            end = ends.get(at, at + 1)
            start, last = tokens[at].start, tokens[end - 1]
            exception = self.exceptions.get(line[start : last.end]) if at in ends else None
            if exception is None:  # or there is a blank between the tokens
                found += tokens[at:end]
            else:
                for form, norm in exception:
                    token = Token(form, norm, start, start + len(form), False, last.is_space)
                    found.append(token)
                    start = token.end
                found[-1] = found[-1]._replace(blank_follows=last.blank_follows)
            at = end
        return found

    def ids(self, token: Token) -> tuple[int, int, int, int]:
        """The numbers of norm, prefix, suffix and shape."""
        texts = (token.norm, token.form[0], token.form[-3:], shape(token.form))
        return tuple(map(self.string_id, texts))  # type: ignore[return-value]

    def string_id(self, text: str) -> int:
        """What the networks read for a string."""
        return self.symbols.get(text, murmur(text.encode()) if text else 0)


def shape(form: str) -> str:
    """The kinds of the characters of a form; runs of one kind have at most four.

    >>> shape("McDonalds'-2024x")
    "XxXxxxx'-ddddx"
    """
    if len(form) >= 100:
        return "LONG"
    kinds = [
        ("X" if one.isupper() else "x") if one.isalpha() else "d" if one.isdigit() else one
        for one in form
    ]
    return "".join(kind for one, group in groupby(kinds) for kind in [one] * min(4, len([*group])))


def murmur(data: bytes) -> int:
    """MurmurHash64A (Appleby) with the seed 1.

    >>> murmur(b"coffee")  # as in spaCy's documentation
    3197928453018144401
    """
    mix, bits = 0xC6A4A7935BD1E995, (1 << 64) - 1
    found = 1 ^ (len(data) * mix & bits)
    for at in range(0, len(data), 8):
        word = int.from_bytes(data[at : at + 8], "little")
        if len(data) - at >= 8:
            word = word * mix & bits
            word = (word ^ word >> 47) * mix & bits
        found = (found ^ word) * mix & bits
    found = (found ^ found >> 47) * mix & bits
    return found ^ found >> 47
