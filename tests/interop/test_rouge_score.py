"""The drop-in for rouge-score gives the numbers of rouge-score 0.1.2, almost to the last digit."""

from __future__ import annotations

import pickle
import re
import sys
import types
import unittest
from pathlib import Path

import numpy as np
import pytest
import rouge_score
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score import io as their_io
from rouge_score import rouge_scorer as theirs
from rouge_score import scoring as their_scoring
from rouge_score import tokenize as their_tokenize
from rouge_score import tokenizers as their_tokenizers

from summeval.interop.rouge_score import io, rouge_scorer, scoring, tokenize, tokenizers
from summeval.text.tokenizers import tokens_of_all

NAMES = ["rouge1", "rouge2", "rouge9", "rougeL", "rougeLsum"]
plain = "the The a cat cats sat sitting running ran national 1,000 café don't x-ray .".split()
words = st.sampled_from([*plain, "\u212aelvin", "\u0130stanbul", "\ud800", "mr."])
texts = st.lists(st.one_of(words, st.just("\n"), st.text(max_size=3)), max_size=25).map(" ".join)
pairs = st.tuples(texts, texts)
two_types = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4)


def same(found: dict[str, scoring.Score], expected: dict[str, their_scoring.Score]) -> bool:
    """Whether the types, their order and the numbers are equal, to 1e-12."""
    assert list(found) == list(expected)
    for name, score in expected.items():
        assert found[name]._fields == score._fields
        assert tuple(found[name]) == pytest.approx(tuple(score), abs=1e-12)
    return True


class Letters:
    """A tokenizer of one's own; its tokens are no strings."""

    def tokenize(self, text: str) -> list[int]:
        return [ord(char) for char in text if not char.isspace()]


def by_full_stop(text: str) -> list[str]:
    """A stand-in for NLTK's sentences, whose data are not installed everywhere."""
    return [part for part in re.split(r"(?<=\.)\s", text) if part]


def test_the_default_tokens_are_those_of_rouge_score_but_for_two_characters() -> None:
    characters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    found, counts = tokens_of_all([f"a{char}b" for char in characters])
    places = iter(found)
    own = [[next(places).decode() for _ in range(count)] for count in counts]
    expected = [their_tokenize.tokenize(f"a{char}b", None) for char in characters]
    rows = zip(characters, own, expected, strict=True)
    assert [char for char, one, other in rows if one != other] == ["\u0130", "\u212a"]


@settings(max_examples=200)
@given(pairs, two_types, st.booleans())
def test_scores_are_those_of_rouge_score(pair, names, stem):
    found = rouge_scorer.RougeScorer(names, stem).score(*pair)
    assert same(found, theirs.RougeScorer(names, stem).score(*pair))


@settings(max_examples=60)
@given(pairs, two_types, st.booleans())
def test_scores_of_split_summaries_are_those_of_rouge_score(pair, names, stem):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nltk.sent_tokenize", by_full_stop)
        found = rouge_scorer.RougeScorer(names, stem, True).score(*pair)
        assert same(found, theirs.RougeScorer(names, stem, True).score(*pair))


@settings(max_examples=60)
@given(pairs, two_types, st.booleans())
def test_scores_with_a_tokenizer_of_ones_own_are_those_of_rouge_score(pair, names, split):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nltk.sent_tokenize", by_full_stop)
        found = rouge_scorer.RougeScorer(names, False, split, Letters()).score(*pair)
        assert same(found, theirs.RougeScorer(names, False, split, Letters()).score(*pair))


@settings(max_examples=60)
@given(st.lists(texts, min_size=1, max_size=4), texts)
def test_best_of_several_targets_is_that_of_rouge_score(targets, prediction):
    found = rouge_scorer.RougeScorer(NAMES).score_multi(targets, prediction)
    assert same(found, theirs.RougeScorer(NAMES).score_multi(targets, prediction))


@settings(max_examples=40)
@given(st.lists(pairs, max_size=6), two_types, st.sampled_from([None, Letters()]))
def test_batch_is_a_loop(rows, names, tokenizer):
    scorer = rouge_scorer.RougeScorer(names, tokenizer=tokenizer)
    targets, predictions = [row[0] for row in rows], [row[1] for row in rows]
    found = scorer.score_batch(targets, predictions, workers=2)
    assert found == [scorer.score(*pair) for pair in rows]


