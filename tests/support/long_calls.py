"""Calls that would take minutes or hours, one for each kernel, to be interrupted.

    python tests/support/long_calls.py NAME WORKERS

interrupts one after three signals of another kind, whose handler does not raise, and then checks
that a short call gives what it gave before. It ends with status 130, or never.

Each entry of CALLS takes a number of workers, prepares, and returns the long call and a short one
through the same objects.
"""

from __future__ import annotations

import random
import signal
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from metric_cases import NEEDED
from registered import OF_ONE_KERNEL

import summeval
from summeval.metrics.run.explain.items import ExplainedItem

Call = Callable[[], Any]
CANDIDATE, REFERENCE = "the cat sat on the mat .\nit was warm", "a cat sat on a mat .\nwarm it was"


def words(count: int, types: int, line: int = 0, seed: int = 1) -> str:
    """A text of so many tokens, of so many types, with so many on a line (0: all)."""
    chance = random.Random(seed)
    tokens = [f"w{number}" for number in chance.choices(range(types), k=count)]
    step = line or count
    return "\n".join(" ".join(tokens[at : at + step]) for at in range(0, count, step))


def pair(name: str, count: int, types: int, line: int = 0) -> Callable[[int], tuple[Call, Call]]:
    """One pair of texts by the metric of that name."""

    def make(workers: int) -> tuple[Call, Call]:
        metric = summeval.metric(name)
        left, right = words(count, types, line), words(count, types, line, seed=2)
        return lambda: metric.score(left, right), lambda: metric.score(CANDIDATE, REFERENCE)

    return make


