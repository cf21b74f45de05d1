"""Matching problems, draws and dominance: random numbers of every kind, especially ties."""

from __future__ import annotations

import itertools
import random
from types import SimpleNamespace
from typing import Any

import chain_cases
import numpy as np
from definitions import assignment as assignment_twin
from definitions import dominance as dominance_twin
from definitions import label_chain as chain_twin
from definitions import resampling as resampling_twin
from definitions import rouge as rouge_twin
from definitions import transport as transport_twin
from definitions.vectors import greedy as greedy_twin
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array
from targets import target
from transport_cases import random_case, solve_many

from summeval._core.agreement import dominance, resampling
from summeval._core.overlap import bootstrap
from summeval._core.vectors.greedy import greedy
from summeval.meta import qarla
from summeval.solvers import SolverError, assign, assign_batch, transport, transport_batch


def generator(rng: random.Random) -> np.random.Generator:
    return np.random.default_rng(rng.getrandbits(64))


def some_weights(rng: np.random.Generator, shape: Any) -> Any:
    """Uniform, few grades, equal, negative too, of all sizes, all but equal."""
    return (
        lambda: rng.random(shape),
        lambda: rng.choice([0, 0.25, 0.5, 1], shape),
        lambda: np.ones(shape),
        lambda: rng.standard_normal(shape),
        lambda: 10.0 ** rng.uniform(-200, 200, shape),
        lambda: 1 + rng.random(shape) * 1e-13,
        lambda: rng.choice([0.0, -1e300, 1e300, 1e-300, 5e-324, 1.0], shape),
    )[rng.integers(7)]()


def best_of(dense: Any) -> float:
    gains = np.maximum(dense, 0)
    return float(gains[linear_sum_assignment(gains, maximize=True)].sum())


@target
def assignment(rng: random.Random) -> int:
    draw = generator(rng)
    problems = []
    for _ in range(30):
        shape = tuple(draw.integers(0, rng.choice([3, 9, 40]), 2))
        dense = some_weights(draw, shape) * (draw.random(shape) < rng.choice([0.1, 0.5, 1.0]))
        problems.append(dense)
    pairs = [np.nonzero(dense) for dense in problems]
    batch = assign_batch(
        np.cumsum([0, *(len(row) for row, _ in pairs)]),
        np.concatenate([row for row, _ in pairs]),
        np.concatenate([column for _, column in pairs]),
        np.concatenate([d[p] for d, p in zip(problems, pairs, strict=True)]),
        np.array([dense.shape for dense in problems]),
        workers=rng.choice([1, 2]),
    )
    for k, dense in enumerate(problems):
        for result in (batch[k], assign(dense)):
            assert result.certificate().holds(1e-9), dense.tolist()
            # SciPy adds and subtracts weights of all sizes: its value is exact for like ones only
            positive = dense[dense > 0]
            if len(positive) and positive.max() < 1e6 * positive.min():
                assert np.isclose(result.value, best_of(dense), rtol=1e-9, atol=0), dense.tolist()
            assert len(set(result.columns.tolist())) == len(result.rows)
        if dense.size <= 16:
            weights = {(i, j): float(dense[i, j]) for i, j in np.ndindex(*dense.shape)}
            wanted = assignment_twin.assign(weights)[0]
            assert np.isclose(batch.values[k], wanted, rtol=1e-9, atol=0), dense.tolist()
    return 2 * len(problems)


@target
def transportation(rng: random.Random) -> int:
    draw = generator(rng)
    cases = [random_case(draw, rng.choice([3, 8, 30])) for _ in range(30)]
    batch = solve_many(cases, workers=rng.choice([1, 2]))
    for k, case in enumerate(cases):
        assert batch[k].certificate().holds(1e-9), case
        if len(case.edges) <= 9:
            wanted = float(transport_twin.transport(*case)[0])
            assert np.isclose(batch.values[k], wanted, rtol=1e-9, atol=0), case
        result = transport(case.supply, case.demand, case.dense)
        assert result.certificate().holds(1e-9), case
        assert np.isclose(result.value, batch.values[k], rtol=1e-9, atol=1e-300), case
    return 2 * len(cases)


