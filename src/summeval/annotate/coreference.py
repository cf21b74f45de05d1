"""Coreference: which mentions of a document name the same thing, and what finds them.

The simple resolver joins names that share words, and pronouns of the nearest name. It knows
persons, organisations and locations, which the parser must mark. It reads no other noun, so "the
company" is never resolved.

Chains that another program found come from a file. Two layouts are read, both also with `.gz`.

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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from operator import attrgetter
from typing import Any, NamedTuple, NoReturn, Protocol, runtime_checkable

from summeval._options import shown, unknown, whole
from summeval.annotate.conllu import COLUMNS, NOT_A_TOKEN, is_new_document, notes_of
from summeval.annotate.document import Document, Entity
from summeval.annotate.files import beginning, reading

Mention = tuple[int, int]
"""The first and the last token, counted from 0 over the document."""

Chains = Sequence[Sequence[Mention]]
"""For each thing that is named, its mentions."""

NAMES = ("simple", "file")
_MALE = frozenset(("he", "him", "his", "himself"))
_FEMALE = frozenset(("she", "her", "hers", "herself"))
_THING = frozenset(("it", "its", "itself"))
_MALE_TITLES = frozenset(("mr", "sir", "lord", "king", "prince", "monsieur", "herr", "senor"))
_FEMALE_TITLES = frozenset(
    ("mrs", "ms", "miss", "madame", "lady", "dame", "queen", "princess", "frau", "senora")
)
_SMALL = frozenset(("the", "of", "and", "'s", "’s"))
_GZIP = b"\x1f\x8b"
_MARK = re.compile(r"\(([^()]+)\)|\(([^()]+)|([^()]+)\)")
_NEAR = 2  # sentences before that of a pronoun in which its name may stand


@runtime_checkable
class Resolver(Protocol):
    """The interface of a program that finds chains.

    Attributes
    ----------
    signature : str
        Program, model and versions. Equal signatures mean equal chains for the same document.
    """

    @property
    def signature(self) -> str: ...

    def chains(self, document: Document) -> Chains:
        """Return the chains of a document; those of one mention may be left out."""
        ...


class Function(NamedTuple):
    """A resolver made of a function from a document to its chains."""

    chains: Callable[[Document], Chains]
    signature: str


def resolver(
    given: str | Resolver | Callable[[Document], Chains], signature: str = "function"
) -> Resolver:
    """Return the resolver that a name, an object or a function stands for.

    Parameters
    ----------
    given : str, Resolver or callable
        "simple" is `SimpleResolver`, "file:PATH" a `ChainFile`; a function gets a `Document` and
        returns its chains.
    signature : str
        That of a function.

    Raises
    ------
    TypeError, ValueError
        Something else, an unknown name, or a file that is not as `ChainFile` wants it.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> resolver("simple").signature
    'simple:1'
    >>> resolver(lambda document: [], "nothing").chains(Document())
    []
    """
    if not isinstance(given, str):
        if isinstance(given, Resolver):
            return given
        if callable(given):
            return Function(given, signature)
        raise TypeError(
            f'coreference is {type(given).__name__}; give "simple", "file:PATH", a resolver or a'
            " function"
        )
    kind, _, path = given.partition(":")
    if kind not in NAMES or (kind == "simple" and path):
        raise ValueError(unknown("coreference", given, ("simple", "file:PATH")))
    return SimpleResolver() if kind == "simple" else ChainFile(path)


def chains_of(document: Document, found: Resolver) -> list[list[Mention]]:
    """Return the chains that a resolver finds in a document, checked.

    Raises
    ------
    ValueError
        What it returns is no list of chains, or a mention is outside the document; the message
        names the place.

    Examples
    --------
    >>> chains_of(Document(), resolver(lambda document: [[(0, 1)]]))
    Traceback (most recent call last):
    ValueError: coreference: chains[0][0]: tokens 0 to 1 are outside the document of 0 tokens; \
