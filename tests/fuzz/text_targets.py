"""Unusual texts, tokens, stems and Arrow columns."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from arrow_c import Node
from definitions import dominance
from definitions import fragments as fragments_twin_of
from definitions import ngram_graph as graph_twin
from definitions import rouge as rouge_twin
from definitions import support as support_twin_of
from definitions.columns import json_row
from definitions.field import diversity as diversity_twin
from definitions.field import lexical as lexical_twin
from definitions.field.uax29 import of_uax29
from definitions.text import features as text_features_twin
from definitions.text import stemmer as stemmer_twin
from definitions.text import tokens as tokens_twin
from json_rows import odd_line
from metric_cases import NEEDED
from registered import OF_ONE_KERNEL
from targets import target

import summeval
from summeval._core.columns import columns
from summeval._core.field.lexical import measures as lexical_measures
from summeval._core.lines.json_lines import JsonLines, is_utf8
from summeval._core.overlap.rouge import counts
from summeval._core.readability.text_features import NAMES, TextFeatures
from summeval._core.text import stemmer, unicode
from summeval._core.text.analyzer import Analyzer
from summeval.io.rows import finite
from summeval.metrics.rouge.measures import parse
from summeval.metrics.run.runner import has_words
from summeval.metrics.support import function_words, numbers, turning_stems
from summeval.text import sentences
from summeval.text.sentence_splitter import known_words

FEW = ["a", "b", "the", "The", "x1", "don't", "été", "-", "U.S.", "running", "cats", "of", "in"]
# ASCII, Latin, combining marks, right to left, Han, private use, pictures, the last plane
PLACES = [
    *((0, 0x7F), (0x80, 0x2FF), (0x300, 0x36F), (0x590, 0x6FF), (0x4E00, 0x4E40)),
    *((0xE000, 0xFFFD), (0x1F600, 0x1F640), (0x10FF00, 0x10FFFF)),
]
GAPS = [" ", " ", " ", " ", "\n", "\n\n", "\t", "\r\n", "", "\x00", "\u2028", "\xa0"]
SUFFIXES = ["s", "sses", "ies", "ied", "ed", "ing", "ational", "izer", "fulness", "ement", "y", "e"]
BOUNDARIES = [1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1023, 1025]


def a_word(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.75:
        return rng.choice(FEW)
    if kind < 0.85:
        return rng.choice("abcxyz") * rng.choice(BOUNDARIES[:15])
    if kind < 0.9:
        return rng.choice(["run", "happ", "nation", "x"]) + rng.choice(SUFFIXES)
    first, last = rng.choice(PLACES)
    return "".join(chr(rng.randint(first, last)) for _ in range(rng.randint(1, 8)))


def a_text(rng: random.Random, longest: int = 40) -> str:
    kind = rng.random()
    if kind < 0.04:
        return rng.choice(["", " ", "\n", "\x00", ".", "-", "\u200b", "\ufeff"])
    size = rng.choice(BOUNDARIES[:-2]) if kind < 0.1 else rng.randint(1, longest)
    few = FEW[: rng.randint(1, len(FEW))]
    words = (rng.choice(few) if kind < 0.7 else a_word(rng) for _ in range(size))
    return "".join(word + rng.choice(GAPS) for word in words)


def some_rows(rng: random.Random, rows: int, most: int = 4) -> tuple[list[Any], list[list[Any]]]:
    """Candidates and lists of references, with None among them, and texts that come again."""
    pool = [a_text(rng) for _ in range(rows)]
    pick = lambda: None if rng.random() < 0.04 else rng.choice(pool)  # noqa: E731
    return [pick() for _ in range(rows)], [
        [pick() for _ in range(rng.randint(0, most))] for _ in range(rows)
    ]


def same(found: Any, expected: Any) -> bool:
    """Whether two arrays are equal to the bit."""
    return np.asarray(found).tobytes() == np.asarray(expected).tobytes()


def check_table(rng: random.Random, metrics: Sequence[Any], rows: int, source: bool = False) -> int:
    """Batch, threads, single calls and prepared texts agree; None alone gives NaN.

    Returns how many inputs that were. The scores of metrics beside references lie from 0 to 1, but
    for errors and counts, which have no end.
    """
    candidates, others = some_rows(rng, rows)
    suite = summeval.suite(metrics)
    endless = {
        f"{one.name}.{field}" for one in metrics for field in one.lower_is_better | one.unbounded
    }
    name = "sources" if source else "references"
    given: dict[str, Any] = {name: others}
    given.setdefault("references", None)
    table = suite.score_batch(candidates, given.pop("references"), **given)
    again = suite.score_batch(candidates, **({"references": None} | {name: others}), workers=3)
    for column in table.columns:
        assert same(table[column], again[column]), column
        if not source:
            missing = [
                candidate is None or not any(text is not None for text in texts)
                for candidate, texts in zip(candidates, others, strict=True)
            ]
            assert (np.isnan(table[column]) == missing).all(), column
            known = table[column][~np.isnan(table[column])]
            assert (known >= 0).all(), column
            assert column in endless or (known <= 1 + 1e-12).all(), column
        assert not np.isinf(table[column]).any(), column
    for row in rng.sample(range(rows), 3):
        one = {"source" if source else "references": others[row]}
        single = suite.score(candidates[row], **one)
        prepared = suite.prepare(**one).score(candidates[row])
        for metric in suite.metrics:
            numbers = [table[f"{metric.name}.{field}"][row] for field in metric.fields]
            for score in (single[metric.name], prepared[metric.name]):
                assert same(numbers, [score[field] for field in metric.fields]), metric.name
    return rows


@target
def kernel_metrics(rng: random.Random) -> int:
    """A metric with its defaults, of those that one kernel computes."""
    name = rng.choice(OF_ONE_KERNEL)
    metric = summeval.metric(name, **NEEDED.get(name, {}))
    return check_table(rng, [metric], 40, source=metric.compared_with == "source")


@target
def rouge(rng: random.Random) -> int:
    names = rng.sample(
        ["rouge1", "rouge2", "rouge9", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4",
         "rougeS*", "rougeSU*", "rougeSU0"], rng.randint(1, 4))  # fmt: skip
    options = {
        "tokenizer": rng.choice(["rouge155", "unicode"]),
        "stemmer": rng.choice([None, "rouge155", "porter", "porter-java"]),
        "stopwords": rng.choice([False, True, ["a", "the"]]),
        "max_words": rng.choice([0, 0, 1, 7]),
        "max_bytes": rng.choice([0, 0, 1, 64]),
        "aggregate": rng.choice(["max", "average", "best"]),
        "jackknife": rng.random() < 0.3,
        "alpha": rng.choice([0.0, 0.5, 1.0, 0.3]),
    }
    if options["max_words"]:
        options["max_bytes"] = 0
    return check_table(rng, [summeval.metric(name, **options) for name in names], 100)


@target
def rouge_twin_counts(rng: random.Random) -> int:
    names = ["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW-1.2", "rougeS4", "rougeSU*"]
    for _ in range(10):
        candidate, reference = a_text(rng, 15), a_text(rng, 15)
        limit = rng.choice(
            [{}, {"max_words": rng.randint(1, 20)}, {"max_bytes": rng.randint(1, 60)}]
        )
        measures = [parse(name) for name in names]
        _, found = counts(Analyzer(**limit), measures, [candidate], [[reference]])
        read = [rouge_twin.analyse(text.encode(), **limit) for text in (candidate, reference)]
        for m, name in enumerate(names):
            wanted = rouge_twin.count(read[1], read[0], rouge_twin.parse_measure(name))
            assert np.allclose(found[0][m], wanted, rtol=1e-12, atol=0), (
                name,
                candidate,
                reference,
            )
    return 10


@target
def short_rouge(rng: random.Random) -> int:
    """The counts for short references are those of the general way, which ROUGE-3 asks for."""
    names = rng.sample(["rouge1", "rouge2", "rougeL", "rougeLsum"], rng.randint(1, 4))
    measures = [parse(name) for name in names]
    words = [f"w{k}" for k in range(rng.choice([1, 3, 20, 300]))]
    sizes = [0, 1, 31, 63, 64, 65, 127, 128, 129]
    texts = []
    for _ in range(rng.randint(2, 4)):
        text = a_text(rng, 15) if rng.random() < 0.5 else ""
        texts.append(text + rng.choice(" \n").join(rng.choices(words, k=rng.choice(sizes))))
    analyzer = Analyzer(stemmer=rng.choice([None, "rouge155", "porter"]))
    _, short = counts(analyzer, measures, texts[:1], [texts[1:]])
    _, general = counts(analyzer, [*measures, parse("rouge3")], texts[:1], [texts[1:]])
    assert short.tobytes() == general[:, : len(measures)].tobytes(), (names, texts)
    return len(texts) - 1


@target
def rouge_tables(rng: random.Random) -> int:
    """The measures whose kernels keep tables of types or rows of a table, to the last bit."""
    names = ["rougeW-1.2", "rougeW-0.5", "rougeW-2", "rougeS*", "rougeSU*"]
    types = rng.choice([1, 2, 5, 15, 16, 17, 65])
    words = [f"w{k}" for k in range(2 * types)]
    reference = [rng.choice(words[:types]) for _ in range(rng.choice([0, 1, 15, 16, 17, 64, 65]))]
    candidate = []
    for word in reference + rng.choices(words, k=rng.randint(0, 30)):
        candidate += rng.choice([[word]] * 5 + [[], [word] * 2, rng.choices(words, k=3)])
    lines = rng.choice([0, 0, 0.1])
    texts = [
        "".join(word + ("\n" if rng.random() < lines else " ") for word in side)
        for side in (candidate, reference)
    ]
    _, found = counts(Analyzer(), [parse(name) for name in names], texts[:1], [texts[1:]])
    read = [rouge_twin.analyse(text.encode()) for text in texts]
    for m, name in enumerate(names):
        wanted = rouge_twin.count(read[1], read[0], rouge_twin.parse_measure(name))
        assert found[0][m].tolist() == list(wanted), (name, texts)
    return 1


@target
def queen(rng: random.Random) -> int:
    """Batch, threads, single calls and prepared references agree, and so does the definition."""
    names = ["rouge1", "rouge2.recall", "rougeSU4", "tesla-s", "memog", "qarla-vector"]
    triples = rng.choice(["pairs", "distinct", "all"])
    metric = summeval.metric("queen", metrics=rng.sample(names, rng.randint(1, 3)), triples=triples)
    pool = [a_text(rng, 12) for _ in range(9)]
    sets = [rng.choices(pool, k=rng.randint(3, 5)) for _ in range(3)]
    others = [rng.choice(sets) for _ in range(20)]
    candidates = [None if rng.random() < 0.1 else rng.choice(pool) for _ in others]
    found = metric.score_batch(candidates, others)["queen"]
    assert same(found, metric.score_batch(candidates, others, workers=3)["queen"])
    for candidate, references, value in zip(candidates, others, found, strict=True):
        assert same(value, metric.score(candidate, references).value)
        assert same(value, metric.prepare(references).score(candidate).value)
        assert np.isnan(value) == (candidate is None)
        if candidate is not None and has_words(candidate):
            x = metric.parts.of_all([*references, candidate]).tolist()  # type: ignore[attr-defined]
            count = len(references)
            assert value == float(dominance.queen(x, count, range(count), triples))
    return len(candidates)


@target
def tesla(rng: random.Random) -> int:
    metrics = [
        summeval.TeslaS(
            gap=rng.choice([0, 1, 4, 100]),
            aggregate=rng.choice(["max", "max-per-bag", "average"]),
            tokenizer=rng.choice(["rouge155", "unicode"]),
            recall_weight=rng.choice([0.0, 0.5, 0.8, 1.0]),
        )
    ]
    return check_table(rng, metrics, 60)


@target
def divergence(rng: random.Random) -> int:
    metric = summeval.Simetrix(
        gamma=rng.choice([0.0005, 0.005, 1.0]),
        stopwords=rng.choice([True, False]),
        topic_cutoff=rng.choice([0.0, 10.0]),
        background=rng.choice([None, {"a": 3, "the": 100, "running": 1}]),
    )
    return check_table(rng, [metric], 60, source=True)


@target
def support(rng: random.Random) -> int:
    return check_table(rng, [summeval.Support(sentences="newline")], 60, source=True)


@target
def extractiveness(rng: random.Random) -> int:
    metrics = [summeval.Extractiveness(), summeval.Extractiveness(stemmer="porter", label="x")]
    return check_table(rng, metrics, 60, source=True)


@target
def fragments_twin(rng: random.Random) -> int:
    """The fields are those of the definition, for texts that repeat themselves, too."""
    metric = summeval.Extractiveness()
    for _ in range(10):
        few = rng.choice([2, 3, 8])
        size = rng.choice([5, 40, 120])
        own, *source = (
            " ".join(rng.choice(FEW[:few]) for _ in range(rng.randint(0, size))) for _ in range(3)
        )
        wanted = fragments_twin_of.extractiveness(
            tokens_twin.unicode(own), [tokens_twin.unicode(text) for text in source]
        )
        assert np.array_equal([*metric.score(own, source=source)], wanted, equal_nan=True), (
            own,
            source,
        )
    return 10


@target
def support_twin(rng: random.Random) -> int:
    """The fields and the probability of each word are those of the definition."""
    pieces = [
        *FEW,
        *"A. Mr. U.S. . ... ! ”. '' 1,000 21st two 2.5 n't isn’t 東 runner".split(),
    ]
    metric = summeval.Support()
    for _ in range(10):
        texts = [
            "".join(rng.choice(pieces) + rng.choice(GAPS[:8]) for _ in range(rng.randint(0, 30)))
            for _ in range(3)
        ]
        own, *source = (
            [support_twin_of.words(s, function_words(), numbers()) for s in sentences(text)]
            for text in texts
        )
        found = metric.score(texts[0], source=texts[1:])
        turning = {stem.decode() for stem in turning_stems()}
        wanted = support_twin_of.support(own, source, turning)
        assert np.allclose([*found][:5], wanted, rtol=1e-12, atol=1e-14), texts
        told = [item for item in metric.explain(texts[0], source=texts[1:]).items if item.details]
        probabilities = support_twin_of.probabilities(own, support_twin_of.Source(source, turning))
        logs = [math.log(z) for z, _ in probabilities]
        assert np.allclose([item.details["log_z"] for item in told], logs, rtol=1e-12), texts
    return 10


@target
def uax29_twin(rng: random.Random) -> int:
    """The words of UAX 29 are those of the definition, and ROUGE counts them in one case."""
    marks = [*"'\".,:;_ \n\r1٣שaカ漢ไ🇩👍ℹ", "\u200d", "\u0301", "\u00ad", *FEW[:2]]
    rouge = summeval.Rouge(tokenizer="uax29")
    for _ in range(20):
        text = "".join(rng.choice(marks) for _ in range(rng.randint(0, 30)))
        found = summeval.text.tokens(text, "uax29")
        assert found == of_uax29(text), text
        assert rouge.score(text, text).value == float(bool(found)), text
    return 20


@target
def text_features(rng: random.Random) -> int:
    """What `readability` counts is what its definition counts, for any table of words."""
    pairs = [[rng.uniform(-3, 3) for _ in range(6)] for _ in range(6)]
    words = {word: (rng.randrange(6), rng.random() < 0.5, rng.random() < 0.3) for word in FEW[:4]}
    suffixes = [(rng.choice(["s", "ing", "é", "at"]), rng.randrange(6)) for _ in range(3)]
    kernel = TextFeatures(
        {word.encode(): traits for word, traits in words.items()},
        [(end.encode(), number) for end, number in suffixes],
        np.array(pairs),
        tuple({word.encode() for word in known} for known in known_words()),
    )
    texts = [a_text(rng) for _ in range(20)]
    found = kernel.rows(columns.texts(texts, "texts"), rng.randint(1, 3))
    for text, row in zip(texts, found, strict=True):
        lines = "\n".join(sentences(text))
        wanted = text_features_twin.features(lines, words, suffixes, pairs)
        assert np.allclose(row, [wanted[name] for name in NAMES], rtol=1e-12, atol=1e-12), text
    return 20


@target
def ngram_graphs(rng: random.Random) -> int:
    least = rng.randint(1, 5)
    shape = {"min_n": least, "max_n": least + rng.randint(0, 3), "window": rng.choice([1, 3, 9])}
    compat = rng.choice([None, "npower-1"])
    texts = ["".join(rng.choice("ab é中\n😀") for _ in range(rng.randint(0, 25))) for _ in range(4)]
    references = texts[1 : rng.randint(2, 4)]
    wanted = graph_twin.score(texts[0], references, released=compat is not None, **shape)
    for metric, value in (
        (summeval.AutoSummENG, wanted.autosummeng.value),
        (summeval.MeMoG, wanted.memog.value),
        (summeval.NPowER, wanted.npower),
    ):
        found = metric(**shape, compat=compat).score(texts[0], references)
        assert math.isclose(found.value, value, rel_tol=1e-9, abs_tol=1e-12), (shape, texts)
    metrics = [summeval.AutoSummENG(**shape), summeval.MeMoG(**shape)]
    candidates, others = some_rows(rng, 30)
    suite = summeval.suite(metrics)
    table = suite.score_batch(candidates, others)
    again = suite.score_batch(candidates, others, workers=3)
    assert all(same(table[column], again[column]) for column in table.columns)
    assert not any(np.isinf(table[column]).any() for column in table.columns)
    return 31


@target
def stems(rng: random.Random) -> int:
    twins = {
        "rouge155": stemmer_twin.rouge155_rules,
        "porter": stemmer_twin.porter,
        "porter-java": stemmer_twin.porter_java,
    }
    kind = rng.choice(list(twins))
    words = [
        "".join(rng.choice("abeilostwxyzé1\x00") for _ in range(rng.choice([0, 1, 2, 3, 5, 9, 40])))
        + "".join(rng.choice(SUFFIXES) for _ in range(rng.randint(0, 3)))
        for _ in range(100)
    ]
    found = stemmer.stem_all(kind, [word.encode() for word in words])
    assert [stem.decode() for stem in found] == [twins[kind](word) for word in words]
    return 100


@target
def unicode_tokens(rng: random.Random) -> int:
    for _ in range(40):
        text = a_text(rng)
        assert [token.decode() for token in unicode.tokens(text.encode())] == tokens_twin.unicode(
            text
        )
    return 40


def packed(rng: random.Random, kind: str, count: int) -> bytes:
    """Numbers that grow, for the most part, with wrong ones among them."""
    numbers, at = [], 0
    for _ in range(count):
        numbers.append(at)
        at = min(at + rng.randint(0, 3), 100)
    for _ in range(rng.choice([0, 0, 1, 2])):
        if numbers:
            wrong = [-1, 0, 1, 2, 5, np.iinfo(kind).min, np.iinfo(kind).max]
            numbers[rng.randrange(len(numbers))] = rng.choice(wrong)
    return np.array(numbers, dtype=kind).tobytes()


def a_column(rng: random.Random, depth: int = 0) -> tuple[Node, int]:
    """An Arrow array by hand and its length.

    What no consumer can check is right: buffers are as long as the numbers in them ask for.
    """
    length = rng.randint(0, 6)
    kind = rng.choice("u U vu list dictionary runs struct odd".split() if depth < 3 else ["u", "U"])
    bitmap = rng.choice([None, bytes(rng.randrange(256) for _ in range(8))])
    offset = rng.choice([0, 0, 0, 1])
    data = "".join(rng.choice("ab é中") for _ in range(400)).encode()[:400]
    if kind in ("u", "U"):
        small = np.sort(np.array([rng.randint(0, 60) for _ in range(length + 2)]))
        if rng.random() < 0.3:
            rng.shuffle(small)
        if rng.random() < 0.2:
            small[rng.randrange(len(small))] = -rng.randint(1, 2**20)
        offsets = small.astype("i4" if kind == "u" else "i8").tobytes()
        node = Node(kind.encode(), length, [bitmap, offsets, data], offset=offset)
    elif kind == "vu":
        entries = b""
        for _ in range(length + 1):
            size = rng.choice([0, 3, 12, 13, 20, 500, -1])
            place = [rng.choice([0, 0, 1, -1]), rng.choice([0, 5, 395, 2**30, -4])]
            entries += np.array([size], "i4").tobytes() + data[:4] + np.array(place, "i4").tobytes()
        sizes = np.array([len(data)], "i8").tobytes()
        node = Node(b"vu", length, [bitmap, entries, data, sizes], offset=offset)
    else:
        child, _ = a_column(rng, depth + 1)
        node = _holder(rng, kind, length, child, bitmap)
    if rng.random() < 0.05:
        node.array.null_count = rng.choice([-1, 1, 10**12])
    if rng.random() < 0.03:
        node.array.length = rng.choice([-1, -(2**62)])
    if rng.random() < 0.03:
        node.array.offset = rng.choice([-1, 2**62])
    if rng.random() < 0.03:
        node.array.n_buffers = rng.choice([-1, 0, 1])
    if rng.random() < 0.02:
        node.schema.format = rng.choice([b"", b"z", b"+", b"+w:9", b"n", b"i", b"\xff"])
    return node, length


def _holder(rng: random.Random, kind: str, length: int, child: Node, bitmap: Any) -> Node:
    if kind == "list":
        return Node(b"+l", length, [bitmap, packed(rng, "i4", length + 1)], [child])
    if kind == "dictionary":
        return Node(b"c", length, [bitmap, packed(rng, "i1", length)], dictionary=child)
    if kind == "runs":
        ends = Node(b"i", length, [None, packed(rng, "i4", length)])
        return Node(b"+r", rng.randint(0, 9), [], [ends, child])
    if kind == "struct":
        return Node(b"+s", length, [bitmap], [child])
    return Node(
        rng.choice([b"i", b"g", b"z", b"+m", b"+ud:0"]), length, [bitmap, bytes(64)], [child]
    )


@target
def arrow_capsules(rng: random.Random) -> int:
    for _ in range(40):
        node, _ = a_column(rng)
        read = rng.choice([columns.texts, columns.references])
        try:
            column = read(node, "candidates")
            rows = column.to_list()
        except (ValueError, TypeError) as error:
            assert str(error) and "\n" not in str(error)
            continue
        assert len(rows) == len(column)
        summeval.metric("rouge1").score_batch(["a b"] * len(column), column_of(rows))
    import arrow_c

    arrow_c.KEPT.clear()
    return 40


def column_of(rows: list[Any]) -> list[Any]:
    """Rows as they were read, each a list of texts."""
    return [row if isinstance(row, list) else [row] for row in rows]


@target
def wrong_types(rng: random.Random) -> int:
    """The face refuses what is no text in one line, and never takes it for a text."""
    odd = ["\ud800", "a\udfff", b"bytes", 3, 2.5, float("nan"), object(), {"a": 1}, [["a"]], True]
    for _ in range(20):
        candidates: list[Any] = [a_text(rng) for _ in range(4)]
        references: list[Any] = [[a_text(rng)] for _ in range(4)]
        where = rng.choice([candidates, references, references[rng.randrange(4)]])
        where[rng.randrange(len(where))] = rng.choice(odd)
        try:
            summeval.score_batch(candidates, references, ["rouge1", "tesla-s", "autosummeng"])
        except (TypeError, ValueError) as error:
            assert "\n" not in str(error)
        else:
            raise AssertionError((candidates, references))
    return 20


@target
def json_lines(rng: random.Random) -> int:
    """Lines that are odd, or damaged anywhere: what is taken is what the json module reads."""
    lines = [odd_line(rng).encode() for _ in range(20)]
    for number in range(0, 20, 4):
        line = bytearray(lines[number])
        for _ in range(rng.randint(1, 3)):
            place = rng.randint(0, len(line))
            line[place : place + 1] = rng.randbytes(rng.randint(0, 2))
        lines[number] = bytes(line).replace(b"\n", b"")
    for line in filter(is_utf8, lines):
        rows = JsonLines(b"candidate", [b"references"], b"source", True, False, False)
        at, _ = rows.take(line, 0)
        assert at in (0, len(line))
        if len(rows):
            carried, *texts = json_row(line.decode()) or ("",)
            assert rows.objects().decode() == f"[{carried}]"
            sides = (rows.candidates(), rows.references(), rows.sources())
            assert texts == [side.to_list()[0] for side in sides]
        lenient = JsonLines(b"candidate", [b"references"], b"source", True, False, False)
        assert lenient.take(line, 0, True)[0] >= at
        assert len(lenient) == len(rows) + len(lenient.beyond())
        for _, found in lenient.beyond():
            assert found == line
            row = finite(json.loads(line, parse_constant=lambda _: None))
            carried, *texts = json_row(json.dumps(row)) or ("",)
            assert lenient.objects().decode() == f"[{carried}]"
            assert texts == [
                side.to_list()[0]
                for side in (lenient.candidates(), lenient.references(), lenient.sources())
            ]
    return len(lines)


@target
def diversity(rng: random.Random) -> int:
    """The fields of groups, and of their texts, are those of the definition."""
    groups = [[a_text(rng, 12) for _ in range(rng.randint(0, 6))] for _ in range(4)]
    metric = summeval.metric("diversity", near=rng.random(), compression=False)
    table = np.asarray(metric.score_batch(groups, workers=rng.choice([1, 2])))
    for row, group in enumerate(groups):
        read = [text.split() for text in group]
        each = diversity_twin.of_texts(group, read, metric.near)
        assert np.allclose(
            table[row], diversity_twin.of_group(group, read, each), atol=1e-12, equal_nan=True
        ), group
    return len(groups)


@target
def lexical_diversity(rng: random.Random) -> int:
    window = rng.randint(1, 60)
    words = [a_word(rng) for _ in range(rng.randint(0, 150))]
    found = lexical_measures(words, window)
    wanted = lexical_twin.measures(words, window)
    assert np.allclose(found, wanted, atol=1e-12, equal_nan=True), (words, window)
    texts = [a_text(rng, 20) for _ in range(20)]
    for name in ("lexical-diversity", "reading-ease"):
        metric = summeval.metric(name)
        table = np.asarray(metric.score_batch(texts, workers=rng.choice([1, 2])))
        singles = [[*metric.score(text)] for text in texts]
        assert np.array_equal(table, singles, equal_nan=True), (name, texts)
        assert not np.isinf(table).any(), (name, texts)
    return len(texts)