@target
def dense_transportation(rng: random.Random) -> int:
    """Large enough for the kernel for dense problems; amounts and weights of every kind."""
    draw = generator(rng)
    for _ in range(10):
        shape = rng.choice([(16, 16), (1, 300), (300, 1), (3, 90), (70, 4), (40, 40), (20, 60)])
        similarity = some_weights(draw, shape)
        supply, demand = (
            rng.choice(
                [
                    draw.random(size),
                    np.full(size, 0.3),
                    draw.choice([0.0, 0.1, 0.2, 0.3, 0.7], size),
                    10.0 ** draw.uniform(-3, 3, size),
                    10.0 ** draw.uniform(-200, 200, size),
                ]
            )
            for size in shape
        )
        try:
            found = transport(supply, demand, similarity)
        except (ValueError, SolverError) as error:  # beyond the largest float; hidden by rounding
            assert "\n" not in str(error)
            continue
        assert found.certificate().holds(1e-9), (supply, demand, similarity)
        row, column = np.nonzero(similarity > 0)
        pairs = coo_array((similarity[row, column], (row, column)), shape=shape)
        try:
            other = transport(supply, demand, pairs)
        except SolverError:
            continue
        assert np.isclose(found.value, other.value, rtol=1e-9, atol=0), (supply, demand, similarity)
    return 20


