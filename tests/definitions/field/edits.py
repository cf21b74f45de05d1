"""Error rates of words and characters, and similarities of strings by edits, in plain Python.

The alignment is the one that RapidFuzz 3.14.6 finds, on which jiwer 4.0.0 counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple


class Counts(NamedTuple):
    """The words of an alignment: alike, changed, only of the candidate, only of the reference."""

    hits: int
    substitutions: int
    insertions: int
    deletions: int


class Rates(NamedTuple):
    """The fields of `wer` and `cer`."""

    value: float
    mer: float
    wil: float
    wip: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


class Similarities(NamedTuple):
    """The fields of `edit-similarity`."""

    value: float
    indel: float
    damerau: float
    osa: float
    lcs: float
    jaro: float
    jaro_winkler: float
    token_sort: float
    token_set: float


def words(text: str) -> list[str]:
    r"""The words of jiwer: only a blank parts them, or more than one white character.

    >>> words(" a  b\tc \n d")
    ['a', 'b\tc', 'd']
    """
    text = re.sub(r"\s\s+", " ", text).strip()
    return [word for word in text.split(" ") if word]


def alignment(reference: Sequence[str], candidate: Sequence[str]) -> str:
    """The steps of the alignment: `=`, `s`, `i`, `d`.

    >>> alignment("abcd", "xbbd")
    's=s='
    """
    n, m = len(reference), len(candidate)
    first = 0
    while first < min(n, m) and reference[first] == candidate[first]:
        first += 1
    last = 0
    while last < min(n, m) - first and reference[n - 1 - last] == candidate[m - 1 - last]:
        last += 1
    a, b = reference[first : n - last], candidate[first : m - last]
    table = [list(range(len(b) + 1))]
    for i in range(1, len(a) + 1):
        row = [i]
        for j in range(1, len(b) + 1):
            same = a[i - 1] == b[j - 1]
            row.append(min(table[-1][j - 1] + (not same), table[-1][j] + 1, row[-1] + 1))
        table.append(row)
    i, j, steps = len(a), len(b), []
    while i and j:
        if table[i][j] == table[i - 1][j] + 1:
            step = "d"
        elif table[i][j - 1] == table[i - 1][j - 1] - 1:
            step = "i"
        else:
            step = "=" if a[i - 1] == b[j - 1] else "s"
        i -= step != "i"
        j -= step != "d"
        steps.append(step)
    return first * "=" + i * "d" + j * "i" + "".join(reversed(steps)) + last * "="


def counts(reference: Sequence[str], candidate: Sequence[str]) -> Counts:
    """How often each step comes in the alignment."""
    steps = alignment(reference, candidate)
    return Counts(steps.count("="), steps.count("s"), steps.count("i"), steps.count("d"))


def rates(found: Counts) -> Rates:
    """The rates of counts, which may be those of many pairs.

    >>> rates(Counts(2, 1, 1, 0)).value, rates(Counts(0, 0, 4, 0)).value
    (0.6666666666666666, 4)
    """
    hits, changed, added, left_out = found
    wrong = changed + added + left_out
    n, m = hits + changed + left_out, hits + changed + added
    wip = hits / n * hits / m if n and m else float(n == m)
    return Rates(
        wrong / n if n else wrong,
        wrong / (wrong + hits) if wrong else 0.0,
        1 - wip,
        wip,
        *found,
    )


def lcs(a: Sequence[str], b: Sequence[str]) -> int:
    """How long the longest common subsequence is."""
    row = [0] * (len(b) + 1)
    for one in a:
        above = row
        row = [0]
        for j, other in enumerate(b):
            row.append(above[j] + 1 if one == other else max(above[j + 1], row[j]))
    return row[-1]


def osa(a: str, b: str) -> int:
    """Edits with swaps of neighbours, between which nothing is edited any more."""
    rows = [list(range(len(b) + 1))]
    for i in range(1, len(a) + 1):
        row = [i]
        for j in range(1, len(b) + 1):
            ways = [rows[-1][j - 1] + (a[i - 1] != b[j - 1]), rows[-1][j] + 1, row[-1] + 1]
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                ways.append(rows[-2][j - 2] + 1)
            row.append(min(ways))
        rows.append(row)
    return rows[-1][-1]


def damerau(a: str, b: str) -> int:
    """Edits with swaps of what was apart, or is apart after. Lowrance and Wagner 1975.

    >>> damerau("ca", "abc"), osa("ca", "abc")
    (2, 3)
    """
    table = {(i, 0): i for i in range(len(a) + 1)} | {(0, j): j for j in range(len(b) + 1)}
    seen: dict[str, int] = {}
    for i in range(1, len(a) + 1):
        match = 0
        for j in range(1, len(b) + 1):
            ways = [
                table[i - 1, j - 1] + (a[i - 1] != b[j - 1]),
                table[i - 1, j] + 1,
                table[i, j - 1] + 1,
            ]
            k = seen.get(b[j - 1], 0)
            if k and match:
                ways.append(table[k - 1, match - 1] + (i - k - 1) + 1 + (j - match - 1))
            table[i, j] = min(ways)
            if a[i - 1] == b[j - 1]:
                match = j
        seen[a[i - 1]] = i
    return table[len(a), len(b)]


def jaro(a: str, b: str) -> float:
    """Jaro's similarity. Jaro 1989."""
    if not a or not b:
        return float(a == b)
    window = max(0, max(len(a), len(b)) // 2 - 1)
    of_a, of_b = set(), set()
    for i, one in enumerate(a):
        for j in range(max(0, i - window), min(len(b), i + window + 1)):
            if j not in of_b and b[j] == one:
                of_a.add(i)
                of_b.add(j)
                break
    found = len(of_a)
    if not found:
        return 0.0
    swapped = sum(a[i] != b[j] for i, j in zip(sorted(of_a), sorted(of_b), strict=True)) // 2
    return (found / len(a) + found / len(b) + (found - swapped) / found) / 3


def tokens(text: str) -> list[str]:
    r"""The tokens of RapidFuzz, to which U+0085 and U+00A0 are letters in a text of Latin-1.

    >>> tokens("a\xa0b c"), tokens("a\xa0b \u4e00")
    (['a\xa0b', 'c'], ['a', 'b', '一'])
    """
    if max(text, default="") > "\xff":
        return text.split()
    return re.findall(r"[^\t-\r\x1c-\x20]+", text)


def token_set(a: str, b: str) -> float:
    """The best of the indel similarities of the common words, and these with those of each."""
    x, y = set(tokens(a)), set(tokens(b))
    if not x or not y:
        return 0.0
    common = " ".join(sorted(x & y))
    left, right = " ".join(sorted(x - y)), " ".join(sorted(y - x))
    if common and not (left and right):
        return 1.0
    s, gap = len(common), bool(common)
    la, lb = s + gap + len(left), s + gap + len(right)
    best = 1 - (len(left) + len(right) - 2 * lcs(left, right)) / (la + lb)
    if not common:
        return best
    return max(best, 1 - (gap + len(left)) / (s + la), 1 - (gap + len(right)) / (s + lb))


def indel(a: str, b: str) -> float:
    """Similarity by edits that only add and leave out."""
    return 2 * lcs(a, b) / (len(a) + len(b)) if a or b else 1.0


def similarities(a: str, b: str) -> Similarities:
    """All of them."""
    n = max(len(a), len(b))
    steps = alignment(a, b)
    like = jaro(a, b)
    prefix = 0
    while prefix < min(4, len(a), len(b)) and a[prefix] == b[prefix]:
        prefix += 1
    return Similarities(
        value=1 - (len(steps) - steps.count("=")) / n if n else 1.0,
        indel=indel(a, b),
        damerau=1 - damerau(a, b) / n if n else 1.0,
        osa=1 - osa(a, b) / n if n else 1.0,
        lcs=lcs(a, b) / n if n else 1.0,
        jaro=like,
        jaro_winkler=like + 0.1 * prefix * (1 - like) if like > 0.7 else like,
        token_sort=indel(" ".join(sorted(tokens(a))), " ".join(sorted(tokens(b)))),
        token_set=token_set(a, b),
    )
