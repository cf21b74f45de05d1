"""A batch of few rows, which one call of the kernel scores, has the numbers of any other way."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

import summeval

NAMES = ["rouge1", "rougeL", "rougeW"]
CANDIDATES = ["the cat sat", None, "", "a dog\nran far", "the cat"]
REFERENCES = ["the cat", "a dog", ["the cat", None], ["a dog ran", "far off"], None]


def ways(candidates, references):
    """Tables of the same rows by the shortest way and by others."""
    suite = summeval.suite(NAMES)
    nested = [[r] if isinstance(r, str) else r for r in references]
    yield suite.score_batch(candidates, references)
    yield suite.score_batch(tuple(candidates), tuple(references), workers=3)
    yield suite.score_batch(candidates, references, on_error="skip")
    yield suite.score_batch(candidates, references, progress=lambda done, rows: None)
    yield suite.score_batch(pa.array(candidates), pa.array(nested))
    yield suite.score_batch(pa.array(candidates).dictionary_encode(), pa.array(nested))


@pytest.mark.parametrize("rows", [slice(0, 0), slice(0, 1), slice(1, 2), slice(None)])
def test_all_ways_give_the_same_table(rows):
    tables = list(ways(CANDIDATES[rows], REFERENCES[rows]))
    first = tables[0]
    assert first.rows == len(CANDIDATES[rows])
    assert first.errors == {}
    for table in tables[1:]:
        assert table.columns == first.columns
        assert table == first
        assert type(table) is type(first)
    for column in first.values():
        assert column.shape == (first.rows,)
        assert column.dtype == np.float64
        with pytest.raises(ValueError, match="read-only"):
            column[:] = 0


def test_many_rows_are_those_of_few():
    candidates, references = CANDIDATES * 2000, REFERENCES * 2000
    many = summeval.score_batch(candidates, references, NAMES)
    few = summeval.score_batch(CANDIDATES, REFERENCES, NAMES)
    for name, column in few.items():
        np.testing.assert_array_equal(many[name], np.tile(column, 2000))


def test_few_rows_warn_as_many_do():
    with pytest.warns(summeval.ScoreWarning, match="drops most of the text in 1 of 2 rows"):
        summeval.score_batch(["the cat", "кошка"], ["the cat", "the cat"], NAMES)


def test_few_rows_are_refused_as_many_are():
    long = "a b c d " * 20_000
    for arguments, message in [
        ((["a"], ["a", "b"]), "1 candidates but 2 rows of references"),
        ((["a", 5], ["a", "b"]), r"candidates\[1\] is int"),
        ((["a"], [["a", 5]]), r"references\[0\]\[1\] is int"),
        ((["a", long], ["a", long]), "row 1: the texts are too long for rougeW"),
    ]:
        with pytest.raises((TypeError, ValueError), match=message):
            summeval.score_batch(*arguments, NAMES)


# The most address space so far, before and after batches of little and of much text.
ROOM = """
import re, sys, summeval

def room():
    return int(re.search(r"VmPeak:\\s*(\\d+)", open("/proc/self/status").read())[1]) >> 10

suite = summeval.suite(sys.argv[1:])
for rows, words in ((8, 5), (600, 30)):
    texts = [f"a dog {i} ran " * words for i in range(rows)]
    references = [text + "far" for text in texts]
    prepared = suite.prepare(references[0], source=references[0])
    tables = [suite.score_batch(texts, references, sources=references)]
    before = room()
    for workers in (2, 4):
        tables.append(suite.score_batch(texts, references, sources=references, workers=workers))
        prepared.score_batch(texts, workers=workers)
    print(room() - before)
    assert tables[0] == tables[1] == tables[2]
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads the address space in /proc")
@pytest.mark.parametrize("names", [NAMES, ["tesla-e"], ["autosummeng"], ["support"]])
def test_threads_are_started_for_much_text_only(names):
    """Each thread reserves a stack of the size that the limit names: here one that is seen."""
    shell = ["/bin/sh", "-c", 'ulimit -s 1048576 && exec "$@"', "sh"]
    command = [*shell, sys.executable, "-c", ROOM, *names]
    child = subprocess.run(command, capture_output=True, text=True, check=False)
    assert child.returncode == 0, child.stderr
    little, much = map(int, child.stdout.split())
    assert little < 1024 <= much
