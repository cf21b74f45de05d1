"""`support` by hand: probabilities of single words, what the source lacks, explanations."""

from __future__ import annotations

import json
import math
import re

import pytest

import summeval
from summeval import Support

FUNCTION, CONTENT, NEW = 0.006, 0.00002, 0.15
METRIC = Support()


def z(candidate: str, source: str | list[str]) -> list[float]:
    told = METRIC.explain(candidate, source=source)
    return [math.exp(item.details["log_z"]) for item in told.items]


def test_probabilities_of_words_by_hand() -> None:
    """Four words, two sentences: each rule of the model once."""
    source = "red fish. blue bird"
    first = 0.85 / 4 + NEW * CONTENT
    assert z("fish", source) == pytest.approx([first])
    f = [NEW * CONTENT / 4 / first] * 4  # where "fish" was new, the position stays
    f[1] += 0.85 / 4 / first
    second = f[0] + f[1], f[2] + f[3]
    blue = 0.65 * f[1] + 0.075 * f[0] + (0.045 * second[1] + 0.0015 * second[0] + 0.001) / 2
    assert z("fish blue", source)[1] == pytest.approx(blue + NEW * CONTENT)
    assert z("fish. Blue", source)[1] == pytest.approx(0.85 / 4 + NEW * CONTENT)
    assert z("fish horse", source)[1] == pytest.approx(NEW * CONTENT)
    assert z("fish the", source)[1] == pytest.approx(NEW * FUNCTION)
    like = 0.85 / 4 * 0.05 + NEW * CONTENT
    assert z("russian", "russia fish red bird") == pytest.approx([like])


def test_to_go_on_behind_a_word_that_turns_what_is_said_is_a_tenth_as_probable() -> None:
    """Beside the same text with another word there."""
    for count, ahead in ((1, 0.075), (2, 0.0375), (3, 0.0225), (4, 0.015)):
        for place in range(count):
            skipped = list("wxyz"[:count])
            plain = z("red fish", f"red {' '.join(skipped)} fish")[1]
            skipped[place] = "not"
            turned = z("red fish", f"red {' '.join(skipped)} fish")[1]
            (first, *_) = z("red", f"red {' '.join(skipped)} fish")
            at_red = (0.85 + NEW * CONTENT) / (count + 2) / first  # the share of the copy
            assert plain - turned == pytest.approx(0.9 * ahead * at_red, rel=1e-4)  # of others, too


@pytest.mark.parametrize(
    ("source", "turned"),
    [
        ("red never fish", True),
        ("red denies fish", True),  # by its stem
        ("red Never fish", False),  # a name
        ("Never fish", False),  # nothing is passed over
        ("red well fish", False),
        ("red not w w w w fish", False),  # out of reach
    ],
)
def test_which_words_turn_what_is_said(source: str, turned: bool) -> None:
    others = source.replace("never", "soon").replace("denies", "soon").replace("Never", "Soon")
    others = others.replace("not", "soon")
    assert (z("red fish", source)[1] < 0.9 * z("red fish", others)[1]) is turned


def test_a_summary_that_leaves_out_a_not_is_below_one_that_leaves_out_another_word() -> None:
    source = "The mayor said that he had not read the long report before the vote on Monday."
    told = "The mayor said that he had {} the {} before the vote on Monday."
    turned = METRIC.score(told.format("read", "long report"), source=source).explained
    for left_out in ("not read", "report"), ("not read", "long"):
        assert METRIC.score(told.format(*left_out), source=source).explained > turned


NAMES = "Mary Smith met a Russian banker. Banks of Smith were open"


@pytest.mark.parametrize(
    ("word", "copied"),
    [
        ("Smith", True),
        ("smith", True),
        ("Smiths", False),  # the same stem
        ("smiths", False),
        ("SMITHS", False),
        ("Russia", False),  # begins alike
        ("Russian", True),
        ("Banks", True),
        ("Bank", True),  # a capital only opens the sentence
        ("Bankers", True),
        ("Bankings", True),
    ],
)
def test_names_are_copied_whole(word: str, copied: bool) -> None:
    first = z(word, NAMES)[0]
    assert first > 50 * NEW * CONTENT if copied else first == pytest.approx(NEW * CONTENT)
    score = METRIC.score(f"He met {word}", source=NAMES)
    assert score.parts.names == (() if copied or word.islower() else (word,))
    assert (score.two_sentences == 1) is copied
    assert z(f"{word} were", NAMES)[1] == z(f"{word if copied else 'Nobodies'} were", NAMES)[1]


