"""The head child of a phrase: the table of Collins 1999, as Stanford's tools read it."""

from __future__ import annotations

from collections.abc import Sequence

# The search order of each category, row by row. `left`: for each listed category in turn, the first
# child of that category; `right`: the last such child; `rightdis`: the last child of any listed
# category. If no row finds a child, the head is the first child if the last row is `left`, else the
# last child.
_TABLE = """
NP      rightdis  NN NNP NNPS NNS NX POS JJR
NP      left      NP
NP      rightdis  $ ADJP PRN
NP      right     CD
NP      rightdis  JJ JJS RB QP
VP      left      TO VBD VBN MD VBZ VB VBG VBP AUX AUXG VP ADJP NN NNS NP
S       left      TO IN VP S SBAR ADJP UCP NP
SBAR    left      WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG
SBARQ   left      SQ S SINV SBARQ FRAG
SINV    left      VBZ VBD VBP VB MD VP S SINV ADJP NP
SQ      left      VBZ VBD VBP VB MD VP SQ
ADJP    left      NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
ADVP    right     RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
PP      right     IN TO VBG VBN RP FW
WHPP    right     IN TO FW
WHNP    left      WDT WP WP$ WHADJP WHPP WHNP
WHADJP  left      CC WRB JJ ADJP
WHADVP  right     CC WRB
QP      left      $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
NAC     left      NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
NX      left
INTJ    left
PRN     left
PRT     right     RP
CONJP   right     CC RB IN
LST     right     LS :
RRC     right     VP NP ADVP ADJP PP
FRAG    right
UCP     right
X       right
"""
_PUNCTUATION = frozenset("'' `` -LRB- -RRB- . : ,".split())
_COORDINATION = ("CC", "CONJP")

_Rows = list[tuple[str, list[str]]]


def _read(table: str) -> dict[str, _Rows]:
    rows: dict[str, _Rows] = {}
    for line in table.strip().splitlines():
        category, direction, *wanted = line.split()
        rows.setdefault(category, []).append((direction, wanted))
    return rows


_ROWS = _read(_TABLE)


def head_child(category: str, children: Sequence[str]) -> int:
    """The position of the head among the children of a phrase.

    Parameters
    ----------
    category : str
        Category of the phrase. If the table lacks it, the head is the first child.
    children : sequence of str
        Their basic categories; at least one.

    Examples
    --------
    >>> head_child("NP", ["DT", "NN", "NN"]), head_child("NP", ["NP", "PP"])
    (2, 0)
    >>> head_child("NP", ["NN", "CC", "NN"])  # of a coordination the part before the conjunction
    0
    """
    if len(children) == 1:
        return 0
    found = _search(_ROWS.get(category, [("left", [])]), children)
    if found >= 2 and children[found - 1] in _COORDINATION:
        before = found - 2
        while before >= 0 and children[before] in _PUNCTUATION:
            before -= 1
        return before if before >= 0 else found
    return found


def _search(rows: _Rows, children: Sequence[str]) -> int:
    last = len(children) - 1
    for direction, wanted in rows:
        if direction == "rightdis":
            for position in range(last, -1, -1):
                if children[position] in wanted:
                    return position
            continue
        for category in wanted:
            if category in children:
                if direction == "left":
                    return children.index(category)
                return last - children[::-1].index(category)
    return 0 if rows[-1][0] == "left" else last
