"""The translation edit rate and the tokenizers of tercom, in plain Python.

Snover, Dorr, Schwartz, Micciulla and Makhoul 2006, "A Study of Translation Edit Rate with Targeted
Human Annotation"; the beam, the limits and the order of ties are those of sacrebleu 2.6.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil, floor, inf

BEAM = 25  # columns on each side of the diagonal
FAR = 50  # words between the places of a stretch that may be shifted
LONGEST = 10  # words of such a stretch
TRIED = 1_000  # shifts, and then no more

ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}
MARKS = re.escape('{|}~[\\]^_` !"#$%&()*+:;<=>?@/')
IDEOGRAPHS = (
    "\u4e00-\u9fff\u3400-\u4dbf",
    "\u31c0-\u31ef\u2e80-\u2eff",
    "\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f",
    "\u3200-\u3f22",  # meant is U+32FF
)
ASIAN_MARKS = "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb"
WIDE_MARKS = "\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"


def tokens(
    text: str, normalized: bool = False, punctuation: bool = True, asian: bool = False
) -> list[str]:
    """The tokens of a text whose case is settled.

    >>> tokens("It's &amp; (3.5)!", normalized=True)
    ['It', "'s", '&', '(', '3.5', ')', '!']
    >>> tokens("so: (it) ends.", punctuation=False)
    ['so', 'it', 'ends']
    """
    text = text.rstrip()
    if normalized:
        text = text.replace("\n-", "").replace("\n", " ")
        for entity, mark in ENTITIES.items():
            text = text.replace(entity, mark)
        text = f" {text} "
        for pattern, made in (
            (f"([{MARKS}])", r" \1 "),
            ("'s ", " 's "),
            ("([^0-9])([.,])", r"\1 \2 "),
            ("([.,])([^0-9])", r" \1 \2"),
            ("([0-9])(-)", r"\1 \2 "),
            *((f"([{each}])", r" \1 ") for each in (*IDEOGRAPHS, ASIAN_MARKS, WIDE_MARKS) if asian),
        ):
            text = re.sub(pattern, made, text)
    if not punctuation:
        text = re.sub('[.,?:;!"()]', "", text)
        if asian:
            text = re.sub(f"[{ASIAN_MARKS}{WIDE_MARKS}]", "", text)
    return text.split()


def reference_tokens(text: str, **options: bool) -> list[str]:
    """The tokens of a reference, which sacrebleu reads twice: its tokens joined are read again.

    >>> tokens("1...5", normalized=True), reference_tokens("1...5", normalized=True)
    (['1', '.', '.', '.5'], ['1', '.', '.', '.', '5'])
    """
    return tokens(" ".join(tokens(text, **options)), **options)


def beam(hyp: Sequence[str], ref: Sequence[str]) -> tuple[float, str]:
    """The edits within the beam, and what they are from the first word on.

    `=` keeps a word, `s` changes it, `d` leaves one of `hyp` out, `i` adds one of `ref`.

    >>> beam("a b d e".split(), "b c d".split())
    (3, 'd=ss')
    """
    n, m = len(hyp), len(ref)
    ratio = m / n if n else 1.0
    width = ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
    table: list[list[tuple[float, str]]] = [[(j, "i") for j in range(m + 1)]]
    for i in range(1, n + 1):
        row = [(inf, "")] * (m + 1)
        middle = floor(i * ratio)
        last = m if i == n else min(m, middle + width - 1)
        for j in range(max(0, middle - width), last + 1):
            if j == 0:
                row[0] = table[i - 1][0][0] + 1, "d"
                continue
            same = hyp[i - 1] == ref[j - 1]
            ways = (
                (table[i - 1][j - 1][0] + (not same), "=" if same else "s"),
                (table[i - 1][j][0] + 1, "d"),
                (row[j - 1][0] + 1, "i"),
            )
            row[j] = min(ways, key=lambda way: way[0])
        table.append(row)
    path, i, j = "", n, m
    while i or j:
        step = table[i][j][1]
        path = step + path
        i -= step != "i"
        j -= step != "d"
    return table[n][m][0], path


def shifted(hyp: list[str], a: int, size: int, x: int) -> list[str]:
    """The words with the `size` words from `a` on before what was word `x`."""
    block = hyp[a : a + size]
    if x < a:
        return hyp[:x] + block + hyp[x:a] + hyp[a + size :]
    if x > a + size:
        return hyp[:a] + hyp[a + size : x] + block + hyp[x:]
    return hyp[:a] + hyp[a + size : size + x] + block + hyp[size + x :]


def best_shift(hyp: list[str], ref: Sequence[str], tried: int) -> tuple[float, list[str], int]:
    """The gain of the best shift, the words after it, and how many shifts were tried by now."""
    before, path = beam(hyp, ref)
    align: list[int] = []
    wrong_hyp, wrong_ref = [], []
    for step in path:
        if step != "i":
            wrong_hyp.append(step != "=")
        if step != "d":
            align.append(len(wrong_hyp) - 1)
            wrong_ref.append(step != "=")
    best: tuple[float, int, int, int] | None = None
    after = hyp
    for a, b, size in stretches(hyp, ref):
        right = not any(wrong_hyp[a : a + size]) or not any(wrong_ref[b : b + size])
        if right or a <= align[b] < a + size:
            continue
        targets = [align[place] + 1 if place >= 0 else 0 for place in range(b - 1, b + size)]
        for x, _ in groupby(targets):
            words = shifted(hyp, a, size, x)
            tried += 1
            rank = before - beam(words, ref)[0], size, -a, -x
            if best is None or rank > best:
                best, after = rank, words
        if tried >= TRIED:
            return 0, hyp, tried
    return (best[0], after, tried) if best else (0, hyp, tried)


def stretches(hyp: Sequence[str], ref: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Where stretches of words begin that both have, not far from each other, and their size."""
    for a in range(len(hyp)):
        for b in range(max(0, a - FAR), min(len(ref), a + FAR + 1)):
            for size in range(1, 1 + min(LONGEST, len(hyp) - a, len(ref) - b)):
                if hyp[a + size - 1] != ref[b + size - 1]:
                    break
                yield a, b, size


def edits(hyp: Sequence[str], ref: Sequence[str]) -> int:
    """How many edits make the words `ref`; a shift of a stretch of words is one.

    >>> edits("on Monday it rained".split(), "it rained on Monday".split())
    1
    """
    if not ref:
        return len(hyp)
    words, shifts, tried = list(hyp), 0, 0
    while True:
        gain, after, tried = best_shift(words, ref, tried)
        if gain <= 0:
            return shifts + int(beam(words, ref)[0])
        words, shifts = after, shifts + 1


def statistics(hyp: Sequence[str], references: Sequence[Sequence[str]]) -> tuple[int, float]:
    """The fewest edits, and the mean length of the references."""
    return (
        min(edits(hyp, ref) for ref in references),
        sum(map(len, references)) / len(references),
    )


def rate(edits: float, length: float) -> float:
    """The edits for each word of the references."""
    return edits / length if length > 0 else float(edits > 0)