@pytest.mark.parametrize("name", ["rougen", "rouge0", "rouge10", "rougeSU4", "rougeW"])
def test_types_that_rouge_score_does_not_know_are_refused_by_score(name):
    for module in (theirs, rouge_scorer):
        scorer = module.RougeScorer(["rouge1", name])
        with pytest.raises(ValueError, match=name):
            scorer.score("a cat", "a cat")


def test_no_types_give_no_scores():
    for module in (theirs, rouge_scorer):
        assert module.RougeScorer([]).score("a cat", "a cat") == {}
    assert rouge_scorer.RougeScorer([]).score_batch(["a"], ["a"]) == [{}]


def test_types_may_change_between_calls():
    scorer = rouge_scorer.RougeScorer(["rouge1"])
    scorer.score("a cat", "a cat")
    scorer.rouge_types = ["rougeL"]
    assert list(scorer.score("a cat", "a cat")) == ["rougeL"]


def test_no_targets_are_refused():
    for module in (theirs, rouge_scorer):
        with pytest.raises(ValueError, match="empty"):
            module.RougeScorer(["rouge1"]).score_multi([], "a cat")


def test_bytes_are_read_as_utf8():
    for module in (theirs, rouge_scorer):
        assert module.RougeScorer(["rouge1"]).score(b"a cat", b"cat")["rouge1"].recall == 0.5


def test_errors_name_the_text():
    scorer = rouge_scorer.RougeScorer(["rouge1"])
    with pytest.raises(TypeError, match=r"prediction is NoneType; pass a str"):
        scorer.score("a cat", None)
    with pytest.raises(TypeError, match=r"targets\[1\] is int"):
        scorer.score_batch(["a", 3], ["a", "b"])
    with pytest.raises(ValueError, match="1 targets but 2 predictions"):
        scorer.score_batch(["a"], ["a", "b"])


class Ready:
    """A tokenizer for what is parted into tokens already."""

    def tokenize(self, text):
        return text


def test_a_tokenizer_of_ones_own_gets_what_was_passed_as_in_rouge_score():
    pairs = [(["the", "cat"], ["the", "dog"]), (b"cat", b"tab"), ((1, 2, 3), (2, 3))]
    ours = rouge_scorer.RougeScorer(["rouge1", "rougeL"], tokenizer=Ready())
    expected = theirs.RougeScorer(["rouge1", "rougeL"], tokenizer=Ready())
    for target, prediction in pairs:
        assert same(ours.score(target, prediction), expected.score(target, prediction))
    targets, predictions = zip(*pairs, strict=True)
    assert ours.score_batch(targets, predictions) == [ours.score(*pair) for pair in pairs]
    for scorer in (ours, expected):
        scorer.rouge_types = ["rougeLsum"]
        with pytest.raises(TypeError, match="list"):
            scorer.score(["a"], ["a"])


def test_intervals_have_the_numbers_of_numpy_as_in_rouge_score():
    for module in (scoring, their_scoring):
        aggregator = module.BootstrapAggregator(n_samples=2)
        aggregator.add_scores({"rouge1": module.Score(0.25, 0.5, 1.0)})
        assert type(aggregator.aggregate()["rouge1"].mid.recall) is np.float64


def test_sentences_are_parted_without_nltks_data_and_a_warning_says_so(monkeypatch):
    def absent(text):
        raise LookupError

    monkeypatch.setattr("nltk.sent_tokenize", absent)
    scorer = rouge_scorer.RougeScorer(["rougeLsum"], split_summaries=True)
    with pytest.warns(RuntimeWarning, match=r"summeval\.text\.sentences"):
        found = scorer.score("First sentence. Second sentence.", "Second sentence. First sentence.")
    assert found["rougeLsum"].fmeasure == 1.0


def test_a_scorer_pickles():
    scorer = rouge_scorer.RougeScorer(["rouge1", "rougeLsum"], use_stemmer=True)
    before = scorer.score("the cats", "a cat")
    assert pickle.loads(pickle.dumps(scorer)).score("the cats", "a cat") == before


