"""The three stemmers: the originals' stems, kernel = twin, and unusual words."""

from itertools import product
from pathlib import Path

import pytest
from definitions.text import stemmer as reference
from every import every
from hypothesis import example, given
from hypothesis import strategies as st
from shared import CASE_FILES

import summeval
from summeval._core.text import stemmer as kernel
from summeval.text import stemmer
from summeval.text.stemmers import exceptions

TWINS = {
    "rouge155": reference.rouge155_rules,
    "porter": reference.porter,
    "porter-java": reference.porter_java,
}
SUFFIXES = """
    s ss sses ies ied ed eed ing y at bl iz tt ll ational tional enci anci izer bli alli entli eli
    ousli ization ation ator alism iveness fulness ousness aliti iviti biliti logi fulli icate ative
    alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ion sion tion ou ism
    ate iti ous ive ize e
""".split()
WORDS = st.builds(
    lambda stem, suffixes: stem + "".join(suffixes),
    st.text("abeiloswxyz1é", max_size=6),
    st.lists(st.sampled_from(SUFFIXES), max_size=3),
)


def pairs(path: Path) -> list[tuple[str, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(word, stem) for word, stem in (line.split("\t") for line in lines)]


def test_rouge155_stems_are_those_of_rouge_155() -> None:
    stem = stemmer("rouge155")
    wrong = {
        word: (stem(word), reference.rouge155(word, exceptions()), expected)
        for word, expected in pairs(CASE_FILES / "rouge" / "stems.tsv")
        if not stem(word) == reference.rouge155(word, exceptions()) == expected
    }
    assert not wrong


def test_porter_java_stems_are_those_of_the_java_program() -> None:
    stem = stemmer("porter-java")
    wrong = {
        word: stem(word)
        for word, expected in pairs(CASE_FILES / "porter_java.tsv")
        if stem(word) != expected
    }
    assert not wrong


@pytest.fixture(scope="module")
def nltk_stem():
    porter = pytest.importorskip("nltk.stem.porter", reason="needs nltk")
    return porter.PorterStemmer().stem


def test_porter_stems_real_words_as_nltk_does(nltk_stem) -> None:
    words = [word for word, _ in pairs(CASE_FILES / "rouge" / "stems.tsv")]
    words += [word for word in exceptions() if word.isalnum()]
    stem = stemmer("porter")
    assert not {word: stem(word) for word in words if stem(word) != nltk_stem(word)}


@given(st.from_regex(r"[a-z0-9]{0,12}", fullmatch=True) | WORDS.filter(str.isascii))
@example("conventionally")
@example("skies")
@example("dies")
@example("aying")
@example("gracefulli")
@example("analogi")
def test_porter_stems_any_ascii_word_as_nltk_does(nltk_stem, word: str) -> None:
    assert stemmer("porter")(word) == nltk_stem(word)


@pytest.mark.parametrize("kind", TWINS)
@given(word=WORDS | st.text(max_size=12))
@example(word="yyyyying")
@example(word="䀀a䀀䀀ed")
@example(word="\x00\x00ed")
def test_kernel_equals_twin(kind: str, word: str) -> None:
    expected = TWINS[kind](word).encode("utf-8", "surrogatepass")
    assert kernel.stem(kind, word.encode("utf-8", "surrogatepass")) == expected


@pytest.mark.parametrize("kind", TWINS)
@given(word=st.binary(max_size=40))
def test_kernel_takes_any_bytes_and_never_lengthens_them(kind: str, word: bytes) -> None:
    assert len(kernel.stem(kind, word)) <= len(word)


@every("kind", TWINS)
@every("letters", ["y", "ab", "b", "al", "ational", "zz"])
@every("suffix", ["", "ing", "fulness", "entment", "sses", "ll"])
def test_kernel_equals_twin_on_words_of_100_000_letters(
    kind: str, letters: str, suffix: str
) -> None:
    word = (letters * 100_000)[:100_000] + suffix
    assert kernel.stem(kind, word.encode()).decode() == TWINS[kind](word)


@pytest.mark.parametrize("kind", TWINS)
@given(words=st.lists(WORDS, max_size=8))
def test_stemming_all_is_stemming_each(kind: str, words: list[str]) -> None:
    encoded = [word.encode() for word in words]
    assert kernel.stem_all(kind, encoded) == [kernel.stem(kind, word) for word in encoded]


@given(st.text(max_size=3).filter(lambda word: len(word.encode("utf-8", "surrogatepass")) <= 3))
def test_rouge155_leaves_three_bytes_but_for_capitals(word: str) -> None:
    lowered = "".join(letter.lower() if letter.isascii() else letter for letter in word)
    assert stemmer("rouge155")(word) == lowered


def test_rouge155_exceptions_come_before_the_rules() -> None:
    table = exceptions()
    stem = stemmer("rouge155")
    assert {stem(word) == base for word, base in table.items() if len(word) > 3} == {True}
    assert (table["was"], stem("was")) == ("be", "was")


def test_exceptions_are_those_that_the_specification_counts() -> None:
    table = exceptions()
    assert len(table) == 5930
    assert sum(word == base for word, base in table.items()) == 186
    chosen = {
        "better": "well",
        "best": "well",
        "is": "be",
        "testes": "testes",
        "involucra": "involucrum",
        "offer": "offer",
        "comics": "comic_strip",
    }
    assert {word: table[word] for word in chosen} == chosen


@pytest.mark.parametrize("name", ["rouge155", "porter", "porter-java"])
def test_capitals_stem_as_small_letters(name: str) -> None:
    assert stemmer(name)("Relational") == stemmer(name)("relational") == "relat"


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"unknown stemmer 'porter-jva'; did you mean porter-java"):
        stemmer("porter-jva")


@pytest.mark.parametrize("name", ["rouge155", "porter", "porter-java"])
def test_a_word_that_is_no_str_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match="word is bytes; pass a str"):
        stemmer(name)(b"running")


@pytest.mark.parametrize("name", TWINS)
def test_ion_stays_behind_other_letters_than_s_and_t(name: str) -> None:
    assert kernel.stem(name, b"dominion") == b"dominion"
    assert [TWINS[name](word) for word in ("dominion", "adoption")] == ["dominion", "adopt"]


def test_rouge155_makes_no_letters_small_but_those_of_ascii() -> None:
    assert [stemmer("rouge155")(word) for word in ("ÉLAN", "ABC")] == ["Élan", "abc"]
    assert stemmer("porter")("ÉLAN") == "élan"


@pytest.mark.parametrize("stopwords", [False, True])
@pytest.mark.parametrize("tokenizer", ["rouge155", "unicode"])
def test_a_word_keeps_its_stem_while_a_kernel_meets_ten_thousand(
    tokenizer: str, stopwords: bool
) -> None:
    syllables = ["".join(letters) for letters in product("bdfglmnprt", "aeiou")]
    words = ["".join(three) + "k" for three in product(syllables, syllables, syllables[::12])]
    rows = [words[begin : begin + 25] for begin in range(0, len(words), 25)] * 2
    candidates = [" the ".join(f"{word}s" for word in row) for row in rows]
    metric = summeval.metric("rouge1", stemmer="porter", tokenizer=tokenizer, stopwords=stopwords)
    table = metric.score_batch(candidates, [" ".join(row) for row in rows])
    assert set(table["rouge1.recall"].tolist()) == {1.0}
    assert (set(table["rouge1.precision"].tolist()) == {1.0}) == stopwords
