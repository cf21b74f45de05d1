"""Lines for the tokenizer and the lemmatizer of the compiled parser, and damaged tables."""

from __future__ import annotations

import random
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from typing import Any

from definitions.parsing import lemmas as lemmas_twin
from definitions.parsing import tokenizer as twin
from parser_lines import a_line
from targets import target

from summeval._core.parsing.parsing import Parser, instruction_sets
from summeval._core.parsing.tokenizing import Lemmatizer, Tokenizer
from summeval.annotate.clean import clean_lines
from summeval.annotate.compiled import sections
from summeval.annotate.document import from_packed
from summeval.annotate.parsers import DEFAULT_MODEL, load

TAGS = ["NN", "NNS", "NNP", "VB", "VBD", "VBZ", "VBG", "VBN", "VBP", "MD", "JJR", "RB", "PRP", "IN"]
LABELS = ["ROOT", "nsubj", "aux", "dobj", "det", "expl", "mark", "advmod"]


@cache
def readers() -> tuple[Tokenizer, twin.Tokenizer, Lemmatizer, lemmas_twin.Lemmatizer]:
    tables = sections()
    return (
        *(Tokenizer(tables), twin.Tokenizer(tables)),
        *(Lemmatizer(tables, TAGS, LABELS), lemmas_twin.Lemmatizer(tables)),
    )


@target
def tokenizing(rng: random.Random) -> int:
    """Tokens, attributes and lemmas are those of the definitions."""
    tokenizer, tokens_twin, lemmatizer, plain = readers()
    for _ in range(50):
        line = a_line(rng)
        data = line.encode()
        wanted = tokens_twin.tokens(line)
        assert tokenizer.tokens(data) == wanted, line
        assert tokenizer.ids(data) == [tokens_twin.ids(token) for token in wanted], line
        tags, labels = (
            bytes(rng.randrange(len(names)) for _ in wanted) for names in (TAGS, LABELS)
        )
        words = [
            lemmas_twin.Word(token.form, TAGS[tag], LABELS[label])
            for token, tag, label in zip(wanted, tags, labels, strict=True)
        ]
        assert lemmatizer.lemmas(tokenizer, data, tags, labels) == plain.lemmas(words), line
    return 50


@cache
def spacy() -> Any:
    return load(DEFAULT_MODEL).tokenizer


def tokenizing_as_spacy(rng: random.Random) -> int:
    """Tokens and attributes are those of spaCy itself."""
    tokenizer = readers()[0]
    for _ in range(50):
        line = a_line(rng)
        wanted = spacy()(line)
        forms = [(one.text, one.norm_, one.idx, bool(one.whitespace_)) for one in wanted]
        found = tokenizer.tokens(line.encode())
        assert [(form, norm, at, gap) for form, norm, at, _, gap, _ in found] == forms, line
        numbers = wanted.to_array(["NORM", "PREFIX", "SUFFIX", "SHAPE"]).tolist()
        assert tokenizer.ids(line.encode()) == [tuple(row) for row in numbers], line
    return 50


if find_spec("spacy") and find_spec(DEFAULT_MODEL):
    target(tokenizing_as_spacy)


@target
def tokenizing_bytes(rng: random.Random) -> int:
    """Any bytes: each that is no UTF-8 is U+FFFD."""
    tokenizer = readers()[0]
    for _ in range(50):
        data = bytearray(a_line(rng).encode())
        for _ in range(rng.randrange(4) if data else 0):
            data[rng.randrange(len(data))] = rng.randrange(256)
        shown = data.decode("utf-8", "surrogateescape")
        mended = "".join("\ufffd" if "\ud800" <= one <= "\udfff" else one for one in shown)
        assert tokenizer.tokens(bytes(data)) == tokenizer.tokens(mended.encode()), bytes(data)
    return 50


@target
def tokenizing_tables(rng: random.Random) -> int:
    """Damaged tables are refused, or read as other tables."""
    whole = sections()
    for _ in range(10):
        name = rng.choice(("characters", "tokens", "norms", "lemmas"))
        data = bytearray(whole[name])
        for _ in range(rng.choice((1, 1, 5))):
            data[rng.randrange(min(len(data), 2 ** rng.randrange(1, 21)))] = rng.randrange(256)
        size = rng.randrange(len(data)) if rng.random() < 0.2 else len(data)
        tables = {**whole, name: bytes(data[:size])}
        try:
            tokenizer, lemmatizer = Tokenizer(tables), Lemmatizer(tables, TAGS, LABELS)
        except ValueError:
            continue
        for _ in range(5):
            line = a_line(rng).encode()
            count = len(tokenizer.ids(line))
            tags = bytes(rng.randrange(len(TAGS)) for _ in range(count))
            with suppress(UnicodeDecodeError):  # a lemma of the tables
                lemmatizer.lemmas(tokenizer, line, tags, bytes(count))
    return 10


@target
def parsing(rng: random.Random) -> int:
    """Texts become whole documents; in every instruction set, and beside any others, the same."""
    texts = ["\n".join(a_line(rng) for _ in range(rng.randrange(4))) for _ in range(20)]
    wanted = {text: parse(None, [text])[0] for text in texts}
    for instructions in instruction_sets():
        found = parse(instructions, texts, workers=rng.choice((1, 3)))
        assert found == [wanted[text] for text in texts], (instructions, texts)
    for text, block in wanted.items():
        tokens = [token for one in from_packed(block, text).sentences for token in one.tokens]
        assert all(0 <= token.start <= token.end <= len(text) for token in tokens), text
    return 20


@target
def parsing_damaged(rng: random.Random) -> int:
    """Damaged networks are refused, or are other networks."""
    whole = sections()
    names = ("words", "entity_words", "tagger", "parser", "entities", "moves", "entity_moves")
    for _ in range(2):
        name = rng.choice(names)
        data = bytearray(whole[name])
        for _ in range(rng.choice((1, 5, 50))):
            data[rng.randrange(min(len(data), 2 ** rng.randrange(1, 22)))] = rng.randrange(256)
        try:
            parser = Parser({**whole, name: bytes(data)}, rng.choice(instruction_sets()))
        except ValueError:
            continue
        text = " ".join(a_line(rng) for _ in range(5))
        with suppress(ValueError):  # a label that is no text
            from_packed(parser.parse([list(clean_lines(text))])[0], text)
    return 2


def parse(instructions: str | None, texts: list[str], workers: int = 1) -> list[bytes]:
    return parsers(instructions).parse([list(clean_lines(text)) for text in texts], workers=workers)


@cache
def parsers(instructions: str | None) -> Parser:
    return Parser(sections(), instructions)
