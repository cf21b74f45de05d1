"""Clean-up, rule by rule (BEwT-E 0.5.1, as specified), and where cleaned characters stood."""

from __future__ import annotations

from itertools import pairwise

from every import every
from hypothesis import given
from hypothesis import strategies as st

from summeval.annotate.clean import RULES, clean

EXAMPLES = {
    "opening quotes": ("\"a (\" b' ''c x\"", "``a (`` b' ``c x\""),
    "closing quotes": ('yes" no', "yes'' no"),
    "double quotes": ("\u0093a\u0094 «b» “c” ‟d″ ‶", '"a" "b" "c" "d" "'),
    "single quotes": ("\u0091a\u0092 ‘b’ ‛c′ ‵", "'a' 'b' 'c' '"),
    "underscore as dash": ("a _ b c_d", "a - b c_d"),
    "double dash": ("a -- b c--d", "a - b c--d"),
    "spaced dashes": ("a - - b", "a  -  b"),
    "detached contraction": (
        "he 's we 're I 've they 'll do n't a 'sea 's' the n'to",
        "he's we're I've they'll don't a 'sea's' the n'to",
    ),
    "ellipsis": ("a . . . b... c", "a . b. c"),
    "blank after dollar or bracket": ("$ 5 ( a )", "$5 (a )"),
    "blank before bracket": ("( a )", "( a)"),
    "separator": ("a\u0018b", "ab"),
    "missing blank": ("left.He U.S.A. right?Yes a.b 3.X", "left. He U.S.A. right? Yes a.b 3.X"),
    "runs of blanks": ("a  b\t\u00a0c\r", "a b c "),
    "blanks at the ends": (" a ", "a"),
}


@every("rule", RULES, ids=lambda rule: rule.name)
def test_rule(rule) -> None:
    given_text, expected = EXAMPLES[rule.name]
    assert clean(given_text, (rule,)).text == expected


def test_rules_apply_in_the_order_of_the_original() -> None:
    assert [rule.name for rule in RULES] == list(EXAMPLES)
    # Typographic quotes become plain ones after plain ones were told apart, so they stay plain.
    assert clean('“a” "b"').text == "\"a\" ``b''"


def test_span_points_into_the_text_as_given() -> None:
    given_text = ' He did n\'t  say "yes"...'
    cleaned = clean(given_text)
    assert cleaned.text == "He didn't say ``yes''."
    places = {"He": "He", "n't": "n't", "``": '"', "yes": "yes", "''": '"', ".": "..."}
    for piece, origin in places.items():
        start = cleaned.text.index(piece)
        first, last = cleaned.span(start, start + len(piece))
        assert given_text[first:last] == origin


def test_text_that_no_rule_changes_keeps_its_places() -> None:
    assert clean("The cat sat.").starts is None
    assert clean("The cat sat.").span(4, 7) == (4, 7)


@given(st.text(alphabet="ab.N'\"`“’ -_$()\u0018\tns?", max_size=30))
def test_places_never_go_back_and_stay_within_the_text(text: str) -> None:
    cleaned = clean(text)
    spans = [cleaned.span(at, at + 1) for at in range(len(cleaned.text))]
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert all(one[0] <= other[0] and one[1] <= other[1] for one, other in pairwise(spans))


@given(st.text(max_size=40))
def test_no_blanks_but_single_ones_between_words_are_left(text: str) -> None:
    assert clean(text).text == " ".join(clean(text).text.split())