@given(texts, st.booleans())
def test_default_tokens_are_those_of_rouge_score(text, stem):
    expected = their_tokenizers.DefaultTokenizer(stem).tokenize(text)
    assert tokenizers.DefaultTokenizer(stem).tokenize(text) == expected


@given(texts)
def test_tokens_that_a_stemmer_spoils_are_dropped_as_in_rouge_score(text):
    class Spoiler:
        def stem(self, word: str) -> str:
            return word[::-1] if word < "n" else f"{word}'"

    assert tokenize.tokenize(text, Spoiler()) == their_tokenize.tokenize(text, Spoiler())


def test_tokenizers_have_to_tokenize():
    with pytest.raises(TypeError, match="abstract"):
        tokenizers.Tokenizer()


@settings(max_examples=30)
@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=12),
    st.floats(0, 1),
    st.integers(1, 1200),
    st.integers(0, 99),
)
def test_intervals_are_those_of_rouge_score_draw_for_draw(values, confidence, samples, seed):
    results = []
    for module in (their_scoring, scoring):
        np.random.seed(seed)
        aggregator = module.BootstrapAggregator(confidence, samples)
        for value in values:
            aggregator.add_scores({"rouge1": module.Score(value, value / 2, 1 - value)})
            aggregator.add_scores({"rougeL": module.Score(0, value, value**2)})
        results.append((aggregator.aggregate(), np.random.rand()))
    (expected, their_next), (found, our_next) = results
    assert our_next == their_next
    assert list(found) == list(expected)
    for name, bounds in expected.items():
        assert found[name]._fields == bounds._fields
        for ours, other in zip(found[name], bounds, strict=True):
            assert isinstance(ours, scoring.Score)
            assert tuple(ours) == pytest.approx(tuple(other), abs=1e-12)


def test_many_scores_are_resampled_in_parts_as_in_one():
    rows = np.random.RandomState(3).rand(2000, 3)
    results = []
    for module in (their_scoring, scoring):
        np.random.seed(5)
        aggregator = module.BootstrapAggregator(n_samples=300)
        for row in rows:
            aggregator.add_scores({"rouge1": module.Score(*row)})
        results.append(np.array(aggregator.aggregate()["rouge1"]))
    np.testing.assert_allclose(results[1], results[0], rtol=0, atol=1e-12)


def test_a_seed_gives_the_same_interval_whatever_else_draws():
    def interval() -> scoring.AggregateScore:
        aggregator = scoring.BootstrapAggregator(seed=7)
        for value in (0.1, 0.5, 0.7):
            aggregator.add_scores({"rouge1": scoring.Score(value, value, value)})
        return aggregator.aggregate()["rouge1"]

    first = interval()
    np.random.rand()
    assert interval() == first


@pytest.mark.parametrize("arguments", [(-0.1,), (1.1,), (0.5, 0)])
def test_intervals_without_sense_are_refused(arguments):
    for module in (their_scoring, scoring):
        with pytest.raises(ValueError, match=r"must be|give"):
            module.BootstrapAggregator(*arguments)


tokens = st.lists(st.integers(0, 3), max_size=7)


@given(tokens, st.lists(tokens, max_size=3), st.lists(tokens, max_size=3))
def test_subsequences_are_those_of_rouge_score(ref, sentences, others):
    ours = rouge_scorer
    for can in sentences:
        table = theirs._lcs_table(ref, can)
        assert ours._lcs_table(ref, can) == table
        assert ours._backtrack_norec(table, ref, can) == theirs._backtrack_norec(table, ref, can)
    assert ours._union_lcs(ref, sentences) == theirs._union_lcs(ref, sentences)
    expected = theirs._summary_level_lcs(sentences, others)
    assert tuple(ours._summary_level_lcs(sentences, others)) == pytest.approx(tuple(expected))


