"""References of at most 128 tokens are counted by masks of positions: equal to the general way.

A measure that only the general way has, ROUGE-3, makes the kernel go it for all measures of a call.
"""

import ctypes
import ctypes.util
import mmap
import random
import sys

import numpy as np
import pytest
from definitions import rouge as twin
from hypothesis import given, settings
from hypothesis import strategies as st

from summeval._core.columns import columns
from summeval._core.overlap.rouge import RougeKernel, counts
from summeval._core.text.analyzer import Analyzer
from summeval.metrics.rouge.measures import parse

NAMES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
SHORT = [parse(name) for name in NAMES]
GENERAL = [*SHORT, parse("rouge3")]
EDGES = (0, 1, 2, 3, 62, 63, 64, 65, 66, 126, 127, 128, 129, 130)
WORDS = [
    *"a b c the The runs running Runner caresses x1 2026 don't".split(),
    *("q" * size for size in (15, 16, 17, 31, 32, 33, 48, 200)),
    "Q" * 17,
    "\u00e9t\u00e9",
    "\u6771\u4eac",
    "\U0001f600",
]
BREAKS = (" ", " ", " ", " ", " ", " ", "\n", "\n\n", " , ", ".\n", "-", "")


def both_ways(candidates, references, **options):
    """The counts of the short way and of the general one."""
    analyzer = Analyzer(**options)
    _, short = counts(analyzer, SHORT, candidates, references)
    _, general = counts(analyzer, GENERAL, candidates, references)
    return short, general[:, : len(SHORT)]


def random_text(rng, tokens, types, breaks=BREAKS):
    """A text of about so many tokens, of words of WORDS and of made-up ones."""
    made = []
    for _ in range(tokens):
        draw = rng.random()
        word = rng.choice(WORDS) if draw < 0.2 else f"w{rng.randrange(types)}"
        made += [word, rng.choice(breaks)]
    return "".join(made)


@pytest.mark.parametrize("stemmer", [None, "porter", "rouge155"])
@pytest.mark.parametrize("types", [3, 40, 5000])
def test_random_pairs_have_the_counts_of_the_general_way(types, stemmer):
    rng = random.Random(types)
    candidates, references = [], []
    for _ in range(400):
        size = rng.choice(EDGES) if rng.random() < 0.7 else rng.randrange(140)
        breaks = (" ",) if rng.random() < 0.3 else BREAKS
        reference = random_text(rng, size, types, breaks)
        candidate = random_text(rng, rng.choice((0, 1, 30, 64, 65, 128, 300)), types, breaks)
        candidates.append(reference + candidate if rng.random() < 0.3 else candidate)
        references.append(reference)
    short, general = both_ways(candidates, references, stemmer=stemmer)
    assert short.tobytes() == general.tobytes()


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from(EDGES),
    st.sampled_from([2, 9, 300]),
    st.integers(1, 3),
)
def test_counts_equal_the_twin(seed, size, types, references):
    rng = random.Random(seed)
    texts = [random_text(rng, size, types) for _ in range(references)]
    candidate = random_text(rng, rng.randrange(100), types)
    _, found = counts(Analyzer(), SHORT, [candidate], [texts])
    read = [twin.analyse(text.encode()) for text in (candidate, *texts)]
    expected = [
        [twin.count(reference, read[0], twin.parse_measure(name)) for name in NAMES]
        for reference in read[1:]
    ]
    assert (found == np.array(expected)).all()


def test_sentences_on_lines_of_any_length():
    rng = random.Random(5)
    candidates, references = [], []
    for _ in range(600):
        types = rng.choice((2, 4, 12))
        sides = []
        for _ in range(2):
            sizes = [
                rng.choice((0, 1, 2, 5, 20, 31, 32, 33, 62)) for _ in range(rng.randrange(1, 6))
            ]
            lines = [" ".join(f"w{rng.randrange(types)}" for _ in range(n)) for n in sizes]
            sides.append("\n".join(lines))
        candidates.append(sides[0])
        references.append(sides[1])
    short, general = both_ways(candidates, references)
    assert short.tobytes() == general.tobytes()


