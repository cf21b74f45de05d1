"""Texts in ten scripts and more: words, stems, stop lists, and the option that sets them."""

from __future__ import annotations

import threading
from importlib.util import find_spec

import pytest

import summeval
from summeval.interop.reward import Rewards
from summeval.text import stemmers, stopwords
from summeval.text.languages import CODES, of_letters, settings
from summeval.text.tokenizers import words

STEMS = pytest.mark.skipif(not find_spec("Stemmer"), reason="needs PyStemmer")
ICU = pytest.mark.skipif(not find_spec("icu"), reason="needs PyICU-wheels")
# A language, two texts, and the words that they have in common, stemmed.
PAIRS = {
    "de": ("Größte Brücken eröffnet!", "Die größte Brücke", ["grosst", "bruck"]),
    "ru": ("Поезда прибыли.", "поезд не прибыл", ["поезд", "приб"]),
    "el": ("Τα λιμάνια έκλεισαν", "λιμάνι", ["λιμαν"]),
    "hy": ("Գրքեր և քաղաքներում", "քաղաքներ", ["քաղ"]),
    "ar": ("أغلقت المدينة الجسر القديم.", "المدينة والجسر", ["مدين"]),
    "fa": ("کتاب‌های بزرگ", "کتاب", ["کتاب"]),
    "he": ("העיר סגרה את הגשר.", "הגשר הישן", ["הגשר"]),
    "yi": ("דאָס בוך", "בוך", ["בוכ"]),
    "hi": ("नगर ने पुराने पुल बंद किए।", "पुराना पुल", ["पुर", "पुल"]),
    "ta": ("புத்தகங்கள் பல", "புத்தகம்", ["புத்தகம்"]),
    "ka": ("ქალაქი დიდია", "ქალაქი", ["ქალაქი"]),
    "ko": ("시장은 도서관을 열었다.", "도서관을 닫았다", ["도서관을"]),
    "th": ("รถไฟสายใหม่เปิด", "รถไฟใหม่", ["รถไฟ", "ใหม่"]),
    "lo": ("ລົດໄຟໃໝ່", "ລົດໄຟ", ["ລົດໄຟ"]),
    "km": ("សាលារៀនថ្មី", "សាលារៀន", ["សាលារៀន"]),
    "my": ("ကျောင်းသားများ စာဖတ်သည်", "ကျောင်းသား", ["ကျောင်းသား"]),
    "ja": ("東京の新しい図書館", "東京へ", ["東京"]),
    "zh": ("市政府周三宣布", "市政府说", ["市政府"]),
}


def needed(language: str) -> None:
    found = settings(language)
    if found["tokenizer"] == "icu":
        pytest.importorskip("icu")
    if stemmers.is_snowball(found["stemmer"]):
        pytest.importorskip("Stemmer")


@pytest.mark.parametrize("language", PAIRS)
def test_words_in_common_of_many_scripts(language: str) -> None:
    needed(language)
    candidate, reference, common = PAIRS[language]
    rouge = summeval.metric("rouge1", language=language)
    score = rouge.score(candidate, reference)
    tokens = words(reference, rouge.tokenizer)
    assert score.recall * len(tokens) == pytest.approx(len(common))
    told = rouge.explain(candidate, reference)
    places = [span for item in told.items for span in item.candidate_spans if item.share]
    assert len(places) == len(common)
    stem = stemmers.token_stemmer(rouge.stemmer)
    assert set(common) <= {stem(token) for token in words(candidate, rouge.tokenizer)}
    for begin, end in places:
        assert stem(candidate[begin:end].casefold()) in common
    page = told.to_html()
    assert page.count('<p dir="auto">') >= 2
    assert "<bdi>" in page
    for name in ("rougeL", "rougeLsum", "tesla-s", "tesla-m", "bipartite", "paraeval"):
        metric = summeval.metric(name, language=language)
        value = metric.score(candidate, reference).value
        assert 0 < value <= 1 or "stemmer" not in metric.declared, name
        table = metric.score_batch([candidate, None], [[reference], [reference]])
        assert table[f"{name}.{metric.primary}"][0] == value
        assert metric.prepare([reference]).score(candidate).value == value
        assert sum(item.share for item in metric.explain(candidate, reference).items) == (
            pytest.approx(value)
        )


