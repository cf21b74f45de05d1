"""Packed documents: what comes back, what is refused, and what is made only when asked for."""

from __future__ import annotations

import copy
import pickle
import random
import struct
from dataclasses import replace
from typing import Any

import pytest
from definitions.columns import read_document
from every import every
from hypothesis import given, settings
from hypothesis import strategies as st

from summeval._core.documents import packed as kernel
from summeval._core.documents.packed import unsealed
from summeval.annotate import Document, Entity, Sentence, Token, from_json, to_json
from summeval.annotate.document import ENTITY_LABELS, from_packed, packed

SMALL = Document(
    (
        Sentence((Token("Ann", "NNP", "Ann", 1, "nsubj", 0, 3), Token("ran", "VBD", "run")), "(S)"),
        Sentence(()),
        Sentence((Token("né", "NN", "\ud800"), Token("", "X", "", 0, "x", -5, 7), Token("ran"))),
    ),
    (Entity("PER", 0, 0), Entity("ORG", 2, 4)),
    "Ann ran",
    "hand",
)

texts = st.text(st.characters(max_codepoint=0x10FFFF), max_size=5)
numbers = st.integers(-(2**31), 2**31 - 1)


@st.composite
def documents(draw: Any) -> Document:
    sentences = []
    for size in draw(st.lists(st.integers(0, 6), max_size=4)):
        # A head before its token, or after it: no cycle.
        order = draw(st.permutations(range(size)))
        heads = [-1] * size
        for place, token in enumerate(order):
            heads[token] = draw(st.sampled_from([-1, *order[:place]]))
        tokens = tuple(
            Token(draw(texts), draw(texts), draw(texts), head, draw(texts), draw(numbers), 3)
            for head in heads
        )
        sentences.append(Sentence(tokens, draw(st.none() | texts)))
    total = sum(len(sentence.tokens) for sentence in sentences)
    entities = []
    for label in draw(st.lists(st.sampled_from(ENTITY_LABELS), max_size=3)) if total else ():
        first = draw(st.integers(0, total - 1))
        entities.append(Entity(label, first, draw(st.integers(first, total - 1))))
    return Document(tuple(sentences), tuple(entities), draw(texts), "hand")


def columns(document: Document) -> dict[str, list[Any]]:
    tokens = [token for sentence in document.sentences for token in sentence.tokens]
    return {
        "starts_of_sentences": list(document.starts),
        "trees": [sentence.tree for sentence in document.sentences],
        **{f"{name}s": [getattr(token, name) for token in tokens] for name in Token.__slots__},
        "entity_labels": [entity.label for entity in document.entities],
        "entity_firsts": [entity.first for entity in document.entities],
        "entity_lasts": [entity.last for entity in document.entities],
    }


@settings(max_examples=40)
@given(documents())
def test_a_packed_document_is_what_json_and_the_definition_read(document: Document) -> None:
    block = packed(document)
    assert read_document(block) == columns(document)
    found = from_packed(block, document.text, document.provider)
    assert found == document == from_json(to_json(document))
    assert (repr(found), hash(found)) == (repr(document), hash(document))
    assert packed(from_json(to_json(found))) == block


def lazy() -> Document:
    return from_packed(packed(SMALL), SMALL.text, SMALL.provider)


@pytest.mark.parametrize(
    "use", [copy.copy, copy.deepcopy, lambda d: pickle.loads(pickle.dumps(d)), replace]
)
def test_a_document_of_a_block_is_copied_as_another(use: Any) -> None:
    assert use(lazy()) == use(SMALL) == SMALL
    assert use(lazy()).starts == SMALL.starts == (0, 2, 2, 5)


def test_sentences_are_made_when_they_are_asked_for() -> None:
    found = lazy()
    sentences = Document.__dict__["sentences"]
    with pytest.raises(AttributeError):
        sentences.__get__(found)
    assert found.entities == SMALL.entities
    assert sentences.__get__(found) is found.sentences
    assert packed(found) is packed(found)
    with pytest.raises(AttributeError, match="'Document' object has no attribute 'tokens'"):
        _ = found.tokens  # type: ignore[attr-defined]


def test_tags_and_labels_are_shared_by_documents() -> None:
    one, two = lazy().sentences[0].tokens[0], lazy().sentences[0].tokens[0]
    assert one.tag is two.tag
    assert one.label is two.label


def test_strings_are_numbered_by_first_use() -> None:
    tokens = tuple(map(Token, ["b", "a", "b"]))
    block = packed(Document((Sentence(tokens, "tree"),)))
    assert struct.unpack_from("<3I", block, 4 * (9 + 2 + 1)) == (0, 1, 0)
    assert block.endswith(b"batree\0\0")


@pytest.mark.parametrize(
    ("heads", "problem"),
    [
        ([0, 5], "token 2: its head is token 6, but the sentence has 2"),
        ([-2], "token 1: its head is token -1, but the sentence has 1"),
        ([1, 0], "token 1: its heads form a cycle"),
        ([0], "token 1: its heads form a cycle"),
        ([*range(1, 400), 300], "token 301: its heads form a cycle"),
    ],
)
def test_bad_heads_are_named(heads: list[int], problem: str) -> None:
    tokens = tuple(Token("a", head=head) for head in heads)
    document = Document((Sentence((Token("b"),)), Sentence(tokens)))
    with pytest.raises(ValueError, match=rf"^document: sentences\[1\]: {problem}$"):
        packed(document)


