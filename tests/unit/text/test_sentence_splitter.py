"""Where a sentence ends."""

import re

import pytest
from every import every
from hypothesis import given
from hypothesis import strategies as st

from summeval.text import sentences


@every(
    "expected",
    [
        ["He left.", "She stayed."],
        ["Did he leave?", "Yes!", "She stayed…", "And so on."],
        ["Mr. Smith and Dr. J. R. Jones met Gov. Brown in St. Paul.", "They talked."],
        ["It rose 3.5 percent to $1.20 a share.", "Profits fell."],
        ["The U.S. Senate met at 5 p.m. Monday.", "It voted."],
        ["They live in the U.S.", "They like it."],
        ["Acme Inc. Chairman Lee resigned.", "It was sold to Widget Corp.", "The price was low."],
        ["See Fig. 3 and pp. 4-5, e.g. the table vs. No. 7 of Jan. 5.", "He said no.", "Why?"],
        ['"I am here," he said.', '"Where are you?" she asked.', '"Gone."', "It was late."],
        ["(It rained.)", "The match [in London.]", "Then it stopped."],
        ["“Stop.”", "‘Why?’", "«Non!»", "Nobody knew."],
        ["Wait... what is that?", "Nothing..."],
        ["He was born in 1950.", "In 1970 he left."],
        ["1. Open the box.", "2. Close it."],
        ["999. Open the box.", "Close it."],
        ["1999.", "Nobody knew."],
        ["He said it! iPhones are good.", "She left."],
        ["Visit www.example.com or read file.txt today.", "Done."],
        ["今日は晴れです。", "「本当？」", "はい！"],
        ["यह एक वाक्य है।", "यह दूसरा है।"],
        ["هل هذا جيد؟", "نعم."],
        ["¿Dónde está?", "¡Aquí!"],
    ],
)
def test_sentences_of_running_text(expected: list[str]) -> None:
    joined = " ".join(expected)
    if not joined.isascii() and "。" in joined:
        joined = "".join(expected)
    assert sentences(joined) == expected


@pytest.mark.parametrize(
    "expected",
    [
        ["mr. smith left .", "he was 30 .", "why ?", "nobody knows ."],
        ["mr . smith of the u.s. army left .", "she stayed ."],
        ["the man , 30 , left .", "`` i am here . ''", "she said so ."],
        ["plans for no. 10 were dropped.", "that was all."],
    ],
)
def test_sentences_of_text_without_capitals(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


def test_newlines_always_part_sentences() -> None:
    assert sentences("A title\nMr.\nSmith left\r\n\n \n- end") == [
        "A title",
        "Mr.",
        "Smith left",
        "- end",
    ]


def test_a_missing_blank_parts_sentences_before_a_usual_first_word() -> None:
    assert sentences("He left.The door closed.") == ["He left.", "The door closed."]
    assert sentences("He wrote Node.Js and main.Rs today.") == [
        "He wrote Node.Js and main.Rs today."
    ]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t\r\n"])
def test_blank_text_has_no_sentences(text: str) -> None:
    assert sentences(text) == []


PIECES = st.sampled_from(
    ["He", "left", "mr", "U.S", "No", "5", ".", "!", "?", "…", '"', "''", ")", "(", " ", "\n", "。"]
)
TEXTS = st.text(max_size=60) | st.lists(PIECES, max_size=30).map("".join)


@given(TEXTS)
def test_no_character_but_blanks_is_lost(text: str) -> None:
    assert re.sub(r"\s", "", "".join(sentences(text))) == re.sub(r"\s", "", text)


@given(TEXTS)
def test_sentences_are_stripped_and_hold_no_newline(text: str) -> None:
    for sentence in sentences(text):
        assert sentence and sentence == sentence.strip() and "\n" not in sentence


@given(TEXTS, TEXTS)
def test_lines_are_split_one_by_one(one: str, other: str) -> None:
    assert sentences(f"{one}\n{other}") == sentences(one) + sentences(other)


@pytest.mark.parametrize("piece", [".", "!?", ". ", 'a."', "a. ", "A. ", "The. ", '" ', "x"])
def test_a_million_characters_are_split_whole(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    assert "".join(sentences(text)).replace(" ", "") == text.replace(" ", "")


def test_what_is_no_str_is_refused() -> None:
    with pytest.raises(TypeError, match="text is bytes; pass a str"):
        sentences(b"He left.")