count from 0, `last` included
    """
    chains: Any = found.chains(document)
    total = document.starts[-1]
    if isinstance(chains, str) or not isinstance(chains, Sequence):
        _refuse("chains", f"is {shown(chains)}", "return a list of chains")
    checked = []
    for number, chain in enumerate(chains):
        if isinstance(chain, str) or not isinstance(chain, Sequence):
            _refuse(f"chains[{number}]", f"is {shown(chain)}", "give a list of mentions")
        mentions = []
        for position, mention in enumerate(chain):
            place = f"chains[{number}][{position}]"
            ends = two_numbers(mention)
            if ends is None:
                _refuse(place, f"is {shown(mention)}", "give the first and the last token")
            first, last = ends
            if not 0 <= first <= last < total:
                outside = f"tokens {first} to {last} are outside the document of {total} tokens"
                _refuse(place, outside, "count from 0, `last` included", ": ")
            mentions.append((first, last))
        checked.append(mentions)
    return checked


def two_numbers(mention: object) -> Mention | None:
    """Return the two whole numbers that a mention is; None if it is something else."""
    ends = [whole(end) for end in mention] if isinstance(mention, Sequence) else []
    return None if len(ends) != 2 or None in ends else (ends[0] or 0, ends[1] or 0)


def _refuse(place: str, problem: str, hint: str, between: str = " ") -> NoReturn:
    raise ValueError(f"coreference: {place}{between}{problem}; {hint}")


@dataclass
class _Chain:
    """A thing that is named, and what is known of it."""

    label: str
    mentions: list[tuple[int, int]] = field(default_factory=list)
    names: list[tuple[str, ...]] = field(default_factory=list)
    gender: str = ""


class SimpleResolver:
    """Finds chains of names and of the pronouns he, she and it, in all their forms.

    - A name joins an earlier one of its kind: a person by the last word or by a single word that
      the other name has, if the first names do not differ; an organisation or location by the same
      words, or as its initials.
    - A pronoun takes the nearest person (he, she) or organisation (it) of its own or the two
      previous sentences; among those of one sentence a subject comes first, else the last before
      the pronoun. Titles and earlier pronouns tell who is he or she.

    Examples
    --------
    >>> from summeval.annotate import Sentence, Token
    >>> words = "Ann Lee met Bob Ray . She left Mr. Ray .".split()
    >>> entities = (Entity("PER", 0, 1), Entity("PER", 3, 4), Entity("PER", 9, 9))
    >>> tokens = [Token(word) for word in words]
    >>> document = Document((Sentence(tuple(tokens[:6])), Sentence(tuple(tokens[6:]))), entities)
    >>> SimpleResolver().chains(document)
    [[(0, 1), (6, 6)], [(3, 4), (9, 9)]]
    """

    signature = "simple:1"

    def chains(self, document: Document) -> list[list[tuple[int, int]]]:
        """Return the chains of two or more mentions, each by its tokens."""
        return _Reader(document).chains()


class _Reader:
    """Reads a document from its start: names first, then pronouns."""

    def __init__(self, document: Document) -> None:
        self._tokens = [token for sentence in document.sentences for token in sentence.tokens]
        self._sentence = [
            number for number, one in enumerate(document.sentences) for _ in one.tokens
        ]
        self._found: list[_Chain] = []
        for entity in sorted(document.entities, key=attrgetter("first", "last")):
            self._add_name(entity)

    def chains(self) -> list[list[tuple[int, int]]]:
        """Resolve the pronouns, in order; return the chains in the order of their first mention."""
        inside = {k for one in self._found for a, b in one.mentions for k in range(a, b + 1)}
        for number, token in enumerate(self._tokens):
            word = token.form.lower()
            if number not in inside and token.label != "expl":
                self._add_pronoun(number, word)
        return sorted(sorted(one.mentions) for one in self._found if len(one.mentions) > 1)

    def _add_name(self, entity: Entity) -> None:
        words = [
            token.form.lower().replace(".", "")
            for token in self._tokens[entity.first : entity.last + 1]
        ]
        name = tuple(word for word in words if word.isalnum() and word not in _SMALL)
        before = self._tokens[entity.first - 1].form if entity.first else ""
        titles = {*words, before.lower().replace(".", "")}
        gender = "m" if titles & _MALE_TITLES else "f" if titles & _FEMALE_TITLES else ""
        name = tuple(word for word in name if word not in _MALE_TITLES | _FEMALE_TITLES) or name
        if not name:
            return
        is_same = _same_person if entity.label == "PER" else _same_thing
        for known in reversed(self._found):
            agrees = known.gender in ("", gender) or not gender
            is_one = agrees and known.label == entity.label
            if is_one and all(is_same(name, other) for other in known.names):
                break
        else:
            known = _Chain(entity.label)
            self._found.append(known)
        known.mentions.append((entity.first, entity.last))
        known.names.append(name)
        known.gender = known.gender or gender

    def _add_pronoun(self, number: int, word: str) -> None:
        gender = "m" if word in _MALE else "f" if word in _FEMALE else ""
        if not gender and word not in _THING:
            return
        label = "PER" if gender else "ORG"
        least = self._sentence[number] - _NEAR
        ranked = [
            (self._rank(mention), -place)
            for place, one in enumerate(self._found)
            if one.label == label and (one.gender in ("", gender) or not gender)
            for mention in one.mentions
            if mention[1] < number and self._sentence[mention[0]] >= least
        ]
        if ranked:
            found = self._found[-max(ranked)[1]]
            found.mentions.append((number, number))
            found.gender = found.gender or gender

    def _rank(self, mention: Mention) -> tuple[int, bool, int]:
        """How near a mention is to a pronoun: its sentence, whether it is a subject, its place."""
        first, last = mention
        tokens = self._tokens[first : last + 1]
        is_subject = any(token.label.startswith("nsubj") for token in tokens)
        return self._sentence[first], is_subject, first


def _same_person(own: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two names can be those of one person.

    >>> _same_person(("john", "smith"), ("smith",)), _same_person(("ann", "ray"), ("bob", "ray"))
    (True, False)
    """
    if len(own) == 1 or len(other) == 1:
        return own[-1] in other or other[-1] in own
    return own[-1] == other[-1] and (own[0][0] == other[0][0] and _fits(own[0], other[0]))


