"""The tokens of tercom, which counts the translation edit rate, as sacrebleu has them."""

from __future__ import annotations

from summeval._core.field.ter import rewritten

# Tokenizers by name, and what they do; text is lower-cased before.
TERCOM: dict[str, dict[str, bool]] = {
    "tercom": {},
    "tercom-normalized": {"normalized": True},
    "tercom-normalized-asian": {"normalized": True, "asian": True},
    "tercom-nopunct-asian": {"punctuation": False, "asian": True},
}


def tercom(
    text: str, *, normalized: bool = False, punctuation: bool = True, asian: bool = False
) -> list[str]:
    """Return the tokens of a text, in the case that it has; see `summeval.Ter` for the options.

    >>> tercom("It's 3-4 (net).", normalized=True)
    ['It', "'s", '3', '-', '4', '(', 'net', ')', '.']
    """
    data = text.encode("utf-8", "surrogatepass")
    made = rewritten(data, normalized, punctuation, asian)
    return made.decode("utf-8", "surrogatepass").split()
