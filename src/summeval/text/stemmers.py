"""Stemmers by name, and the exception table of the ROUGE-1.5.5 stemmer."""

import threading
from collections.abc import Callable, Sequence
from functools import cache, partial
from os.path import dirname, join

from summeval._core.text import stemmer as kernel
from summeval._lazy import need
from summeval._options import unknown

STEMMERS = (None, "rouge155", "porter", "porter-java")  # of the kernels
_START = "snowball-"
SNOWBALL = """
    arabic armenian basque catalan czech danish dutch dutch_porter english esperanto estonian
    finnish french german greek hindi hungarian indonesian irish italian lithuanian nepali norwegian
    persian polish porter portuguese romanian russian serbian sesotho spanish swedish tamil turkish
    yiddish
""".split()


@cache
def exceptions() -> dict[str, str]:
    """The WordNet exception table that ROUGE-1.5.5 -m consults before stemming: 5,930 entries.

    Maps inflected form to first base form, from WordNet's lists of irregular adjectives, adverbs,
    nouns and verbs; later lists override earlier ones. Do not change the dict: all callers share
    it.

    Examples
    --------
    >>> table = exceptions()
    >>> len(table), table["better"], table["mice"], table["comics"]
    (5930, 'well', 'mouse', 'comic_strip')
    """
    with open(join(dirname(__file__), "data", "wordnet_exceptions.tsv"), encoding="ascii") as file:
        return dict(line.rstrip("\n").split("\t") for line in file)


def stemmer(name: str) -> Callable[[str], str]:
    """Return the stemmer of that name, a function from word to stem.

    Words are lower-cased first. Non-ASCII characters count as consonants.

    Parameters
    ----------
    name : {"rouge155", "porter", "porter-java"} or "snowball-LANGUAGE"
        "rouge155" is ROUGE-1.5.5 -m: words of up to 3 bytes are unchanged; then the WordNet
        exceptions apply, then the script's own Porter stemmer. Only A-Z is lower-cased. "porter" is
        NLTK's PorterStemmer in its default mode; rouge-score's `use_stemmer` is this, applied only
        to tokens of more than 3 letters. "porter-java" is Porter's Java program, release 4, as in
        SIMetrix. "snowball-german" and others are those of Snowball for 36 languages and variants,
        by their names there; they need the extra `languages`.

    Raises
    ------
    ValueError
        No stemmer has this name.
    ImportError
        The extra is not installed.

    Examples
    --------
    >>> [stemmer("rouge155")(word) for word in ("better", "governmental", "dying", "was")]
    ['well', 'govern', 'die', 'was']
    >>> [stemmer("porter")(word) for word in ("better", "governmental", "dying", "was")]
    ['better', 'government', 'die', 'wa']
    >>> [stemmer("porter-java")(word) for word in ("better", "governmental", "dying", "was")]
    ['better', 'government', 'dy', 'wa']
    """
    if is_snowball(name):
        version(name)
        return partial(_snowball, name.removeprefix(_START))
    if name not in _STEMMERS:
        known = [*_STEMMERS, *(_START + language for language in SNOWBALL)]
        raise ValueError(unknown("stemmer", name, known))
    return _STEMMERS[name]


def is_snowball(name: object) -> bool:
    """Return whether a stemmer is one of Snowball, which Python applies."""
    return isinstance(name, str) and name.removeprefix(_START) in SNOWBALL and name[:9] == _START


@cache
def version(name: str | None) -> str:
    """Return a stemmer's name with the version of Snowball, as signatures say it.

    >>> version("porter"), version(None)
    ('porter', 'none')
    """
    if not is_snowball(name):
        return name or "none"
    from importlib.metadata import version as version_of

    try:
        import Stemmer as module
    except ImportError:
        module = need("snowballstemmer", f"the stemmer {name}", "languages")
    package = "PyStemmer" if module.__name__ == "Stemmer" else "snowballstemmer"
    return f"{name}-{'.'.join(version_of(package).split('.')[:2])}"


def token_stemmer(name: str | None, unstemmed: int = 3) -> Callable[[str], str]:
    """Return the stemmer as the kernels apply it to tokens.

    Tokens of at most `unstemmed` bytes, and those that are not ASCII, stay as they are, but for
    Snowball's, which take every token.

    >>> stem = token_stemmer("porter")
    >>> stem("was"), stem("cities"), stem("cafés"), token_stemmer(None)("cities")
    ('was', 'citi', 'cafés', 'cities')
    """
    if name is None:
        return str
    stem = stemmer(name)
    if is_snowball(name):
        return stem
    return lambda word: stem(word) if word.isascii() and len(word) > unstemmed else word


def stems_of(words: Sequence[str], name: str | None, unstemmed: int = 3) -> Sequence[str]:
    """Return the stem of each word, by `token_stemmer`.

    >>> stems_of(["was", "cities"], "porter")
    ['was', 'citi']
    """
    if name not in _PORTERS:
        return [*map(token_stemmer(name, unstemmed), words)]
    given = [word for word in words if word.isascii() and len(word) > unstemmed]
    stems = map(bytes.decode, kernel.stem_all(name, [word.lower().encode() for word in given]))
    return [*map(dict(zip(given, stems, strict=True)).get, words, words)]


def _rouge155(word: str) -> str:
    token = _encode(word).lower()
    if len(token) > 3:
        exception = exceptions().get(_decode(token))
        token = kernel.stem("rouge155", token) if exception is None else exception.encode()
    return _decode(token)


def _porter(name: str, word: str) -> str:
    return _decode(kernel.stem(name, _encode(word, lower=True)))


_PORTERS = {name: partial(_porter, name) for name in ("porter", "porter-java")}
_STEMMERS: dict[str, Callable[[str], str]] = {"rouge155": _rouge155, **_PORTERS}


def _snowball(language: str, word: str) -> str:
    _encode(word)  # raises for what is no str
    found = vars(_OF_THREAD).get(language)
    if found is None:  # they keep what they read last, so that each thread has its own
        try:
            from Stemmer import Stemmer
        except ImportError:
            from snowballstemmer import stemmer as Stemmer
        found = vars(_OF_THREAD)[language] = Stemmer(language).stemWord
    stem: str = found(word.lower())
    return stem


_OF_THREAD = threading.local()


def _encode(word: str, lower: bool = False) -> bytes:
    if not isinstance(word, str):
        raise TypeError(f"word is {type(word).__name__}; pass a str")
    return (word.lower() if lower else word).encode("utf-8", "surrogatepass")


def _decode(word: bytes) -> str:
    return word.decode("utf-8", "surrogatepass")
