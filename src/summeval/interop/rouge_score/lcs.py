"""Longest common subsequences of token lists, as rouge-score finds them.

The scorer counts in the kernel; these are here for programs that call rouge-score's functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

from summeval.interop.rouge_score.scoring import Score, fmeasure

Tokens = Sequence[Hashable]


def lcs_table(ref: Tokens, can: Tokens) -> list[list[int]]:
    """table[i][j]: the length for the first i tokens of `ref` and the first j of `can`.

    >>> lcs_table("ab", "b")
    [[0, 0], [0, 0], [0, 1]]
    """
    table = [[0] * (len(can) + 1)]
    for mine in ref:
        above, row = table[-1], [0]
        for j, other in enumerate(can):
            row.append(above[j] + 1 if mine == other else max(above[j + 1], row[j]))
        table.append(row)
    return table


def backtrack(table: Sequence[Sequence[int]], ref: Tokens, can: Tokens) -> list[int]:
    """The places in `ref` of the subsequence that is read from the end, up before left in ties.

    >>> backtrack(lcs_table("abc", "ca"), "abc", "ca")
    [0]
    """
    places = []
    i, j = len(ref), len(can)
    while i and j:
        if ref[i - 1] == can[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return places[::-1]


def lcs_ind(ref: Tokens, can: Tokens) -> list[int]:
    """The places in `ref` of one longest common subsequence."""
    return backtrack(lcs_table(ref, can), ref, can)


def find_union(lcs_list: Iterable[Iterable[int]]) -> list[int]:
    """The places in any of the lists, in order."""
    return sorted(set().union(*lcs_list))


def union_lcs(ref: Tokens, c_list: Iterable[Tokens]) -> list[Hashable]:
    """The tokens of a sentence that are on a subsequence with some sentence of the candidate.

    >>> union_lcs("abcde", ["abxyz", "acqse"])
    ['a', 'b', 'c', 'e']
    """
    return [ref[i] for i in find_union(lcs_ind(ref, can) for can in c_list)]


def summary_level_lcs(ref_sent: Sequence[Tokens], can_sent: Sequence[Tokens]) -> Score:
    """ROUGE-Lsum of tokenised sentences; a token counts no more often than either side has it."""
    left_of_ref: Counter[Hashable] = Counter(token for sent in ref_sent for token in sent)
    left_of_can: Counter[Hashable] = Counter(token for sent in can_sent for token in sent)
    ref_size, can_size = left_of_ref.total(), left_of_can.total()
    if not ref_size or not can_size:
        return Score(0.0, 0.0, 0.0)
    hits = 0
    for sentence in ref_sent:
        for token in union_lcs(sentence, can_sent):
            if left_of_ref[token] > 0 and left_of_can[token] > 0:
                hits += 1
                left_of_ref[token] -= 1
                left_of_can[token] -= 1
    precision, recall = hits / can_size, hits / ref_size
    return Score(precision, recall, fmeasure(precision, recall))
