"""The networks of the compiled parser: sections of its model file, in whole numbers.

A matrix is its rows and columns, then for each row a scale and an addend (32-bit floats), then its
numbers row by row, of 14 bits each. A number of a row stands for itself times the row's scale. A
table of attributes has 12 bits and one scale, times which each row has a factor of one byte.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import numpy.typing as npt

TABLE_BITS, BITS = 12, 14
WIDTH = 96
MOST_GIVEN = 8191
"""The largest number in the rows that the matrices multiply."""
MOST_SUM = (2**31 - 1) // MOST_GIVEN - WIDTH
"""Of 96 weights in whole numbers, so that their products with a row fit into 32 bits."""

Floats = npt.NDArray[np.float32]


def sections(nlp: Any) -> dict[str, bytes]:
    """Return the names of tags and moves, the two networks, and the layers that decide."""
    tagger, parser, entities = (nlp.get_pipe(name) for name in ("tagger", "parser", "ner"))
    softmax = tagger.model.get_ref("softmax")
    return {
        "tags": "\n".join(tagger.labels).encode(),
        "moves": _moves(parser),
        "entity_moves": _moves(entities),
        "words": _words(nlp.get_pipe("tok2vec").model),
        "tagger": _matrix(softmax.get_param("W"), softmax.get_param("b")),
        "parser": _decider(parser.model),
        "entity_words": _words(entities.model.get_ref("tok2vec")),
        "entities": _decider(entities.model),
    }


def _moves(pipe: Any) -> bytes:
    moves = pipe.moves
    return "\n".join(moves.get_class_name(number) for number in range(moves.n_moves)).encode()


def _words(model: Any) -> bytes:
    """The tables of attributes, the layer that mixes them, and the convolutions."""
    layers = list(model.walk())
    tables = [layer for layer in layers if layer.name == "hashembed"]
    maxouts = [layer for layer in layers if layer.name == "maxout"]
    norms = [layer for layer in layers if layer.name == "layernorm"]
    found = [struct.pack("<2I", len(tables), len(maxouts) - 1)]
    for table in tables:
        rows = table.get_param("E").astype(np.float64)
        sizes = np.abs(rows).max(axis=1)
        scale = np.float32(sizes.max() / most(TABLE_BITS) / 255)
        factors = np.maximum(np.ceil(sizes / most(TABLE_BITS) / scale), 1).clip(max=255)
        whole = np.rint(rows / (scale * factors[:, None])).clip(-most(TABLE_BITS), most(TABLE_BITS))
        found.append(struct.pack("<2If", len(rows), table.attrs["seed"], scale))
        found.append(factors.astype("u1").tobytes())
        found.append(_packed(whole.astype(np.int64), TABLE_BITS))
    for maxout, norm in zip(maxouts, norms, strict=True):
        weights = maxout.get_param("W")
        outputs = weights.shape[0] * weights.shape[1]
        found.append(_matrix(weights.reshape(outputs, -1), maxout.get_param("b").reshape(outputs)))
        found += [_floats(norm.get_param(name)) for name in ("G", "b")]
    return b"".join(found)


def _decider(model: Any) -> bytes:
    """The layer over the tokens of a state, and the one over moves.

    The map from a token's vector is linear, and so is what follows: they become one matrix.
    """
    (reduced,) = (
        layer for layer in model.get_ref("tok2vec").layers if layer.name.startswith("linear")
    )
    lower, upper = model.get_ref("lower"), model.get_ref("upper")
    weights = lower.get_param("W").astype(np.float64)
    flat = weights.reshape(-1, weights.shape[-1])
    return b"".join(
        [
            _matrix(flat @ reduced.get_param("W"), flat @ reduced.get_param("b")),
            _floats(lower.get_param("pad")),
            _floats(lower.get_param("b")),
            _matrix(upper.get_param("W"), upper.get_param("b")),
        ]
    )


def _matrix(weights: Floats, addends: Floats) -> bytes:
    """A matrix, each of whose rows has a scale of its own."""
    sizes = np.abs(weights.astype(np.float64))
    parts = np.add.reduceat(sizes, range(0, sizes.shape[1], WIDTH), axis=1)
    scales = np.maximum(sizes.max(axis=1) / most(BITS), parts.max(axis=1) / MOST_SUM)
    scales = scales.astype(np.float32)
    whole = np.rint(weights / scales[:, None].astype(np.float64)).astype(np.int64)
    shape = struct.pack("<2I", *weights.shape)
    return shape + _floats(scales) + _floats(addends) + _packed(whole, BITS)


def most(bits: int) -> int:
    """The largest whole number of so many bits, one of which is its sign."""
    return 2 ** (bits - 1) - 1


def _floats(numbers: Any) -> bytes:
    return np.ascontiguousarray(numbers, dtype="<f4").tobytes()


def _packed(whole: npt.NDArray[np.int64], bits: int) -> bytes:
    """Numbers of so many bits, the low bits first; eight of them fill whole bytes."""
    assert np.abs(whole).max() <= most(bits)
    digits = whole.reshape(-1, 1) >> np.arange(bits) & 1
    return np.packbits(digits.astype("u1").reshape(-1), bitorder="little").tobytes()
