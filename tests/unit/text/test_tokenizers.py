"""Tokenizers by name: where their models are looked for."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from summeval.text.tokenizers import tokenizer_of


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("flores101", "sacrebleu_tokenizer_spm.model"),
        ("flores200", "flores200sacrebleuspm"),
        ("spBLEU-1K", "spbleu-1k_tokenizer_spm.model"),
    ],
)
def test_a_model_of_pieces_is_where_sacrebleu_puts_it(
    name: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files are those that sacrebleu 2.6.0 names."""

    class Processor:
        """Stands for SentencePiece: its pieces are the words, behind the name of its file."""

        def __init__(self, model_file: str) -> None:
            self.file = model_file

        def encode(self, text: str, out_type: type) -> list[str]:
            return [self.file, *map(out_type, text.split())]

    library = SimpleNamespace(SentencePieceProcessor=Processor)
    monkeypatch.setitem(sys.modules, "sentencepiece", library)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    path = tmp_path / ".sacrebleu" / "models" / file
    with pytest.raises(ValueError, match=r"no model of SentencePiece at .*; pass tokenizer_model="):
        tokenizer_of(name)
    path.parent.mkdir(parents=True)
    path.touch()
    assert list(tokenizer_of(name)("two words ")) == [str(path), "two", "words"]
    elsewhere = tmp_path / "given"
    elsewhere.touch()
    assert next(iter(tokenizer_of(name, elsewhere)("a"))) == str(elsewhere)
