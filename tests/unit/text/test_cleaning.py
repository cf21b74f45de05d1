"""Clean texts: answers, thoughts and Markdown."""

from __future__ import annotations

import pytest
from every import every
from hypothesis import given
from hypothesis import strategies as st

from summeval.text.cleaning import (
    STRIPS,
    Cleaner,
    answer_finder,
    without_markdown,
    without_thoughts,
)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("A cat.", "A cat."),
        ("  kept as it is \n", "  kept as it is \n"),
        ("<think>\nhm\n</think>\n\nA cat.", "A cat."),
        ("<THINK>hm</Think>A cat.", "A cat."),
        ("<thinking>hm</thinking>A cat.", "A cat."),
        ("A <think>x</think>cat<think>y</think>.", "A cat."),
        ("<think>a <think>b</think> c</think>A cat.", "A cat."),
        ("A cat.<think>never closed", "A cat."),
        ("<think>never closed", ""),
        ("opened by the prompt</think>A cat.", "A cat."),
        ("one</think>two</think>A cat.", "A cat."),
        ("one<think>x</think>two</think>three", "three"),
        ("one</think>two<think>x</think> three", "two three"),
        ("I <b>think</b> so <thinker>", "I <b>think</b> so <thinker>"),
    ],
)
def test_thoughts_are_taken_out(text: str, left: str) -> None:
    assert without_thoughts(text) == left


@every(
    ("text", "left"),
    [
        ("# Title\ntext", "Title\ntext"),
        ("### Title ###\n", "Title\n"),
        ("#hashtag stays", "#hashtag stays"),
        ("C# and F# stay", "C# and F# stay"),
        ("**bold** and *it* and ***both***", "bold and it and both"),
        ("__bold__ and _it_", "bold and it"),
        ("**a *nested* b**", "a nested b"),
        ("snake_case_name and x__init__y", "snake_case_name and x__init__y"),
        ("_a snake_case name_", "a snake_case name"),
        ("2 * 3 * 4 and 5*6", "2 * 3 * 4 and 5*6"),
        ("- one\n* two\n+ three\n• four\n- [x] done", "one\ntwo\nthree\nfour\ndone"),
        ("-5 degrees - or so", "-5 degrees - or so"),
        ("1. one\n2. two", "one\ntwo"),
        ("1) one\n2) two\n3) three", "one\ntwo\nthree"),
        ("1. FC Köln won", "1. FC Köln won"),
        ("2024. A year.\n2025. Another.", "2024. A year.\n2025. Another."),
        ("> quoted\n>> twice", "quoted\ntwice"),
        ("a > b", "a > b"),
        ('see [the page](https://x.org/a_b) and ![a cat](cat.png "Cat")', "see the page and a cat"),
        ("an array[0](x y) call", "an array[0](x y) call"),
        ("`code` and ``more``", "code and more"),
        ("```python\nx = 1\n```\n", "x = 1\n"),
        ("one\n---\ntwo\n* * *\nthree", "one\ntwo\nthree"),
        ("~~gone~~ here", "gone here"),
        (r"5 \* 3 \_ x", "5 * 3 _ x"),
        ("| a | b |\n|---|:-:|\n| c | d |", "a b\nc d"),
        ("a | b", "a | b"),
    ],
)
def test_marks_of_markdown_are_taken_out(text: str, left: str) -> None:
    assert without_markdown(text) == left


@given(st.text(alphabet="ab _*`~[]()!#>-|1.\n\\<", max_size=60))
def test_words_are_never_lost_nor_added_by_markdown(text: str) -> None:
    letters = [char for char in text if char in "ab"]
    left = [char for char in without_markdown(text) if char in "ab"]
    # what a fence or a link names is no text
    if "```" not in text and "~~~" not in text and "](" not in text:
        assert left == letters
    assert len(left) <= len(letters)


@given(st.text())
def test_any_text_can_be_cleaned(text: str) -> None:
    for step in STRIPS.values():
        assert len(step(text)) <= len(text)


@pytest.mark.parametrize(
    "piece", ["_a ", "*a ", "`a ", "[a ", "![", "~~a ", "| ", "- ", "**_", "<think>"]
)
def test_a_long_line_of_marks_takes_linear_time(piece: str) -> None:
    """With quadratic time this would take many minutes."""
    for step in STRIPS.values():
        step(piece * 50_000)


def test_the_last_answer_counts() -> None:
    find = answer_finder("answer")
    assert find("<answer>a</answer> or <answer>b</answer>") == "b"
    assert find("the <answer> tag: <answer>c</answer>") == "c"
    assert find("nothing") is None
    assert answer_finder(r"Summary:(.*)")("Summary: one\ntwo") == "one\ntwo"
    assert answer_finder(r"a+")("aa b aaa") == "aaa"


def test_thoughts_go_before_the_answer_is_looked_for() -> None:
    clean = Cleaner("answer", ["markdown", "think"])
    assert clean("<think><answer>no</answer></think><answer>**yes**</answer>") == "yes"
    assert clean("<answer>x</answer><think><answer>y") == "x"
    assert clean.changed == {"think": 2, "extract": 2, "markdown": 1}
    assert clean.options == {"strip": "think+markdown", "extract": "answer"}


def test_what_a_cleaner_cannot_do_is_refused() -> None:
    with pytest.raises(ValueError, match="strip takes think, markdown, not 'html'"):
        Cleaner(strip=["html"])
    for wrong in ("(", "(?P<a", "a{99999999999999}"):
        with pytest.raises(ValueError, match="is no regular expression"):
            Cleaner(wrong)


def test_an_empty_text_does_not_count_as_one_without_an_answer() -> None:
    clean = Cleaner("answer")
    assert [clean(""), clean("x")] == ["", ""]
    assert (clean.without_answer, clean.changed) == (1, {"extract": 1})