def test_long_candidates_and_tokens_at_the_ends_of_windows():
    rng = random.Random(6)
    candidates = []
    for size in (2040, 2047, 2048, 2049, 2063, 2064, 2065, 4095, 4096, 4097, 6200):
        candidates += [
            "x" * size,  # one token
            f"w1 {'y' * size} w2",
            "w1 w2 " * (size // 6),
            ("w3 " * size)[:size] + "w1\nw2",
            random_text(rng, size // 4, 50),
        ]
    reference = "w1 w2 w3 w4\nw1 w2 " + "x" * 300 + " " + "y" * 10
    for stemmer in (None, "porter"):
        short, general = both_ways(candidates, [reference] * len(candidates), stemmer=stemmer)
        assert short.tobytes() == general.tobytes()


def test_more_stems_than_there_are_numbers_for():
    words = [f"w{k}" for k in range(50_000)]
    references = [" ".join(words[k : k + 100]) for k in range(0, len(words), 100)]
    candidates = [" ".join(words[k + 30 : k + 120]) for k in range(0, len(words), 100)]
    candidates[200] = "\n".join(references)
    short, general = both_ways(candidates, references, stemmer="porter")
    assert short.tobytes() == general.tobytes()


def test_references_in_turn_and_several_of_them():
    rng = random.Random(7)
    rows = [
        [random_text(rng, rng.choice(EDGES[:12]), 30) for _ in range(rng.choice((1, 1, 2, 5, 40)))]
        for _ in range(60)
    ]
    rows += rows[:10] + [rows[0]] * 3  # the same as before, at once and later
    candidates = [random_text(rng, 40, 30) for _ in rows]
    short, general = both_ways(candidates, rows)
    assert short.tobytes() == general.tobytes()


def test_a_long_reference_among_short_ones_and_after_them():
    rows = [["w1 w2", "w2 w3 " * 80], ["w1 w2"], ["w1 w3 " * 300], ["w3"]]
    candidates = ["w1 w2 w3"] * len(rows)
    short, general = both_ways(candidates, rows)
    assert short.tobytes() == general.tobytes()


def test_pairs_prepared_texts_batches_and_workers_give_the_same_bits():
    rng = random.Random(8)
    references = [random_text(rng, rng.choice(EDGES), 25) for _ in range(40)]
    candidates = [random_text(rng, 50, 25) for _ in references]
    kernel = RougeKernel(Analyzer(), SHORT, NAMES)
    left, right = (
        columns.texts(candidates, "candidates"),
        columns.references(references, "references"),
    )
    tables = [np.empty((len(NAMES), 3, len(references))) for _ in range(2)]
    for workers, table in zip((1, 3), tables, strict=True):
        kernel.fill_rows(left, right, table, workers)
    assert tables[0].tobytes() == tables[1].tobytes()
    for row, (candidate, reference) in enumerate(zip(candidates, references, strict=True)):
        single = kernel.score_pair(candidate, reference)
        prepared = kernel.prepare(reference).score_pair(candidate)
        for m, name in enumerate(NAMES):
            batch = tables[0][m, :, row].tobytes()
            assert batch == np.array(single[name].values()).tobytes()
            assert batch == np.array(prepared[name].values()).tobytes()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="protects a page of memory")
def test_no_byte_is_read_in_the_page_after_a_text():
    pyarrow = pytest.importorskip("pyarrow")
    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, 2 * page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    libc = ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)
    assert libc.mprotect(ctypes.c_void_p(start + page), page, 0) == 0
    text = b"the cat sat on the mat and the dog ran off " * 8
    whole = pyarrow.foreign_buffer(start, page)
    for size in (1, 2, 15, 16, 17, 63, 64, 65, 128, 200, len(text)):
        memory[page - size : page] = text[-size:]
        offsets = pyarrow.py_buffer(np.array([0, size], dtype=np.int32))
        column = pyarrow.StringArray.from_buffers(1, offsets, whole.slice(page - size))
        short, general = both_ways(column, column)
        assert short.tobytes() == general.tobytes()
        assert short[0, 0, 0] == len(text[-size:].split())
