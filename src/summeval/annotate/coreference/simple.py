"""A simple resolver: names that share words, and pronouns of the nearest name.

It knows persons, organisations and locations, which the parser must mark. It reads no other noun,
so "the company" is never resolved.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from summeval.annotate.document import Document, Entity

_MALE = frozenset(("he", "him", "his", "himself"))
_FEMALE = frozenset(("she", "her", "hers", "herself"))
_THING = frozenset(("it", "its", "itself"))
_MALE_TITLES = frozenset(("mr", "sir", "lord", "king", "prince", "monsieur", "herr", "senor"))
_FEMALE_TITLES = frozenset(
    ("mrs", "ms", "miss", "madame", "lady", "dame", "queen", "princess", "frau", "senora")
)
_SMALL = frozenset(("the", "of", "and", "'s", "’s"))
_NEAR = 2  # sentences before that of a pronoun in which its name may stand


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
        """The chains of two or more mentions, each by its tokens."""
        return _Reader(document).chains()


class _Reader:
    """Reads a document from its start: names first, then pronouns."""

    def __init__(self, document: Document) -> None:
        self._tokens = [token for sentence in document.sentences for token in sentence.tokens]
        self._sentence = [
            number for number, one in enumerate(document.sentences) for _ in one.tokens
        ]
        self._found: list[_Chain] = []
        for entity in sorted(document.entities, key=lambda one: (one.first, one.last)):
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
        of_person = entity.label == "PER"
        known = next(
            (
                one
                for one in reversed(self._found)
                if one.label == entity.label
                and not (gender and one.gender and gender != one.gender)
                and all(
                    _same_person(name, other) if of_person else _same_thing(name, other)
                    for other in one.names
                )
            ),
            None,
        )
        if known is None:
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
        best = max(
            (
                (self._rank(mention, number), -place)
                for place, one in enumerate(self._found)
                if one.label == label and (not one.gender or one.gender == gender or not gender)
                for mention in one.mentions
                if mention[1] < number
                and self._sentence[number] - self._sentence[mention[0]] <= _NEAR
            ),
            default=None,
        )
        if best is not None:
            found = self._found[-best[1]]
            found.mentions.append((number, number))
            found.gender = found.gender or gender

    def _rank(self, mention: tuple[int, int], number: int) -> tuple[int, bool, int]:
        """How near a mention is to a pronoun: its sentence, whether it is a subject, its place."""
        return self._sentence[mention[0]], self._is_subject(mention), mention[0]

    def _is_subject(self, mention: tuple[int, int]) -> bool:
        return any(
            token.label.startswith("nsubj") for token in self._tokens[mention[0] : mention[1] + 1]
        )


def _same_person(mine: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two names can be those of one person.

    >>> _same_person(("john", "smith"), ("smith",)), _same_person(("ann", "ray"), ("bob", "ray"))
    (True, False)
    """
    if len(mine) == 1 or len(other) == 1:
        return mine[-1] in other or other[-1] in mine
    return mine[-1] == other[-1] and (mine[0][0] == other[0][0] and _fits(mine[0], other[0]))


def _fits(mine: str, other: str) -> bool:
    """Whether first names are equal, or one is the initial of the other."""
    return mine == other or 1 in (len(mine), len(other))


def _same_thing(mine: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two names are equal, or one is the initials of the other.

    >>> _same_thing(("european", "union"), ("eu",)), _same_thing(("paris",), ("london",))
    (True, False)
    """
    return mine == other or _initials(mine) == other or (_initials(other) == mine)


def _initials(words: tuple[str, ...]) -> tuple[str, ...]:
    return ("".join(word[0] for word in words),) if len(words) > 1 else ()
