"""Tokens, attributes and lemmas against their definitions by the tables of the shipped model."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from functools import cache

import pytest
from definitions.parsing import lemmas as lemmas_twin
from definitions.parsing import tokenizer as twin
from hypothesis import given
from hypothesis import strategies as st
from parser_lines import ADDRESSES, ENDS, PICTURES, SCRIPTS, SYMBOLS, a_line

from summeval._core.parsing import tokenizing
from summeval.annotate.compiled import sections

TAGS = ["NN", "NNS", "NNP", "VB", "VBD", "VBZ", "VBG", "VBP", "MD", "JJR", "RB", "PRP", "DT", "CC"]
LABELS = ["ROOT", "nsubj", "aux", "dobj", "det", "expl", "mark", "advmod"]
WORDS = [
    *"cats ran Better ca n't it is there leaves UPS Paris ’ 's gon na ai nt wo doing".split(),
    *"xyzzying Straßen ΌΧΙΣ s ies got ta men batches 1990s 3-ies y' all that feet did".split(),
    "\n",
]
# No characters that later versions of Unicode may add or change.
TEXTS = st.lists(
    st.sampled_from([*SYMBOLS, *ADDRESSES, *ENDS, *SCRIPTS, *PICTURES])
    | st.characters(exclude_categories=["Cs"], max_codepoint=0x377),
    max_size=30,
).map("".join)


@cache
def kernel() -> tokenizing.Tokenizer:
    return tokenizing.Tokenizer(sections())


@cache
def definition() -> twin.Tokenizer:
    return twin.Tokenizer(sections())


@cache
def lemmatizers() -> tuple[tokenizing.Lemmatizer, lemmas_twin.Lemmatizer]:
    return tokenizing.Lemmatizer(sections(), TAGS, LABELS), lemmas_twin.Lemmatizer(sections())


def check(line: str) -> None:
    expected = definition().tokens(line)
    assert kernel().tokens(line.encode()) == expected
    assert kernel().ids(line.encode()) == [definition().ids(token) for token in expected]


@given(TEXTS)
def test_tokens_and_ids_are_those_of_the_definition(line: str) -> None:
    check(line)


@pytest.mark.parametrize("seed", range(20))
def test_tokens_of_noise_are_those_of_the_definition(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        check(a_line(rng))


def test_exceptions_are_those_of_the_definition() -> None:
    for text in definition().exceptions:
        for line in (text, f"({text})", f"{text}.", f"x {text} ", f"{text}{text}", f"'{text}'s"):
            check(line)


def test_tokens_of_a_sentence() -> None:
    line = "Dr. Who can't pay US$5m (see www.bbc.co.uk/x), :) he said."
    forms = [form for form, *_ in kernel().tokens(line.encode())]
    told = "Dr. Who ca n't pay US$ 5 m ( see www.bbc.co.uk/x ) , :) he said ."
    assert forms == told.split()


def test_bytes_that_are_no_utf8_are_replacement_characters() -> None:
    for line in (b"a \xff b\xc3", b"\xed\xa0\x80", b"x\xf0\x9f\x99", b"\xe2\x82 \xc3\xa9 \x80'"):
        shown = line.decode("utf-8", "surrogateescape")
        mended = "".join("\ufffd" if "\ud800" <= one <= "\udfff" else one for one in shown)
        assert kernel().tokens(line) == kernel().tokens(mended.encode())
        assert kernel().ids(line) == kernel().ids(mended.encode())


@pytest.mark.parametrize("unit", "a . a. ( a@ a--b 1. :) 🙂 Σ 's \t".split(" "))
def test_a_word_of_a_million_characters(unit: str) -> None:
    """A second look at each character would take minutes."""
    line = unit * (10**6 // len(unit))
    tokens = kernel().tokens(line.encode())
    assert "".join(form for form, *_ in tokens) == line
    check(unit * 200)


@given(st.data())
def test_lemmas_are_those_of_the_definition(data: st.DataObject) -> None:
    word = st.sampled_from(WORDS) | st.text("adeginrsty", min_size=1)
    words = data.draw(st.lists(word, max_size=9))
    tokens = kernel().tokens(" ".join(words).encode())
    numbers = st.integers(0, len(TAGS) - 1), st.integers(0, len(LABELS) - 1)
    tags, labels = (
        bytes(data.draw(st.lists(one, min_size=len(tokens), max_size=len(tokens))))
        for one in numbers
    )
    compiled, plain = lemmatizers()
    expected = plain.lemmas(
        [
            lemmas_twin.Word(form, TAGS[tag], LABELS[label])
            for (form, *_), tag, label in zip(tokens, tags, labels, strict=True)
        ]
    )
    assert compiled.lemmas(kernel(), " ".join(words).encode(), tags, labels) == expected


def test_lemmas_of_a_sentence() -> None:
    line = b"She ca n't see the better mice that were leaving"
    tags = ["PRP", "MD", "RB", "VB", "DT", "JJR", "NNS", "WDT", "VBD", "VBG"]
    labels = ["nsubj", "aux", "neg", "ROOT", "det", "amod", "dobj", "nsubj", "aux", "relcl"]
    made = tokenizing.Lemmatizer(sections(), sorted({*tags}), sorted({*labels}))
    numbers = (bytes(sorted({*names}).index(one) for one in names) for names in (tags, labels))
    found = made.lemmas(kernel(), line, *numbers)
    assert found == "she can not see the well mouse that be leave".split()


def test_lemmas_want_a_tag_and_a_label_for_each_token() -> None:
    compiled, _ = lemmatizers()
    with pytest.raises(ValueError, match="2 tokens have 1 tags, 2 labels"):
        compiled.lemmas(kernel(), b"a b", b"\0", b"\0\0")
    with pytest.raises(ValueError, match="has no name"):
        compiled.lemmas(kernel(), b"a b", b"\0\0", bytes([0, len(LABELS)]))
    with pytest.raises(ValueError, match="more than 64"):
        tokenizing.Lemmatizer(sections(), ["NN"] * 65, LABELS)


def readers() -> list[tuple[str, Callable[[dict[str, bytes]], object]]]:
    def lemmatizer(tables: dict[str, bytes]) -> object:
        return tokenizing.Lemmatizer(tables, TAGS, LABELS)

    names = ("characters", "tokens", "norms")
    return [*((name, tokenizing.Tokenizer) for name in names), ("lemmas", lemmatizer)]


@pytest.mark.parametrize(("name", "read"), readers())
def test_a_missing_or_cut_section_is_an_error(
    name: str, read: Callable[[dict[str, bytes]], object]
) -> None:
    whole = sections()
    read(whole)
    with pytest.raises(ValueError, match=f"no section {name}"):
        read({key: data for key, data in whole.items() if key != name})
    for end in (0, 1, 7, len(whole[name]) // 2, len(whole[name]) - 1):
        with pytest.raises(ValueError, match=f"section {name} is damaged"):
            read({**whole, name: whole[name][:end]})
    with pytest.raises(ValueError, match=f"section {name} is damaged"):
        read({**whole, name: whole[name] + b"\0"})


@pytest.mark.parametrize(("name", "read"), readers())
def test_damaged_sections_do_no_harm(name: str, read: Callable[[dict[str, bytes]], object]) -> None:
    """They are refused, or read as other tables; no read is outside them."""
    whole, rng = sections(), random.Random(name)
    refused = 0
    for _ in range(40):
        data = bytearray(whole[name])
        place = rng.randrange(min(len(data), 2 ** rng.randrange(1, 20)) - 1)
        struct.pack_into("<B", data, place, rng.randrange(256))
        try:
            read({**whole, name: bytes(data)})
        except ValueError:
            refused += 1
            continue
        if name != "lemmas":
            tokenizing.Tokenizer({**whole, name: bytes(data)}).ids(b"The U.S.A.'s :) \xc3\x84b")
    assert refused > 0 or name == "norms"