def rows(
    metric: Any, size: int, types: int, count: int, seed: int = 1
) -> Callable[[int], tuple[Call, Call]]:
    """Many rows of one text; two of them never have the same references, or sources."""

    def make(workers: int) -> tuple[Call, Call]:
        made = metric() if callable(metric) else summeval.metric(metric, **NEEDED.get(metric, {}))
        text, other = words(size, types), words(size, types, seed=seed)
        side = "sources" if made.compared_with == "source" else "references"

        def call() -> Any:
            right = {side: [other, other + " "] * (count // 2)}
            return made.score_batch([text] * count, **right, workers=workers)

        def short() -> Any:
            right = {side: [REFERENCE] * 2}
            table = made.score_batch([CANDIDATE, REFERENCE], **right, workers=workers)
            return np.asarray(table).tolist()

        return call, short

    return make


def prepared(workers: int) -> tuple[Call, Call]:
    metric = summeval.metric("rougeL")
    ready = metric.prepare(words(3_000_000, 1000))
    left = words(3_000_000, 1000, seed=2)
    return lambda: ready.score(left), lambda: ready.score(CANDIDATE)


def many_references(workers: int) -> tuple[Call, Call]:
    """Of which each takes a moment."""
    metric, text = summeval.metric("rouge1"), words(20_000, 1000)
    return lambda: metric.score(text, ["w1 w2"] * 10**6), lambda: metric.score(CANDIDATE, REFERENCE)


def unicode() -> Any:
    return summeval.Rouge("rouge1", tokenizer="unicode")


def stemmed() -> Any:
    return summeval.Rouge("rouge1", stemmer="porter")


def any_gap() -> Any:
    return summeval.TeslaS(gap=None)


def simetrix() -> Any:
    return summeval.Simetrix(background={"w1": 3}, idf=({"w1": 1.0}, 10))


def support_explained(workers: int) -> tuple[Call, Call]:
    metric = summeval.Support()
    text = words(1_000_000, 1)
    return (
        lambda: metric.explain(text, source=text),
        lambda: str(metric.explain(CANDIDATE, source=REFERENCE)),
    )


def one(counts: Any) -> list[tuple[int, float]]:
    """The first reference counts."""
    return [(0, 1.0)]


def explained(metric: Any, count: int, types: int, *how: Any) -> Callable[[int], tuple[Call, Call]]:
    """The items of one pair, as the kernel of a metric tells them `how`, many times."""

    def make(workers: int) -> tuple[Call, Call]:
        kernel = metric().runner()._kernel
        texts = words(count, types), words(count, types, seed=2)

        def short() -> Any:
            return kernel.items((CANDIDATE, REFERENCE), *how).make(ExplainedItem)

        return lambda: [kernel.items(texts, *how) for _ in range(1000)], short

    return make


def readability(workers: int) -> tuple[Call, Call]:
    metric = summeval.metric("readability")
    text = words(200_000, 5_000, 20)
    texts = [f"{text} {number}" for number in range(40)]

    def call() -> Any:
        while True:
            metric.score_batch(texts, workers=workers)

    return call, lambda: str(metric.score(CANDIDATE))


def products(count: int) -> Any:
    """Weights for which a search for paths goes a long way."""
    return np.multiply.outer(np.arange(1.0, count + 1), np.arange(1.0, count + 1))


def assignment_sparse(workers: int) -> tuple[Call, Call]:
    from summeval._core.matching.assignment import assign_batch

    def problems(size: int, count: int) -> list[Any]:
        edges = size * size
        place = np.tile(np.arange(edges), count)
        return [
            np.arange(count + 1) * edges,
            place // size,
            place % size,
            np.tile(products(size).ravel(), count),
            np.full((count, 2), size),
        ]

    long, short = problems(1200, 4), problems(8, 4)
    return (
        lambda: [assign_batch(*long, workers) for _ in range(1000)],
        lambda: [array.tolist() for array in assign_batch(*short, workers)],
    )


def assignment_dense(workers: int) -> tuple[Call, Call]:
    from summeval._core.matching.assignment import assign_dense
    from summeval.solvers import AssignmentResult
    from summeval.solvers.weights import Weights

    def solve(matrix: Any) -> Any:
        return assign_dense(matrix, AssignmentResult, Weights)

    long, short = products(6000), products(8)
    return lambda: solve(long), lambda: [solve(short).columns.tolist(), solve(short).value]


def transport(workers: int) -> tuple[Call, Call]:
    from summeval._core.matching.transport import transport_batch

    def problem(size: int, count: int) -> list[Any]:
        chance = np.random.default_rng(0)
        ends = np.arange(count + 1)
        return [
            ends * size * size,
            None,
            None,
            chance.random(count * size * size),
            chance.random(count * size),
            chance.random(count * size),
            np.full((count, 2), size),
            ends * size,
            ends * size,
        ]

    long, short = problem(2500, 16 if workers > 1 else 6), problem(8, 2)
    return (
        lambda: transport_batch(*long, workers),
        lambda: [array.tolist() for array in transport_batch(*short, workers)],
    )


def transport_dense(workers: int) -> tuple[Call, Call]:
    from summeval._core.matching.transport import transport_dense

    def problem(size: int) -> list[Any]:
        chance = np.random.default_rng(0)
        left, right = chance.random((2, size, 1)), chance.random((2, 1, size))
        return [*chance.random((2, size)), 2 - np.hypot(*(left - right))]

    long, short = problem(5000), problem(16)
    return (
        lambda: transport_dense(*long),
        lambda: [array.tolist() for array in (transport_dense(*short) or ())[1:]],
    )


def expansion(workers: int) -> tuple[Call, Call]:
    from summeval.elements.transformations import Matching, read_coefficients

    lexicon = Matching(read_coefficients({})).new_lexicon()

    def elements(count: int) -> Any:
        names = [f"{first} {last}" for first in ("John", "Mary") for last in range(count)]
        return lexicon.read(
            [SimpleNamespace(rule="r1", parts=((name, "Person"),)) for name in names]
        )

    long, short = elements(2000), elements(3)
    return (
        lambda: lexicon.match([long] * 1000, [[long]] * 1000, workers),
        lambda: str(lexicon.match([short], [[short]], workers)),
    )


def recalls(workers: int) -> tuple[Call, Call]:
    """The same elements as they are matched and assigned without leaving the core."""
    from summeval.elements.transformations import Matching, read_coefficients

    lexicon = Matching(read_coefficients({})).new_lexicon()

    def elements(count: int) -> Any:
        return lexicon.read(
            [SimpleNamespace(rule="r1", parts=((f"w{k % 7} w{k}", "NN"),)) for k in range(count)]
        )

    long, short = elements(20_000), elements(3)
    return (
        lambda: lexicon.recalls([long] * 1000, [[long] * 30] * 1000, "root", True, workers),
        lambda: lexicon.recalls([short], [[short, short]], "root", True, workers),
    )


def extraction(workers: int) -> tuple[Call, Call]:
    """Verbs with thousands of prepositions that have thousands of objects each."""
    from summeval.annotate.document import Document, Sentence, Token, packed
    from summeval.elements.dependencies import kernel_rules

    def block(size: int) -> bytes:
        tokens = [Token("went", "VBD", "", -1, "root")]
        tokens += [Token("to", "IN", "", 0, "prep")] * size
        tokens += [Token("Rome", "NNP", "", 1 + k % size, "pobj") for k in range(size)]
        return packed(Document((Sentence(tuple(tokens)),)))

    long, short = block(20_000), block(2)
    kernel = kernel_rules()
    return (
        lambda: kernel.extract([long] * 20_000, [""] * 20_000, "auto", workers),
        lambda: [
            found and found.rows() for found in kernel.extract([short], [""], "auto", workers)
        ],
    )


def trees(workers: int) -> tuple[Call, Call]:
    """Quotation marks after each of which a title is looked for in vain."""
    from summeval.elements.trees import Tree, kernel_of_trees, tree_rules

    def flat(size: int) -> Tree:
        tokens = range(1, 2 * size + 1)
        parents = [-1, *(0 for _ in tokens)]
        return Tree(["NP", *["NP", "``"] * size], parents, tokens, ["dogs", "``"] * size)

    long, short = flat(200_000), flat(2)
    kernel = kernel_of_trees(tree_rules())
    return (
        lambda: kernel.extract_trees([long], [], [0] * len(long.tokens)),
        lambda: kernel.extract_trees([short], [], [0] * len(short.tokens)).rows(),
    )


def bootstrap(workers: int) -> tuple[Call, Call]:
    from summeval._core.overlap.bootstrap import resample_sums

    long, short = np.random.default_rng(0).random((100_000, 4)), np.ones((5, 2))
    return (
        lambda: resample_sums(long, 1_000_000, workers),
        lambda: resample_sums(short, 10, workers).tolist(),
    )


def tables(systems: int, topics: int, draws: int) -> tuple[Any, ...]:
    chance = np.random.default_rng(0)
    x, y, z = chance.random((3, systems, topics))
    return x, y, z, *(chance.integers(0, 2, (draws, size)) for size in (systems, topics))


def resampled(coefficient: str) -> Callable[[int], tuple[Call, Call]]:
    def make(workers: int) -> tuple[Call, Call]:
        from summeval._core.agreement.resampling import resampled

        def run(systems: int, topics: int, draws: int) -> Any:
            x, y, _, u, v = tables(systems, topics, draws)
            return lambda: resampled(x, y, u, v, "global", coefficient).tolist()

        return run(300, 300, 10_000), run(5, 4, 9)

    return make


def one_correlation(workers: int) -> tuple[Call, Call]:
    """A draw of so many cells takes longer than a moment by itself."""
    from summeval._core.agreement.resampling import resampled

    def run(systems: int, topics: int, draws: int) -> Any:
        x, y, _, u, v = tables(systems, topics, draws)
        return lambda: resampled(x, y, u, v, "global", "kendall").tolist()

    return run(2000, 2000, 1000), run(5, 4, 9)


def topics(workers: int) -> tuple[Call, Call]:
    """So many that none of them takes a moment by itself."""
    from summeval._core.agreement.resampling import by_topic

    def run(topics: int) -> Any:
        x, y, *_ = tables(2, topics, 0)
        return lambda: by_topic(x, y, "kendall").tolist()

    return run(4_000_000), run(5)


def accuracy(workers: int) -> tuple[Call, Call]:
    def run(systems: int) -> Any:
        from summeval.meta import pairwise_accuracy

        x, y, *_ = tables(systems, 1, 0)
        return lambda: pairwise_accuracy(x, y)

    return run(30_000), run(5)


def permuted(workers: int) -> tuple[Call, Call]:
    from summeval._core.agreement.resampling import permuted

    def run(systems: int, topics: int, draws: int) -> Any:
        x, y, z, u, v = tables(systems, topics, draws)
        some, others = u.astype(np.uint8), v.astype(np.uint8)
        return lambda: permuted(x, y, z, some, others, "global", "spearman").tolist()

    return run(300, 300, 10_000), run(5, 4, 9)


def dominance(kind: str) -> Callable[[int], tuple[Call, Call]]:
    def make(workers: int) -> tuple[Call, Call]:
        from summeval._core.agreement import dominance

        def run(metrics: int, texts: int, models: int) -> Any:
            x = np.random.default_rng(0).random((metrics, texts, texts))
            x[:, :models, :models] *= 0.1  # nothing is pruned
            if kind == "king":
                options: tuple[Any, ...] = ("pairs", True, True, workers)
                return lambda: dominance.king_counts(x, models, *options).tolist()
            options = ("one_sided", "pairs", True, workers)
            return lambda: dominance.jack_counts(x, models, *options).tolist()

        return run(22, 100, 20), run(3, 9, 4)

    return make


def roles(workers: int) -> tuple[Call, Call]:
    from summeval._core.discourse import roles

    def run(sentences: int, documents: int) -> Any:
        chance = random.Random(1)
        document = tuple(
            tuple((f"w{chance.randrange(20 * sentences)}", "NN") for _ in range(20))
            for _ in range(sentences)
        )
        columns = roles.number_words([document] * documents, {"NN"})
        tokens = 20 * sentences
        spans = np.tile(np.array([[0], [tokens]], dtype=np.int32), (1, documents))
        return lambda: [
            array.tolist()
            for array in roles.features(
                columns,
                np.arange(documents + 1),
                spans,
                np.full(documents, 3, dtype=np.uint32),
                np.array([[3, 1, 2**31 - 1]]),
                np.zeros(2, dtype=np.uint32),
                workers=workers,
            )
        ]

    return run(1500, 200), run(3, 2)


def relations(workers: int) -> tuple[Call, Call]:
    """A sentence without an end, each word of which may be a connective."""
    from summeval.annotate import Document, Sentence, Token
    from summeval.annotate.discourse.parser import related

    def run(size: int) -> Any:
        tokens = tuple(Token("and", "CC", "", at - 1, "conj") for at in range(size))
        document = Document((Sentence(tokens),))
        return lambda: [each.written for each in related([document], workers)]

    return run(100_000), run(20)


def stems(workers: int) -> tuple[Call, Call]:
    from summeval._core.text.stemmer import stem_all

    long = [b"nationalizationing"] * 20_000_000
    return lambda: stem_all("porter", long), lambda: stem_all("porter", [b"cats", b"running"])


def labels(method: str, reach: int) -> Callable[[int], tuple[Call, Call]]:
    """A document in which each label is linked to one so far before it."""

    def make(workers: int) -> tuple[Call, Call]:
        from summeval._core.chains.label_chain import Chains

        def run(size: int) -> Any:
            parents = np.maximum(np.arange(size) - reach, -1)
            chains = Chains(np.array([0, size]), parents, 3)
            scores, context, link = np.sin(np.arange(size)), np.sin(np.arange(30)), np.ones(4)
            more = (np.ones(1),) if method == "sums" else ()

            def call() -> Any:
                found = getattr(chains, method)(scores, context, link, *more)
                return [np.asarray(part).tolist() for part in found]

            return call

        return run(4_000_000), run(40)

    return make


def greedy(workers: int) -> tuple[Call, Call]:
    from summeval._core.vectors.greedy import greedy as match

    def run(tokens: int, pairs: int) -> Any:
        vectors = np.random.default_rng(1).normal(size=(2 * tokens, 64)).astype(np.float32)
        starts, left = np.array([0, tokens, 2 * tokens]), np.zeros(pairs, dtype=np.int64)
        weights = np.ones(2 * tokens)
        return lambda: match(vectors, weights, starts, left, left + 1, workers).tolist()

    return run(40_000, 40), run(9, 3)


def groups(workers: int) -> tuple[Call, Call]:
    metric = summeval.metric("diversity")
    texts = [words(300, 5000, seed=seed) for seed in range(10)]
    many = [" ".join(random.Random(k).sample(texts, 1)) + f" {k}" for k in range(20_000)]
    short = [texts[:3], [CANDIDATE, REFERENCE]]
    return (
        lambda: metric.score_batch([many, many], workers=workers),
        lambda: dict(metric.score_batch(short, workers=workers)),
    )


def guards(workers: int) -> tuple[Call, Call]:
    from summeval._core.columns import columns
    from summeval.interop.shaping.guards import kernel_of

    ground = kernel_of(3).ground((CANDIDATE,), (words(500_000, 10_000),))

    def run(texts: list[str]) -> Any:
        out = np.empty((1, 8, len(texts)))
        ground.fill_rows(columns.texts(texts, "texts"), out, workers)
        return out.tolist()

    text = words(500_000, 10_000) + "é"
    return lambda: run([text] * 20_000), lambda: run([CANDIDATE, REFERENCE])


def ground(workers: int) -> tuple[Call, Call]:
    """The source, again and again: a document may be no longer than what takes some seconds."""
    from summeval.interop.shaping.guards import ground_of

    text = words(2_000_000, 10_000, line=20) + "。"
    return lambda: ground_of([], [text] * 1000), lambda: ground_of([], [CANDIDATE]).guards(
        REFERENCE
    )


def rewards(workers: int) -> tuple[Call, Call]:
    from summeval.interop.reward import Rewards

    made = Rewards.preset("overall", workers=workers)
    text = words(5_000, 500)

    def run(texts: list[str]) -> Any:
        rows = len(texts)
        return made(texts, [REFERENCE] * rows, [CANDIDATE] * rows)

    return lambda: run([text] * 200_000), lambda: run([CANDIDATE, REFERENCE])


def tokenizing(workers: int) -> tuple[Call, Call]:
    from summeval._core.parsing.tokenizing import Tokenizer
    from summeval.annotate.compiled import sections

    tokenizer = Tokenizer(sections())
    line = b"(cats', " * 50_000

    def call() -> Any:
        while True:
            tokenizer.ids(line)

    return call, lambda: tokenizer.tokens(line[:40])


def parsing(workers: int) -> tuple[Call, Call]:
    from summeval.annotate.compiled import CompiledProvider

    parser = CompiledProvider()
    text = words(100_000, 1000)

    def call() -> Any:
        return list(parser.parse_on_threads([text + " " * k for k in range(1, 60)], workers))

    return call, lambda: list(parser.parse_on_threads([CANDIDATE, REFERENCE], workers))


CALLS: dict[str, Callable[[int], tuple[Call, Call]]] = {
    "rougeL": pair("rougeL", 3_000_000, 100_000),
    "rougeLsum": pair("rougeLsum", 4_000_000, 100_000, 20_000),
    "rougeLsum, short lines": pair("rougeLsum", 1_000_000, 1000, 1),
    "rougeW": pair("rougeW", 260_000, 1000, 20_000),
    "rougeS*": rows("rougeS*", 60_000, 1000, 1000),
    "rougeSU4": rows("rougeSU4", 500_000, 1000, 20_000),
    "rouge1, stems": rows(stemmed, 500_000, 100_000, 20_000),
    "unicode": rows(unicode, 500_000, 100_000, 20_000),
    "prepared": prepared,
    "many references": many_references,
    "tesla": rows(any_gap, 5_000, 500, 20_000),
    "graphs": rows("npower", 100_000, 1000, 10_000),
    "simetrix": rows(simetrix, 500_000, 50_000, 20_000),
    "support": rows("support", 100_000, 5_000, 20_000),
    "support, one word": rows("support", 60_000, 1, 20_000),
    "support, explained": support_explained,
    "rougeL, explained": explained(lambda: summeval.Rouge("rougeL"), 600_000, 100, one, 1000),
    "rougeS*, explained": explained(lambda: summeval.Rouge("rougeS*"), 300_000, 100, one, 1000),
    "tesla-s, explained": explained(
        lambda: summeval.TeslaS(gap=None), 4_000, 300, ({0: 0.5}, {0: 0.5}), 500
    ),
    "tesla-e, explained": explained(summeval.TeslaE, 40_000, 5_000, (0,), 0.5),
    "tesla-e": pair("tesla-e", 400_000, 5_000),
    "extractiveness": rows("extractiveness", 200_000, 50, 2_000, seed=2),
    "readability": readability,
    "assignment": assignment_sparse,
    "assignment, dense": assignment_dense,
    "transport": transport,
    "transport, dense": transport_dense,
    "expansion": expansion,
    "recalls": recalls,
    "extraction": extraction,
    "extraction, trees": trees,
    "bootstrap": bootstrap,
    "resampled, pearson": resampled("pearson"),
    "resampled, kendall": resampled("kendall"),
    "one correlation": one_correlation,
    "topics": topics,
    "pairwise accuracy": accuracy,
    "permuted": permuted,
    "king": dominance("king"),
    "jack": dominance("jack"),
    "roles": roles,
    "relations": relations,
    "tokenizing": tokenizing,
    "parsing": parsing,
    "stems": stems,
    "greedy": greedy,
    "groups": groups,
    "guards": guards,
    "ground": ground,
    "rewards": rewards,
    "labels, sums": labels("sums", 10),
    "labels, margins": labels("margins", 10),
    "labels, messages": labels("sums", 20),
}
for name in OF_ONE_KERNEL:  # of a new metric, too
    CALLS.setdefault(name, rows(name, 5_000, 1000, 20_000, seed=2))
# Those that have workers.
SHARED = (
    *("rougeS*", "rougeSU4", "tesla", "graphs", "assignment", "transport"),
    "support, one word",
    "readability",
    *OF_ONE_KERNEL,
    *("expansion", "recalls", "extraction", "bootstrap", "king", "jack", "roles", "relations"),
    "parsing",
    "greedy",
    "groups",
    *("guards", "rewards"),
)


def main(name: str, workers: int) -> None:
    long, short = CALLS[name](workers)
    before = repr(short())
    ticks = 0

    def tick(*_: object) -> None:
        nonlocal ticks
        ticks += 1
        if ticks == 3:
            signal.raise_signal(signal.SIGINT)

    signal.signal(signal.SIGPROF, tick)
    # Python leaves it ignored in a job that a shell started in the background.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_PROF, 0.2, 0.2)
    try:
        long()
    except KeyboardInterrupt:
        signal.setitimer(signal.ITIMER_PROF, 0)
    else:
        sys.exit("the call came to its end")
    if repr(short()) != before:
        sys.exit("the call left something behind")
    sys.exit(130)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