def test_a_long_chain_of_heads_is_accepted() -> None:
    document = Document((Sentence(tuple(Token("a", head=head) for head in range(-1, 5000))),))
    assert from_packed(packed(document)) == document


@pytest.mark.parametrize("value", [2**31, -(2**31) - 1, 10**30])
def test_offsets_outside_32_bits_are_refused(value: int) -> None:
    with pytest.raises(ValueError, match=r"^document: "):
        packed(Document((Sentence((Token("a", start=value),)),)))


def changed(block: bytes, place: int, value: int) -> bytes:
    """The block with another u32 at a place; places of the header are 0 to 8."""
    return block[: 4 * place] + struct.pack("<I", value) + block[4 * place + 4 :]


# The places of parts in SMALL: 5 tokens, 3 sentences, 2 entities.
STARTS, TREES, FORM, HEAD = 9, 13, 16, 36
ENTITY, OFFSETS = 51, 57


@every(
    ("place", "value"),
    [
        *[(place, value) for place in range(9) for value in (4, 2**32 - 1)],
        *[(STARTS, 1), (STARTS + 1, 3), (STARTS + 3, 4), (STARTS + 3, 6)],
        *[(TREES, 99), (FORM, 99), (FORM + 19, 99), (FORM, 2**32 - 1)],
        *[(HEAD, 2), (HEAD, 0), (HEAD + 1, 0), (HEAD, 2**32 - 2), (HEAD, 2**31), (HEAD, 2**31 - 1)],
        *[(ENTITY, 99), (ENTITY, 0), (ENTITY + 2, 1), (ENTITY + 5, 5)],
        *[(OFFSETS, 1), (OFFSETS + 1, 99), (OFFSETS + 1, 2**32 - 1)],
    ],
)
def test_damaged_blocks_are_refused(place: int, value: int) -> None:
    block = packed(SMALL)
    assert kernel.is_packed(block, ENTITY_LABELS)
    damaged = changed(block, place, value)
    assert damaged != block
    with pytest.raises(ValueError, match="damaged"):
        from_packed(damaged)


def test_cut_and_longer_blocks_are_refused() -> None:
    block = packed(SMALL)
    for size in range(len(block)):
        assert not kernel.is_packed(block[:size], ENTITY_LABELS)
    assert not kernel.is_packed(block + b"\0\0\0\0", ENTITY_LABELS)


def test_strings_that_are_no_utf8_are_refused() -> None:
    for bad in (
        b"\xff",
        b"\xc3",
        b"\xc0\x80",
        b"\xe0\x80\x80",
        b"\xf0\x80\x80\x80",
        b"\xf4\x90\x80\x80",
    ):
        form = "é" * 4
        block = packed(Document((Sentence((Token(form),)),)))
        assert block.count(form.encode()) == 1
        damaged = block.replace(form.encode(), bad.ljust(8, b"a"))
        assert not kernel.is_packed(damaged, ENTITY_LABELS), bad
    block = packed(Document((Sentence((Token("abcd"),)),)))
    assert not kernel.is_packed(block.replace(b"abcd", "abé".encode()), ENTITY_LABELS)  # the flag


def test_no_damage_is_read_beyond_its_block() -> None:
    rng = random.Random(5)
    block = packed(SMALL)
    for _ in range(3000):
        damaged = bytearray(block)
        for _ in range(rng.randint(1, 3)):
            damaged[rng.randrange(len(damaged))] = rng.choice([0, 1, 2, 127, 128, 255])
        try:
            found = from_packed(bytes(damaged))
        except ValueError:
            continue
        assert from_json(to_json(found)) == found
        assert len(found.starts) == len(found.sentences) + 1


def from_sealed(
    rows: list[tuple[bytes, bytes]], texts: dict[bytes, str], provider: str
) -> dict[str, Document]:
    return unsealed(rows, texts, provider, Document, ENTITY_LABELS)


def test_sealed_blocks_come_back_and_any_change_is_noticed() -> None:
    block = kernel.sealed(packed(SMALL))
    texts = {b"k": "Ann ran"}
    assert from_sealed([(b"k", block)], texts, "hand") == {"Ann ran": SMALL}
    assert len(block) == len(packed(SMALL)) + 8
    for place in range(len(block)):
        damaged = bytearray(block)
        damaged[place] ^= 1 << place % 8
        assert from_sealed([(b"k", bytes(damaged))], texts, "hand") == {}
        assert from_sealed([(b"k", block[:place])], texts, "hand") == {}


def test_a_sealed_block_that_is_no_document_is_left_out() -> None:
    rows = [(b"k", kernel.sealed(changed(packed(SMALL), HEAD, 0))), (b"l", kernel.sealed(b""))]
    assert from_sealed(rows, {b"k": "a", b"l": "b"}, "hand") == {}