@STEMS
def test_what_a_language_sets_stands_in_the_signature() -> None:
    line = str(summeval.metric("rouge2", language="de", stopwords=True).signature)
    assert "|language:de|tokenizer:unicode-" in line
    assert "|stemmer:snowball-german-" in line
    assert "|stopwords:snowball-de|" in line
    for name in (
        "tesla-s",
        "tesla-m",
        "bipartite",
        "paraeval",
        "pyramid-position",
        "extractiveness",
    ):
        assert "|language:de|" in str(summeval.metric(name, language="de").signature)
    default, english = (summeval.metric("rouge1", language=one) for one in (None, "en"))
    assert "language" not in str(default.signature)
    assert "|language:en|tokenizer:unicode-" in str(english.signature)
    assert "|stemmer:porter|" in str(english.signature)


@STEMS
def test_what_is_given_goes_before_what_a_language_sets() -> None:
    rouge = summeval.metric("rouge1", language="de", stemmer=None, tokenizer="uax29")
    assert (rouge.stemmer, rouge.tokenizer) == (None, "uax29")
    assert rouge.score("Ms. O'Hara", "o'hara").recall == 1.0


@STEMS
def test_stop_words_are_dropped_before_stemming_and_weigh_less_in_tesla() -> None:
    rouge = summeval.metric("rouge1", language="de", stopwords=True)
    assert rouge.score("Die Häuser und der Garten", "das Haus").precision == 0.5
    tesla = summeval.metric("tesla-s", language="de")
    assert pytest.approx(0.1) == tesla.score("die Häuser", "die Brücken").parts.unigram.S
    assert tesla.score("die Häuser", "das Haus").parts.unigram.S == 1.0
    solved = summeval.metric("tesla-s", language="de", solver="kernel")
    pair = "Die Brücken und die Häuser", "die Brücke oder ein Haus"
    assert solved.score(*pair).value == pytest.approx(tesla.score(*pair).value)
    simetrix = summeval.metric("simetrix", language="de")
    assert simetrix.counts("Die Häuser und das Haus") == {"haus": 2}
    assert summeval.metric("simetrix", language="he").stopwords is False


@STEMS
def test_the_option_is_shared() -> None:
    pair = "Die Brücken", "eine Brücke"
    found = summeval.score(*pair, ["rouge1", "tesla-s", "npower"], language="de")
    assert found["rouge1"].value == 0.5
    table = summeval.score_batch([pair[0]], [pair[1]], "rouge1", language="de")
    assert table["rouge1.fmeasure"].tolist() == [0.5]
    assert summeval.suite("rouge1", language="de").score(*pair)["rouge1"].value == 0.5
    assert Rewards("rouge1", language="de")([pair[0]], [pair[1]]) == [0.5]
    with pytest.raises(ValueError, match="language= concerns none of the metrics npower"):
        summeval.score(*pair, "npower", language="de")