@pytest.mark.parametrize("aggregate", [False, True])
def test_csv_files_are_those_of_rouge_score(tmp_path: Path, aggregate: bool):
    (tmp_path / "a.target").write_text("the cat sat:a dog:x")
    (tmp_path / "a.decode").write_text("the cat:dogs:x")
    (tmp_path / "b.target").write_text("one two three:")
    (tmp_path / "b.decode").write_text("one three:")
    written = []
    for module, scorer, pool in ((their_io, theirs, their_scoring), (io, rouge_scorer, scoring)):
        np.random.seed(1)
        out = tmp_path / "out.csv"
        module.compute_scores_and_write_to_csv(
            f"{tmp_path}/*.target",
            f"{tmp_path}/*.decode",
            str(out),
            scorer.RougeScorer(["rougeL", "rouge1"]),
            pool.BootstrapAggregator() if aggregate else None,
            delimiter=":",
        )
        written.append(out.read_text())
    assert written[0] == written[1]


def test_files_that_do_not_pair_are_refused(tmp_path: Path):
    (tmp_path / "a.target").write_text("a\nb\n")
    (tmp_path / "a.decode").write_text("a\n")
    scorer = rouge_scorer.RougeScorer(["rouge1"])
    for pattern, message in (("*.absent", "0 match"), ("*.decode", "2 records but .* 1")):
        with pytest.raises(ValueError, match=message):
            io.compute_scores_and_write_to_csv(
                f"{tmp_path}/*.target", f"{tmp_path}/{pattern}", f"{tmp_path}/o", scorer, None
            )


MODULES = {"rouge_scorer": rouge_scorer, "scoring": scoring, "tokenize": tokenize}
MODULES |= {"tokenizers": tokenizers, "io": io}


def passing(name: str, ours: bool, data: Path) -> set[str]:
    """The tests of one of rouge-score's test files that pass, with its modules or with ours.

    The package comes without the texts that some of its tests read; `data` holds others.
    """
    from rouge_score import test_util

    module = types.ModuleType(name)
    source = (Path(rouge_score.__file__).parent / f"{name}.py").read_text()
    with pytest.MonkeyPatch.context() as patch:
        for constant, path in vars(test_util).items():
            if constant.isupper() and constant.endswith(("_FILE", "_DIR")):
                patch.setattr(test_util, constant, str(data / Path(path).name))
        patch.setattr("nltk.sent_tokenize", by_full_stop)
        patch.setitem(sys.modules, name, module)
        if ours:
            stand_in = types.ModuleType("rouge_score")
            vars(stand_in).update(MODULES, test_util=test_util)
            patch.setitem(sys.modules, "rouge_score", stand_in)
        exec(compile(source, name, "exec"), vars(module))
        suite = unittest.defaultTestLoader.loadTestsFromModule(module)
        result = unittest.TestResult()
        tests = [test for case in suite for test in case]
        for test in tests:
            test.run(result)
    bad = {test.id() for test, _ in [*result.errors, *result.failures]}
    assert tests
    return {test.id() for test in tests} - bad


@pytest.fixture
def their_data(tmp_path: Path) -> Path:
    """Texts of the names that rouge-score's tests read."""
    two = "the cat sat on the mat\na dog barked at the moon\n"
    (tmp_path / "target.txt").write_text(two)
    (tmp_path / "prediction.txt").write_text(two.replace("cat", "dog"))
    (tmp_path / "delimited.txt").write_text("one:two:three:four:")
    (tmp_path / "target_large.txt").write_text(two * 4)
    (tmp_path / "prediction_large.txt").write_text(two.replace("moon", "sun") * 4)
    return tmp_path


@pytest.mark.parametrize(
    "name", ["rouge_scorer_test", "scoring_test", "tokenize_test", "tokenizers_test", "io_test"]
)
def test_what_passes_of_rouge_scores_own_tests_passes_with_ours(name: str, their_data: Path):
    pytest.importorskip("absl.testing")
    assert (Path(rouge_score.__file__).parent / f"{name}.py").exists()
    expected = passing(name, False, their_data)
    assert expected
    assert passing(name, True, their_data) == expected


def test_summaries_are_not_split_unless_it_is_asked() -> None:
    pair = "The cat sat. The dog ran.", "The dog ran. The cat sat."
    found = rouge_scorer.RougeScorer(["rougeLsum"]).score(*pair)["rougeLsum"]
    assert found == theirs.RougeScorer(["rougeLsum"]).score(*pair)["rougeLsum"]
    assert found.fmeasure == 0.5
