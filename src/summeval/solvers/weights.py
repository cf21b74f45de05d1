"""The weight matrix of a matching problem: its checks, and its dense and sparse forms."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from summeval._arrays import AnyArray, Floats, Ints
from summeval._cached import cached_property

Edges: TypeAlias = tuple[Ints, Ints, Floats]

LARGEST = 2**31 - 1  # the kernels number rows, columns and edges of a problem in 32 bits


class Weights:
    """A matrix of weights, stored dense or as edges; the other form is made on demand.

    Attributes
    ----------
    shape : (int, int)
    is_dense : bool
        Whether it was given dense.
    dense : float64[rows, columns]
        Pairs without an edge weigh 0.
    edges : (int64[edges], int64[edges], float64[edges])
        Row, column and weight, sorted by row and column, without duplicates. For a dense matrix,
        the nonzero entries.
    """

    def __init__(
        self, shape: tuple[int, int], *, dense: Floats | None = None, edges: Edges | None = None
    ) -> None:
        self.shape = shape
        self.is_dense = dense is not None
        if dense is not None:
            self.__dict__["dense"] = dense
        if edges is not None:
            self.__dict__["edges"] = edges

    @cached_property
    def dense(self) -> Floats:
        row, column, weight = self.edges
        dense = np.zeros(self.shape)
        dense[row, column] = weight
        return dense

    @cached_property
    def edges(self) -> Edges:
        row, column = np.nonzero(self.dense)
        return row.astype(np.int64), column.astype(np.int64), self.dense[row, column]

    @property
    def pairs(self) -> int:
        """How many pairs are held: all of a dense matrix, else the edges."""
        return self.shape[0] * self.shape[1] if self.is_dense else len(self.edges[0])

    @property
    def largest(self) -> float:
        """The largest weight, at least 0."""
        weight = self.dense if self.is_dense else self.edges[2]
        return float(weight.max(initial=0.0))

    def at(self, rows: Ints, columns: Ints) -> Floats:
        """Return the weights of pairs; NaN for pairs that do not exist."""
        found = np.full(len(rows), np.nan)
        inside = (rows >= 0) & (rows < self.shape[0]) & (columns >= 0) & (columns < self.shape[1])
        if self.is_dense:
            found[inside] = self.dense[rows[inside], columns[inside]]
            return found
        row, column, weight = self.edges
        key = row * self.shape[1] + column
        wanted = rows[inside] * self.shape[1] + columns[inside]
        if len(key):
            place = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
            found[inside] = np.where(key[place] == wanted, weight[place], np.nan)
        return found

    def shortfall(self, row_prices: Floats, column_prices: Floats) -> float:
        """The largest amount by which the prices of a pair fall short of its weight; at least 0."""
        if self.is_dense:
            short = self.dense - row_prices[:, None]
            short -= column_prices
        else:
            row, column, weight = self.edges
            short = weight - row_prices[row] - column_prices[column]
        return float(short.max(initial=0.0))


class CompressedWeights(Weights):
    """A sparse matrix in compressed rows, of which edges are made on demand; kernels make these.

    Attributes
    ----------
    arrays : (indptr, indices, data)
        As they were given.
    """

    arrays: tuple[Any, Any, Any]

    @cached_property
    def edges(self) -> Edges:
        indptr, indices, data = self.arrays
        row = np.repeat(np.arange(self.shape[0]), np.diff(indptr))
        return row, indices[: len(row)].astype(np.int64), data[: len(row)]


class Problems(NamedTuple):
    """Sparse problems in flat arrays: problem p has the edges [indptr[p], indptr[p + 1]).

    Integers have 32 or 64 bits, as they were given.
    """

    indptr: Ints
    row: Ints
    column: Ints
    weight: Floats
    shapes: Ints

    @classmethod
    def of(cls, matrices: Sequence[Weights]) -> Problems:
        """Return the edges of all the matrices, flat."""
        edges = [matrix.edges for matrix in matrices]
        none = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
        row, column, weight = map(np.concatenate, zip(none, *edges, strict=True))
        indptr = np.cumsum([0, *(len(row) for row, _, _ in edges)], dtype=np.int64)
        shapes = np.array([matrix.shape for matrix in matrices], dtype=np.int64).reshape(-1, 2)
        return cls(indptr, row, column, weight, shapes)

    @property
    def offsets(self) -> tuple[Ints, Ints]:
        """Where the rows and the columns of each problem begin and end."""
        offsets = np.zeros((2, len(self.shapes) + 1), dtype=np.int64)
        np.cumsum(self.shapes.T, axis=1, out=offsets[:, 1:])
        return offsets[0], offsets[1]

    def weights(self, problem: int, *, ordered: bool = False) -> Weights:
        """Return the matrix of one problem, whose edges may be known to be in order."""
        edges = slice(self.indptr[problem], self.indptr[problem + 1])
        row, column = (end[edges].astype(np.int64, copy=False) for end in (self.row, self.column))
        weight = self.weight[edges]
        if not ordered:
            order = np.lexsort((column, row))
            row, column, weight = row[order], column[order], weight[order]
        rows, columns = self.shapes[problem].tolist()
        return Weights((rows, columns), edges=(row, column, weight))

    def outside(self, problem: int, sides: Sequence[str] = ("row", "column")) -> ValueError | None:
        """Return the error for edges outside their problem; None if there are none."""
        begin, end = self.indptr[problem : problem + 2]
        for side in sides:
            indices = getattr(self, side)[begin:end]
            size = self.shapes[problem, int(side == "column")]
            if (place := first_outside(indices, size)) is not None:
                return ValueError(
                    f"{side}[{begin + place}] is {indices[place]},"
                    f" but problem {problem} has {size} {side}s"
                )
        return None


def read_weights(value: Any, name: str, *, finite: bool = True) -> Weights:
    """Check a given matrix: an array, nested sequences, or a `scipy.sparse` matrix.

    The entries of a sparse matrix may come in any order. Without `finite`, a dense matrix is not
    checked for infinite entries; use `check_finite`.

    Raises
    ------
    TypeError
        If the entries are not real numbers.
    ValueError
        There are not two dimensions, or an entry is NaN or infinite, outside the shape, or
        duplicate. The message names the argument `name` and the entry.
    """
    if hasattr(value, "tocoo"):
        return _read_sparse(value, name)
    dense = _numbers(_array(value, name, 2, "a matrix [row, column]"), name)
    if finite:
        check_finite(dense, name)
    return Weights(dense.shape, dense=dense)


def check_finite(dense: Floats, name: str) -> None:
    """Raise ValueError, naming the entry, if a dense matrix has one that is not finite."""
    if (bad := first_not_finite(dense.reshape(-1))) is not None:
        row, column = divmod(bad, dense.shape[1])
        raise ValueError(f"{name}[{row}, {column}] is {dense[row, column]}; give finite weights")


def first_not_finite(values: Floats) -> int | None:
    """Return the position of the first NaN or infinity of a flat array, or None."""
    # A sum is finite only if all terms are; it needs no array of flags.
    with np.errstate(over="ignore", invalid="ignore"):
        if math.isfinite(float(values.sum())):
            return None
    bad = np.flatnonzero(~np.isfinite(values))
    return int(bad[0]) if len(bad) else None


def first_outside(indices: Ints, size: int) -> int | None:
    """Return the position of the first number outside 0 to size - 1, or None."""
    bad = np.flatnonzero((indices < 0) | (indices >= size))
    return int(bad[0]) if len(bad) else None


def read_floats(value: Any, name: str, size: int | None = None) -> Floats:
    """Check a flat array of finite numbers, of that size if one is given."""
    numbers = _numbers(_array(value, name, 1, "a flat array"), name)
    if size is not None and len(numbers) != size:
        raise ValueError(f"{name} has {len(numbers)} entries; {size} are needed")
    if (bad := first_not_finite(numbers)) is not None:
        raise ValueError(f"{name}[{bad}] is {numbers[bad]}; give finite numbers")
    return numbers


def read_indices(value: Any, name: str, dimensions: int = 1) -> Ints:
    """Check an array of integers that fit in 64 bits."""
    indices = _array(value, name, dimensions, str(dimensions))
    if indices.size and indices.dtype.kind not in "iu":
        raise TypeError(f"{name} holds {indices.dtype}; give integers")
    if indices.dtype == np.uint64 and indices.size and int(indices.max()) > 2**63 - 1:
        place = int(np.argmax(indices.reshape(-1)))
        raise ValueError(f"{name}: entry {place} is {indices.max()}; it does not fit in 64 bits")
    return _aligned(np.ascontiguousarray(indices, dtype=np.int64))


def read_shapes(value: Any) -> Ints:
    """Check the shapes [problems, 2] of a batch."""
    none = isinstance(value, (list, tuple)) and not value
    shapes = read_indices(np.zeros((0, 2), np.int64) if none else value, "shapes", 2)
    if shapes.shape[1] != 2:
        raise ValueError(f"shapes has {shapes.shape[1]} columns; give rows and columns of problems")
    for bad in np.flatnonzero(((shapes < 0) | (shapes > LARGEST)).any(axis=1)):
        raise ValueError(f"shapes[{bad}] is {shapes[bad].tolist()}; give 0 to {LARGEST} each")
    return shapes


def read_batch(indptr: Any, row: Any, column: Any, weight: Any, shapes: Any) -> Problems:
    """Check the arrays of a batch beside each other; the kernels look at the edges one by one."""
    row, column = read_indices(row, "row"), read_indices(column, "column")
    weight = read_floats(weight, "weight")
    if not len(row) == len(column) == len(weight):
        raise ValueError(
            f"row, column and weight have {len(row)}, {len(column)} and {len(weight)} entries;"
            " give one of each for an edge"
        )
    indptr, shapes = read_indices(indptr, "indptr"), read_shapes(shapes)
    check_indptr(indptr, "indptr", len(row))
    if len(indptr) != len(shapes) + 1:
        raise ValueError(f"indptr has {len(indptr)} entries; {len(shapes) + 1} are needed")
    return Problems(indptr, row, column, weight, shapes)


def _array(value: Any, name: str, dimensions: int, hint: str) -> AnyArray:
    masked = isinstance(value, np.ndarray) and hasattr(value, "mask")  # importing numpy.ma is slow
    if masked and (hidden := np.argwhere(value.mask)).size:
        place = ", ".join(map(str, hidden[0].tolist()))
        raise ValueError(f"{name}[{place}] is masked; give filled numbers, or a sparse matrix")
    try:
        found = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths; give an array") from None
    if found.ndim != dimensions:
        raise ValueError(f"{name} has {found.ndim} dimensions; give {hint}")
    return found


def _numbers(values: AnyArray, name: str) -> Floats:
    if values.size and values.dtype.kind not in "biuf":
        raise TypeError(f"{name} holds {values.dtype}; give real numbers")
    # wider floats may become infinite, which callers refuse
    with np.errstate(over="ignore"):
        return _aligned(np.ascontiguousarray(values, dtype=np.float64))


def _aligned(values: AnyArray) -> AnyArray:
    """The array, or a copy if its entries lie at odd addresses, which the kernels do not read."""
    return values if values.flags.aligned else values.copy()


def _read_sparse(value: Any, name: str) -> Weights:
    if len(value.shape) != 2:
        raise ValueError(f"{name} has {len(value.shape)} dimensions; give a matrix [row, column]")
    shape = (int(value.shape[0]), int(value.shape[1]))
    if value.format in ("csr", "csc"):
        major, minor = _read_compressed(value, name, shape)
        row, column = (major, minor) if value.format == "csr" else (minor, major)
    else:
        entries = value if value.format == "coo" else value.tocoo()
        row = read_indices(entries.row, f"{name}.row")
        column = read_indices(entries.col, f"{name}.col")
        value = entries
    weight = _numbers(np.asarray(value.data), name)[: len(row)]
    if not len(row) == len(column) == len(weight):
        raise ValueError(
            f"{name} has {len(row)} rows, {len(column)} columns and {len(weight)} weights of edges"
        )
    for indices, size, axis in ((row, shape[0], "row"), (column, shape[1], "column")):
        if (place := first_outside(indices, size)) is not None:
            raise ValueError(
                f"{name}: entry {place} has {axis} {indices[place]} of a matrix {shape}"
            )
    row, column, weight = sort_edges(row, column, weight, name)
    if (bad := first_not_finite(weight)) is not None:
        raise ValueError(f"{name}[{row[bad]}, {column[bad]}] is {weight[bad]}; give finite weights")
    return Weights(shape, edges=(row, column, weight))


def _read_compressed(value: Any, name: str, shape: tuple[int, int]) -> tuple[Ints, Ints]:
    """Major and minor index of each entry of a CSR or CSC matrix."""
    indptr = read_indices(value.indptr, f"{name}.indptr")
    minor = read_indices(value.indices, f"{name}.indices")
    size = shape[0] if value.format == "csr" else shape[1]
    if len(indptr) != size + 1:
        raise ValueError(f"{name}.indptr has {len(indptr)} entries; {size + 1} are needed")
    check_indptr(indptr, f"{name}.indptr", len(minor), exact=False)
    return np.repeat(np.arange(size), np.diff(indptr)), minor[: indptr[-1]]


def read_place(problem: Any, problems: int) -> int:
    """Return the number of a problem of a batch; those below 0 count from the end."""
    place = operator.index(problem)
    if not -problems <= place < problems:
        raise IndexError(f"problem {place} of {problems}")
    return place % problems


def check_indptr(indptr: Ints, name: str, size: int, *, exact: bool = True) -> None:
    """Raise unless the offsets start at 0, never fall, and end at (or within) `size`."""
    if len(indptr) == 0 or indptr[0] != 0:
        raise ValueError(f"{name} does not start with 0")
    for place in np.flatnonzero(indptr[1:] < indptr[:-1]):
        raise ValueError(
            f"{name}[{place + 1}] is {indptr[place + 1]}, less than the {indptr[place]} before it"
        )
    if indptr[-1] > size or (exact and indptr[-1] != size):
        raise ValueError(f"{name} ends with {indptr[-1]}, but there are {size} edges")


def sort_edges(row: Ints, column: Ints, weight: Floats, name: str) -> Edges:
    """Edges by row and column; a pair given twice is an error."""
    step = np.diff(row)
    if not ((step > 0) | ((step == 0) & (np.diff(column) > 0))).all():
        order = np.lexsort((column, row))
        row, column, weight = row[order], column[order], weight[order]
        for twice in np.flatnonzero((np.diff(row) == 0) & (np.diff(column) == 0)):
            raise ValueError(f"{name}[{row[twice]}, {column[twice]}] is given twice")
    return row, column, weight
