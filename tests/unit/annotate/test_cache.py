"""The cache of annotations: what it returns, shares, removes and survives."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import pytest
from words_provider import Words

from summeval.annotate import Cache, Document, Entity, Sentence, Token, annotate, cache_folder

YES = Document(
    (Sentence((Token("Yes", "UH", "yes", -1, "root", 0, 3),), "(S (UH Yes))"),),
    (Entity("PER", 0, 0),),
    "Yes",
    "hand:1",
)


def test_documents_come_back_as_they_were(tmp_path: Path) -> None:
    Cache(tmp_path).store([YES])
    assert Cache(tmp_path).find("hand:1", ["No", "Yes"]) == {"Yes": YES}


def test_other_providers_have_documents_of_their_own(tmp_path: Path) -> None:
    Cache(tmp_path).store([YES])
    assert Cache(tmp_path).find("hand:2", ["Yes"]) == {}


def test_a_text_is_parsed_once_for_all_calls(tmp_path: Path) -> None:
    words = Words()
    first = annotate(["a b", "c"], words, cache=tmp_path)
    assert annotate(["c", "d", "a b"], words, cache=str(tmp_path))[::2] == first[::-1]
    assert words.asked == ["a b", "c", "d"]


def test_without_a_cache_nothing_is_written(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("SUMMEVAL_CACHE", str(tmp_path / "cache"))
    words = Words()
    annotate(["a"], words, cache=False)
    annotate(["a"], words, cache=False)
    assert words.asked == ["a", "a"]
    assert not (tmp_path / "cache").exists()


def test_many_texts_are_found_at_once(tmp_path: Path) -> None:
    texts = [f"text {number}" for number in range(1200)]
    words = Words()
    annotate(texts, words, cache=tmp_path)
    annotate(texts, words, cache=tmp_path)
    assert words.asked == texts


def test_folder_is_told_by_the_environment(monkeypatch) -> None:
    monkeypatch.setenv("SUMMEVAL_CACHE", "/a")
    assert cache_folder() == Path("/a")
    monkeypatch.delenv("SUMMEVAL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/b")
    assert cache_folder() == Path("/b/summeval")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/c")
    if os.name == "posix":
        assert cache_folder() == Path("/home/c/.cache/summeval")


def test_clear_forgets_everything(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.clear()
    cache.store([YES])
    cache.clear()
    assert cache.find("hand:1", ["Yes"]) == {}


def test_oldest_documents_go_when_the_cache_is_full(tmp_path: Path) -> None:
    cache = Cache(tmp_path, most_bytes=200_000)
    texts = [f"{number} {os.urandom(2000).hex()}" for number in range(150)]
    for text in texts:
        cache.store([Document((Sentence((Token(text),)),), (), text, "hand:1")])
    kept = [text for text in texts if cache.find("hand:1", [text])]
    assert 0 < len(kept) < len(texts)
    assert kept == texts[-len(kept) :]


@pytest.mark.parametrize("damage", [b"\0\0", b"x\x9c", None])
def test_damaged_document_is_parsed_again(tmp_path: Path, damage: bytes | None) -> None:
    words = Words()
    annotate(["a"], words, cache=Cache(tmp_path))
    with sqlite3.connect(tmp_path / "annotations.sqlite") as base:
        base.execute("UPDATE documents SET data = ?", (damage or b"",))
    base.close()
    annotate(["a"], words, cache=Cache(tmp_path))
    annotate(["a"], words, cache=Cache(tmp_path))
    assert words.asked == ["a", "a"]


@pytest.mark.parametrize("kind", ["no data base", "cut off", "pages mixed up"])
def test_a_damaged_file_is_replaced_and_told_of_once(tmp_path: Path, kind: str) -> None:
    path, words = tmp_path / "annotations.sqlite", Words()
    made = Cache(tmp_path)
    for text in (os.urandom(3000).hex() for _ in range(50)):
        made.store([Document((Sentence((Token(text),)),), (), text, "hand:1")])
    made.close()
    whole = path.read_bytes()
    damaged = {
        "no data base": b"no data base " * 1000,
        "cut off": whole[:20_000],
        "pages mixed up": whole[:8192] + whole[8192:][::-1],
    }[kind]
    for name in os.listdir(tmp_path):
        (tmp_path / name).unlink()
    path.write_bytes(damaged)
    with pytest.warns(RuntimeWarning, match="annotations.sqlite: was damaged, so a new cache is"):
        (document,) = annotate(["a"], words, cache=Cache(tmp_path))
    assert document.text == "a"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        annotate(["a"], words, cache=Cache(tmp_path))
    assert words.asked == ["a"]
    assert (tmp_path / "annotations.sqlite.damaged").read_bytes() == damaged


def test_folder_that_cannot_be_made_is_told_of_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    words = Words()
    with pytest.warns(RuntimeWarning, match="continuing without the cache"):
        annotate(["a"], words, cache=tmp_path / "file" / "cache")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        annotate(["b"], words, cache=tmp_path / "file" / "cache")
    assert words.asked == ["a", "b"]


WRITER = """
import sys
import threading
from summeval.annotate import Cache, Document
cache = Cache(sys.argv[1])
for number in range(40):
    cache.store([Document(text=f"{sys.argv[2]} {number}", provider="hand:1")])