@target
def broken_problems(rng: random.Random) -> int:
    """Flat arrays that break a rule: one line that says so, before any pointer is followed."""
    odd = [-1, 2**31, 2**62, -(2**63), 0, 1, 99]
    for _ in range(20):
        edges = rng.randint(1, 6)
        indptr = np.array([0, edges // 2, edges])
        row = np.array([rng.randrange(3) for _ in range(edges)])
        column = np.array([rng.randrange(3) for _ in range(edges)])
        weight = np.array([rng.choice([1.0, 0.5, -1.0]) for _ in range(edges)])
        shapes = np.full((2, 2), 3)
        supply, demand = np.ones(6), np.ones(6)
        broken = rng.choice([indptr, row, column, weight, shapes, supply, demand])
        wrong = rng.choice(odd if broken.dtype.kind == "i" else [np.nan, np.inf, -np.inf, -1.0])
        broken.flat[rng.randrange(broken.size)] = wrong
        edges_of = (indptr, row, column, weight)
        for solve, given in ((assign_batch, ()), (transport_batch, (supply, demand))):
            try:
                batch = solve(*edges_of, *given, shapes)  # type: ignore[operator]
            except (ValueError, TypeError) as error:
                assert "\n" not in str(error)
            else:
                assert np.isfinite(batch.values).all()
    return 40


@target
def compressed_matrices(rng: random.Random) -> int:
    """Compressed rows of any integers and numbers: solved with proof, or refused in one line.

    What the compiled readers take must be what a plain look at the arrays allows.
    """
    draw = generator(rng)
    for _ in range(20):
        rows, columns = (int(size) for size in draw.integers(0, rng.choice([3, 9, 30]), 2))
        dense = some_weights(draw, (rows, columns)) * (
            draw.random((rows, columns)) < rng.choice([0.1, 0.5, 1.0])
        )
        made = sparse.csr_array(dense)
        kinds = rng.choice([("int32",) * 2, ("int64",) * 2, ("int32", "int64"), INTEGERS])
        indptr, indices = (
            values.astype(rng.choice(kinds)) for values in (made.indptr, made.indices)
        )
        arrays = [indptr, indices, made.data.astype(rng.choice([">f8", "f4", "f8", "f8", "f8"]))]
        spoil(rng, arrays)
        matrix = SimpleNamespace(format="csr", shape=(rows, columns))
        matrix.indptr, matrix.indices, matrix.data = arrays
        matrix.tocoo = lambda: None  # a mark of SciPy's matrices
        supply, demand = draw.random(rows), draw.random(columns)
        plain = is_plain(*arrays, rows, columns)
        for solve in (assign, lambda matrix, a=supply, b=demand: transport(a, b, matrix)):
            try:
                result = solve(matrix)  # type: ignore[no-untyped-call]
            except SolverError:
                assert plain  # weights of all sizes, of which rounding hides the optimum
            except (ValueError, TypeError) as error:
                assert "\n" not in str(error)
                assert not plain or "largest float" in str(error), (error, arrays)
            else:
                assert plain, arrays
                assert result.certificate().holds(1e-9), arrays
    return 40


INTEGERS = ("int8", "uint8", "int16", "uint32", "uint64", ">i4", ">i8", "int64")


def spoil(rng: random.Random, arrays: list[Any]) -> None:
    """Changes one thing, or nothing: an entry, the length, or the way the memory is laid out."""
    place = rng.randrange(3)
    array = arrays[place]
    way = rng.randrange(6)
    if way == 0 and array.size:
        odd = [np.nan, np.inf, -np.inf, -1.0] if place == 2 else [-1, 2**31, -(2**31), 2**62, 99, 0]
        bounds = None if place == 2 else np.iinfo(array.dtype)
        wrong = rng.choice(odd)
        if bounds is None or bounds.min <= wrong <= bounds.max:
            array[rng.randrange(array.size)] = wrong
    elif way == 1 and array.size:
        arrays[place] = array[: rng.randrange(array.size)]
    elif way == 2:
        arrays[place] = np.repeat(array, 2)[::2]
    elif way == 3:
        arrays[place] = array[::-1].copy()
    elif way == 4:
        arrays[place] = np.frombuffer(b"\0" + array.tobytes(), np.uint8)[1:].view(array.dtype)


def is_plain(indptr: Any, indices: Any, data: Any, rows: int, columns: int) -> bool:
    """Whether these are compressed rows of finite numbers, each column once in a row."""
    ends, places = indptr.tolist(), indices.tolist()
    if len(ends) != rows + 1 or ends[0] != 0 or ends != sorted(ends):
        return False
    if ends[-1] > min(len(places), len(data)):
        return False
    inside = all(0 <= place < columns for place in places[: ends[-1]])
    once = all(len({*places[a:b]}) == b - a for a, b in itertools.pairwise(ends))
    return inside and once and bool(np.isfinite(data[: ends[-1]]).all())


def a_design(draw: np.random.Generator, tables: int) -> list[Any]:
    """Tables in eighths, whose sums are exact, with holes."""
    shape = draw.integers(2, 7, 2)
    made = [draw.integers(0, draw.choice([2, 5, 40]), shape) / 8 for _ in range(tables)]
    hole = draw.random(shape) < draw.choice([0.0, 0.2])
    return [np.where(hole, np.nan, table) for table in made]


@target
def correlations(rng: random.Random) -> int:
    draw = generator(rng)
    for _ in range(10):
        level, coefficient = rng.choice(resampling.LEVELS), rng.choice(resampling.COEFFICIENTS)
        x, y = a_design(draw, 2)
        systems, topics = (draw.integers(0, 3, (2, size)) for size in x.shape)
        found = resampling.resampled(x, y, systems, topics, level, coefficient)
        wanted = [
            resampling_twin.resampled(
                x.tolist(), y.tolist(), s.tolist(), t.tolist(), level, coefficient
            )
            for s, t in zip(systems, topics, strict=True)
        ]
        assert np.allclose(found, wanted, rtol=0, atol=1e-9, equal_nan=True), (x, y, level)
        three = a_design(draw, 3)
        rows, columns = (draw.integers(0, 2, (2, size)).astype(np.uint8) for size in three[0].shape)
        swapped = resampling.permuted(*three, rows, columns, level, coefficient)
        expected = [
            resampling_twin.permuted(
                *(t.tolist() for t in three), r.tolist(), c.tolist(), level, coefficient
            )
            for r, c in zip(rows, columns, strict=True)
        ]
        assert np.allclose(swapped, expected, rtol=0, atol=1e-9, equal_nan=True), (three, level)
    return 40


@target
def dominance_of_sets(rng: random.Random) -> int:
    draw = generator(rng)
    for _ in range(4):
        models, peers = rng.choice([4, 4, 4, 5]), rng.randint(1, 3)
        texts = models + peers
        x = draw.integers(0, rng.choice([2, 4, 9]), (rng.randint(1, 3), texts, texts)).astype(float)
        reading, workers = rng.choice(dominance.TRIPLES), rng.choice([1, 2])
        rows = x.tolist()
        total = len(dominance_twin.triples(range(models), reading))
        hits = dominance.peer_hits(x, models, reading, workers)
        wanted = [
            total * dominance_twin.queen(rows, a, range(models), reading)
            for a in range(models, texts)
        ]
        assert hits.tolist() == wanted, rows
        sets, sizes = x[:, :models, :models].reshape(len(x), -1), np.array([models])
        beside = x[:, models:, :models].reshape(len(x), -1)
        same_set = np.zeros(peers, np.int64)
        args = np.ascontiguousarray(sets), sizes, np.ascontiguousarray(beside), same_set
        assert dominance.row_hits(*args, reading, workers).tolist() == wanted, rows
        assert dominance.set_hits(x, models, reading, workers)[-1].tolist() == wanted, rows
        every = dominance.king_counts(x, models, reading, False, True, workers)
        for chosen in range(1, 1 << len(x)):
            some = [rows[m] for m in range(len(x)) if chosen >> m & 1]
            assert every[chosen] == models * dominance_twin.king(some, models, reading), rows
        for variant in dominance.VARIANTS:
            jacks = dominance.jack_counts(x, models, variant, reading, False, workers)
            assert jacks[1] == models * dominance_twin.jack(rows, models, variant, reading), rows
        assert 0 <= qarla.orange_share(x, models) <= 1
    return 4


@target
def bootstrap_sums(rng: random.Random) -> int:
    draw = generator(rng)
    for _ in range(20):
        values = some_weights(draw, (rng.randint(1, 9), rng.randint(1, 4)))
        values = np.clip(values, -1e200, 1e200)
        samples = rng.randint(0, 9)
        found = bootstrap.resample_sums(values, samples, rng.choice([1, 2]))
        assert found.tolist() == rouge_twin.resample_sums(values.tolist(), samples)
    return 20


@target
def chains_of_labels(rng: random.Random) -> int:
    draw = generator(rng)
    for _ in range(4):
        size = rng.choice([0.0, 1e-9, 1.0, 30.0, 1e3, 1e100])
        linked = rng.choice([0.0, 0.5, 1.0])
        case = chain_cases.random_case(draw, rng.randint(0, 3), 6, linked, size)
        numbers = (case.scores, case.context, case.link)
        few = case.kernel(most=case.order + 1, rounds=rng.choice([1, 20]))
        for local in (False, True):
            exact = case.kernel()
            odds, margins = (ask(*numbers, local) for ask in (exact.marginals, exact.margins))
            for found in (few.marginals(*numbers, local), few.margins(*numbers, local)):
                assert not np.isnan(found).any(), case
            for d, chain in enumerate(case.chains(local)):
                here = slice(*case.ends[d : d + 2])
                wanted = np.array(chain_twin.marginals(chain))
                found = 1 / (1 + np.exp(-odds[here]))
                assert np.allclose(found, wanted, rtol=0, atol=1e-9), case
                best = np.array(chain_twin.margins(chain))
                assert np.allclose(margins[here], best, rtol=1e-9, atol=1e-12 * max(1.0, size)), (
                    case
                )
    return 8


@target
def greedy_matching(rng: random.Random) -> int:
    """Vectors of every size and length, many of them equal, opposite or zero."""
    draw = generator(rng)
    for _ in range(10):
        lengths = draw.integers(0, rng.choice([2, 9, 40]), rng.randint(1, 5))
        starts = np.cumsum([0, *lengths])
        shape = (starts[-1], rng.choice([0, 1, 3, 4, 5, 16, 33]))
        kinds = (draw.normal(size=shape), draw.integers(-1, 2, shape), np.ones(shape))
        vectors = kinds[rng.randrange(3)] * 10.0 ** draw.uniform(-12, 12, (starts[-1], 1))
        vectors = vectors.astype(np.float32)
        weights = draw.choice([0.0, 0.5, 1.0, 1e6], starts[-1])
        texts = len(lengths)
        left, right = draw.integers(0, texts, (2, 6))
        found = greedy(vectors, weights, starts, left, right, rng.choice([1, 2]))
        for k, (a, b) in enumerate(zip(left, right, strict=True)):
            read = [
                part.tolist()
                for text in (a, b)
                for part in (vectors[starts[text] :], weights[starts[text] :])
            ]
            cut = [part[: lengths[text]] for part, text in zip(read, (a, a, b, b), strict=True)]
            wanted = greedy_twin.greedy(*cut)
            assert np.allclose(found[:, k], wanted, rtol=0, atol=2e-6, equal_nan=True), cut
    return 60
