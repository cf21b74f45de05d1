"""Chains that another program found, from a file.

Two layouts are read, both also with `.gz`.

JSON Lines (`.jsonl`), a document on each line: `chains`, a list of chains, each a list of mentions
`[first, last]`. With `tokens`, a list of str, first and last are numbers of these tokens, from 0,
the last one included. Without it there is `text`, and they are characters of it, from 0, the last
one not included.

CoNLL-U (`.conllu`) with `Entity=` in its last column, as CorefUD and GUM have it: `(e1-person`
opens a mention of the chain e1, `e1)` closes it, `(e1-person)` is one of a single token. `# newdoc`
starts a document.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, NoReturn

from summeval._options import shown
from summeval.annotate.conllu import COLUMNS, NOT_A_TOKEN, is_new_document, notes_of
from summeval.annotate.coreference import two_numbers
from summeval.annotate.document import Document
from summeval.annotate.files import beginning, reading

_GZIP = b"\x1f\x8b"
_MARK = re.compile(r"\(([^()]+)\)|\(([^()]+)|([^()]+)\)")

# A text without its blanks in lower case, and mentions as characters of that: so a document is
# found, and its tokens, whatever the blanks, the case and the tokens of the file.
Squeezed = tuple[str, list[list[tuple[int, int]]]]


class ChainFile:
    """The chains of documents, looked up by their text; blanks and case do not matter.

    A mention is that of all tokens that have characters of it.

    Parameters
    ----------
    path : str
        A file as above.

    Raises
    ------
    ValueError
        A line that is not as above (the message names file and line), or another extension.
    OSError

    Examples
    --------
    >>> import os, tempfile
    >>> from summeval.annotate import Sentence, Token
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "chains.jsonl")
    ...     with open(path, "w") as file:
    ...         _ = file.write('{"text": "Ann saw it. She left.", "chains": [[[0, 3], [12, 15]]]}')
    ...     found = ChainFile(path)
    >>> tokens = [Token(word) for word in "Ann saw it . She left .".split()]
    >>> found.chains(Document((Sentence(tuple(tokens)),)))
    [[(0, 0), (4, 4)]]
    """

    def __init__(self, path: str) -> None:
        if not path:
            raise ValueError("coreference 'file' needs a file; write file:PATH")
        plain = path.lower().removesuffix(".gz")
        if not plain.endswith((".jsonl", ".conllu")):
            raise ValueError(f"{path}: unknown extension; use .jsonl or .conllu")
        self._path = path
        with open(path, "rb") as file:
            data = file.read()
        self.signature = f"file:{hashlib.blake2b(data, digest_size=8).hexdigest()}"
        with reading(path):
            text = (gzip.decompress(data) if data[:2] == _GZIP else data).decode("utf-8-sig")
        read = _read_conllu if plain.endswith(".conllu") else _read_jsonl
        self._documents = dict(read(text.split("\n"), path))

    def chains(self, document: Document) -> list[list[tuple[int, int]]]:
        """Return the chains of a document.

        Raises
        ------
        ValueError
            The file does not have its text.
        """
        forms = [token.form for sentence in document.sentences for token in sentence.tokens]
        text, ends = _squeezed(forms)
        found = self._documents.get(text)
        if found is None and document.text:  # forms that are not written as in the text
            found = self._documents.get(_squeeze(document.text))
        if found is None and forms:
            told = beginning(document.text or " ".join(forms))
            raise ValueError(
                f"{self._path}: no chains of the text {told}; add a line for it, with an empty"
                " list if it has none"
            )
        return [[_tokens_of(mention, ends) for mention in chain] for chain in found or ()]


def _squeeze(text: str) -> str:
    return "".join(text.split()).lower()


def _squeezed(forms: Sequence[str]) -> Any:
    """Return the text of some tokens without blanks, and where each token ends in it."""
    parts = [_squeeze(form) for form in forms]
    return "".join(parts), list(accumulate(map(len, parts)))


def _tokens_of(mention: tuple[int, int], ends: Sequence[int]) -> tuple[int, int]:
    """Return the tokens that have characters of a mention.

    >>> _tokens_of((3, 6), [3, 5, 7]), _tokens_of((0, 3), [3, 5, 7])
    ((1, 2), (0, 0))
    """
    first = bisect_right(ends, mention[0])
    last = bisect_left(ends, mention[1])
    return first, max(first, min(last, len(ends) - 1))


def _read_jsonl(lines: Iterable[str], path: str) -> Iterator[Squeezed]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            _fail(place, f"not JSON ({error})")
        if not isinstance(value, dict) or not isinstance(value.get("chains"), list):
            _fail(place, "no list 'chains'")
        yield _from_json(value, place)


def _from_json(value: dict[str, Any], place: str) -> Squeezed:
    tokens, text = value.get("tokens"), value.get("text")
    if tokens is not None:
        if not isinstance(tokens, list) or not all(isinstance(one, str) for one in tokens):
            _fail(place, "'tokens' is not a list of strings")
        squeezed, ends = _squeezed(tokens)
        starts = [0, *ends]
    elif isinstance(text, str):
        # Where each character is in the squeezed text.
        squeezed = _squeeze(text)
        starts = [0, *accumulate(len(_squeeze(char)) for char in text)]
    else:
        _fail(place, "neither 'tokens' nor 'text'")
    chains = []
    for number, chain in enumerate(value["chains"]):
        if not isinstance(chain, list):
            _fail(place, f"chains[{number}] is {shown(chain)}, not a list of mentions")
        mentions = []
        for mention in chain:
            ends_of = two_numbers(mention)
            if ends_of is None:
                _fail(place, f"chains[{number}] has {shown(mention)} for a mention")
            first, end = ends_of[0], ends_of[1] + (tokens is not None)
            if not 0 <= first < end < len(starts):
                what = "tokens" if tokens is not None else "characters"
                _fail(place, f"chains[{number}]: {mention} exceeds the {len(starts) - 1} {what}")
            mentions.append((starts[first], starts[end]))
        chains.append(mentions)
    return squeezed, chains


class _Open(NamedTuple):
    """A mention that was opened: its chain, the first character, the place."""

    chain: str
    start: int
    place: str


class _Conllu:
    """Collects the rows of a document."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.length = 0
        self.opened: list[_Open] = []
        self.chains: dict[str, list[tuple[int, int]]] = {}

    def row(self, line: str, place: str) -> None:
        """Read a row: a token, and the mentions that start and end at it."""
        fields = line.split("\t")
        if len(fields) != COLUMNS:
            _fail(place, f"{len(fields)} columns, not {COLUMNS}")
        if NOT_A_TOKEN.fullmatch(fields[0]):
            return
        form = _squeeze(fields[1])
        start, self.length = self.length, self.length + len(form)
        self.text.append(form)
        for single, opens, closes in _MARK.findall(notes_of(fields[9]).get("Entity", "")):
            # The chain of a mark: `e1` of `e1-person-1` and of `e1[1/2]`, a part of a mention.
            chain = (single or opens or closes).partition("-")[0].partition("[")[0]
            if opens:
                self.opened.append(_Open(chain, start, place))
                continue
            if closes:
                start = self._close(chain, place)
            self.chains.setdefault(chain, []).append((start, self.length))

    def _close(self, chain: str, place: str) -> int:
        """Return where the last mention of the chain started that is open."""
        for number in range(len(self.opened) - 1, -1, -1):
            if self.opened[number].chain == chain:
                return self.opened.pop(number).start
        _fail(place, f"a mention of {shown(chain)} ends that has not started")

    def end(self) -> Iterator[Squeezed]:
        """Yield the document read so far, if it has tokens."""
        if self.opened and self.text:
            one = self.opened[0]
            _fail(one.place, f"a mention of {shown(one.chain)} starts and does not end")
        if self.text:
            yield "".join(self.text), [sorted(chain) for chain in self.chains.values()]


def _read_conllu(lines: Iterable[str], path: str) -> Iterator[Squeezed]:
    found = _Conllu()
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            if is_new_document(line):
                yield from found.end()
                found = _Conllu()
        elif line.strip():
            found.row(line.rstrip("\r\n"), f"{path}:{number}")
    yield from found.end()


def _fail(place: str, problem: str) -> NoReturn:
    raise ValueError(f"{place}: {problem}; see summeval.annotate.coreference.files")
