"""The two tokenisers: which characters they keep, kernel = twin, and invalid bytes."""

import sys
import unicodedata

import pytest
from definitions.text import tokens as reference
from every import every
from hypothesis import example, given
from hypothesis import strategies as st

from summeval._core.text import unicode as kernel
from summeval.text import tokens

SAME_UNICODE = unicodedata.unidata_version == kernel.UNICODE_VERSION


def is_comparable(character: str) -> bool:
    """Whether the kernel and this Python know the same about a character.

    Where their versions of Unicode differ, only what has been there since 3.2 is compared.
    """
    if unicodedata.category(character) == "Cs":
        return False
    return SAME_UNICODE or unicodedata.ucd_3_2_0.category(character) != "Cn"


def by_kernel(text: str) -> list[str]:
    return [token.decode() for token in kernel.tokens(text.encode())]


CHARACTERS = st.characters(exclude_categories=("Cs",)).filter(is_comparable)
TEXTS = st.text(
    CHARACTERS | st.sampled_from("aZ0 -éßİ東あーｶﾞก่ံ́²Ⅻ\u200d\ufe0f\U000e0101"), max_size=30
)


def test_kernel_equals_twin_on_every_character() -> None:
    wrong = []
    for start in range(0, sys.maxunicode + 1, 256):
        block = filter(is_comparable, map(chr, range(start, start + 256)))
        text = "\n".join(f"{character} a{character}b 東{character}京" for character in block)
        if by_kernel(text) != reference.unicode(text):
            wrong.append(f"{start:#x}")
    assert not wrong


@given(TEXTS)
@example("ΐ" * 20)
@example("ﬃ\u0345ﬃ")
def test_kernel_equals_twin(text: str) -> None:
    assert by_kernel(text) == reference.unicode(text)


@pytest.mark.parametrize("other", ["é", "’", "東", "\u0301", "ｶﾞ", "𝔘"])
def test_kernel_equals_twin_at_every_place_of_a_block(other: str) -> None:
    plain = "Ab c1\n_-" * 24
    for size in range(150):
        for text in (plain[:size] + other + plain[size:], plain[:size] + other):
            assert by_kernel(text) == reference.unicode(text)


@given(st.lists(st.text(st.characters(max_codepoint=127), max_size=99) | TEXTS).map("".join))
def test_kernel_equals_twin_on_long_runs_of_ascii(text: str) -> None:
    assert by_kernel(text) == reference.unicode(text)


@given(
    st.binary(max_size=60)
    | st.lists(
        st.sampled_from(
            [b"a", b" ", b"\xc3", b"\xa9", b"\xe2\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\0"]
        ),
        max_size=12,
    ).map(b"".join)
)
@example(b"a\xc0\xafb")
@example(b"caf\xc3")
@example(b"\xf0\x9d\x94")
@example(b"\xe0\x80\xaf\xf8\x88\x80\x80\x80\xff")
def test_bytes_that_are_no_utf8_part_tokens(data: bytes) -> None:
    readable = data.decode("utf-8", "replace")
    if all(map(is_comparable, readable)):
        assert [token.decode() for token in kernel.tokens(data)] == reference.unicode(readable)


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_on_ascii_both_tokenisers_agree(text: str) -> None:
    assert tokens(text) == tokens(text, "unicode")


@given(st.text(max_size=60))
def test_rouge155_tokens_are_runs_of_ascii_letters_and_digits(text: str) -> None:
    blanked = "".join(c.lower() if c.isascii() and c.isalnum() else " " for c in text)
    assert tokens(text, "rouge155") == blanked.split()


@given(TEXTS)
def test_folding_first_changes_no_token_but_marks_that_become_letters(text: str) -> None:
    if "\u0345" not in text:
        assert tokens(text.casefold(), "unicode") == tokens(text, "unicode")


@given(TEXTS, TEXTS)
def test_a_blank_parts_tokens(one: str, other: str) -> None:
    both = tokens(f"{one} {other}", "unicode")
    assert both == tokens(one, "unicode") + tokens(other, "unicode")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("state-of-the-art", ["state", "of", "the", "art"]),
        ("don't", ["don", "t"]),
        ("$1,000", ["1", "000"]),
        ("café", ["caf"]),
        ("naïve", ["na", "ve"]),
        ("foo_bar", ["foo", "bar"]),
        ("X7 and B-2", ["x7", "and", "b", "2"]),
        ("", []),
    ],
)
def test_rouge155_examples_of_the_specification(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@every(
    ("text", "expected"),
    [
        ("Größe STRASSE straße", ["grösse", "strasse", "strasse"]),
        ("İstanbul", ["i\u0307stanbul"]),
        ("Москва́, столица", ["москва́", "столица"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("東京タワー", ["東", "京", "タ", "ワ", "ー"]),
        ("ﾊﾞｽ", ["ﾊﾞ", "ｽ"]),
        ("ที่นี่", ["ที่", "นี่"]),
        ("ພາສາ", ["ພ", "າ", "ສ", "າ"]),
        ("བོད་སྐད", ["བོད", "སྐད"]),
        ("2024年GPT4", ["2024", "年", "gpt4"]),
        ("x² ½ Ⅻ ٣", ["x²", "½", "ⅻ", "٣"]),
        ("́a b́", ["a", "b́"]),
        ("don’t", ["don", "t"]),
        ("🙂 ok", ["ok"]),
    ],
)
def test_unicode_examples(text: str, expected: list[str]) -> None:
    assert tokens(text, "unicode") == expected


@pytest.mark.parametrize("tokenizer", ["rouge155", "unicode"])
@pytest.mark.parametrize("text", ["a\0b", "a\ud800b", "a\udfffb", "a\tb", "a\u2028b"])
def test_a_character_that_is_no_letter_parts_tokens(tokenizer: str, text: str) -> None:
    assert tokens(text, tokenizer) == ["a", "b"]


@pytest.mark.parametrize("tokenizer", ["rouge155", "unicode"])
def test_ten_million_letters_are_one_token(tokenizer: str) -> None:
    assert tokens("A" * 10_000_000, tokenizer) == ["a" * 10_000_000]


def test_ten_million_bytes_that_grow_threefold() -> None:
    (token,) = tokens("ΐ" * 5_000_000, "unicode")
    assert token == "ΐ".casefold() * 5_000_000


def test_a_callable_tokenises() -> None:
    assert tokens("To be", tokenizer=lambda text: iter(text.split())) == ["To", "be"]


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="unknown tokenizer 'unicod'; did you mean unicode"):
        tokens("a", "unicod")


def test_what_is_no_str_is_refused() -> None:
    with pytest.raises(TypeError, match="text is bytes; pass a str"):
        tokens(b"a")
    with pytest.raises(TypeError, match="the tokenizer gave int; it must give str"):
        tokens("abc", tokenizer=lambda text: [1])