def _fits(own: str, other: str) -> bool:
    """Return whether first names are equal, or one is the initial of the other."""
    return own == other or 1 in (len(own), len(other))


def _same_thing(own: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two names are equal, or one is the initials of the other.

    >>> _same_thing(("european", "union"), ("eu",)), _same_thing(("paris",), ("london",))
    (True, False)
    """
    return own == other or _initials(own) == other or (_initials(other) == own)


def _initials(words: tuple[str, ...]) -> tuple[str, ...]:
    return ("".join(word[0] for word in words),) if len(words) > 1 else ()


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
            opening = beginning(document.text or " ".join(forms))
            raise ValueError(
                f"{self._path}: no chains of the text {opening}; add a line for it, with an empty"
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


def _read_conllu(lines: Iterable[str], path: str) -> Iterator[Squeezed]:
    documents: list[list[tuple[str, str]]] = [[]]  # of each row its place and itself
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            documents += [[] for _ in range(is_new_document(line))]
        elif line.strip():
            documents[-1].append((f"{path}:{number}", line.rstrip("\r\n")))
    return map(_of_rows, filter(None, documents))


def _of_rows(rows: Iterable[tuple[str, str]]) -> Squeezed:
    """Return what the rows of a document say: tokens, and the mentions that start and end there."""
    text: list[str] = []
    opened: list[tuple[str, int, str]] = []  # its chain, the first character, the place
    chains: dict[str, list[tuple[int, int]]] = {}
    end = 0
    for place, row in rows:
        fields = row.split("\t")
        if len(fields) != COLUMNS:
            _fail(place, f"{len(fields)} columns, not {COLUMNS}")
        if NOT_A_TOKEN.fullmatch(fields[0]):
            continue
        text.append(_squeeze(fields[1]))
        begin, end = end, end + len(text[-1])
        for single, opens, closes in _MARK.findall(notes_of(fields[9]).get("Entity", "")):
            # The chain of a mark: `e1` of `e1-person-1` and of `e1[1/2]`, a part of a mention.
            chain = (single or opens or closes).partition("-")[0].partition("[")[0]
            if opens:
                opened.append((chain, begin, place))
                continue
            start = begin
            if closes:
                known = [number for number, (name, _, _) in enumerate(opened) if name == chain]
                if not known:
                    _fail(place, f"a mention of {shown(chain)} ends that has not started")
                _, start, _ = opened.pop(known[-1])
            chains.setdefault(chain, []).append((start, end))
    for chain, _, place in opened:
        _fail(place, f"a mention of {shown(chain)} starts and does not end")
    return "".join(text), [sorted(chain) for chain in chains.values()]


def _fail(place: str, problem: str) -> NoReturn:
    raise ValueError(f"{place}: {problem}; see summeval.annotate.coreference")
