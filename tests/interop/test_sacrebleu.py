"""The drop-in gives what sacrebleu gives, and passes its own tests but those of its data sets."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from ecosystem import ecosystem
from shared import ROOT

from summeval.interop import sacrebleu as ours
from summeval.interop.sacrebleu import significance

PASSED = 130  # of sacrebleu 2.6.0's own tests
# Of data sets, which are sacrebleu's own affair.
OTHERS = ("test_api.py", "test_dataset.py")
STAND_IN = """\
import importlib, sys
names = ("", ".compat", ".metrics", ".significance", ".tokenizers", ".tokenizers.tokenizer_ter")
for name in names:
    module = importlib.import_module("summeval.interop.sacrebleu" + name)
    sys.modules["sacrebleu" + name] = module
"""
WORDS = (
    "The cat sat on the mat , it's 3.5 % (net) & Ströme  fließen 市政府 宣布 \u200b co-op U.S. ..."
).split(" ")


def corpus(seed: int, rows: int = 12, streams: int = 2) -> tuple[list[str], list[list[str | None]]]:
    """Texts, and streams of references of which some are missing."""
    random = Random(seed)

    def text() -> str:
        return " ".join(random.choices(WORDS, k=random.choice((0, 1, 3, 8, 15))))

    own = [text() for _ in range(rows)]
    lists: list[list[str | None]] = [[text() for _ in own] for _ in range(streams)]
    for stream in lists[1:]:
        stream[:] = [None if random.random() < 0.1 * seed else one for one in stream]
    return own, lists


def same(score: Any, expected: Any) -> None:
    """Check all attributes and forms of a score."""
    numbers = vars(score) | {"_mean": 0, "_ci": 0}
    wanted = vars(expected) | {"_mean": 0, "_ci": 0}
    assert set(numbers) == set(wanted)
    for name, value in wanted.items():
        if isinstance(value, str):
            assert numbers[name] == value
        else:
            assert numbers[name] == pytest.approx(value, rel=1e-12, abs=1e-12), name
    # The resamples of the original are sums of float32.
    assert (score._mean, score._ci) == pytest.approx((expected._mean, expected._ci), rel=1e-6)
    assert str(score) == str(expected)
    for width in (1, 4) if expected._mean < 0 else (1,):
        for form in ({}, {"score_only": True}, {"is_json": True}):
            told = {"width": width, "signature": "a:b|tok:13a"} | form
            assert score.format(**told) == expected.format(**told)


BLEU = [
    {},
    {"lowercase": True, "tokenize": "intl", "effective_order": True},
    {"smooth_method": "floor", "tokenize": "zh"},
    {"smooth_method": "floor", "smooth_value": 0.0, "trg_lang": "zh"},
    {"smooth_method": "add-k", "max_ngram_order": 2, "tokenize": "char"},
    {"smooth_method": "add-k", "smooth_value": 0.5, "effective_order": True},
    {"smooth_method": "none", "tokenize": "none", "max_ngram_order": 6},
]
CHRF = [
    {},
    {"word_order": 2},
    {"char_order": 3, "beta": 1, "lowercase": True},
    {"eps_smoothing": True, "whitespace": True, "word_order": 1},
]
TER: list[dict[str, Any]] = [
    {},
    {"normalized": True, "case_sensitive": True},
    {"no_punct": True},
    {"normalized": True, "no_punct": True, "asian_support": True},
]
SETTINGS = [
    (name, options)
    for name, all_options in (("BLEU", BLEU), ("CHRF", CHRF), ("TER", TER))
    for options in all_options
]


@pytest.mark.parametrize(("name", "options"), SETTINGS)
def test_classes_give_the_scores_and_signatures_of_sacrebleu(
    name: str, options: dict[str, Any]
) -> None:
    theirs = ecosystem("sacrebleu")
    metric, expected = getattr(ours, name)(**options), getattr(theirs, name)(**options)
    for seed in range(6):
        own, streams = corpus(seed, streams=1 + seed % 3)
        for samples in (1, 30):
            found = metric.corpus_score(own, streams, n_bootstrap=samples)
            same(found, expected.corpus_score(own, streams, n_bootstrap=samples))
            for short in (False, True):
                told = metric.get_signature().format(short)
                assert told == expected.get_signature().format(short)
        kept = [getattr(module, name)(**options, references=streams) for module in (ours, theirs)]
        same(*(one.corpus_score(own, None) for one in kept))
        for row, text in enumerate(own):
            references = [stream[row] for stream in streams]
            wanted = expected.sentence_score(text, references)
            same(metric.sentence_score(text, references), wanted)


def test_functions_give_the_scores_of_sacrebleu() -> None:
    theirs = ecosystem("sacrebleu")
    own, streams = corpus(1)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("corpus_bleu", {}),
        ("corpus_bleu", {"smooth_method": "floor", "lowercase": True, "use_effective_order": True}),
        ("raw_corpus_bleu", {}),
        ("corpus_chrf", {}),
        ("corpus_ter", {}),
        ("corpus_ter", {"normalized": True, "no_punct": True}),
        ("corpus_chrf", {"word_order": 2, "remove_whitespace": False, "eps_smoothing": True}),
    ]
    for name, options in calls:
        same(*(getattr(one, name)(own, streams, **options) for one in (ours, theirs)))
    for name, options in calls:
        if name != "raw_corpus_bleu":
            sentence = name.replace("corpus", "sentence")
            same(
                *(getattr(one, sentence)(own[3], ["The cat"], **options) for one in (ours, theirs))
            )


@pytest.mark.parametrize("test", ["bs", "ar"])
def test_paired_tests_have_the_p_values_of_sacrebleu(
    test: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = ecosystem("sacrebleu")
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    own, streams = corpus(2, 30)
    systems = [("base", own), ("new", [f"{text} cat" for text in own]), ("best", streams[0])]
    results = []
    for module, pairs in ((ours, significance), (theirs, ecosystem("sacrebleu.significance"))):
        metrics = {"BLEU": module.BLEU(), "CHRF": module.CHRF(), "TER": module.TER()}
        paired = pairs.PairedTest(systems, metrics, streams, test, 200, n_ar_confidence=50)
        results.append(paired())
    (signatures, found), (expected, wanted) = results
    assert list(map(str, signatures.values())) == list(map(str, expected.values()))
    assert found.keys() == wanted.keys()
    assert found.pop("System") == wanted.pop("System")
    for name, column in wanted.items():
        for one, other in zip(found[name], column, strict=True):
            assert (one.score, one.p_value) == (pytest.approx(other.score), other.p_value)
            if test == "bs":  # the intervals of "ar" take what the test left of the draws
                assert (one.mean, one.ci) == pytest.approx((other.mean, other.ci), rel=1e-6)


@pytest.mark.parametrize("word", ["7", "None"])
def test_a_paired_test_signs_its_seed(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", word)
    own, streams = corpus(2, 4)
    paired = significance.PairedTest([("base", own)], {"BLEU": ours.BLEU()}, streams, "bs", 20)
    signatures, _ = paired()
    assert f"|bs:20|seed:{word.lower()}|" in str(signatures["BLEU"])


def test_counts_of_sums_are_smoothed_from_the_second_order() -> None:
    made = ours.BLEU.compute_bleu([3, 2, 1, 0], [4, 3, 2, 1], 4, 5, smooth_method="add-k")
    assert (made.counts, made.totals) == ([3, 3, 2, 1], [4, 4, 3, 2])
    none = ours.BLEU.compute_bleu([0, 0, 0, 0], [4, 3, 2, 1], 4, 5, smooth_method="add-k")
    assert (none.counts, none.totals) == ([0, 0, 0, 0], [4, 3, 2, 1])
    plain = ours.BLEU.compute_bleu([3, 2, 1, 0], [4, 3, 2, 1], 4, 5)
    assert (plain.counts, plain.totals) == ([3, 2, 1, 0], [4, 3, 2, 1])


@pytest.mark.parametrize(
    ("texts", "references", "message"),
    [
        ("a cat", [["a cat"]], "hypotheses is a str"),
        (["a cat"], ["a cat"], "a str where a stream is meant"),
        (["a", "b"], [["a"], ["b"]], "2 texts, but the streams of references have 1"),
        (["a", "b"], [["a", "b"], ["a"]], "have 1 and 2 texts"),
        (["a"], [[None]], "row 0 has no reference"),
        (["a"], [], "no stream"),
        ([None], [["a"]], r"hypotheses\[0\] is NoneType"),
        (["a"], None, "there are no references"),
    ],
)
def test_what_sacrebleu_would_score_in_silence_is_refused(
    texts: Any, references: Any, message: str
) -> None:
    with pytest.raises((TypeError, ValueError, RuntimeError), match=message):
        ours.BLEU().corpus_score(texts, references)


def test_bad_arguments_are_named() -> None:
    for call, message in (
        (lambda: ours.sentence_chrf("a", "a"), "references is a str"),
        (lambda: ours.sentence_bleu(["a"], ["a"]), "hypothesis is list"),
        (lambda: ours.BLEU(tokenize="words"), "choose from none, zh, 13a"),
        (lambda: ours.BLEU(smooth_method="sum"), "smoothing"),
        (lambda: ours.CHRF().get_signature(), "score first"),
        (lambda: significance.PairedTest([], {}, None, "t"), "test_type is 't'"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            call()


def test_sacrebleus_own_tests_pass(tmp_path: Path) -> None:
    """`make test-interop` fetches them."""
    found = sorted((ROOT / ".venv-interop" / "sdist").glob("sacrebleu-*.tar.gz"))
    if not found and "sacrebleu" not in os.environ.get("SUMMEVAL_NO_SKIP", ""):
        pytest.skip("sacrebleu's own tests are not there; make test-interop fetches them")
    with tarfile.open(found[-1]) as archive:
        archive.extractall(tmp_path, filter="data")
    (top,) = tmp_path.iterdir()
    shutil.rmtree(top / "sacrebleu")  # theirs
    (top / "test" / "conftest.py").write_text(STAND_IN)
    command = [sys.executable, "-m", "pytest", "-q", "-o", "addopts=", "test"]
    command += [f"--ignore=test/{name}" for name in OTHERS]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        command, cwd=top, env=environment, capture_output=True, text=True, check=False
    )
    assert re.search(rf"^{PASSED} passed", done.stdout, re.MULTILINE), done.stdout[-2000:]
