"""Parsing in separate processes gives the same results as parsing here, and clear errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from words_provider import Words

from summeval.annotate import annotate, batch, to_json
from summeval.annotate.files import FileProvider

TEXTS = [f"text number {number}" for number in range(50)]


@pytest.fixture
def parses(tmp_path: Path, monkeypatch) -> Path:
    """A file of parses; with it the smallest texts are worth a process, and a chunk, each."""
    monkeypatch.setattr(batch, "WORTH_CHARACTERS", 1)
    monkeypatch.setattr(batch, "_CHUNK_CHARACTERS", 100)
    path = tmp_path / "parses.jsonl"
    documents = annotate(TEXTS, Words(), cache=False)
    path.write_text("".join(to_json(document) + "\n" for document in documents))
    return path


def test_processes_give_what_one_gives_in_order(parses: Path, monkeypatch) -> None:
    source = FileProvider(str(parses))
    monkeypatch.setattr(FileProvider, "parse", None)  # of no use here
    apart = list(batch.parse(source, TEXTS, workers=2))
    monkeypatch.undo()
    assert apart == list(source.parse(TEXTS))


def test_what_parsing_raises_is_raised_here(parses: Path) -> None:
    with pytest.raises(ValueError, match="no annotation of the text 'absent'; run summeval anno"):
        list(batch.parse(FileProvider(str(parses)), [*TEXTS, "absent"], workers=2))


def test_process_that_dies_is_told_of(parses: Path) -> None:
    source = FileProvider(str(parses))
    documents = batch._parse_apart(["file:/absent.jsonl"], TEXTS, 2)
    with pytest.raises(RuntimeError, match=r"exited with 1: FileNotFoundError.*; use workers=1"):
        next(documents)
    assert len(list(source.parse(TEXTS))) == len(TEXTS)


def test_stopping_early_leaves_no_process(parses: Path, monkeypatch) -> None:
    children = []
    start = batch._Child.__init__

    def remember(self, name) -> None:
        start(self, name)
        children.append(self)

    monkeypatch.setattr(batch._Child, "__init__", remember)
    documents = batch.parse(FileProvider(str(parses)), TEXTS, workers=2)
    next(documents)
    documents.close()
    assert [child._process.poll() is not None for child in children] == [True, True]


def test_few_texts_and_providers_without_a_name_are_parsed_here(monkeypatch) -> None:
    monkeypatch.setattr(batch, "_parse_apart", None)
    words = Words()
    list(batch.parse(words, TEXTS, workers=4))
    monkeypatch.setattr(batch, "WORTH_CHARACTERS", 1)
    list(batch.parse(words, TEXTS, workers=4))
    assert words.asked == TEXTS * 2