def test_a_word_that_the_source_also_has_without_a_capital_is_no_name() -> None:
    assert z("Smiths", f"{NAMES}. He is a smith")[0] > NEW * CONTENT
    assert z("smiths", ["He saw Smith", "a smith"])[0] > NEW * CONTENT
    new = pytest.approx(NEW * CONTENT)
    assert z("smiths", ["Smith", "He saw Smith"])[0] == new


def test_a_small_word_is_no_name_where_the_summary_has_capitals() -> None:
    """A source that says "Story" in a headline makes no name of "story"."""
    for word in ("smiths", "russia"):
        assert z(f"He met {word}", NAMES)[2] == pytest.approx(NEW * CONTENT)
        assert z(f"He met {word} and Ann", NAMES)[2] > 10 * NEW * CONTENT
        assert z(f"He met {word.title()} and Ann", NAMES)[2] == pytest.approx(NEW * CONTENT)
    assert z("He met smiths. Ann left", NAMES)[2] == pytest.approx(NEW * CONTENT)


def test_a_source_in_capitals_or_in_small_letters_has_no_names() -> None:
    for source in (NAMES.upper(), NAMES.lower()):
        assert z("He met Smiths", source)[2] > NEW * CONTENT


def test_a_number_in_letters_is_no_name() -> None:
    source = "They met the Big Five. Twenty came to Ward Twenty"
    assert METRIC.score("The 5 and 20 and five", source=source).parts.numbers == ()


def test_fields_by_hand() -> None:
    source = "The red fish swam. Birds flew over the sea. Nobody slept"
    score = METRIC.score("The fish swam over the sea. Birds slept", source=source)
    assert score.one_sentence == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert score.two_sentences == pytest.approx((3 / 3 + 2 / 2) / 2)
    assert score.copied_pairs == pytest.approx(3 / 8)  # fish swam, over the, the sea
    logs = sorted(
        item.details["log_z"]
        for item in METRIC.explain("The fish swam over the sea. Birds slept", source=source).items
    )
    assert score.weakest == pytest.approx(sum(logs[:2]) / 2)


def test_explained_is_the_sum_of_the_shares_of_words() -> None:
    source = ["The bridge was closed on Tuesday.", "Cracks were found."]
    told = METRIC.explain("Cracks closed the new bridge on Friday.", source=source)
    assert sum(item.share for item in told.items) == pytest.approx(told.value, rel=1e-12)
    assert told.value == METRIC.score(told.candidate, source=source).explained
    for item in told.items:
        (span,) = item.candidate_spans
        assert told.candidate[slice(*span)] == item.text
        for number, begin, end in item.source_spans:
            assert told.sources[number][begin:end].lower() == item.text.lower()
    origins = {item.text: item.source_spans for item in told.items}
    assert origins["Cracks"][0][0] == 1
    assert origins["Friday"] == ()


def test_documents_are_apart_and_in_any_order() -> None:
    one, other = "the cat sat", "on the mat"
    apart = METRIC.score("cat sat on", source=[one, other])
    assert apart.copied_pairs == pytest.approx(1 / 3)
    joined = METRIC.score("cat sat on", source=f"{one} {other}")
    assert joined.copied_pairs == pytest.approx(2 / 3)
    assert joined.explained > apart.explained
    again = METRIC.score("cat sat on", source=[other, None, one])
    assert again.explained == pytest.approx(apart.explained, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "names", "numbers"),
    [
        ("It was seen by Mary Jones.", ("Mary Jones",), ()),
        ("Mary Jones left. Peter came.", ("Mary Jones",), ()),  # one word may be no name
        (
            "He met Dr. O'Neill-Smith, Ann and Bob in Paris.",
            ("O'Neill-Smith", "Ann", "Bob", "Paris"),
            (),
        ),
        ("He met ann in PARIS", ("PARIS",), ()),
        ("HE MET ANN IN PARIS", (), ()),
        ("In Rome, five of 1,500 and 2.5 or 21st.", (), ("five", "1,500", "2.5", "21")),
        ("One of three came; three, 40, 50 and 50.", (), ("50",)),
        ("J. K. Rowling and É. Zola", ("J. K. Rowling", "É. Zola"), ()),
        ("", (), ()),
    ],
)
def test_names_and_numbers_that_the_source_lacks(
    text: str, names: tuple[str, ...], numbers: tuple[str, ...]
) -> None:
    source = "He was seen in Rome by Dr. Miller at 3 of 40."
    parts = METRIC.score(text, source=source).parts
    assert (parts.names, parts.numbers) == (names, numbers)
    assert METRIC.prepare(source=source).score(text).parts == parts


