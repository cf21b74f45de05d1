"""`summeval background` counts a corpus, and SIMetrix takes the file that it writes."""

from __future__ import annotations

import gzip
import json
from math import log
from pathlib import Path
from typing import Any

import pytest

from summeval import Simetrix
from summeval.cli.main import main
from summeval.text.background import Background

TEXTS = ["The bridges closed.", "A bridge opened; the bridge held.", "Nothing (else) happened."]


def write(path: Path, content: str | bytes) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def count(tmp_path: Path, *arguments: str) -> dict[str, Any]:
    """What the command writes."""
    out = tmp_path / "background.json"
    assert main(["background", *arguments, "-o", str(out)]) == 0
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def rows(*sources: Any, column: str = "source") -> str:
    return "".join(json.dumps({"id": n, column: text}) + "\n" for n, text in enumerate(sources))


def test_words_and_stems_are_counted_by_document(tmp_path: Path) -> None:
    found = count(tmp_path, *(write(tmp_path / f"{n}.txt", t) for n, t in enumerate(TEXTS)))
    assert found["documents"] == 3
    assert found["counts"] == {
        "bridge": 2, "bridges": 1, "closed": 1, "happened": 1, "held": 1, "opened": 1
    }  # fmt: skip
    assert found["documents_with"]["bridge"] == 1
    assert found["documents_with_stem"]["bridg"] == 2


def test_directory_jsonl_and_gzip_give_the_same_counts(tmp_path: Path) -> None:
    expected = count(tmp_path, *(write(tmp_path / f"{n}.txt", t) for n, t in enumerate(TEXTS)))
    folder = tmp_path / "corpus"
    write(folder / "a.txt", TEXTS[0])
    write(folder / "deep" / "rows.jsonl.gz", gzip.compress(rows(TEXTS[1:], None).encode()))
    write(folder / ".hidden", "hidden words")
    assert count(tmp_path, str(folder)) == expected
    texts = write(tmp_path / "texts.jsonl", rows(*TEXTS, column="candidate"))
    assert count(tmp_path, texts, "--column", "candidate") == expected


def test_repeated_documents_count_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "rows.jsonl", rows(TEXTS[0], TEXTS[0], TEXTS))
    assert count(tmp_path, path)["documents"] == 3
    assert "2 duplicate documents were skipped" in capsys.readouterr().out


def test_stop_words_can_stay_or_be_others(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", TEXTS[0])
    assert "the" in count(tmp_path, path, "--stopwords", "none")["counts"]
    own = write(tmp_path / "words", "closed\n")
    assert sorted(count(tmp_path, path, "--stopwords", own)["counts"]) == ["bridges", "the"]


def test_simetrix_takes_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", rows(*TEXTS))
    found = count(tmp_path, path)
    file = tmp_path / "background.json"
    idf = {word: log(3 / n) for word, n in found["documents_with_stem"].items()}
    by_hand = Simetrix(background=found["counts"], idf=(idf, 3))
    assert Simetrix(background=file, idf=str(file)).signature == by_hand.signature
    plain = {word: log(3 / n) for word, n in found["documents_with"].items()}
    by_hand = Simetrix(background=found["counts"], idf=(plain, 3), stemmer=None)
    assert Simetrix(background=file, idf=file, stemmer=None).signature == by_hand.signature


def test_simetrix_takes_the_files_of_the_program(tmp_path: Path) -> None:
    background = write(tmp_path / "bg.txt", "bridge 2\nbridges 1\n\n")
    idf = write(tmp_path / "idf.txt", "100\nbridg 3.2189\n")
    by_hand = Simetrix(background={"bridge": 2, "bridges": 1}, idf=({"bridg": 3.2189}, 100.0))
    assert Simetrix(background=background, idf=idf).signature == by_hand.signature


BAD_COMMANDS = {
    "absent": (["nowhere.txt"], "nowhere.txt: no such file or directory"),
    "no words": (["blank.txt"], "blank.txt: holds no words"),
    "no column": (
        ["rows.jsonl", "--column", "text"],
        "rows.jsonl:1 (id 0): no 'text' (there is 'id', 'source'); name the column with --column\n",
    ),
    "latin": (["latin.txt"], "latin.txt: not UTF-8 at byte 3"),
    "empty": (["empty"], "empty: the directory holds no files"),
    "itself": (["background.json"], "FILE is part of CORPUS"),
}


@pytest.mark.parametrize(("corpus", "message"), BAD_COMMANDS.values(), ids=BAD_COMMANDS)
def test_corpus_that_cannot_be_used_is_named(
    corpus: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "blank.txt", "the ... of\n")
    write(tmp_path / "rows.jsonl", rows("a text"))
    write(tmp_path / "latin.txt", "caf\xe9".encode("latin-1"))
    write(tmp_path / "background.json", "kept")
    (tmp_path / "empty").mkdir()
    assert main(["background", *corpus, "-o", "background.json"]) in (1, 2)
    assert message in capsys.readouterr().err
    assert (tmp_path / "background.json").read_text() == "kept"


def changed(**fields: Any) -> str:
    background = Background()
    background.add(TEXTS[0])
    content = json.loads(background.to_json()) | fields
    return json.dumps({key: value for key, value in content.items() if value is not None})


BAD_FILES = {
    "cut off": ('{"format": ', "not JSON"),
    "other": ('{"a": 1}', "not a file of summeval background"),
    "version": (changed(version=2), "version 2 of the format"),
    "field": (changed(counts=None), "no 'counts'"),
    "count": (changed(counts={"a": 0.5}), r"counts\['a'\] is 0.5"),
    "true": (changed(counts={"a": True}), r"counts\['a'\] is True"),
    "documents": (changed(documents=0), "documents is 0"),
    "too many": (changed(documents_with={"a": 2}), "documents_with counts more than 1 documents"),
    "table": (changed(documents_with=[1]), "documents_with is list"),
    "line": ("bridge two\n", ":1: 'bridge' is 'two'; give a number"),
    "words": ("bridge 2\nthe old bridge 1\n", ":2: 'the old bridge 1' is not a word and a number"),
}


@pytest.mark.parametrize(("content", "message"), BAD_FILES.values(), ids=BAD_FILES)
def test_file_that_cannot_be_used_is_named(content: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path / "bg.json", content)
    with pytest.raises(ValueError, match=f"bg.json.*{message}"):
        Simetrix(background=path)


def test_idf_file_without_a_number_of_documents_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"idf.txt:1: the number of documents is 'bridg 3'"):
        Simetrix(idf=write(tmp_path / "idf.txt", "bridg 3\n"))


def test_missing_file_of_an_option_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["score", "-", "-m", "simetrix", "--option", f"simetrix.background={tmp_path}/none"]
    assert main(given) == 1
    assert "none: no such file or directory" in capsys.readouterr().err