@STEMS
def test_the_command_takes_it(tmp_path, capsys) -> None:
    from summeval.cli.main import main

    path = tmp_path / "rows.jsonl"
    path.write_text('{"candidate": "Die Brücken", "references": ["eine Brücke"]}\n')
    assert main(["score", str(path), "-m", "rouge1", "--language", "de"]) == 0
    assert '"rouge1.fmeasure":0.5' in capsys.readouterr().out.replace(" ", "")
    assert main(["score", str(path), "-m", "rouge1", "--language", "german"]) == 2
    assert "unknown language 'german'; did you mean de?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"language": "xx"}, "unknown language 'xx'; known: af, am"),
        ({"language": "german"}, "unknown language 'german'; did you mean de?"),
        ({"language": 3}, 'language is 3; give the code of a language, such as "de", or None'),
        ({"stemmer": "snowball-"}, "unknown stemmer 'snowball-'"),
        ({"stemmer": "snowball-germn"}, "did you mean snowball-german"),
        ({"tokenizer": "uax29", "max_words": 3}, "max_words and max_bytes need the tokenizer"),
    ],
    ids=str,
)
def test_wrong_values_are_told(options, message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as told:
        summeval.metric("rouge1", **options)
    assert message in str(told.value)


@ICU
def test_a_language_without_a_stop_list_says_so() -> None:
    with pytest.raises(ValueError, match="there is no stop list for the language 'th'; pass"):
        summeval.metric("rouge1", language="th", stopwords=True)


def test_a_missing_package_is_named_with_its_extra(monkeypatch) -> None:
    import sys

    for module in ("Stemmer", "snowballstemmer", "icu"):
        monkeypatch.setitem(sys.modules, module, None)
    stemmers.version.cache_clear()
    with pytest.raises(ImportError, match=r"stemmer snowball-german needs .*summeval\[languages\]"):
        summeval.metric("rouge1", language="de")
    with pytest.raises(ImportError, match=r"the tokenizer icu needs icu: .*summeval\[languages\]"):
        summeval.text.tokens("ไทย", "icu")
    stemmers.version.cache_clear()


def test_the_language_that_letters_tell(monkeypatch) -> None:
    monkeypatch.setattr("summeval.text.languages.find_spec", lambda name: True)
    told = {code: of_letters(candidate) for code, (candidate, _, _) in PAIRS.items()}
    several = {"de": None, "ru": None, "ar": None, "fa": None, "hi": None, "yi": "he"}
    assert told == {code: code for code in PAIRS} | several
    assert of_letters("the cat กขค") == "th"
    assert of_letters("") is of_letters("กข кошка") is None
    monkeypatch.setattr("summeval.text.languages.find_spec", lambda name: None)
    assert of_letters("รถไฟ") is None
    assert of_letters("도서관을") == "ko"


def test_every_language_has_settings_and_every_stop_list_a_language() -> None:
    assert {*PAIRS, *stopwords.LISTED} < {*CODES}
    for code in CODES:
        assert settings(code)["tokenizer"] in ("unicode", "icu")
    for code in stopwords.LISTED:
        listed = stopwords.of_language(code)
        assert len(listed) > 30
        assert all(word == word.casefold() for word in listed)


@ICU
def test_icu_cuts_texts_of_wide_characters_at_the_right_places() -> None:
    assert summeval.text.tokens("𝒳 😀 ab ไทย𠀀x", "icu") == ["𝒳", "ab", "ไทย", "𠀀", "x"]
    assert summeval.text.tokens("", "icu") == []
    assert summeval.text.tokens("a\udc80b ไทย", "icu")[-1] == "ไทย"


@STEMS
def test_stemmers_serve_threads() -> None:
    stem = summeval.text.stemmer("snowball-german")
    texts = ["häuser", "brücken", "größten"] * 500
    wanted = [stem(word) for word in texts]
    found: list[list[str]] = []
    threads = [
        threading.Thread(target=lambda: found.append([stem(word) for word in texts]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 4


def test_all_algorithms_of_snowball_are_known() -> None:
    module = pytest.importorskip("Stemmer")
    assert set(module.algorithms()) <= set(stemmers.SNOWBALL)
    other = pytest.importorskip("snowballstemmer")
    for language in stemmers.SNOWBALL:
        theirs = other.stemmer(language)
        ours = summeval.text.stemmer(f"snowball-{language}")
        for candidate, _, _ in PAIRS.values():
            for word in summeval.text.tokens(candidate, "unicode"):
                assert ours(word) == theirs.stemWord(word)