def test_numbers_are_compared_by_their_digits() -> None:
    source = "He paid 1,500 pounds on the 21st and took 3 of twenty."
    same = METRIC.score("1500 21 three 20", source=source)
    assert same.parts.numbers == ()
    assert same.one_sentence == 1
    other = METRIC.score("1501 22 four 30", source=source)
    assert other.parts.numbers == ("1501", "22", "four", "30")


@pytest.mark.parametrize(
    "wrong",
    [
        "Police did not arrest two men in Leeds.",
        "Two men arrested police in Leeds.",
        "Leeds in arrested men police two.",
        "Police arrested five men in Leeds.",
        "Police arrested two men in Paris.",
        "Mayor arrested two men in Leeds.",
    ],
)
def test_wrong_summaries_are_below_shortened_ones(wrong: str) -> None:
    source = (
        "Police arrested two men in Leeds on Monday. The mayor thanked them. He said that five"
        " people did not come to work, and that trains stood still."
    )
    fine = METRIC.score("Police arrested two men.", source=source)
    assert METRIC.score(wrong, source=source).explained < fine.explained


def test_nothing_to_explain_is_refused() -> None:
    for candidate, source in ((None, "a cat"), ("a cat", []), ("a cat", [None])):
        with pytest.raises(ValueError, match="nothing to explain; give a candidate and a source"):
            METRIC.explain(candidate, source=source)
    with pytest.raises(ValueError, match="support compares a candidate with its input"):
        METRIC.explain("a cat")


def test_a_splitter_of_ones_own_is_explained_with_its_sentences() -> None:
    metric = Support(sentences=lambda text: text.split("|"), label="bars")
    told = metric.explain("a cat|ran", source="a cat ran")
    assert told.candidate == "a cat|ran"
    assert told.items[2].details["log_z"] == pytest.approx(math.log(0.85 / 3 + NEW * CONTENT))
    assert [item.candidate_spans for item in told.items] == [((0, 1),), ((2, 5),), ((6, 9),)]


def test_spans_are_of_the_texts_as_they_were_given() -> None:
    def cut(text: str) -> list[str]:
        return [part for part in text.replace("Fee", "See").split("§") if part]

    metric = Support(sentences=cut, label="own")
    told = metric.explain("§Größe zählt§§Fee ran", source=["No§thing", "Die§Größe zählt."])
    spans = {item.text: (item.candidate_spans, item.source_spans) for item in told.items}
    assert spans["Größe"] == (((1, 6),), ((1, 4, 9),))
    assert spans["zählt"] == (((7, 12),), ((1, 10, 15),))
    assert spans["See"] == ((), ())  # of a line that the function changed
    assert spans["ran"] == ((), ())


def test_a_text_without_words_has_the_lowest_value_as_its_item() -> None:
    source = "A cat sat."
    for low in ("", "...", "!", "of the and"):
        low_told = METRIC.explain(low, source=source)
        assert low_told.value == METRIC.score(low, source=source).value
        total = math.fsum(item.share for item in low_told.items)
        assert total == pytest.approx(low_told.value, abs=1e-12)
    assert [item.text for item in METRIC.explain("...", source=source).items] == ["floor"]


def test_an_explanation_is_text_and_html_and_data() -> None:
    told = METRIC.explain("Größe <b> zählt", source="Die Größe zählt.")
    assert re.fullmatch(
        r"support -?0\.\d{4}\n  \+0\.\d+  Größe  log_z -\d\.\d\d  <-  Die Größe zählt\.\n"
        r"  -0\.\d+  b  log_z -\d+\.\d\d  <-  nothing\n.*",
        str(told),
    )
    page = told.to_html()
    assert page.count("<mark") == page.count("</mark>")
    assert [page.count(f'<mark class="{kind}') for kind in ("match", "extra")] == [5, 2]
    assert "&lt;" in page
    assert "<b>" not in page
    assert json.loads(json.dumps(told.to_dict()))["items"][0]["source_spans"] == [[0, 4, 9]]


def test_it_is_a_reward_and_reads_columns() -> None:
    from summeval.interop.reward import Rewards

    found = Rewards("support")(["a cat sat", "dogs"], [None] * 2, ["a cat sat"] * 2)
    assert found[0] > found[1]
    with pytest.raises(ValueError, match="support compares a candidate with its input"):
        summeval.score("a cat", ["a cat"], metrics=["support"])


def test_a_word_that_is_more_probably_new_has_no_origin() -> None:
    told = METRIC.explain("fish of", source=["one fish swam", "blue of bird"])
    assert told.items[0].source_spans == ((0, 4, 8),)
    assert told.items[1].source_spans == ()
    copied = 0.002 / 6
    found = told.items[1].details["log_z"]  # "fish" may have been new, which adds a little
    assert found == pytest.approx(math.log(copied + NEW * FUNCTION), abs=0.01)
