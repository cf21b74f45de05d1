"""Documents with discourse relations as JSON: one object per line."""

from __future__ import annotations

import json

from summeval.annotate.discourse.document import DiscourseDocument

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def to_json(document: DiscourseDocument, text: str = "") -> str:
    r"""Return a document and its text as one line of JSON, which `from_json` reads.

    Examples
    --------
    >>> document = DiscourseDocument(
    ...     [[("Yes", "UH")], [("No", "UH")]], [{"type": "NoRel", "arg1": [0, 1], "arg2": [1, 2]}]
    ... )
    >>> to_json(document, "Yes\nNo")  # doctest: +NORMALIZE_WHITESPACE
    '{"text":"Yes\\nNo","sentences":[[["Yes","UH"]],[["No","UH"]]],"relations":[{"type":"NoRel","sense":[],"conn_tokens":[],"arg1":[[0,1]],"arg2":[[1,2]]}]}'
    >>> from_json(to_json(document)) == document
    True
    """
    return _encode(
        {
            "text": text,
            "sentences": document.sentences,
            "relations": [
                {
                    "type": relation.type,
                    "sense": relation.senses,
                    "conn_tokens": relation.conn_tokens,
                    "arg1": relation.arg1,
                    "arg2": relation.arg2,
                }
                for relation in document.relations
            ],
        }
    )


def from_json(written: str, place: str = "document") -> DiscourseDocument:
    """Read a document that `to_json` wrote.

    Raises
    ------
    ValueError
        Not such a document; the message names `place`.
    """
    try:
        value = json.loads(written)
        return DiscourseDocument(value["sentences"], value["relations"])
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(
            f"{place}: not a discourse document ({error}); write it with to_json"
        ) from None