"""


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    running = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", WRITER, str(tmp_path), name], env=environment
        )
        for name in "ab"
    ]
    assert [process.wait() for process in running] == [0, 0]
    texts = [f"{name} {number}" for name in "ab" for number in range(40)]
    assert len(Cache(tmp_path).find("hand:1", texts)) == 80


def test_a_file_that_another_process_is_making_is_waited_for(tmp_path: Path) -> None:
    """SQLite waits for other locks by itself, but not where two processes want the mode changed."""
    other = sqlite3.connect(tmp_path / "annotations.sqlite", check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    other.execute("CREATE TABLE of_another (number)")
    release = threading.Timer(0.2, other.commit)
    release.start()
    cache = Cache(tmp_path)
    cache.store([YES])
    release.join()
    other.close()
    assert cache.find("hand:1", ["Yes"]) == {"Yes": YES}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_opens_the_file_again(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.store([YES])
    before = cache._base
    cache._process -= 1  # as it is on the other side of a fork
    assert cache.find("hand:1", ["Yes"]) == {"Yes": YES}
    assert cache._base is not before


def test_size_is_told_by_the_environment(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("SUMMEVAL_CACHE_BYTES", "12345")
    assert Cache(tmp_path).most_bytes == 12345
    assert Cache(tmp_path, 5).most_bytes == 5
    monkeypatch.setenv("SUMMEVAL_CACHE_BYTES", "1 GB")
    with pytest.raises(ValueError, match="SUMMEVAL_CACHE_BYTES is '1 GB'; give a whole number"):
        Cache(tmp_path)
    monkeypatch.delenv("SUMMEVAL_CACHE_BYTES")
    assert Cache(tmp_path).most_bytes == 1 << 30


FILLER = """
import sys
from summeval.annotate import Cache, Document, Sentence, Token
cache = Cache(sys.argv[1])
for number in range(60):
    texts = [f"{sys.argv[2]} {number} {k} {'x' * 2000}" for k in range(4)]
    cache.store([Document((Sentence((Token(text),)),), (), text, "hand:1") for text in texts])
    found = cache.find("hand:1", [*texts, f"a {number - 20} 0 {'x' * 2000}"])
    assert all(document.sentences[0].tokens[0].form == text for text, document in found.items())
print(len(found))
"""


def test_old_documents_go_while_other_processes_read_and_write(tmp_path: Path) -> None:
    most = 300_000
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "SUMMEVAL_CACHE_BYTES": str(most),
    }
    running = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", FILLER, str(tmp_path), name],
            env=environment,
            stdout=subprocess.PIPE,
        )
        for name in "ab"
    ]
    said = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert all(int(last) >= 4 for last in said)
    with sqlite3.connect(tmp_path / "annotations.sqlite") as base:
        (stored,) = base.execute("SELECT sum(length(data)) FROM documents").fetchone()
    base.close()
    assert 0 < stored <= most


def test_what_cannot_be_packed_is_not_stored(tmp_path: Path) -> None:
    cycle = Document((Sentence((Token("a", head=1), Token("b", head=0))),), (), "a b", "hand:1")
    cache = Cache(tmp_path)
    cache.store([cycle, YES])
    assert cache.find("hand:1", ["a b", "Yes"]) == {"Yes": YES}


def test_a_changed_byte_is_noticed(tmp_path: Path) -> None:
    Cache(tmp_path).store([YES])
    with sqlite3.connect(tmp_path / "annotations.sqlite") as base:
        (data,) = base.execute("SELECT data FROM documents").fetchone()
        base.execute("UPDATE documents SET data = ?", (data.replace(b"Yes", b"Yet", 1),))
    base.close()
    assert Cache(tmp_path).find("hand:1", ["Yes"]) == {}


CACHED = """
import sys
import summeval
summeval.score_batch(["Yes it is."], ["Yes it is."], metrics=sys.argv[1].split(","))
print(sorted({"spacy", "scipy"} & set(sys.modules)))
"""


def test_no_parser_is_loaded_where_every_parse_is_cached(tmp_path: Path) -> None:
    annotate(["Yes it is."], cache=tmp_path)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment["SUMMEVAL_CACHE"] = str(tmp_path)
    command = [sys.executable, "-c", CACHED, "bewte,be,dicomer,readability"]
    assert subprocess.check_output(command, env=environment) == b"[]\n"
